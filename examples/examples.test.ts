import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type ApiProcess, type ApiSession, signIn, startApi } from '../apps/api/test/api-process.ts'
import { freePort } from '../script/lib/free-port.ts'

/* Runs the examples, and the commands of docs/integrate.md, as programs with tokens of their own against the real API. */

const run = promisify(execFile)
let folder: string
let api: ApiProcess
let session: ApiSession
let url: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prospect-examples-'))
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  api = startApi({ dataDir: join(folder, 'data'), port })
  await api.ready()
  session = await signIn(port)
})

afterAll(async () => {
  await api.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

/** Returns the environment of a program with a token that has these permissions. */
async function environment(permissions: readonly string[]): Promise<NodeJS.ProcessEnv> {
  const endsAt = new Date(Date.now() + 3_600_000).toISOString()
  const { status, body } = await session.post('/tokens', { name: 'An example', permissions, endsAt })
  expect([status, body]).toMatchObject([201, { secret: expect.any(String) }])
  return { ...process.env, PROSPECT_URL: url, PROSPECT_TOKEN: String(body.secret) }
}

const node = (args: readonly string[], env: NodeJS.ProcessEnv) => run(process.execPath, [...args], { env })

async function created(name: string): Promise<string> {
  const { status, body } = await session.post('/businesses', { name })
  expect(status).toBe(201)
  return String(body.id)
}

test('check-column adds the answer of the do-not-contact list to each row, and leaves all other cells as they are', async () => {
  const { status } = await session.post('/suppressions', {
    kind: 'email',
    value: 'no@karoo.example',
    reason: 'They asked.',
    channel: 'phone',
  })
  expect(status).toBe(201)
  const file = join(folder, 'leads.csv')
  const many = Array.from({ length: 150 }, (_, n) => `Lead ${n},lead${n}@karoo.example`)
  writeFileSync(file, `\ufeffName,Email\n"Karoo, ""Wind""",NO@karoo.example\nNobody,\n${many.join('\n')}\n`)
  const env = await environment(['suppression.read'])
  const { stdout } = await node(['examples/check-column.ts', file, 'Email', 'email'], env)
  const lines = stdout.split('\r\n')
  expect(lines.slice(0, 4)).toEqual([
    'Name,Email,Do not contact',
    '"Karoo, ""Wind""",NO@karoo.example,yes',
    'Nobody,,',
    'Lead 0,lead0@karoo.example,no',
  ])
  expect(lines).toHaveLength(154)
  await expect(node(['examples/check-column.ts', file, 'Phone', 'phone'], env)).rejects.toMatchObject({ code: 2 })
  const powerless = await environment(['businesses.read'])
  await expect(node(['examples/check-column.ts', file, 'Email', 'email'], powerless)).rejects.toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('suppression.read'),
  })
})

test('nightly-copy copies everything once, then what changed, and starts over when its cursor is no longer valid', async () => {
  const env = await environment(['businesses.read'])
  const copy = join(folder, 'copy')
  const first = await created('Copied first')
  const nameOf = (id: string) => JSON.parse(readFileSync(join(copy, `prospects/${id}.json`), 'utf8')).name
  const copied = async () => (await node(['examples/nightly-copy.ts', copy], env)).stdout
  expect(await copied()).toMatch(/^Copied all \d+ prospects/)
  expect(nameOf(first)).toBe('Copied first')
  expect(await copied()).toBe('Copied 0 changed prospects.\n')
  const second = await created('Copied second')
  const [, edited] = [
    await created('Copied third'),
    await fetch(`${url}/api/v1/businesses/${first}`, {
      method: 'PATCH',
      headers: { ...session.headers, 'content-type': 'application/json', 'if-match': '"1"' },
      body: JSON.stringify({ name: 'Copied again' }),
    }),
  ]
  expect(edited.status).toBe(200)
  expect(await copied()).toBe('Copied 3 changed prospects.\n')
  expect([nameOf(first), nameOf(second)]).toEqual(['Copied again', 'Copied second'])
  writeFileSync(join(copy, 'cursor'), '019ab5c2-0000-7000-8000-00000000ffff')
  writeFileSync(join(copy, 'prospects/gone.json'), '{}')
  expect(await copied()).toMatch(/^Copied all/)
  expect(readdirSync(join(copy, 'prospects'))).not.toContain('gone.json')
})

/** Starts the form server on a free port and resolves when it listens. */
async function formServer(env: NodeJS.ProcessEnv): Promise<string> {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, ['examples/form-server.ts'], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill()
    await once(child, 'exit')
  })
  await once(child.stdout ?? child, 'data')
  return `http://127.0.0.1:${port}/`
}

test('form-server creates one prospect with its source for a form that is sent twice, and refuses a wrong one with a sentence', async () => {
  const address = await formServer(await environment(['businesses.read', 'businesses.write', 'evidence.write']))
  const openForm = async () => {
    const key = /name="key" value="([^"]+)"/.exec(await (await fetch(address)).text())?.[1] ?? ''
    return (fields: Record<string, string>) =>
      fetch(address, { method: 'POST', body: new URLSearchParams({ key, ...fields }) })
  }
  const send = await openForm()
  const filled = { name: 'Baobab Bakery', email: 'hello@baobab.example' }
  for (const answer of [await send(filled), await send(filled)])
    expect([answer.status, await answer.text()]).toEqual([201, expect.stringContaining('Thank you.')])
  const { body } = await session.get('/businesses?q=Baobab')
  const { items } = body as { items: { id: string }[] }
  expect(items).toHaveLength(1)
  const evidence = await session.get(`/businesses/${items[0]?.id}/evidence`)
  expect(evidence.body).toMatchObject({ items: [{ sourceLabel: 'Contact form of our site' }] })
  expect((await send({ name: '' })).status).toBe(400)
  const refused = await (await openForm())({ name: 'Bell \u0007' })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('cannot be stored')])
  // The key of a form belongs to what was first sent with it.
  const other = await send({ ...filled, name: 'Another name' })
  expect([other.status, await other.text()]).toEqual([422, expect.stringContaining('already used')])
})

test('the commands of docs/integrate.md work unchanged', async () => {
  const text = readFileSync('docs/integrate.md', 'utf8')
  const blocks = [...text.matchAll(/^```sh run\n(.*?)^```$/gms)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(2)
  const env = await environment(['businesses.read', 'businesses.write', 'suppression.read'])
  await created('Known before')
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', blocks.join('\n')], { env })
  expect(stdout).toContain('Karoo Windpumps')
  expect(stdout).toMatch(/ratelimit: "token";r=\d+;t=\d+/i)
  expect(stdout).toContain('"nextCursor"')
})
