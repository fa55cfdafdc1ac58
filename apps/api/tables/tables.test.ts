import { describe, expect, test } from 'vitest'
import { type Column, listOf, readSchema } from './schema.ts'
import { HEAD, withColumns } from './table-file.ts'
import { committedFiles, generatedFiles } from './table-files.ts'

test('the committed row types are those of the migrated schema; `npm run generate:tables` writes them', () => {
  expect(generatedFiles()).toEqual(committedFiles())
})

test('a table that no file declares gets its row type beside the migration that creates it', () => {
  const committed = committedFiles()
  const path = 'rooms/notes/notes.table.ts'
  const [made] = generatedFiles(committed.filter((file) => file.path !== path)).filter((file) => file.path === path)
  expect(made?.text).toBe(`${HEAD}

declare module '../../store/database.ts' {
  interface Database {
    notes: NotesTable
  }
}

export type NotesTable = {
  tenant_id: string
  id: string
  business_id: string
  text: string
  sensitive: 0 | 1
  author: string
  created_at: string
}
`)
})

test('the schema gives the type of each column, whether it is null, whether the database has a value, and its list', () => {
  const sql = `CREATE TABLE visits (number INTEGER PRIMARY KEY, place TEXT NOT NULL DEFAULT 'it''s -- here' CHECK (place <> 'a)'), hours REAL,
    kind TEXT CHECK (kind IN ('first', 'it''s')), -- CHECK (kind = 'none')
    state TEXT NOT NULL, CHECK ((state = 'open' OR state = 'done')), CHECK ((state = 'done') = (hours IS NOT NULL))) STRICT;
    ALTER TABLE visits ADD COLUMN is_paid INTEGER NOT NULL DEFAULT 0 CHECK (is_paid IN (0, 1));
    CREATE VIRTUAL TABLE words USING fts5 (text);
    CREATE TABLE pages (number INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID;`
  const schema = readSchema([{ name: '2026-01-01-visits', sql }])
  const column = { isNullable: false, isGenerated: false, values: null }
  expect([...schema]).toEqual([
    [
      'visits',
      [
        { ...column, name: 'number', type: 'number', isGenerated: true },
        { ...column, name: 'place', type: 'string', isGenerated: true },
        { ...column, name: 'hours', type: 'number', isNullable: true },
        { ...column, name: 'kind', type: 'string', isNullable: true, values: ['first', "it's"] },
        { ...column, name: 'state', type: 'string', values: ['open', 'done'] },
        { ...column, name: 'is_paid', type: 'number', isGenerated: true, values: [0, 1] },
      ],
    ],
    ['pages', [{ ...column, name: 'number', type: 'number' }]],
  ])
})

test.for([
  [`kind IN ('a', 'b')`, ['a', 'b']],
  [`kind = 'a'`, ['a']],
  [`kind IS NULL OR (kind = 'a'\n OR kind = 'b')`, ['a', 'b']],
  ['level IN (-1, 0, 1)', [-1, 0, 1]],
  [`kind = 'a' OR level = 1`, undefined],
  [`kind = 'a' AND kind = 'b'`, undefined],
  [`NOT (kind = 'a')`, undefined],
  [`(kind = 'a') = (level = 1)`, undefined],
  [`kind <> 'a'`, undefined],
  ['kind IS NULL', undefined],
  ['json_valid(kind)', undefined],
  ['level BETWEEN 0 AND 4', undefined],
] as const)('the condition %s is the list %j', ([condition, values]) => {
  expect(listOf(condition)?.values).toEqual(values)
})

