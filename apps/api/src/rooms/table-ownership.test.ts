import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'

/*
 * Checks that a room writes only its own tables (docs/development.md). A table belongs to the room whose `<room>.table.ts` declares it, and no room
 * writes the tables of the store. The test reads the source code, so it also finds a write that no other test runs.
 */

const rooms = import.meta.dirname

/** Matches the interface to which a file adds its tables, one `name: Type` per line. */
const declared = /interface Database \{([^}]*)\}/s

const builder =
  /(?:\.\s*(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)|\b(?:preparedInsert|dayCounts))\(\s*(['"`])(\w+)/g
const anyBuilder =
  /(?:\.\s*(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)|\b(?:preparedInsert|dayCounts))\(/g
const raw =
  /\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+["`]?([a-z]\w+)["`]?/g

/** Virtual tables, each with the table whose room owns it. */
const virtual: Record<string, string> = { business_search_index: 'business_search' }

type Write = { file: string; room: string; table: string }

function sources(): { file: string; room: string; text: string }[] {
  return (
    globSync('**/*.ts', { cwd: rooms })
      // Migrations and the fixtures of the acceptance are excluded, because they may write rows of any room.
      .filter((file) => !/\.(test|migrations|acceptance)\.ts$/.test(file))
      .map((file) => ({
        file,
        room: file.split(sep)[0] ?? '',
        text: withoutComments(readFileSync(join(rooms, file), 'utf8')),
      }))
  )
}

function withoutComments(text: string): string {
  return text.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, '')
}

function owners(): Map<string, string> {
  const tables = sources()
    .filter(({ file }) => file.endsWith('.table.ts'))
    .flatMap(({ room, text }) => {
      const lines = declared.exec(text)?.[1] ?? ''
      return [...lines.matchAll(/^\s*(\w+):/gm)].map(([, table = '']) => [table, room] as const)
    })
  return new Map(tables)
}

function writes(): Write[] {
  return sources().flatMap(({ file, room, text }) =>
    [
      ...[...text.matchAll(builder)].map(([, , table]) => table),
      ...[...text.matchAll(raw)].map(([, table]) => table),
    ].map((table = '') => ({ file, room, table: virtual[table] ?? table })),
  )
}

test('every table that a room writes is its own', () => {
  const owner = owners()
  expect(writes().filter(({ room, table }) => owner.get(table) !== room)).toEqual([])
})

test('every declared table is written by its room, so this test has seen all of them', () => {
  const written = new Set(writes().map(({ table }) => table))
  // Only triggers write these tables.
  const kept = ['business_counts', 'business_tag_counts', 'review_counts', 'review_days', 'source_raw_counts']
  expect([...owners().keys()].filter((table) => !written.has(table) && !kept.includes(table))).toEqual([])
  expect(kept.filter((table) => written.has(table))).toEqual([])
})

test('no write uses a variable as its table name, which this test could not read', () => {
  const hidden = sources().filter(({ text }) => text.match(anyBuilder)?.length !== text.match(builder)?.length)
  expect(hidden.map(({ file }) => file)).toEqual([])
})
