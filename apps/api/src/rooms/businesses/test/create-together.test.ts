import { expect, test, vi } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { newId } from '../../../lib/ids.ts'
import type { Business } from '../businesses.schema.ts'

/* Tests that concurrent creates share a transaction (docs/decisions/changes-share-a-commit.md). */

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const create = (body: object, key: string = newId()) =>
    operator.post<Business>('/businesses', body, { 'idempotency-key': key })
  return { t, create }
}

/** Sends all requests while the writer is busy, so that they are written together. */
async function together<T>({ store }: TestApp, sends: readonly (() => Promise<T>)[]): Promise<T[]> {
  // With a constant time, all requests are in one batch on any machine, however slow.
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  let sent: Promise<T[]> | undefined
  await store.write('upkeep', async () => {
    sent = Promise.all(sends.map((send) => send()))
    while (store.writes.waiting() < sends.length) await new Promise((turn) => setImmediate(turn))
    return { keep: false, value: undefined }
  })
  const answers = await sent
  now.mockRestore()
  return answers ?? []
}

const whole = (name: string) => ({
  name,
  emails: [{ value: `info@${name}.example` }],
  phones: [{ value: '+27 21 555 0199', label: 'Office' }],
  tags: ['Farm'],
  address: { province: 'Gauteng' },
})
const refused = { ...whole('refused'), assigneeId: newId() }

test('creates that share a commit with a refused one leave the same rows as one by one', async () => {
  const bodies = [whole('a'), whole('b'), refused, whole('c'), whole('a'), refused]
  const [group, single] = [await setUp(), await setUp()]
  const statuses: number[][] = [[], []]
  const changed = await group.t.changes(async () => {
    const answers = await together(
      group.t,
      bodies.map((body) => () => group.create(body)),
    )
    statuses[0] = answers.map(({ status }) => status)
  })
  const changedOneByOne = await single.t.changes(async () => {
    for (const body of bodies) statuses[1]?.push((await single.create(body)).status)
  })
  expect(statuses[0]).toEqual([201, 201, 422, 201, 201, 422])
  expect(statuses[0]).toEqual(statuses[1])
  expect(changed).toEqual(changedOneByOne)
  expect(changed).toMatchObject({ businesses: 4, audit_events: 4, idempotency_keys: 4, business_search_pending: 4 })
  const manager = await group.t.as('manager')
  expect((await manager.get('/audit-events/verification')).body).toMatchObject({ status: 'intact' })
})

test('a replayed create gets its stored response among new ones', async () => {
  const { t, create } = await setUp()
  const { body: first } = await create(whole('first'), 'a key')
  const answers = await together(t, [
    () => create(whole('b')),
    () => create(whole('first'), 'a key'),
    () => create(whole('c')),
  ])
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(answers[1]?.body.id).toBe(first.id)
  expect(answers.map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true', undefined])
})
