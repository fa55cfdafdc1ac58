import { type ChildProcess, spawn } from 'node:child_process'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type Environment = Record<string, string | undefined>

/** Receives a process's standard output and standard error, and returns its last lines. */
export type Output = { write(chunk: Uint8Array): void; lastWords(): string }

export type ManagedProcess = {
  name: string
  child: ChildProcess
  output: Output
  /** resolves to a text about the end of the process, such as `exit code 1`; never rejects */
  ended: Promise<string>
}

type Start = { name: string; args: string[]; env: Environment; cwd?: string | undefined; output: Output }

const stopWithStarter = new URL('./stop-with-starter.ts', import.meta.url).href

/**
 * Starts `node <args>` in its own process group. Ctrl-C on the terminal then reaches only the caller, which stops its children in order. If the
 * caller ends in another way, even by kill -9, the process stops itself.
 */
export function startProcess({ name, args, env, cwd, output }: Start): ManagedProcess {
  const child = spawn(process.execPath, ['--import', stopWithStarter, ...args], {
    env,
    cwd,
    detached: true,
    stdio: 'pipe', // standard input too: it is unused, but closes with this process
  })
  child.stdout.on('data', output.write)
  child.stderr.on('data', output.write)
  return manage(name, child, output)
}

/** Manages a process that other code started. */
export function manage(name: string, child: ChildProcess, output: Output): ManagedProcess {
  const askToStop = () => child.kill('SIGTERM')
  process.once('exit', askToStop)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    // Wait for 'close' instead of 'exit', because the last lines of output have been read only then.
    child.once('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : signal))
  }).finally(() => process.removeListener('exit', askToStop))

  return { name, child, output, ended }
}

/** Rejects when the process ends. The message contains the last lines of its output. */
export async function failWhenEnded({ name, ended, output }: ManagedProcess): Promise<never> {
  throw new Error(`The ${name} stopped (${await ended}). ${output.lastWords()}`)
}

/** Resolves when this process receives Ctrl-C or SIGTERM, or when its terminal closes. The caller must then exit. */
export function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => {
        console.log('Stopping.')
        resolve()
      })
    }
  })
}

/** Resolves when `url` responds with 200. Rejects if the process ends first, or after `timeoutMs`. */
export async function untilHealthy(server: ManagedProcess, url: string, timeoutMs = 60_000): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  const tooLate = sleep(timeoutMs, undefined, { signal }).then(() => {
    throw new Error(
      `The ${server.name} was not ready at ${url} within ${timeoutMs / 1000} s. ${server.output.lastWords()}`,
    )
  })
  const ready = pollUntilOk(url, signal)
  const ended = failWhenEnded(server)
  try {
    await Promise.race([ready, tooLate, ended])
  } finally {
    waiting.abort()
    // The promises that lost the race may reject later; ignore that.
    for (const loser of [ready, tooLate, ended]) loser.catch(() => {})
  }
}

async function pollUntilOk(url: string, signal: AbortSignal): Promise<void> {
  while (!(await answersOk(url))) await sleep(50, undefined, { signal })
}

function answersOk(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 2_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}

/** Sends SIGTERM to the process, waits for its end, and kills it after `graceMs`. */
export async function stopProcess({ name, child, ended }: ManagedProcess, graceMs = 20_000): Promise<void> {
  child.kill('SIGTERM')
  const patience = setTimeout(() => {
    console.error(`The ${name} did not stop within ${graceMs / 1000} s and was killed.`)
    child.kill('SIGKILL')
  }, graceMs)
  await ended
  clearTimeout(patience)
}

/** Returns the URL at which this machine reaches a server that listens on `host`. */
export function urlOf(host: string, port: string | number): string {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  const address = everywhere[host] ?? host
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

/** Returns the value of `PUBLIC_HOSTS` for servers at these URLs: their hosts, followed by the operator's names. */
export function publicHostsOf(urls: readonly string[], named = ''): string {
  return [...urls.map((url) => new URL(url).host), named].filter((entry) => entry !== '').join(',')
}
