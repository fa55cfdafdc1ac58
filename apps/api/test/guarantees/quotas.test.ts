import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rooms } from '../../src/rooms/index.ts'
import type { Limits } from '../../src/rooms/limits/limits.schema.ts'
import { reportQuota } from '../../src/rooms/reports/reports.quota.ts'
import { ask, freshClient, isSuccess, nameOf } from '../asking.ts'
import type { Answer, TestClient } from '../build-app.ts'
import { furnishedApp } from '../furnished.ts'
import { bodyOf, operations } from '../operations.ts'
import type { Problem } from '../prospects.ts'
import { setMax } from '../set-max.ts'

/* Every quota that a room declares is enforced by the request that its fixture names, and shown by GET /limits. */

const quotas = rooms.flatMap(({ quotas: ofRoom = [] }) => ofRoom)
const declared = rooms.flatMap(({ limits = [], quotas: ofRoom = [] }) => [...limits, ...ofRoom])

async function shown(client: TestClient, name: string) {
  const { body } = await client.get<Limits>('/limits')
  return body.items.find((limit) => limit.name === name)
}

test('every limit that a room declares has a name of its own, in the documentation and in GET /limits', async () => {
  const { t } = await furnishedApp()
  const names = declared.map(({ name }) => name).toSorted()
  expect(names).toEqual([...new Set(names)])
  const { body } = await (await t.as('viewer')).get<Limits>('/limits')
  expect(body.items.map(({ name }) => name).toSorted()).toEqual(names)
  const page = readFileSync(new URL('../../../../docs/limits.md', import.meta.url), 'utf8')
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

const caseOf = (name: string) => operations.find(({ case: { fills = {} } }) => name in fills)

test('every quota is filled by one case of a fixture', () => {
  const filled = operations.flatMap(({ case: { fills = {} } }) => Object.keys(fills))
  expect(filled.toSorted()).toEqual(quotas.map(({ name }) => name).toSorted())
})

test.each(quotas)('$name: a full quota refuses a further row, which an empty place accepts', async (quota) => {
  const { name, error, remedy, per } = quota
  const operation = caseOf(name)
  if (operation === undefined) throw new Error(`No case fills ${name}.`)
  const { t, place } = await furnishedApp()
  const client = await t.as('administrator')
  const body = { ...Object(bodyOf(operation, place)), ...operation.case.fills?.[name] }
  const request = (key: string) => ask(operation, place, { client, body, headers: { 'idempotency-key': key } })
  const used = (await shown(client, name))?.used ?? Number.NaN

  setMax(quota, used)
  const answers: Answer<Problem>[] = []
  const changes = await t.changes(async () => {
    answers.push(await request('full'))
  })
  const [refused] = answers
  expect([nameOf(operation), changes]).toEqual([nameOf(operation), {}])
  expect(refused?.body).toMatchObject({ code: error, limit: name, size: used, max: used })
  expect(refused?.body.detail).toContain(`the limit ${name} is ${used}`)
  expect(refused?.body.detail).toContain(remedy)
  expect([409, 422, 429]).toContain(refused?.status)
  if (per === 'day') {
    const left = (Date.parse('2026-11-22T00:00:00.000Z') - t.clock().getTime()) / 1_000
    expect(refused?.headers['retry-after']).toBe(String(Math.ceil(left)))
  }

  setMax(quota, used + 1)
  const accepted = await request('room for one')
  const { answers: expected } = operation.case
  // The fixtures cannot make some requests succeed. They must then be refused for another reason.
  if (expected !== undefined) return expect([accepted.status, accepted.body.limit]).toEqual([expected, undefined])
  expect([nameOf(operation), accepted.status]).toEqual([nameOf(operation), expect.toSatisfy(isSuccess)])
  expect(await shown(client, name)).toMatchObject({ used: used + 1, max: used + 1 })
})

test('the use of a day begins again at midnight in UTC', async () => {
  const { t, place } = await furnishedApp()
  const client = await t.as('administrator')
  const operation = operations.find(({ id }) => id === 'createReport')
  if (operation === undefined) throw new Error('There is no createReport.')
  setMax(reportQuota, (await shown(client, 'reports_of_day'))?.used ?? 0)
  expect((await ask(operation, place, { client })).status).toBe(429)
  t.clock.advance(Date.parse('2026-11-22T00:00:00.000Z') - t.clock().getTime() - 1)
  expect((await ask(operation, place, { client: await freshClient(t, 'administrator') })).status).toBe(429)
  t.clock.advance(1)
  expect((await ask(operation, place, { client: await freshClient(t, 'administrator') })).status).toBe(201)
})
