import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { roomLists, tiers } from '../generate-rooms.ts'
import { noAdapters } from '../src/load-adapters.ts'
import { businessChildren, roomFacts } from '../src/rooms/facts.ts'
import { rooms } from '../src/rooms/index.ts'
import type { LoopContext } from '../src/rooms/room.ts'
import { temporaryStore } from './temporary-store.ts'

/* Tests that the lists of rooms are consistent, and that the rooms' facts match the tables of the store. */

const folders = readdirSync(new URL('../src/rooms', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

test('every folder is a room of a tier, and the lists of rooms are those that `npm run generate:rooms` writes', () => {
  expect(tiers.flat().toSorted()).toEqual(folders.toSorted())
  for (const { file, present, written } of roomLists()) expect([file, present]).toEqual([file, written])
  expect(rooms.map(({ name }) => name)).toEqual(tiers.flat())
  expect(roomFacts.map(({ room }) => room)).toEqual(tiers.flat())
})

/** Returns every table of the store with its columns. */
async function tables(): Promise<Map<string, string[]>> {
  const store = temporaryStore()
  const { rows } = await sql<{ name: string; columns: string }>`
    SELECT t.name, group_concat(c.name) AS columns FROM sqlite_schema t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'business_search_index%' GROUP BY t.name`.execute(store.reader)
  return new Map(rows.map(({ name, columns }) => [name, columns.split(',')]))
}

test('every table of rows that belong to a business is counted by merges, or states why it is not', async () => {
  const all = await tables()
  const ofBusinesses = [...all].filter(([, columns]) => columns.includes('business_id')).map(([name]) => name)
  const declared = roomFacts.flatMap(({ businessChildren = {}, otherBusinessTables = {} }) => [
    ...Object.values(businessChildren).map(({ table }) => table),
    ...Object.keys(otherBusinessTables),
  ])
  expect(declared.toSorted()).toEqual(ofBusinesses.toSorted())
})

test('every child of a business has the columns that a merge reads', async () => {
  const all = await tables()
  for (const { table } of Object.values(businessChildren))
    expect([table, all.get(table)]).toEqual([table, expect.arrayContaining(['tenant_id', 'id', 'business_id'])])
})

test('each count that an erasure returns is declared by the room that empties the rows', () => {
  for (const { room, erasedCounts = {} } of roomFacts) {
    const { erase, erases = {} } = rooms.find(({ name }) => name === room) ?? {}
    const counted = Object.values(erases).flatMap(({ counts }) => counts ?? [])
    const names = Object.keys(erasedCounts)
    expect([room, counted.filter((name) => !names.includes(name))]).toEqual([room, []])
    if (erase === undefined) expect([room, counted.toSorted()]).toEqual([room, names.toSorted()])
  }
})

test('the followers of the audit have names of their own, under which their positions are stored', () => {
  const context = { store: temporaryStore(), adapters: noAdapters } as LoopContext
  const names = rooms.flatMap((room) => room.followers?.(context) ?? []).map(({ name }) => name)
  expect(names.toSorted()).toEqual([
    'assist',
    'contacts',
    'domains',
    'drafts',
    'matching',
    'review',
    'scoring',
    'sources',
  ])
})
