import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { freePort } from './lib/free-port.ts'

let folder: string
let dataDir: string
let started: Started[] = []

beforeAll(() => {
  // Require installed packages, because script/start would otherwise install them during the test.
  execFileSync('bash', [
    '-c',
    'source script/lib/common.sh; packages_are_current || die "Run script/check once: it installs the packages."',
  ])
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prospect-start-'))
  dataDir = join(folder, 'data')
})

afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGTERM')
    await ended
  }
  started = []
  await rm(folder, { recursive: true })
})

test('the first start creates the administrator, and the second prints no password', async () => {
  const ports = await freePorts()
  const first = start(ports)
  const output = await first.until('Ctrl-C stops it.')
  const password = /password (\S{20,})/.exec(output)?.[1] ?? ''

  expect(output).toContain(`http://127.0.0.1:${ports.WEB_PORT}\n`)
  expect(output).toContain('Sign in as admin@example.com')
  expect((await signIn(ports, { email: 'admin@example.com', password })).status).toBe(201)
  expect((await fetch(`http://127.0.0.1:${ports.API_PORT}/api/v1/health/ready`)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${ports.WEB_PORT}/healthz`)).status).toBe(200)

  first.child.kill('SIGINT')
  expect(await first.ended).toBe(0)
  await expect(fetch(`http://127.0.0.1:${ports.API_PORT}/api/v1/health/ready`)).rejects.toThrow()
  await expect(fetch(`http://127.0.0.1:${ports.WEB_PORT}/healthz`)).rejects.toThrow()
  expect(first.output().split(password)).toHaveLength(2)
  expect(await everythingIn(join(dataDir, 'logs'))).not.toContain(password)

  const second = start(ports)
  const secondOutput = await second.until('Ctrl-C stops it.')
  expect(secondOutput).toContain('Sign in with the account you have.')
  expect(secondOutput).not.toMatch(/password/)
  expect((await signIn(ports, { email: 'admin@example.com', password })).status).toBe(201)
  expect(await readdir(join(dataDir, 'logs'))).toEqual(['api.log', 'api.log.1', 'web.log', 'web.log.1'])
})

test("the operator's own first account is used and its password never shown", async () => {
  const own = { email: 'thandi@example.org', password: 'an own and long enough password 7' }
  const ports = await freePorts()
  const run = start({ ...ports, BOOTSTRAP_ADMIN_EMAIL: own.email, BOOTSTRAP_ADMIN_PASSWORD: own.password })

  expect(await run.until('Ctrl-C stops it.')).toContain('Sign in as thandi@example.org and the password you chose.')
  expect(run.output()).not.toContain(own.password)
  expect((await signIn(ports, own)).status).toBe(201)
})

test('both servers answer under the public hosts, on any port, and under no other name', async () => {
  const ports = await freePorts()
  await start({ ...ports, PUBLIC_HOSTS: 'prospects.example' }).until('Ctrl-C stops it.')

  for (const url of [
    `http://127.0.0.1:${ports.API_PORT}/api/v1/session`,
    `http://127.0.0.1:${ports.WEB_PORT}/sign-in`,
  ]) {
    const asked = ['localhost:9999', 'prospects.example:8443', 'evil.example'].map((host) => statusUnder(host, url))
    expect(await Promise.all(asked)).toEqual([...(url.endsWith('session') ? [401, 401] : [200, 200]), 421])
  }
  const warnings = /set PUBLIC_HOSTS=prospects\.example,evil\.example/g
  // A log line is written after its response.
  await expect.poll(async () => (await everythingIn(join(dataDir, 'logs'))).match(warnings)?.length).toBe(2)
})

test('when one server dies the other is stopped, and the end of its log is printed', async () => {
  const ports = await freePorts()
  const run = start(ports)
  await run.until('Ctrl-C stops it.')

  process.kill(await childOf(run, 'apps/web/server/main.ts'), 'SIGKILL')

  expect(await run.ended).toBe(1)
  expect(run.output()).toContain('The web app stopped (SIGKILL).')
  await expect(fetch(`http://127.0.0.1:${ports.API_PORT}/api/v1/health/ready`)).rejects.toThrow()
})

test('servers of a killed start stop cleanly by themselves, and the next start gets their ports', async () => {
  const ports = await freePorts()
  const killed = start(ports)
  await killed.until('Ctrl-C stops it.')
  const servers = [await childOf(killed, 'apps/api/src/main.ts'), await childOf(killed, 'apps/web/server/main.ts')]
  onTestFinished(() => servers.filter(isAlive).forEach((server) => void process.kill(server, 'SIGKILL')))
  // SQLite deletes this file when the store is closed; it remains after the API was killed.
  expect(await readdir(dataDir)).toContain('prospect.sqlite-wal')

  killed.child.kill('SIGKILL')
  for (const server of servers) await expect.poll(() => isAlive(server)).toBe(false)
  expect(await readdir(dataDir)).not.toContain('prospect.sqlite-wal')

  await start(ports).until('Ctrl-C stops it.')
})

test('a second start on the same data folder is refused on any port, and prints no password', async () => {
  const first = start(await freePorts())
  const second = start(await freePorts())
  const codes = [first, second].map(async (run) => ({ run, code: await run.ended }))
  const { run: refused, code } = await Promise.race(codes)
  const going = refused === first ? second : first
  await going.until('Ctrl-C stops it.')
  expect(code).toBe(1)
  expect(refused.output()).toContain(`Another script/start or script/dev has ${dataDir}.`)
  expect(refused.output()).not.toMatch(/password/)
  going.child.kill('SIGINT')
  expect(await going.ended).toBe(0)
})

test('an API that refuses its configuration ends the start with that sentence', async () => {
  const run = start({ ...(await freePorts()), AUTOMATED_OUTREACH_ENABLED: 'true' })

  expect(await run.ended).toBe(1)
  expect(run.output()).toMatch(/AUTOMATED_OUTREACH_ENABLED must be false/)
  expect(run.output()).not.toContain('is running')
})

test('a port in use is named, with the variable to set', async () => {
  const ports = await freePorts()
  const other = createServer().listen(Number(ports.WEB_PORT), '127.0.0.1')
  await once(other, 'listening')
  const run = start(ports)

  expect(await run.ended).toBe(1)
  // The proposed port must not be in use, and must not be that of the other server.
  expect([ports.API_PORT, ports.WEB_PORT]).not.toContain(/WEB_PORT=(\d+)/.exec(run.output())?.[1])
  expect(run.output()).toMatch(new RegExp(`^Port ${ports.WEB_PORT} on 127.0.0.1 is in use.*WEB_PORT=.*\n$`))
  other.close()
})

test('a data folder that cannot be written is named, with the variable to set', async () => {
  await writeFile(dataDir, 'a file in place of the folder')
  const run = start(await freePorts())

  expect(await run.ended).toBe(1)
  expect(run.output()).toMatch(/^DATA_DIR is .*nothing can be written.*DATA_DIR=… script\/start\n$/)

  const nowhere = start({ ...(await freePorts()), DATA_DIR: '/proc/nowhere' })
  expect(await nowhere.ended).toBe(1)
  expect(nowhere.output()).toMatch(/^DATA_DIR is .*nothing can be written.*DATA_DIR=… script\/start\n$/)

  // Check the log folder too. Failed log writes are ignored, so all logs would be lost if it were read-only.
  await rm(dataDir)
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'logs'), 'a file in place of the folder')
  const other = start(await freePorts())
  expect(await other.ended).toBe(1)
  expect(other.output()).toMatch(/^DATA_DIR is .*nothing can be written.*logs.*DATA_DIR=… script\/start\n$/)
})

