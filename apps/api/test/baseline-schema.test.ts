import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { migrations } from '../src/rooms/migrations.ts'
import { openConnection } from '../src/store/engine/connection.ts'
import { migrate } from '../src/store/files/migrate.ts'
import { temporaryFolder } from './temporary-store.ts'

/*
 * Compares the baseline of 2026-11-25 with the 43 numbered steps that it replaced. `fixtures/schema-before-baseline.txt` contains the schema that
 * those steps produced: one object per paragraph and one part of its definition per line, without comments, in an order that does not depend on when
 * a column was added.
 */

const BASELINE = '2026-11-25-'

/** Objects of a schema by name: a table has a list of its columns and constraints; any other object has its whole text. */
type Schema = Record<string, readonly string[]>

/** Deliberate differences between the two schemas: parts that the baseline removed, and their replacements. */
const differences: readonly { why: string; object: string; lost?: readonly string[]; gained?: readonly string[] }[] = [
  {
    why: 'Steps are recorded by name.',
    object: 'table schema_steps',
    gained: ['name TEXT PRIMARY KEY', 'STRICT, WITHOUT ROWID'],
  },
  {
    why: 'Found events whose ids did not end in their sequence yet.',
    object: 'index audit_events_by_older_id',
    lost: [
      `CREATE UNIQUE INDEX audit_events_by_older_id ON audit_events (tenant_id, id) WHERE substr(id, 25) <> printf('%012x', sequence)`,
    ],
  },
  {
    why: 'A business that is not blocked has no blocked_through.',
    object: 'table businesses',
    gained: ['CHECK ((do_not_contact = 1) = (blocked_through IS NOT NULL))'],
  },
  {
    why: 'Null in files that were written before values were hashed.',
    object: 'table export_files',
    lost: ['values_sha256 TEXT'],
    gained: ['values_sha256 TEXT NOT NULL'],
  },
  {
    why: 'Null in keys that were used before their actor was recorded.',
    object: 'table idempotency_keys',
    lost: ['used_by TEXT'],
    gained: ['used_by TEXT NOT NULL'],
  },
]

/** Pairs of triggers on one table that the baseline combined into one trigger with the columns of both. */
const joined: Record<string, string> = {
  evidence_keeps_days: 'evidence_keeps_rows',
  export_files_keep_what_stood_beside: 'export_files_keep_what_was_written',
}

/** Differences within the text of triggers: the old text and the text in the baseline. */
const rewritten: Record<string, readonly (readonly [was: string, is: string])[]> = {
  evidence_keeps_rows: [
    ['e.business_id IN (OLD.business_id)', 'e.business_id = OLD.business_id'],
    ['NEW.captured_at IS OLD.captured_at', 'NEW.captured_at IS OLD.captured_at AND NEW.captured_on IS OLD.captured_on'],
    ['NEW.observed_at IS OLD.observed_at', 'NEW.observed_at IS OLD.observed_at AND NEW.observed_on IS OLD.observed_on'],
  ],
  export_files_keep_what_was_written: [['bytes, sha256, begun_at', 'bytes, sha256, values_sha256, begun_at']],
  interactions_keeps_rows: [['e.business_id IN (OLD.business_id)', 'e.business_id = OLD.business_id']],
  notes_keeps_rows: [['e.business_id IN (OLD.business_id)', 'e.business_id = OLD.business_id']],
  pipeline_transitions_keeps_rows: [['e.business_id IN (OLD.business_id)', 'e.business_id = OLD.business_id']],
}

test('the baseline makes the schema of the numbered steps, apart from the listed differences', ({ expect }) => {
  const expected: Record<string, string[]> = {}
  for (const [object, parts] of Object.entries(schemaBefore())) {
    const trigger = object.replace('trigger ', '')
    if (!(trigger in joined)) expected[object] = parts.map((part) => rewrite(part, rewritten[trigger]))
  }
  for (const { object, lost = [], gained = [] } of differences) {
    const before = expected[object] ?? []
    expect(before).toEqual(expect.arrayContaining([...lost]))
    expected[object] = [...before.filter((part) => !lost.includes(part)), ...gained]
    if (expected[object].length === 0) delete expected[object]
  }
  expect(sorted(schemaOfBaseline())).toEqual(sorted(expected))
})

function rewrite(part: string, changes: readonly (readonly [string, string])[] = []): string {
  return changes.reduce((text, [was, is]) => {
    if (!text.includes(was)) throw new Error(`The former schema lacks: ${was}`)
    return text.replace(was, is)
  }, part)
}

function schemaBefore(): Schema {
  const text = readFileSync(join(import.meta.dirname, 'fixtures/schema-before-baseline.txt'), 'utf8')
  const objects = text.trimEnd().split(/\n(?=\S)/)
  return Object.fromEntries(
    objects.map((object) => {
      const [name = '', ...parts] = object.split('\n')
      return [name, parts.map((part) => part.trim())]
    }),
  )
}

function schemaOfBaseline(): Schema {
  const connection = openConnection(join(temporaryFolder(), 'test.sqlite'))
  onTestFinished(() => void connection.close())
  migrate(connection, { steps: migrations.filter(({ name }) => name.startsWith(BASELINE)) })
  const objects = connection
    .prepare<[], { type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'`,
    )
    .all()
  return Object.fromEntries(objects.map(({ type, name, sql }) => [`${type} ${name}`, partsOf(sql)]))
}

function partsOf(sql: string): string[] {
  const text = sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').trim()
  if (!text.startsWith('CREATE TABLE')) return [text]
  const end = text.lastIndexOf(')')
  const parts = ['']
  let depth = 0
  for (const character of text.slice(text.indexOf('(') + 1, end)) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0
    if (character === ',' && depth === 0) parts.push('')
    else parts.push(`${parts.pop()}${character}`)
  }
  return [...parts.map((part) => part.trim()), text.slice(end + 1).trim()]
}

function sorted(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).map(([object, parts]) => [object, parts.toSorted()]))
}
