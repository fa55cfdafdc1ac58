import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runNode } from '../../test/run-node.ts'
import { copyTemplateStore, temporaryFolder } from '../../test/template-store.ts'
import { typeCommand } from '../../test/type-command.ts'
import { systemClock } from '../lib/clock.ts'
import { listTenants, systemActor } from '../rooms/identity/identity.ts'
import { migrations } from '../rooms/migrations.ts'
import { addSuppression } from '../rooms/suppression/entries/add-entry.ts'
import { addSuppressionSchema } from '../rooms/suppression/suppression.schema.ts'
import { change } from '../store/change/change.ts'
import { openStore } from '../store/store.ts'

async function setUp() {
  const { dataDir } = await copyTemplateStore()
  const made = await typeCommand(['backup', 'new-identity'], {})
  const identity = join(temporaryFolder(), 'identity')
  writeFileSync(identity, made.stdout)
  const recipient = /age1[0-9a-z]+/.exec(made.stderr)?.[0] ?? ''
  const shelf = join(temporaryFolder(), 'shelf')
  const env = { DATA_DIR: dataDir, BACKUP_DIR: shelf, BACKUP_RECIPIENTS: recipient }
  const cli = (args: string[], changed: Record<string, string> = {}) => typeCommand(args, { ...env, ...changed })
  return { dataDir, shelf, identity, secret: made.stdout.trim(), env, cli }
}

async function suppress(dataDir: string, value: string): Promise<void> {
  const store = openStore({ migrations, dataDir, clock: systemClock })
  const [tenant] = await listTenants(store.reader)
  const actor = systemActor('command line', tenant?.id ?? '')
  const entry = addSuppressionSchema.parse({ kind: 'email', value, reason: 'They asked.', channel: 'letter' })
  await change(store, actor, { permission: null, action: 'suppression.add' }, (tx) => addSuppression(tx, entry))
  await store.close()
}

describe('backups', () => {
  test('are made, listed, verified, drilled and restored by commands', async () => {
    const { cli, dataDir, identity, shelf } = await setUp()
    const made = await cli(['backup'])
    expect(made).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('Warning: this backup exists on this host only'),
    })
    const folder = made.stdout.trim()
    expect(folder.startsWith(join(shelf, 'backup-'))).toBe(true)
    expect((await cli(['backup', 'list'])).stdout).toContain(folder)
    expect(await cli(['backup', 'verify'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('sealed files intact'),
      stderr: expect.stringContaining('not opened'),
    })
    expect((await cli(['backup', 'verify', '--identity', identity])).stdout).toMatch(/\twhole\n$/)
    const drill = await cli(['restore-drill', '--identity', identity])
    expect(JSON.parse(drill.stdout)).toMatchObject({ tenants: 2, brokenChains: 0, keys: 'those of the store' })
    await cli(['tenant', 'create', '--name', 'Third'])
    await suppress(dataDir, 'late@karoo.co.za')
    const restored = await cli(['restore', '--from', folder, '--identity', identity])
    expect(restored).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('tenant.create 1') })
    expect(restored.stderr).toContain('do not contact holds: suppression entries 1, blocks by hand 0, hashes of')
    expect(restored.stderr).not.toContain('suppression.add')
    expect((await cli(['tenant', 'list'])).stdout).not.toContain('Third')
    expect((await cli(['audit', 'verify'])).exitCode).toBe(0)
    expect(readdirSync(dataDir).filter((name) => name.startsWith('replaced-'))).toHaveLength(1)
  })

  test('succeed locally when the copy program fails, and exit with 3', async () => {
    const { cli, shelf } = await setUp()
    const { exitCode, stdout, stderr } = await cli(['backup'], { BACKUP_HOOK: '/bin/false' })
    expect(exitCode).toBe(3)
    expect(stdout).toContain(shelf)
    expect(stderr).toContain('was not copied off this host')
  })
})

describe('a missing or wrong setting is reported in a sentence, without repeating a key:', () => {
  test('a backup folder that cannot be created, or that is the data folder', async () => {
    const { cli, dataDir } = await setUp()
    const { exitCode, stderr } = await cli(['backup'], { BACKUP_DIR: join(dataDir, 'prospect.sqlite', 'shelf') })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(
      /^A file or folder cannot be .*'.*\/prospect\.sqlite\/shelf'\. Set .* for backups BACKUP_DIR,/,
    )
  })

  test('no public key', async () => {
    const { cli } = await setUp()
    const { exitCode, stderr } = await cli(['backup'], { BACKUP_RECIPIENTS: '' })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/BACKUP_RECIPIENTS is missing.*\n$/)
  })

  test('a secret key among the public ones', async () => {
    const { cli, secret } = await setUp()
    const { exitCode, stderr } = await cli(['backup'], { BACKUP_RECIPIENTS: secret })
    expect(exitCode).toBe(1)
    expect(stderr).toContain('must not be on this server')
    expect(stderr).not.toContain(secret)
  })

  test('public keys in a variable and a file at once, or in a missing file', async () => {
    const { cli } = await setUp()
    expect((await cli(['backup'], { BACKUP_RECIPIENTS_FILE: '/nowhere' })).stderr).toContain('remove one')
    const missing = await cli(['backup'], { BACKUP_RECIPIENTS: '', BACKUP_RECIPIENTS_FILE: '/nowhere' })
    expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('BACKUP_RECIPIENTS_FILE') })
  })

  test('an invalid identity, no backup, an invalid policy', async () => {
    const { cli } = await setUp()
    const notes = join(temporaryFolder(), 'notes')
    writeFileSync(notes, 'my secret notes')
    const none = await cli(['restore-drill', '--identity', notes])
    expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('has no secret age key') })
    expect(none.stderr).not.toContain('my secret notes')
    expect((await cli(['backup', 'verify'])).stderr).toContain('There is no backup in')
    for (const days of ['0', '1e1', '0x1e'])
      expect((await cli(['backup'], { BACKUP_KEEP_DAYS: days })).stderr).toContain('BACKUP_KEEP_DAYS must be')
  })

  test('a restore beside a running API', async () => {
    const { cli, dataDir, identity, env } = await setUp()
    const folder = (await cli(['backup'])).stdout.trim()
    const store = openStore({ migrations, dataDir, clock: () => new Date() })
    const { exitCode, stderr } = await runNode('cli.ts', ['restore', '--from', folder, '--identity', identity], { env })
    await store.close()
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^Another program uses this store.*Stop it, then try again\.\n$/)
  })
})
