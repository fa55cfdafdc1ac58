import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rooms } from '../../src/rooms/index.ts'
import type { Limits } from '../../src/rooms/limits/limits.schema.ts'
import { ask, isSuccess, nameOf } from '../asking.ts'
import type { TestClient } from '../build-app.ts'
import { furnishedApp } from '../furnished.ts'
import { operations } from '../operations.ts'
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

test('every quota is filled by one case of a fixture', () => {
  const filled = operations.flatMap(({ case: { fills = [] } }) => fills)
  expect(filled.toSorted()).toEqual(quotas.map(({ name }) => name).toSorted())
})

test.each(quotas)('$name: a full quota refuses a further row, which an empty place accepts', async (quota) => {
  const { name, error, remedy } = quota
  const operation = operations.find(({ case: { fills } }) => fills?.includes(name))
  if (operation === undefined) throw new Error(`No case fills ${name}.`)
  const { t, place } = await furnishedApp()
  const client = await t.as('administrator')
  const used = (await shown(client, name))?.used ?? Number.NaN

  setMax(quota, used)
  let refused = { status: 0, body: {} as Problem, headers: {} as Record<string, unknown> }
  const changes = await t.changes(async () => {
    refused = await ask(operation, place, { client, headers: { 'idempotency-key': 'full' } })
  })
  expect([nameOf(operation), changes]).toEqual([nameOf(operation), {}])
  expect(refused.body).toMatchObject({ code: error, limit: name, size: used, max: used })
  expect(refused.body.detail).toContain(name)
  expect(refused.body.detail).toContain(remedy)
  expect([409, 422, 429]).toContain(refused.status)

  setMax(quota, used + 1)
  const accepted = await ask(operation, place, { client, headers: { 'idempotency-key': 'room for one' } })
  expect([nameOf(operation), accepted.status]).toEqual([nameOf(operation), expect.toSatisfy(isSuccess)])
  expect(await shown(client, name)).toMatchObject({ used: used + 1, max: used + 1 })
})
