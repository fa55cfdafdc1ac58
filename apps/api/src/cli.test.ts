import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { compiledBefore, runNode } from '../test/run-node.ts'
import { takeHistoryAway } from '../test/take-history-away.ts'
import { copyTemplateStore, type TestTenants, temporaryFolder } from '../test/template-store.ts'
import { typeCommand } from '../test/type-command.ts'
import { startCheckpoints } from './rooms/audit/checkpoints/keep-checkpoints.ts'
import { migrations } from './rooms/migrations.ts'
import { openConnection } from './store/engine/connection.ts'
import { schemaVersion } from './store/files/migrate.ts'
import { openStore, STORE_FILE } from './store/store.ts'

const PASSWORD = 'four small words here'

async function setUp() {
  const { dataDir, tenants } = await copyTemplateStore()
  const env = { DATA_DIR: dataDir }
  const cli = (args: string[]) => typeCommand(args, env)
  const process = (args: string[], stdin?: string) =>
    runNode('cli.ts', args, { env, ...(stdin === undefined ? {} : { stdin }) })
  return { dataDir, tenants, cli, process }
}

function newUser(tenants: TestTenants, email = 'thandi@example.com'): string[] {
  return ['user', 'create', '--email', email, '--name', 'Thandi', '--tenant', tenants.home.id, '--role', 'operator']
}

describe('the command line', () => {
  test('lists the commands', async () => {
    const { exitCode, stdout } = await runNode('cli.ts', ['--help'], { env: {} })
    expect(exitCode).toBe(0)
    for (const name of ['tenant create', 'tenant list', 'user create', 'user count', 'audit verify']) {
      expect(stdout).toContain(name)
    }
  })

  test.each([
    [['user', 'destroy'], 'There is no command user destroy'],
    [['user', 'count', '--loudly'], '--loudly'],
    [['tenant', 'create'], '--name is missing'],
    [['user', 'create', '--password', PASSWORD], '--password'],
    [['sample-data', '--businesses', '0x10'], '--businesses takes a whole number'],
    [['sample-data', '--businesses', '1e2'], '--businesses takes a whole number'],
    [['sample-data', '--seed', ' 5'], '--seed takes a whole number'],
  ])('answers %j with a sentence and 2', async (args, sentence) => {
    const { exitCode, stdout, stderr } = await typeCommand(args, { DATA_DIR: temporaryFolder() })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain(PASSWORD)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  test.each([[['audit', 'verify']], [['user', 'count']], [['tenant', 'list']], [['store', 'compact']]])(
    '%j creates no store, and says that it found none',
    async (args) => {
      const folder = temporaryFolder()
      const [missing, empty] = [join(folder, 'missing'), join(folder, 'empty')]
      mkdirSync(empty)
      writeFileSync(join(empty, STORE_FILE), '')
      for (const DATA_DIR of [missing, empty]) {
        const { exitCode, stdout, stderr } = await typeCommand(args, { DATA_DIR })
        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
        expect(stderr).toBe(`There is no store in ${DATA_DIR}. Set DATA_DIR to the folder that has it.\n`)
      }
      expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['empty', join('empty', STORE_FILE)])
    },
  )

  test.each([
    [['backup', 'list'], 'There is no backup in '],
    [['migrations'], 'the first start there makes one.'],
  ])('%j of an empty folder says so and succeeds', async (args, sentence) => {
    const { exitCode, stderr } = await typeCommand(args, { DATA_DIR: join(temporaryFolder(), 'missing') })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(sentence) })
  })

  test('counts no user when no store exists yet, and creates none', async () => {
    const DATA_DIR = join(temporaryFolder(), 'missing')
    const { exitCode, stdout } = await typeCommand(['user', 'count', '--may-be-new'], { DATA_DIR })
    expect([exitCode, stdout, existsSync(DATA_DIR)]).toEqual([0, '0\n', false])
  })

  test.each(['a file', 'a link to nothing', 'a path where no folder can be created'])(
    'says what to do about a folder that is %s',
    async (what) => {
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'a file'), '')
      symlinkSync(join(folder, 'nothing'), join(folder, 'a link to nothing'))
      const DATA_DIR = what === 'a path where no folder can be created' ? '/proc/nowhere/data' : join(folder, what)
      // Run a separate process, so that a command that never ends does not block the test.
      const { exitCode, stderr } = await runNode('cli.ts', ['tenant', 'create', '--name', 'First'], {
        env: { DATA_DIR },
      })
      expect(exitCode).toBe(1)
      expect(stderr).toMatch(
        /: E.*\. Set DATA_DIR, or for backups BACKUP_DIR, to a folder that this user may write\.\n$/,
      )
    },
  )

  test('does not start with automated outreach enabled', async () => {
    const env = { DATA_DIR: temporaryFolder(), AUTOMATED_OUTREACH_ENABLED: 'true' }
    const { exitCode, stderr } = await runNode('cli.ts', ['user', 'count'], { env })
    expect(exitCode).toBe(1)
    expect(stderr).toContain('AUTOMATED_OUTREACH_ENABLED must be false')
  })
})