type Ports = { API_PORT: string; WEB_PORT: string }
type Started = {
  child: ChildProcess
  ended: Promise<number | null>
  output(): string
  until(text: string): Promise<string>
}

/** Runs `script/start` with only these environment variables and the paths of the machine. */
function start(env: Record<string, string>): Started {
  const { PATH, HOME, XDG_CACHE_HOME } = process.env
  const cache = XDG_CACHE_HOME ? { XDG_CACHE_HOME } : {}
  const child = spawn('script/start', {
    env: { PATH, HOME, ...cache, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null))

  const until = async (text: string) => {
    const ending = ended.then((code) => {
      throw new Error(`script/start ended (${code}) before it said "${text}":\n${output}`)
    })
    while (!output.includes(text)) await Promise.race([once(child.stdout, 'data'), ending])
    ending.catch(() => {})
    return output
  }
  const run = { child, ended, output: () => output, until }
  started.push(run)
  return run
}

/** Returns the id of a child process of a start whose command line contains `program`. */
async function childOf({ child }: Started, program: string): Promise<number> {
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  for (const pid of children.trim().split(' ')) {
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes(program)) return Number(pid)
  }
  throw new Error(`no process runs ${program}`)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Signs in through the web app, as a browser does. */
function signIn({ WEB_PORT }: Ports, account: { email: string; password: string }): Promise<Response> {
  return fetch(`http://127.0.0.1:${WEB_PORT}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
}

/** Returns the status of a response to a request with this Host, which fetch cannot set. */
async function statusUnder(host: string, url: string): Promise<number | undefined> {
  const [answer]: IncomingMessage[] = await once(get(url, { headers: { host } }), 'response')
  answer?.resume()
  return answer?.statusCode
}

async function everythingIn(path: string): Promise<string> {
  const files = await readdir(path)
  return (await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')))).join('\n')
}

async function freePorts(): Promise<Ports> {
  return { API_PORT: String(await freePort()), WEB_PORT: String(await freePort()) }
}
