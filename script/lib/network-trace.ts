/* Functions that find connections to other machines in a trace of system calls. */

/** Returns an strace command that traces all children, but only calls that open a connection or send without one. */
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

/** Returns the lines of a trace that contain an internet address of another machine. */
export function foreignTraffic(lines: readonly string[]): string[] {
  return lines.filter((line) => /\bAF_INET6?\b/.test(line) && !loopback.some((own) => own.test(line)))
}