describe('output of a command', () => {
  const cli = fileURLToPath(new URL('cli.ts', import.meta.url))
  const env = { ...compiledBefore(), PATH: process.env.PATH }

  test('to a closed pipe does not change its exit code', () => {
    const script = 'set -o pipefail; "$0" "$1" --help | :; echo $?'
    const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, cli], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' })
  })

  test('that cannot be written is reported in a sentence, with an exit code that no finding uses', () => {
    const full = openSync('/dev/full', 'w')
    const stdio = ['ignore', full, 'pipe'] as const
    const { status, stderr } = spawnSync(process.execPath, [cli, '--help'], {
      env,
      encoding: 'utf8',
      stdio: [...stdio],
    })
    closeSync(full)
    expect(status).toBe(74)
    expect(stderr).toMatch(/^The output of this command could not be written: ENOSPC.*\n$/)
  })
})

test.each(['http://127.0.0.1:9', 'nope'])(
  'acceptance of %s without a running API says so and creates nothing',
  async (url) => {
    const { cli } = await setUp()
    const { exitCode, stderr } = await cli(['acceptance', '--api-url', url])
    expect([exitCode, stderr]).toEqual([
      1,
      `The API does not respond at ${url}/api/v1/health/live. Start it, or set its address.\n`,
    ])
    expect((await cli(['tenant', 'list'])).stdout.trim().split('\n')).toHaveLength(2)
  },
)

describe('tenants', () => {
  test('can be created before the first start, together with their store', async () => {
    const env = { DATA_DIR: join(temporaryFolder(), 'new') }
    const created = await typeCommand(['tenant', 'create', '--name', 'First'], env)
    expect((await typeCommand(['tenant', 'list'], env)).stdout).toContain(created.stdout.trim())
  })

  test('are created and listed by their id', async () => {
    const { cli, tenants } = await setUp()
    const created = await cli(['tenant', 'create', '--name', 'Third', '--time-zone', 'Europe/Berlin'])
    expect(created).toMatchObject({ exitCode: 0, stderr: '' })
    const wrong = await cli(['tenant', 'create', '--name', 'Fourth', '--country', 'UK'])
    expect(wrong).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('such as ZA, US or GB') })
    const unknown = await cli(['tenant', 'create', '--name', 'Fourth', '--locale', 'fr-FR'])
    expect(unknown).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('--locale is one of en-AU'),
    })
    const { stdout } = await cli(['tenant', 'list'])
    expect(stdout.split('\n')).toEqual([
      `${tenants.home.id}\tAfrica/Johannesburg\tHome`,
      `${tenants.other.id}\tAfrica/Johannesburg\tOther`,
      `${created.stdout.trim()}\tEurope/Berlin\tThird`,
      '',
    ])
  })
})

