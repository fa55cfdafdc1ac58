import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'
import { rooms as index } from './index.ts'

/*
 * Checks that a room writes only its own tables, and reads only those and tables of rooms that it may import (docs/development.md). A table belongs to
 * the room whose `<room>.table.ts` declares it. No room writes the tables of the store, and every room may read them. The test reads the source code,
 * so it also finds a statement that no other test runs.
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

const reader = /\.\s*(?:selectFrom|\w*Join)\(\s*\[?\s*(['"`])(\w+)/g
const rawReader = /(?:\b(?:FROM|JOIN)|\$\{thenJoin\})\s+["`]?([a-z]\w+)/g
/** Matches a table that stands as a value or as typed SQL, for a statement that takes it from there. */
const namedTable = /(?:\btable: '|\bsql\.table\('|\bsql<\w+>`)(\w+)['`]/g
/** Matches a read whose table is neither a literal nor the rows of another query. */
const unnamedReader = /\.\s*(?:selectFrom|\w*Join)\((?!\s*\[?\s*['"`]|\s*\(\w+\) =>|\s*sql<)\s*(\w*)/g

type ImportRule = { name: string; to: { pathNot?: string } }
const importRules: { forbidden: ImportRule[] } = createRequire(import.meta.url)('../../../../.dependency-cruiser.cjs')

/** Returns true if the import rules let a room import another, which also decides whether it may read its tables. */
function mayImport(room: string, other: string): boolean {
  const rule = importRules.forbidden.find(({ name }) => name === `room-tier-${room}`)
  if (rule?.to.pathNot === undefined) throw new Error(`${room} has no tier.`)
  return new RegExp(rule.to.pathNot).test(`apps/api/src/rooms/${other}/`)
}

/** Reads of tables of rooms that the reading room may not import, each with its reason. */
const reviewedReads: readonly { file: string; table: string; reason: string }[] = [
  {
    file: 'audit/audit.queries.ts',
    table: 'businesses',
    reason:
      'every room reads its events back through audit, which is therefore the lowest; an event names its prospect',
  },
  {
    file: 'contact-gate/matches/record-keys.ts',
    table: 'businesses',
    reason:
      'a key refers to its prospect by the number of the row, because the id as text takes more space than the key',
  },
  {
    file: 'evidence/evidence.queries.ts',
    table: 'source_record_raws',
    reason: 'sources adds evidence through the evidence room; an observation says whether the source text still exists',
  },
]

/** Files in which the table of a read is a variable, each with the reason why the test need not see the table. */
const unnamedReads: Readonly<Record<string, string>> = {
  'matching/merging/count-children.ts':
    'a merge reads each table that the facts of a room declare as a child of a business',
  'matching/merging/merge-snapshot.ts':
    'a merge reads each table that the facts of a room declare as a child of a business',
  'matching/merging/pair-fingerprint.ts':
    'a merge reads each table that the facts of a room declare as a child of a business',
  'suppression/reevaluation/evaluation.queries.ts': 'the table is businesses or suppressions',
}

type Access = { file: string; room: string; table: string }

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

function writes(): Access[] {
  return sources().flatMap(({ file, room, text }) =>
    [
      ...[...text.matchAll(builder)].map(([, , table]) => table),
      ...[...text.matchAll(raw)].map(([, table]) => table),
    ].map((table = '') => ({ file, room, table: virtual[table] ?? table })),
  )
}

function reads(): Access[] {
  return sources()
    .filter(({ file }) => !file.split(sep).includes('test') && !file.endsWith('.fixture.ts'))
    .flatMap(({ file, room, text }) => {
      const tables = [
        ...[...text.matchAll(reader)].map(([, , table]) => table),
        ...[...text.matchAll(rawReader)].map(([, table]) => table),
        ...[...text.matchAll(namedTable)].map(([, table]) => table),
      ]
      return [...new Set(tables)].map((table = '') => ({ file, room, table: virtual[table] ?? table }))
    })
}

/** Returns the reads of tables of rooms that the reading room may not import. */
function foreignReads(): Access[] {
  const owner = owners()
  return reads().filter(({ room, table }) => {
    const other = owner.get(table)
    return other !== undefined && !mayImport(room, other)
  })
}

test('every table that a room writes is its own', () => {
  const owner = owners()
  expect(writes().filter(({ room, table }) => owner.get(table) !== room)).toEqual([])
})

test('every table that a room lets an erasure empty is its own', () => {
  const owner = owners()
  const erased = index.flatMap(({ name, erases = {} }) => Object.keys(erases).map((table) => ({ room: name, table })))
  expect(erased.length).toBeGreaterThan(30)
  expect(erased.filter(({ room, table }) => owner.get(table) !== room)).toEqual([])
})

test('every declared table is written by its room, so this test has seen all of them', () => {
  const written = new Set(writes().map(({ table }) => table))
  // Only triggers write these tables.
  const kept = ['business_counts', 'business_tag_counts', 'review_counts', 'source_raw_counts']
  expect([...owners().keys()].filter((table) => !written.has(table) && !kept.includes(table))).toEqual([])
  expect(kept.filter((table) => written.has(table))).toEqual([])
})

test('no write uses a variable as its table name, which this test could not read', () => {
  const hidden = sources().filter(({ text }) => text.match(anyBuilder)?.length !== text.match(builder)?.length)
  expect(hidden.map(({ file }) => file)).toEqual([])
})

test('every table that a room reads is its own, of the store, or of a room that it may import', () => {
  const isReviewed = (one: Access) => reviewedReads.some(({ file, table }) => file === one.file && table === one.table)
  expect(foreignReads().filter((one) => !isReviewed(one))).toEqual([])
})

test('every reviewed read still exists', () => {
  const found = foreignReads()
  const isFound = ({ file, table }: { file: string; table: string }) =>
    found.some((one) => one.file === file && one.table === table)
  expect(reviewedReads.filter((one) => !isFound(one))).toEqual([])
})

test('every declared table is read by its room, so this test has seen the reads', () => {
  const read = new Set(reads().map(({ room, table }) => `${room} ${table}`))
  // Only triggers read the attempts, and `store/change/quota.ts` the counts of a day.
  const unread = ['scan_counts', 'unknown_attempts', 'extraction_counts']
  expect([...owners()].filter(([table, room]) => !read.has(`${room} ${table}`)).map(([table]) => table)).toEqual(unread)
})

test('no other read uses a variable as its table name, which this test could not read', () => {
  const isTypedSql = (text: string, name: string) =>
    new RegExp(`(?:const|function) ${name}\\b[\\s\\S]{0,300}?\\bsql<\\w+>\``).test(text)
  const unnamed = sources().filter(({ text }) =>
    [...text.matchAll(unnamedReader)].some(([, name = '']) => !isTypedSql(text, name)),
  )
  expect(unnamed.map(({ file }) => file).toSorted()).toEqual(Object.keys(unnamedReads).toSorted())
})
