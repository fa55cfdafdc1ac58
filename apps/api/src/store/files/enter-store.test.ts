import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder, temporaryStore } from '../../../test/temporary-store.ts'
import { migrations } from '../../rooms/migrations.ts'
import { openConnection } from '../engine/connection.ts'
import { COPIES_BEFORE_MIGRATIONS, copyBeforeMigration, enterStore } from './enter-store.ts'
import { takeLock } from './file-lock.ts'
import { migrate, schemaVersion } from './migrate.ts'
import { alone, enterAlone, enterTogether } from './presence.ts'

const first = { name: '0001-first', sql: 'CREATE TABLE first (id INTEGER PRIMARY KEY) STRICT' }
const rewriting = {
  name: '0002-rewriting',
  sql: 'DROP TABLE first; CREATE TABLE first (id TEXT PRIMARY KEY) STRICT',
  rewrites: true,
} as const

function setUp() {
  const dataDir = temporaryFolder()
  const connection = openConnection(join(dataDir, 'prospect.sqlite'))
  onTestFinished(() => void connection.close())
  const bring = (steps: Parameters<typeof migrate>[1]) =>
    migrate(connection, { ...steps, copyBeforeMigration: (next) => copyBeforeMigration(connection, dataDir, next) })
  return { dataDir, connection, bring, copies: join(dataDir, 'before-migrations') }
}

test('a copy is kept before a step that rewrites a table, with the former content of the table', () => {
  const { connection, bring, copies } = setUp()
  bring({ steps: [first] })
  connection.exec('INSERT INTO first VALUES (41), (42)')
  bring({ steps: [first, rewriting] })
  expect(readdirSync(copies)).toEqual(['before-0002-rewriting.sqlite'])
  const copy = openConnection(join(copies, 'before-0002-rewriting.sqlite'), { readonly: true })
  expect(schemaVersion(copy)).toBe(1)
  expect(copy.prepare('SELECT id FROM first').pluck().all()).toEqual([41, 42])
  copy.close()
})

test('a new store, and a step that only adds, need no copy', () => {
  const { bring, copies } = setUp()
  bring({ steps: [first, rewriting] })
  bring({ steps: [first, rewriting, { name: '0003-adds', sql: 'CREATE TABLE more (id INTEGER) STRICT' }] })
  expect(existsSync(copies)).toBe(false)
})

test('if no copy can be made, nothing is rewritten', () => {
  const { dataDir, connection, bring } = setUp()
  bring({ steps: [first] })
  connection.exec('INSERT INTO first VALUES (41)')
  writeFileSync(join(dataDir, 'before-migrations'), 'in the way')
  expect(() => bring({ steps: [first, rewriting] })).toThrow()
  expect(connection.prepare('SELECT id FROM first').pluck().all()).toEqual([41])
  expect(schemaVersion(connection)).toBe(1)
})

test('remains of a killed copy are replaced, and only the newest copies are kept', () => {
  const { dataDir, connection, copies, bring } = setUp()
  bring({ steps: [first] })
  const copyBefore = (name: string) => copyBeforeMigration(connection, dataDir, { name, sql: '' })
  copyBefore('0002-rewriting')
  rmSync(join(copies, 'before-0002-rewriting.sqlite'))
  writeFileSync(join(copies, 'before-0002-rewriting.sqlite.partial'), 'half')
  for (const name of ['0002-rewriting', '0003-b', '0004-c', '0005-d']) copyBefore(name)
  expect(readdirSync(copies)).toEqual(['before-0003-b.sqlite', 'before-0004-c.sqlite', 'before-0005-d.sqlite'])
  expect(COPIES_BEFORE_MIGRATIONS).toBe(3)
})

test('every step that drops or renames a table declares that it rewrites', () => {
  const undeclared = migrations.filter(({ sql, rewrites }) => /\bDROP TABLE\b|\bRENAME TO\b/i.test(sql) && !rewrites)
  expect(undeclared.map(({ name }) => name)).toEqual([])
})

test('a process that has the store open excludes exclusive use, and the other way round', async () => {
  const dataDir = temporaryFolder()
  const store = temporaryStore({ dataDir })
  expect(() => alone(dataDir, () => 0, 0)).toThrow('Another program uses this store')
  await store.close()
  expect(alone(dataDir, () => 1, 0)).toBe(1)
  expect(() =>
    alone(dataDir, () => {
      throw new Error('broken work')
    }),
  ).toThrow('broken work')
  temporaryStore({ dataDir })
})

test('nobody can open the store while a restore has exclusive use', () => {
  const dataDir = temporaryFolder()
  const restore = enterAlone(dataDir, 0)
  expect(() => enterTogether(dataDir, 0)).toThrow(
    expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('A restore or a migration') }),
  )
  restore.release()
  enterTogether(dataDir, 0).release()
})

test('an older store reports its steps before they are taken; a new or current one reports nothing', () => {
  const dataDir = temporaryFolder()
  const older = openConnection(join(dataDir, 'prospect.sqlite'))
  migrate(older, { steps: migrations.slice(0, 3) })
  const told: unknown[] = []
  const enter = (folder: string) => {
    const { writing, presence } = enterStore(folder, migrations, (steps) => told.push([steps, schemaVersion(older)]))
    writing.close()
    presence.release()
  }
  enter(temporaryFolder())
  expect(told).toEqual([])
  enter(dataDir)
  enter(dataDir)
  older.close()
  expect(told).toEqual([[migrations.length - 3, 3]])
})

test('an older store is not migrated while another program has it open', async () => {
  const dataDir = temporaryFolder()
  const older = openConnection(join(dataDir, 'prospect.sqlite'))
  migrate(older, { steps: migrations.slice(0, 3) })
  const presence = takeLock(join(dataDir, 'store.lock'), { alone: false, patienceMs: 0 })
  expect(() => temporaryStore({ dataDir })).toThrow('Stop it, then try again')
  expect(schemaVersion(older)).toBe(3)
  presence?.release()
  older.close()
  await temporaryStore({ dataDir }).probe()
})
