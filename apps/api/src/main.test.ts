import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../../script/lib/free-port.ts'
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
    ['where automated outreach is on', { AUTOMATED_OUTREACH_ENABLED: 'true' }, 'AUTOMATED_OUTREACH_ENABLED'],
    ['with an address and no password', { BOOTSTRAP_ADMIN_EMAIL: EMAIL }, 'set together or not at all'],
    ['with a password and no address', { BOOTSTRAP_ADMIN_PASSWORD: PASSWORD }, 'set together or not at all'],
    ['with an adapters file that is not there', { ADAPTERS_FILE: '/nowhere/adapters.mjs' }, 'which cannot be read.'],
    ['with a relative adapters file', { ADAPTERS_FILE: 'adapters.mjs' }, 'ADAPTERS_FILE must be an absolute path.'],
    [
      'with a weak password',
      { BOOTSTRAP_ADMIN_EMAIL: EMAIL, BOOTSTRAP_ADMIN_PASSWORD: 'weakling' },
      'BOOTSTRAP_ADMIN_PASSWORD will not do: A password has at least 12 characters.',
    ],
    [
      'with no real address',
      { BOOTSTRAP_ADMIN_EMAIL: 'nobody-in-particular', BOOTSTRAP_ADMIN_PASSWORD: PASSWORD },
      'BOOTSTRAP_ADMIN_EMAIL will not do',
    ],
  ])('%s, by one sentence that holds no secret', async (_what, env, sentence) => {
    const { exitCode, stdout, stderr } = await start({ DATA_DIR: temporaryFolder(), ...env })
    expect(exitCode).toBe(1)
    expect(stderr).toContain(sentence)
    expect(stderr.trim()).not.toContain('\n')
    for (const value of [EMAIL, PASSWORD, 'weakling', 'nobody-in-particular'])
      expect(stdout + stderr).not.toContain(value)
  })
})

test.each(['API_PORT', 'METRICS_PORT'])(
  'the start is refused where the port of %s is taken, by a sentence that names it and says what to do',
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
      stderr: `Port ${port} is in use by another program. Stop that, or set API_PORT or METRICS_PORT, whichever it is.\n`,
    })
  },
)

test.each(['192.0.2.1', 'nowhere.invalid'])(
  'the start is refused on %s, which is no address of this machine, by a sentence',
  async (API_HOST) => {
    const { exitCode, stderr } = await start({ DATA_DIR: temporaryFolder(), API_HOST })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'API_HOST or METRICS_HOST is no address of this machine. Set it to one, such as 127.0.0.1.\n',
    })
  },
)

test('the first administrator is made at the first start and only there, and neither value is ever logged', async () => {
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

test('a store in use whose keys are gone is started with new ones, and the log says which and what to do', async () => {
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

test.each(['main.ts', 'cli.ts'])('%s says that an older store is brought to this version first', async (program) => {
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
