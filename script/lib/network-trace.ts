/* Reading a trace of system calls for whoever tried to reach beyond this machine. */

/** strace as it is started: every child, only what can open a connection or send without one. */
export function traceArguments(file: string): string[] {
  return [
    'strace',
    '-f',
    '-qq',
    '-e',
    'trace=connect,sendto,sendmsg,sendmmsg',
    '-e',
    'signal=none',
    '-s',
    '0',
    '-o',
    file,
  ]
}

const loopback = [
  /inet_addr\("127\.\d+\.\d+\.\d+"\)/,
  /inet_pton\(AF_INET6, "::1"/,
  /inet_pton\(AF_INET6, "::ffff:127\.\d+\.\d+\.\d+"/,
]

/** The lines of a trace that name an address of the internet that is not this machine's own. */
export function foreignTraffic(lines: readonly string[]): string[] {
  return lines.filter((line) => /\bAF_INET6?\b/.test(line) && !loopback.some((own) => own.test(line)))
}
