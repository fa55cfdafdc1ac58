import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect, type Problem, walk } from '../../../../test/prospects.ts'
import type { Condition } from '../../prospect-list/conditions/conditions.schema.ts'
import type { BusinessSummary } from '../../prospect-list/prospect-list.schema.ts'
import type { Business } from '../businesses.schema.ts'
import { facts } from '../record/facts.data.ts'

const { max } = facts.employees

async function withRecords() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  for (const employees of [12, null, 0, 1_200, 50, 12])
    await createProspect(operator, employees === null ? {} : { employees })
  const numbers = async (conditions: readonly Condition[], sort = 'employees') => {
    const query = `conditions=${encodeURIComponent(JSON.stringify(conditions))}&sort=${sort}`
    return (await walk<BusinessSummary>(operator, `/businesses?${query}`)).map(({ employees }) => employees)
  }
  return { operator, numbers }
}

test('the number of employees is created, changed and emptied, with its audit event', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id, employees } = await createProspect(operator, { employees: 0 })
  expect(employees).toBe(0)
  const edit = (number: number | null, version: number) =>
    operator.patch<Business>(`/businesses/${id}`, { employees: number }, { 'if-match': `"${version}"` })
  expect((await edit(max, 1)).body).toMatchObject({ employees: max, version: 2 })
  expect((await edit(max, 2)).body).toMatchObject({ version: 2 })
  expect((await edit(null, 2)).body).toMatchObject({ employees: null, version: 3 })
  const events = await t.store.reader
    .selectFrom('audit_events')
    .select(['before_json', 'after_json'])
    .where('action', '=', 'business.edit')
    .orderBy('sequence')
    .execute()
  const changes = events.map((one) => [one.before_json, one.after_json].map((text) => JSON.parse(String(text))))
  expect(changes).toEqual([
    [{ employees: 0 }, { employees: max }],
    [{ employees: max }, { employees: null }],
  ])
})

test.for([-1, 1.5, max + 1, '50', '50+'])('%j is not a number of employees', async (employees) => {
  const operator = await (await buildTestApp()).as('operator')
  const { status, body } = await operator.post<Problem>('/businesses', { name: 'Karoo Pumps', employees })
  expect([status, body.errors?.map(({ path }) => path)]).toEqual([400, ['employees']])
})

test('a list is filtered by a range of it, by its absence, and sorted by it, records without it last', async () => {
  const { numbers } = await withRecords()
  const between = (from: number | null, to: number | null): Condition => ({
    field: 'employees',
    op: 'between',
    values: [from, to],
  })
  expect(await numbers([])).toEqual([0, 12, 12, 50, 1_200, null])
  expect(await numbers([], '-employees')).toEqual([1_200, 50, 12, 12, 0, null])
  expect(await numbers([between(12, 50)])).toEqual([12, 12, 50])
  expect(await numbers([between(12, 50)], '-updatedAt')).toEqual([12, 50, 12])
  expect(await numbers([between(null, 12)])).toEqual([0, 12, 12])
  expect(await numbers([between(10, null), between(null, 60)])).toEqual([12, 12, 50])
  expect(await numbers([{ field: 'employees', op: 'is_empty', values: [] }])).toEqual([null])
  expect(await numbers([{ field: 'employees', op: 'is_not_empty', values: [] }], 'name')).toHaveLength(5)
  expect(await numbers([between(0, 5), { field: 'employees', op: 'is_empty', values: [] }])).toEqual([])
})

test('a range needs one end, and a whole number at both', async () => {
  const { operator } = await withRecords()
  for (const values of [[null, null], [1], [1.5, null], ['1', null], [null, max + 1]]) {
    const conditions = encodeURIComponent(JSON.stringify([{ field: 'employees', op: 'between', values }]))
    expect((await operator.get(`/businesses?conditions=${conditions}`)).status).toBe(400)
  }
})
