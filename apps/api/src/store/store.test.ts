import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { seedTenant, temporaryFolder, temporaryStore } from '../../test/temporary-store.ts'
import { writerOf } from '../../test/writer-of.ts'
import { newId } from '../lib/ids.ts'
import { openConnection } from './engine/connection.ts'
import { prepared } from './engine/prepared.ts'
import { openKeys } from './files/keys.ts'
import { STORE_FILE } from './store.ts'

test('every connection writes durably, checks references and applies triggers to REPLACE', async ({ expect }) => {
  const store = temporaryStore()
  await store.probe()
  for (const db of [await writerOf(store), store.reader, store.backgroundOf(null)]) {
    const settings = await Promise.all(
      ['synchronous', 'foreign_keys', 'recursive_triggers', 'journal_mode'].map(async (name) => {
        const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.raw(`pragma_${name}`)}`.execute(db)
        return Object.values(rows[0] ?? {})[0]
      }),
    )
    expect(settings).toEqual([2, 1, 1, 'wal'])
  }
})

test('the reader cannot write', async ({ expect }) => {
  const store = temporaryStore()
  await expect(sql`DELETE FROM readiness_probe`.execute(store.reader)).rejects.toMatchObject({
    code: 'SQLITE_READONLY',
  })
})

test('a reopened store has its former content', async ({ expect }) => {
  const dataDir = temporaryFolder()
  const at = new Date('2026-05-05T05:05:05.005Z')
  const first = temporaryStore({ dataDir, clock: () => at })
  await first.probe()
  const second = temporaryStore({ dataDir })
  const { rows } = await sql`SELECT at FROM readiness_probe`.execute(second.reader)
  expect(rows).toEqual([{ at: '' }])
  await second.probe()
})

test('identifiers continue after those of the store, whatever clock made them', async ({ expect }) => {
  const dataDir = temporaryFolder()
  const first = temporaryStore({ dataDir })
  const tenant = await seedTenant(first)
  await seedTenant(first)
  const ahead = (Date.now() + 3_600_000).toString(16).padStart(12, '0')
  const theirs = `${ahead.slice(0, 8)}-${ahead.slice(8)}-7000-8000-000000000001`
  const event = { tenant_id: tenant, sequence: 1, at: '', actor: '', action: '', subject_type: '', subject_id: '' }
  const chained = { correlation_id: '', previous_hash: '', hash: '' }
  await first.write('upkeep', async (db) => {
    await db
      .insertInto('audit_events')
      .values({ ...event, ...chained, id: theirs })
      .execute()
    return { keep: true, value: undefined }
  })
  expect(newId() > theirs).toBe(false)
  temporaryStore({ dataDir })
  expect(newId() > theirs).toBe(true)
})

test('the readiness check says why the store cannot serve', async ({ expect }) => {
  const store = temporaryStore()
  const db = await writerOf(store)
  await sql`PRAGMA query_only = ON`.execute(db)
  await expect(store.probe()).rejects.toMatchObject({ code: 'unavailable', details: { reason: 'storage_read_only' } })
  await sql`PRAGMA query_only = OFF`.execute(db)
  await store.probe()
})

test.each([STORE_FILE, `${STORE_FILE}-wal`])(
  'nothing is written while %s is moved, the readiness check says so, and it recovers when it is back',
  async (name) => {
    const dataDir = temporaryFolder()
    const store = temporaryStore({ dataDir })
    const file = join(dataDir, name)
    const write = () => store.write('upkeep', async () => ({ keep: true, value: 'written' }))
    const moved = { code: 'unavailable', details: { reason: 'storage_moved' } }
    renameSync(file, `${file}.aside`)
    await expect(store.probe()).rejects.toMatchObject(moved)
    await expect(write()).rejects.toMatchObject(moved)
    writeFileSync(file, '')
    await expect(write()).rejects.toMatchObject(moved)
    renameSync(`${file}.aside`, file)
    await expect(write()).resolves.toBe('written')
    await store.probe()
  },
)

test('the readiness check says that the data folder was moved, and not that the disk is full or broken', async () => {
  const dataDir = temporaryFolder()
  const store = temporaryStore({ dataDir })
  renameSync(dataDir, `${dataDir}.aside`)
  await expect(store.probe()).rejects.toMatchObject({ code: 'unavailable', details: { reason: 'storage_moved' } })
  renameSync(`${dataDir}.aside`, dataDir)
  await store.probe()
})

test('the readiness check detects too little space for a change, although its own small write still fits', async ({
  expect,
}) => {
  const store = temporaryStore()
  const { statfs } = files
  vi.spyOn(files, 'statfs').mockImplementation(async (path) => Object.assign(await statfs(path), { bavail: 1 }))
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
  await expect(store.probe()).rejects.toMatchObject({ code: 'unavailable', details: { reason: 'storage_full' } })
})

test('opening waits for another program that is writing, and does not fail', async ({ expect }) => {
  const dataDir = temporaryFolder()
  const first = temporaryStore({ dataDir })
  const writing = Promise.all(Array.from({ length: 20 }, () => first.probe()))
  expect(() => temporaryStore({ dataDir })).not.toThrow()
  await writing
})

test('a file that is no store is refused', ({ expect }) => {
  const dataDir = temporaryFolder()
  writeFileSync(
    join(dataDir, STORE_FILE),
    'This is a shopping list, and it is long enough to be read as a header.'.repeat(20),
  )
  expect(() => temporaryStore({ dataDir })).toThrow(expect.objectContaining({ code: 'SQLITE_NOTADB' }))
})

test('keys are created once, readable by the service only, and each purpose has its own', ({ expect }) => {
  const dataDir = temporaryFolder()
  const first = openKeys(dataDir)
  const again = openKeys(dataDir)
  expect(again.derive('csrf')).toEqual(first.derive('csrf'))
  expect(first.derive('cursor')).not.toEqual(first.derive('csrf'))
  expect(again.auditSigning.equals(first.auditSigning)).toBe(true)
  const folder = join(dataDir, 'keys')
  expect(readdirSync(folder).sort()).toEqual(['audit-signing.pem', 'server-secret', 'tombstone-secret'])
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('only the service can read the database, also after an older version granted access to others', async ({
  expect,
}) => {
  const dataDir = join(temporaryFolder(), 'new')
  const files = ['', '-wal', '-shm'].map((end) => join(dataDir, `${STORE_FILE}${end}`))
  const modes = () => files.map((file) => statSync(file).mode & 0o777)
  const first = temporaryStore({ dataDir })
  expect([statSync(dataDir).mode & 0o777, ...modes()]).toEqual([0o700, 0o600, 0o600, 0o600])
  for (const file of files) chmodSync(file, 0o644)
  temporaryStore({ dataDir })
  expect(modes()).toEqual([0o600, 0o600, 0o600])
  await first.probe()
})

test('two stores have different keys', ({ expect }) => {
  const [one, two] = [openKeys(temporaryFolder()), openKeys(temporaryFolder())]
  expect(one.derive('cursor')).not.toEqual(two.derive('cursor'))
  expect(one.auditSigning.equals(two.auditSigning)).toBe(false)
})

test('a damaged key is refused instead of replaced', ({ expect }) => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'keys'))
  const secret = join(dataDir, 'keys', 'server-secret')
  writeFileSync(secret, 'half')
  expect(() => openKeys(dataDir)).toThrow('is damaged')
  expect(readFileSync(secret, 'utf8')).toBe('half')
})

test('a prepared query takes its parameters by name, new ones each time', async ({ expect }) => {
  const store = temporaryStore()
  const calls: string[] = []
  const between = prepared<{ low: number; high: number }>()((db, param) => {
    calls.push('built')
    return db
      .selectFrom(sql<{ value: number }>`json_each('[1, 2, 3, 4]')`.as('e'))
      .select('e.value')
      .where('e.value', '>=', param('low'))
      .where('e.value', '<=', param('high'))
      .where('e.value', '<>', 3)
      .limit(10)
  })
  expect(await between(store.reader, { low: 2, high: 4 })).toEqual([{ value: 2 }, { value: 4 }])
  expect(await between(store.reader, { high: 1, low: 1 })).toEqual([{ value: 1 }])
  expect(calls).toEqual(['built'])
})

test('a second connection with the settings of the store can be opened while it works', ({ expect }) => {
  const dataDir = temporaryFolder()
  temporaryStore({ dataDir })
  const reading = openConnection(join(dataDir, STORE_FILE), { readonly: true })
  onTestFinished(() => void reading.close())
  expect(reading.pragma('quick_check', { simple: true })).toBe('ok')
})
