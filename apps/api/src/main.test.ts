import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../../script/lib/free-port.ts'
import { runNode } from '../test/run-node.ts'
import { temporaryFolder } from '../test/template-store.ts'

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

test('the start is refused where the port is taken, by a sentence that says what to do', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const { exitCode, stderr } = await start({ DATA_DIR: temporaryFolder(), API_PORT: String(port) })
  taken.close()
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'The port of the API is in use by another program. Stop that, or set API_PORT.\n',
  })
})

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
