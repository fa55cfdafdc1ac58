import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { compiledBefore } from './run-node.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const READY_WITHIN_MS = 60_000
const ASK_EVERY_MS = 20

const CHOSEN_PASSWORD = 'dry river under the wide acacia'
const administrator = { email: 'admin@crash.example', password: 'wide acacia over the dry river' }

/** The real API, started as an operator starts it: in a separate process on its own port. */
export type ApiProcess = {
  pid: number | undefined
  /** resolves when the process is ready; rejects with the output so far if the process ended before */
  ready(): Promise<void>
  /** resolves with the exit code when the process has ended; null if a signal ended it */
  kill(signal: NodeJS.Signals): Promise<number | null>
  /** returns the output so far */
  output(): string
}

export function startApi(options: { dataDir: string; port: number; command?: string[] }): ApiProcess {
  const { dataDir, port, command = [] } = options
  const [program = process.execPath, ...args] = [...command, process.execPath, MAIN]
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...compiledBefore(),
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      API_PORT: String(port),
      LOG_LEVEL: 'warn',
      BOOTSTRAP_ADMIN_EMAIL: administrator.email,
      BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
    },
  })
  const ended = once(child, 'exit')
  const written: string[] = []
  child.stdout?.on('data', (chunk) => written.push(String(chunk)))
  child.stderr?.on('data', (chunk) => written.push(String(chunk)))
  return {
    pid: child.pid,
    ready: () => untilReady(child, port, () => written.join('')),
    kill: async (signal) => {
      child.kill(signal)
      await ended
      return child.exitCode
    },
    output: () => written.join(''),
  }
}

async function untilReady(child: ChildProcess, port: number, output: () => string): Promise<void> {
  const givesUpAt = performance.now() + READY_WITHIN_MS
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The API ended while starting: ${output()}`)
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/health/ready`).catch(() => undefined)
    if (answer?.status === 200) return
    if (performance.now() > givesUpAt) throw new Error(`The API is not ready: ${output()}`)
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
}

export type ApiAnswer = { status: number; body: Record<string, unknown>; headers: Headers }
export type ApiSession = {
  /** headers for requests of this session */
  headers: { cookie: string; 'x-csrf-token': string }
  get(path: string): Promise<ApiAnswer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiAnswer>
}

/**
 * Signs in as the administrator that the first start created, and sets the new password that this account needs. The session outlives the process.
 */
export async function signIn(port: number): Promise<ApiSession> {
  const base = `http://127.0.0.1:${port}/api/v1`
  const signedIn = await answerOf(
    await fetch(`${base}/session`, { method: 'POST', headers: json, body: JSON.stringify(administrator) }),
  )
  if (signedIn.status !== 201) throw new Error(`Sign-in failed: ${JSON.stringify(signedIn.body)}`)
  const changed = await sessionWith(base, sessionOf(signedIn)).post('/password', {
    currentPassword: administrator.password,
    newPassword: CHOSEN_PASSWORD,
  })
  if (changed.status !== 200) throw new Error(`The password was not changed: ${JSON.stringify(changed.body)}`)
  return sessionWith(base, sessionOf(changed))
}

/** Invites a manager and signs in as that person, who can decide about what the inviting person proposed. */
export async function signInColleague(port: number, administration: ApiSession): Promise<ApiSession> {
  const base = `http://127.0.0.1:${port}/api/v1`
  const account = { email: 'colleague@example.com', password: 'a long phrase chosen by Thandi' }
  const invited = await administration.post('/users', { email: account.email, name: 'Colleague', role: 'manager' })
  const { link } = invited.body as { link?: { token: string } }
  if (link === undefined) throw new Error(`The invitation failed: ${JSON.stringify(invited.body)}`)
  const asked = async (path: string, body: object) => {
    const answer = await answerOf(
      await fetch(`${base}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) }),
    )
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer
  }
  await asked('/one-time-links/use', { token: link.token, password: account.password })
  return sessionWith(base, sessionOf(await asked('/session', account)))
}

const json = { 'content-type': 'application/json' }

async function answerOf(response: Response): Promise<ApiAnswer> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

function sessionWith(base: string, session: ApiSession['headers']): ApiSession {
  return {
    headers: session,
    get: async (path) => answerOf(await fetch(`${base}${path}`, { headers: session })),
    post: async (path, body, headers = {}) =>
      answerOf(
        await fetch(`${base}${path}`, {
          method: 'POST',
          headers: { ...json, ...session, ...headers },
          body: JSON.stringify(body),
        }),
      ),
  }
}

function sessionOf({ headers, body }: ApiAnswer): { cookie: string; 'x-csrf-token': string } {
  const cookie = headers
    .getSetCookie()
    .map((header) => header.split(';')[0])
    .join('; ')
  return { cookie, 'x-csrf-token': String(body.csrfToken) }
}
