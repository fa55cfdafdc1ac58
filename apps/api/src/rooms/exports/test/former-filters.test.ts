import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { newId } from '../../../lib/ids.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'
import { conditionsOfQuery } from '../../prospect-list/conditions/query-conditions.ts'
import { listBusinessesQuery } from '../../prospect-list/prospect-list.schema.ts'
import { exportsMigrations } from '../exports.migrations.ts'
import type { Export } from '../exports.schema.ts'

const whole = {
  ...{ q: 'karoo "of" é', state: 'won', assignee: 'u1', tag: 'Farm', province: 'GP', doNotContact: false },
  ...{ hasEvidence: true, updatedFrom: '2026-11-01T00:00:00.000Z', updatedWithinDays: 30, priority: 'A' },
  ...{ reachable: 'B', eligibility: 'eligible', scoreFrom: 10, scoreTo: 90, review: 'due' },
}
const range = { field: 'updatedAt', op: 'between', values: ['2026-11-01T00:00:00.000Z', '2026-11-21T00:00:00.000Z'] }
const score = { field: 'score', op: 'between', values: [10, 90] }

/** Filters with one value per field, each with its conditions and the fields that an erasure emptied. */
const former: [filter: object, conditions: object[], erased: string[]][] = [
  [{}, [], []],
  [{ updatedFrom: range.values[0], updatedTo: range.values[1] }, [range], []],
  [{ scoreTo: 90 }, [{ ...score, values: [null, 90] }], []],
  [
    { assignee: 'none', province: 'none' },
    [
      { field: 'assignee', op: 'is_empty', values: [] },
      { field: 'province', op: 'is_empty', values: [] },
    ],
    [],
  ],
  [{ q: null, tag: null, state: 'new' }, [{ field: 'state', op: 'any_of', values: ['new'] }], ['q', 'tag']],
]

test('the migration turns stored filters with one value per field into the conditions that they stand for', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const ask = async () => {
    const body = { source: 'prospects', format: 'csv' }
    return (await manager.post<Export>('/exports', body, { 'idempotency-key': newId() })).body.id
  }
  const asked = [...former, [whole] as const]
  const ids: string[] = []
  for (const _ of asked) ids.push(await ask())

  const connection = openConnection(join(t.store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  connection.exec('DROP TRIGGER exports_keeps_rows; DROP INDEX exports_with_filter')
  const store = connection.prepare('UPDATE exports SET filter_json = ? WHERE id = ?')
  for (const [index, [filter]] of asked.entries()) store.run(JSON.stringify(filter), ids[index])
  const [first, second] = exportsMigrations
  connection.exec(first?.sql.match(/CREATE INDEX exports_with_search.*?END;/s)?.[0] ?? '')
  connection.exec(second?.sql ?? '')
  expect(() => connection.exec(`UPDATE exports SET filter_json = '[]'`)).toThrow(/append-only/)
  connection.close()
  // Reads of this turn share a transaction that began before.
  await setImmediate()

  const found = await Promise.all(ids.map(async (id) => (await manager.get<Export>(`/exports/${id}`)).body))
  for (const [index, [, conditions, erased]] of former.entries())
    expect(found[index]).toMatchObject({ filter: conditions, erasedFields: erased })
  const query = { ...whole, doNotContact: 'false', hasEvidence: 'true' }
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
  const expected = conditionsOfQuery(listBusinessesQuery.parse(Object.fromEntries(texts)))
  const withoutScore = expected.filter(({ field }) => field !== 'score')
  const filter = found.at(-1)?.filter ?? []
  expect(new Set(filter)).toEqual(new Set([...withoutScore, score]))
})
