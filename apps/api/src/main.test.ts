import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../../script/lib/free-port.ts'
import { signIn, startApi } from '../test/api-process.ts'
import { runNode } from '../test/run-node.ts'
import { temporaryFolder } from '../test/template-store.ts'
import { migrations } from './rooms/migrations.ts'
import { openConnection } from './store/engine/connection.ts'
import { migrate } from './store/files/migrate.ts'

const EMAIL = 'first@example.com'
const PASSWORD = 'four small words here'

const LISTENING = 'Server listening'

function start(env: Record<string, string>) {
  return runNode('main.ts', [], { env: { LOG_LEVEL: 'trace', ...env }, stopAt: LISTENING })
}

describe('the start is refused', () => {
  test.each([
    ['with automated outreach enabled', { AUTOMATED_OUTREACH_ENABLED: 'true' }, 'AUTOMATED_OUTREACH_ENABLED'],
    ['with an address and no password', { BOOTSTRAP_ADMIN_EMAIL: EMAIL }, ', or neither'],
    ['with a password and no address', { BOOTSTRAP_ADMIN_PASSWORD: PASSWORD }, ', or neither'],
    ['with an adapters file that does not exist', { ADAPTERS_FILE: '/nowhere/adapters.mjs' }, 'which cannot be read.'],
    ['with a relative adapters file', { ADAPTERS_FILE: 'adapters.mjs' }, 'ADAPTERS_FILE must be an absolute path.'],
    [
      'with a weak password',
      { BOOTSTRAP_ADMIN_EMAIL: EMAIL, BOOTSTRAP_ADMIN_PASSWORD: 'weakling' },
      'BOOTSTRAP_ADMIN_PASSWORD is not acceptable: A password has at least 12 characters.',
    ],
    [
      'with an invalid email address',
      { BOOTSTRAP_ADMIN_EMAIL: 'nobody-in-particular', BOOTSTRAP_ADMIN_PASSWORD: PASSWORD },
      'BOOTSTRAP_ADMIN_EMAIL is not acceptable',
    ],
  ])('%s, with one sentence that contains no secret', async (_what, env, sentence) => {
    const { exitCode, stdout, stderr } = await start({ DATA_DIR: temporaryFolder(), ...env })
    expect(exitCode).toBe(1)
    expect(stderr).toContain(sentence)
    expect(stderr.trim()).not.toContain('\n')
    for (const value of [EMAIL, PASSWORD, 'weakling', 'nobody-in-particular'])
      expect(stdout + stderr).not.toContain(value)
  })
})

test.each(['API_PORT', 'METRICS_PORT'])(
  'the start is refused when the port of %s is taken, with a sentence that names the port and the remedy',
  async (name) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const { exitCode, stderr } = await start({
      DATA_DIR: temporaryFolder(),
      API_PORT: String(await freePort()),
      [name]: String(port),
    })
    taken.close()
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `Port ${port} is in use by another program. Stop that program, or set API_PORT or METRICS_PORT to another port.\n`,
    })
  },
)

test.each(['192.0.2.1', 'nowhere.invalid'])(
  'the start is refused on %s, which is not an address of this machine, with a sentence',
  async (API_HOST) => {
    const { exitCode, stderr } = await start({ DATA_DIR: temporaryFolder(), API_HOST })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'API_HOST or METRICS_HOST is not an address of this machine. Set it to one, such as 127.0.0.1.\n',
    })
  },
)

test('the first administrator is created at the first start only, and neither value is logged', async () => {
  const env = {
    DATA_DIR: temporaryFolder(),
    API_PORT: String(await freePort()),
    BOOTSTRAP_ADMIN_EMAIL: EMAIL,
    BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
  }
  const first = await start(env)
  const second = await start({ ...env, BOOTSTRAP_ADMIN_PASSWORD: 'weakling' })
  for (const { exitCode, stdout, stderr } of [first, second]) {
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toContain('remove BOOTSTRAP_ADMIN_EMAIL and BOOTSTRAP_ADMIN_PASSWORD')
    for (const value of [EMAIL, PASSWORD, 'weakling']) expect(stdout).not.toContain(value)
  }
  expect(first.stdout).toContain('the first administrator was created')
  expect(second.stdout).toContain('there are users already')
  expect((await runNode('cli.ts', ['user', 'count'], { env })).stdout).toBe('1\n')
})

test('a store in use without its keys starts with new ones, and the log names them and the remedy', async () => {
  const env = {
    DATA_DIR: temporaryFolder(),
    API_PORT: String(await freePort()),
    BOOTSTRAP_ADMIN_EMAIL: EMAIL,
    BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
  }
  const told = async () => (await start(env)).stdout.match(/"files":\[[^\]]*\]/)?.[0]
  const remove = (file: string) => rmSync(join(env.DATA_DIR, 'keys', file), { recursive: true })
  expect([await told(), await told()]).toEqual([undefined, undefined])
  remove('tombstone-secret')
  expect([await told(), await told()]).toEqual(['"files":["tombstone-secret"]', undefined])
  remove('')
  expect(await told()).toBe('"files":["server-secret","audit-signing.pem","tombstone-secret"]')
})

test.each(['main.ts', 'cli.ts'])('%s says that an older store is migrated to this version first', async (program) => {
  const dataDir = temporaryFolder()
  const older = openConnection(join(dataDir, 'prospect.sqlite'))
  migrate(older, { steps: migrations.slice(0, -1) })
  older.close()
  const env = { DATA_DIR: dataDir, API_PORT: String(await freePort()) }
  const run = () => (program === 'main.ts' ? start(env) : runNode(program, ['tenant', 'list'], { env }))
  const [first, second] = [await run(), await run()]
  expect(first.stdout + first.stderr).toContain('brought to the schema of this version first')
  expect(second.stdout + second.stderr).not.toContain('brought to the schema')
})

test('a running service follows its audit: two records that were created alike are suggested as duplicates', async () => {
  const port = await freePort()
  const api = startApi({ dataDir: temporaryFolder(), port })
  onTestFinished(async () => void (await api.kill('SIGKILL')))
  await api.ready()
  const session = await signIn(port)
  const record = { name: 'Karoo Windpumps (Pty) Ltd', phones: [{ value: '041 555 0101' }] }
  for (let made = 0; made < 2; made++) expect((await session.post('/businesses', record)).status).toBe(201)
  await vi.waitFor(async () => {
    const { body } = await session.get('/match-suggestions')
    expect(body.items).toHaveLength(1)
  }, 20_000)
  expect(await api.kill('SIGTERM')).toBe(0)
}, 60_000)