describe('users', () => {
  test('are created with a password from standard input and counted', async () => {
    const { cli, process, tenants } = await setUp()
    expect((await cli(['user', 'count'])).stdout).toBe('8\n')
    const { exitCode, stdout } = await process([...newUser(tenants), '--password-file', '-'], `${PASSWORD}\n`)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^[0-9a-f-]{36}\n$/)
    expect((await cli(['user', 'count'])).stdout).toBe('9\n')
  })

  test('join another tenant without a new password', async () => {
    const { cli, tenants } = await setUp()
    const { exitCode, stdout, stderr } = await cli(newUser(tenants, 'Viewer@other.example'))
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${tenants.other.users.viewer.id}\n` })
    expect(stderr).toContain('keeps name and password')
  })

  test('are not created with a weak password, which is not repeated', async () => {
    const { cli, tenants } = await setUp()
    const file = join(temporaryFolder(), 'password')
    writeFileSync(file, 'weakling')
    const { exitCode, stderr } = await cli([...newUser(tenants), '--password-file', file])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('at least 12 characters')
    expect(stderr).not.toContain('weakling')
    expect((await cli(['user', 'count'])).stdout).toBe('8\n')
  })

  test('get a one-time link, or lose their factors, by email address; the audit names the command line', async () => {
    const { cli, dataDir } = await setUp()
    const person = ['--email', 'Administrator@home.example']
    const link = await cli(['user', 'reset-password', ...person])
    expect(link).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^[\w-]{43}\n$/) })
    expect((await cli(['user', 'reset-factors', ...person])).exitCode).toBe(0)
    expect(await cli(['user', 'reset-factors', '--email', 'nobody@home.example'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no active user'),
    })
    const connection = openConnection(join(dataDir, STORE_FILE), { readonly: true })
    const events = connection
      .prepare(
        `SELECT actor, action FROM audit_events WHERE action IN ('user.reset_password', 'mfa.reset') ORDER BY sequence`,
      )
      .all()
    connection.close()
    expect(events).toEqual([
      { actor: 'command line', action: 'user.reset_password' },
      { actor: 'command line', action: 'mfa.reset' },
    ])
  })

  test('are asked for a password only on a terminal', async () => {
    const { process, tenants } = await setUp()
    const { exitCode, stderr } = await process(newUser(tenants))
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--password-file')
  })
})

describe('audit verify', () => {
  test('finds the chain of every tenant intact', async () => {
    const { cli, tenants } = await setUp()
    const { exitCode, stdout } = await cli(['audit', 'verify'])
    expect(exitCode).toBe(0)
    expect(stdout.match(/\tintact up to 0, not compared with a copy \(5 events/g)).toHaveLength(2)
    const one = await cli(['audit', 'verify', '--tenant', tenants.other.id])
    expect(one.stdout.trim().split('\n')).toHaveLength(1)
  })

  test('names the first altered event, and exits with 1', async () => {
    const { cli, dataDir, tenants } = await setUp()
    const connection = openConnection(join(dataDir, STORE_FILE))
    connection.exec('DROP TRIGGER audit_events_keeps_rows')
    connection
      .prepare(`UPDATE audit_events SET actor = 'somebody else' WHERE tenant_id = ? AND sequence >= 3`)
      .run(tenants.home.id)
    connection.close()
    const { exitCode, stdout } = await cli(['audit', 'verify'])
    expect(exitCode).toBe(1)
    expect(stdout).toContain(`${tenants.home.id}\tHome\tbroken at event 3`)
    expect(stdout).toContain(`${tenants.other.id}\tOther\tintact`)
  })

  test('verifies nothing in a store without a tenant, and does not report success', async () => {
    const dataDir = temporaryFolder()
    await openStore({ migrations, dataDir, clock: () => new Date() }).close()
    expect(await typeCommand(['audit', 'verify'], { DATA_DIR: dataDir })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'There is no tenant in this store: nothing was verified.\n',
    })
  })

  test('names a chain that was removed with its tenant, and exits with 1', async () => {
    const { cli, dataDir, tenants } = await setUp()
    const store = openStore({ migrations, dataDir, clock: () => new Date() })
    await startCheckpoints(store, { warn: () => {}, error: () => {} }).stop()
    await store.close()
    expect((await cli(['audit', 'verify'])).exitCode).toBe(0)
    takeHistoryAway(dataDir, tenants.other.id)
    const { exitCode, stdout } = await cli(['audit', 'verify'])
    expect(exitCode).toBe(1)
    expect(stdout).toContain(`${tenants.home.id}\tHome\tintact`)
    expect(stdout).toContain(`${tenants.other.id}\t\tbroken: The whole chain is missing; it had 5 events`)
  })
})

describe('migrations', () => {
  test('shows the migrations of the next start, and runs none', async () => {
    const { cli, dataDir } = await setUp()
    expect((await cli(['migrations'])).stdout).not.toContain('would run')
    const connection = openConnection(join(dataDir, STORE_FILE))
    const newest = migrations.length
    connection.exec('DELETE FROM schema_steps WHERE name = (SELECT max(name) FROM schema_steps)')
    const { exitCode, stdout } = await cli(['migrations'])
    expect(exitCode).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(newest)
    expect(stdout.match(/would run/g)).toHaveLength(1)
    expect(schemaVersion(connection)).toBe(newest - 1)
    connection.exec("INSERT INTO schema_steps (name) VALUES ('2999-01-01-newer')")
    expect(await cli(['migrations'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^The store has schema version \d+.*\n$/),
    })
    connection.close()
  })
})

test('a command waits for a process that is writing', async () => {
  const { process, dataDir } = await setUp()
  const connection = openConnection(join(dataDir, STORE_FILE))
  connection.exec('BEGIN IMMEDIATE')
  const creating = process(['tenant', 'create', '--name', 'Third'])
  setTimeout(() => connection.exec('COMMIT'), 1_000)
  expect((await creating).exitCode).toBe(0)
  connection.close()
})
