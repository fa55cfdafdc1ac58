import { join } from 'node:path'
import { expect, test } from 'vitest'
import { planOf } from '../../../../test/statement-plans.ts'
import { tablesOfBusinesses } from '../../../../test/tables-of-businesses.ts'
import { temporaryStore } from '../../../../test/temporary-store.ts'
import { isFreeText, textColumns } from '../../../../test/text-columns.ts'
import { declaredIn } from '../../../store/change/empty-rows.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { heldIn, ownersIn, ownersOfValue, rowsOfBusiness, rowsOfOwners } from '../../../store/held-rows.ts'
import { STORE_FILE } from '../../../store/store.ts'
import { rooms } from '../../index.ts'

/*
 * Tests what the rooms declare to be held against the schema and against what an erasure empties, so that a new table or column is either in the file of
 * everything held or named with the reason why it holds nothing.
 */

const declared = rooms.flatMap(({ name, holds = {} }) =>
  heldIn(holds).map(([table, rule]) => ({ room: name, table, rule })),
)
const tablesWithout = rooms.flatMap(({ holdsNothing = {} }) => Object.keys(holdsNothing))

test('every table that belongs to a business is held, or its room says why it holds nothing', async () => {
  const tables = [...(await tablesOfBusinesses())]
  const held = new Set([...declared.map(({ table }) => table), ...tablesWithout])
  expect(tables.filter((table) => !held.has(table)).toSorted()).toEqual([])
  expect(tablesWithout.filter((table) => !tables.includes(table) && !withoutBusiness.includes(table))).toEqual([])
  expect(tablesWithout.filter((table) => declared.some((one) => one.table === table))).toEqual([])
})

/** Tables that name a business by its number or under another name. */
const withoutBusiness = [
  'business_search',
  'business_search_pending',
  'business_name_keys',
  'match_suggestions',
  'merges',
  'merge_snapshots',
  'merge_attempts',
  'suppression_record_keys',
  'audit_redactions',
]

test('every text that an erasure empties is in the file', async () => {
  const texts = new Set((await textColumns()).filter(isFreeText).map(({ name }) => name))
  const missing = rooms.flatMap(({ erases = {} }) =>
    declaredIn(erases).flatMap(([table, { set = {} }]) => {
      const rule = declared.find((one) => one.table === table)?.rule
      return Object.keys(set).flatMap((column) => {
        const name = `${table}.${column}`
        return !texts.has(name) || tablesWithout.includes(table) || Object.hasOwn(rule?.columns ?? {}, column)
          ? []
          : [name]
      })
    }),
  )
  expect(missing.toSorted()).toEqual(derived)
})

/** Columns that are computed from others in the file. */
const derived = ['businesses.name_key', 'contact_candidate_states.identity', 'subject_requests.contact_normalized']

test('every part finds its rows by an index, whatever the size of the tenant', () => {
  const store = temporaryStore()
  const connection = openConnection(join(store.dataDir, STORE_FILE), { readonly: true })
  const wanted = { tenantId: 't', businessId: 'b' }
  const isFound = (query: { compile(executor: typeof store.reader): { sql: string } }, column: string) =>
    planOf(connection, query.compile(store.reader).sql).every(
      (step) =>
        (!step.startsWith('SCAN ') || /json_each/.test(step)) &&
        (!step.startsWith('SEARCH ') || new RegExp(`${column}=\\?`).test(step) || /json_each/.test(step)),
    )
  const slow = declared.flatMap(({ table, rule }) => {
    const { by = 'business_id', of, valued } = rule
    const own =
      of === undefined
        ? [undefined, 'x'].map((after) => [rowsOfBusiness(table, rule, wanted)(after, 1), by] as const)
        : [
            [rowsOfOwners(table, rule, 't', ['o']), by] as const,
            [ownersIn(of, rule, wanted)('x', 1), 'business_id'] as const,
          ]
    const byValue =
      valued === undefined
        ? []
        : [[ownersOfValue(table, valued, { tenantId: 't', normalized: 'v', limit: 1 }), valued.column] as const]
    return [...own, ...byValue].flatMap(([query, column]) =>
      isFound(query, column) ? [] : [query.compile(store.reader).sql],
    )
  })
  connection.close()
  expect(declared.length).toBeGreaterThan(35)
  expect(slow).toEqual([])
})
