import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { verifyTenant } from '../../src/rooms/audit/audit.ts'
import { listBackups } from '../../src/rooms/backup/backup-shelf.ts'
import { checkSealed, openInScratch } from '../../src/rooms/backup/open-backup.ts'
import { createTenant, listTenants } from '../../src/rooms/identity/identity.ts'
import { migrations } from '../../src/rooms/migrations.ts'
import { openKeys } from '../../src/store/files/keys.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { backupPlace } from '../backups.ts'
import { compiledBefore, runNode } from '../run-node.ts'
import { copyTemplateStore } from '../template-store.ts'
import { temporaryFolder } from '../temporary-store.ts'

const KILLS = 5
const CLI = join(import.meta.dirname, '../../src/cli.ts')

async function setUp() {
  const { dataDir } = await copyTemplateStore()
  const { identity, identities, recipient, shelf } = await backupPlace(dataDir, systemClock)
  const identityFile = join(temporaryFolder(), 'identity')
  writeFileSync(identityFile, identity)
  const { PATH = '' } = process.env
  const env = { ...compiledBefore(), DATA_DIR: dataDir, BACKUP_DIR: shelf, BACKUP_RECIPIENTS: recipient, PATH }
  const cli = (...args: string[]) => runNode('cli.ts', args, { env })
  /** Measure a run without a kill, so that the kills occur during a run on any machine. */
  const timed = async (...args: string[]) => {
    const began = performance.now()
    const run = await cli(...args)
    return { ...run, ms: performance.now() - began }
  }
  const killAfter = async (ms: number, ...args: string[]) => {
    const child = spawn(process.execPath, [CLI, ...args], { env, stdio: 'ignore' })
    const exit = once(child, 'exit')
    await new Promise((resolve) => setTimeout(resolve, ms))
    child.kill('SIGKILL')
    await exit
  }
  return { dataDir, shelf, identities, identityFile, cli, timed, killAfter }
}

/** Returns times in the second half of the run, because the first half is the start of Node and its modules. */
const moments = (ms: number) => Array.from({ length: KILLS }, (_, n) => ms * (0.4 + (0.6 * (n + 1)) / KILLS))

async function inStore<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore({ migrations, dataDir, clock: systemClock })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const keptStores = (dataDir: string) => readdirSync(dataDir).filter((name) => name.startsWith('replaced-')).length

test('kill -9 during a backup leaves nothing that looks like one, and the next one works', {
  timeout: 120_000,
}, async ({ expect }) => {
  const { dataDir, shelf, identities, cli, timed, killAfter } = await setUp()
  const whole = await timed('backup')
  expect(whole.exitCode).toBe(0)
  for (const moment of moments(whole.ms)) {
    await killAfter(moment, 'backup')
    for (const { folder, manifest } of listBackups(shelf)) {
      expect(manifest).toBeDefined()
      await checkSealed(folder, openKeys(dataDir), () => {})
    }
  }
  expect((await cli('backup')).exitCode).toBe(0)
  for (const name of readdirSync(shelf)) {
    expect(name).toMatch(/^backup-/)
    const options = { migrations, folder: join(shelf, name), identities, keys: openKeys(dataDir) }
    await openInScratch({ ...options, scratch: temporaryFolder() }, () => {})
  }
})

test('kill -9 during a restore leaves the former store or the restored one, complete, and the next start detects which', {
  timeout: 120_000,
}, async ({ expect }) => {
  const { dataDir, identityFile, cli, timed, killAfter } = await setUp()
  const backup = (await cli('backup')).stdout.trim()
  const restore = ['restore', '--from', backup, '--identity', identityFile]
  const whole = await timed(...restore)
  expect(whole).toMatchObject({ exitCode: 0 })
  for (const moment of moments(whole.ms)) {
    await inStore(dataDir, (store) =>
      createTenant(store, 'command line', { name: `Round ${Math.round(moment)}`, timeZone: 'UTC' }),
    )
    const keptBefore = keptStores(dataDir)
    await killAfter(moment, ...restore)
    const names = await inStore(dataDir, async (store) => {
      const tenants = await listTenants(store.reader)
      for (const { id } of tenants) expect(await verifyTenant(store, id)).toMatchObject({ status: 'intact' })
      return tenants.map(({ name }) => name)
    })
    // The folder contains either the former store with the tenant of this round, or the restored store without that tenant and a copy of the former
    // store.
    const isRestored = keptStores(dataDir) > keptBefore
    expect(names.includes(`Round ${Math.round(moment)}`)).toBe(!isRestored)
    expect(names).toContain('Home')
  }
  expect((await cli(...restore)).exitCode).toBe(0)
  expect((await cli('tenant', 'list')).stdout).not.toContain('Round')
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.restoring'))).toEqual([])
})