describe('a committed file', () => {
  const column = (name: string, more: Partial<Column> = {}): Column => ({
    name,
    type: 'string',
    isNullable: false,
    isGenerated: false,
    values: null,
    ...more,
  })

  const file = (types: string, tables = '    visits: VisitTable\n') => `${HEAD}

import type { ContactText } from '../contact-gate/contact-gate.ts'

declare module '../../store/database.ts' {
  interface Database {
${tables}  }
}

${types}`

  const written = (types: string, ...columns: Column[]) => withColumns(file(types), new Map([['visits', columns]]))

  test('keeps comments, names and narrower types, and takes columns, order and null from the schema', () => {
    const before = `/** A visit. */
export type VisitTable = {
  /** the person's
   * number */
  phone: ContactText
  gone: string
  id: string
  /** JSON */
  at: Generated<string>
}

export const MAX_VISITS = 5
`
    const after = `/** A visit. */
export type VisitTable = {
  id: string
  at: string
  /** the person's
   * number */
  phone: ContactText | null
  hours: number
}

export const MAX_VISITS = 5
`
    const columns = [
      column('id'),
      column('at'),
      column('phone', { isNullable: true }),
      column('hours', { type: 'number' }),
    ]
    expect(written(before.replace('  /** JSON */\n', ''), ...columns)).toBe(file(after))
  })

  test('gets an import for a column of which the database has a value', () => {
    const text = written('type VisitTable = { id: string }\n', column('id', { isGenerated: true }))
    expect(text).toContain(`${HEAD}\n\nimport type { Generated } from 'kysely'\nimport type { ContactText }`)
    expect(text).toContain('type VisitTable = { id: Generated<string> }\n')
  })

  test('has the list of a CHECK in the constant or the union that its type names, in the order of the file', () => {
    const types = (states: string, kinds: string) => `export const visitStates = [${states}] as const
export type VisitState = (typeof visitStates)[number]

type Kind = ${kinds}

export type VisitTable = {
  state: VisitState
  former: VisitState | null
  kind: Kind
  next: (typeof visitStates)[number]
}
`
    const state = { values: ['open', 'done', 'late'] }
    const text = written(
      types(`'lost', 'done', 'open'`, `'first' | 'last'`),
      column('state', state),
      column('former', { ...state, isNullable: true }),
      column('kind', { values: ['first', 'again'] }),
      column('next', state),
    )
    expect(text).toBe(file(types(`'done', 'open', 'late'`, `'first' | 'again'`)))
  })

  test('has a list of a CHECK in its column where its type names no list of the file', () => {
    const types = (a: string, b: string) => `type Other = string

export type VisitTable = {
  state: ${a}
  former: ${b}
}
`
    const state = { values: ['open', 'done'] }
    const text = written(types('ContactText', 'Other'), column('state', state), column('former', state))
    expect(text).toBe(file(types(`'open' | 'done'`, `'open' | 'done'`)))
  })

  test('breaks lists that are longer than a line as the formatter does', () => {
    const values = Array.from({ length: 12 }, (_, at) => `state-${at}-of-a-visit`)
    const states = (list: string) => `export const states = [${list}] as const

export type VisitTable = {
  state: (typeof states)[number]
  other:
    | 'a'
}
`
    const text = written(states(`'a'`), column('state', { values }), column('other', { values }))
    expect(text).toContain(`export const states = [\n${values.map((one) => `  '${one}',\n`).join('')}] as const`)
    expect(text).toContain(`  other:\n${values.map((one) => `    | '${one}'\n`).join('')}}`)
    const columns = [column('state', { values }), column('other', { values })]
    expect(withColumns(text, new Map([['visits', columns]]))).toBe(text)
  })

  test('is refused if two columns of different lists share a name', () => {
    const types = `type Kind = 'a' | 'b'\n\ntype VisitTable = { kind: Kind; other: Kind }\n`
    expect(() => written(types, column('kind', { values: ['a'] }), column('other', { values: ['b'] }))).toThrow(
      'Kind lists the values of several columns, and visits.other has others. Give its type another name.',
    )
  })

  test('loses a table that is gone and gets a new one', () => {
    const text = withColumns(file('type VisitTable = { id: string }\n'), new Map([['visit_days', [column('day')]]]))
    expect(text).toContain('  interface Database {\n    visit_days: VisitDaysTable\n  }')
    expect(text).toContain('\nexport type VisitDaysTable = {\n  day: string\n}\n')
  })
})
