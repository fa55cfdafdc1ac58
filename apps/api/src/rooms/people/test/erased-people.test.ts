import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createProspect, endProspect, type Refusal, walk } from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Person } from '../people.schema.ts'
import { peopleWorld, thandi } from './people-world.ts'

const REASON = 'Section 24.'

async function eraseWorld() {
  const world = await peopleWorld()
  const erase = (id: string, more: object = {}) =>
    world.administrator.post<Person & Refusal>(`/people/${id}/erasure`, { reason: REASON, ...more })
  return { ...world, erase }
}

test('an erased person is empty in every table, and the rest of the prospect stays', async () => {
  const { t, operator, added, erase, listed, read } = await eraseWorld()
  const { id: businessId } = await createProspect(operator, {
    name: 'Hantam Fencing',
    emails: [{ value: 'desk@karoo.co.za' }],
  })
  const { id } = await added(businessId)
  const { id: other } = await added(businessId, { name: 'Zola' })
  const erased = await erase(id)
  expect(erased.status).toBe(200)
  expect(erased.body).toMatchObject({
    ...{ id, name: 'Erased.', role: 'Erased.', note: 'Erased.', language: null, emails: [], phones: [], version: 2 },
    ...{ doNotContact: null, alike: [], erasedAt: t.clock().toISOString() },
  })
  expect((await listed(businessId)).map((one) => [one.id, one.name])).toEqual([
    [other, 'Zola'],
    [id, 'Erased.'],
  ])
  expect((await read(businessId)).emails).toHaveLength(1)
  const { rows: tables } = await sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table'`.execute(
    t.store.reader,
  )
  for (const { name } of tables) {
    const { rows } = await sql`SELECT * FROM ${sql.table(name)}`.execute(t.store.reader)
    expect([name, JSON.stringify(rows).match(/Thandi|Nkosi|thandi@|555 0142|825550142|Mornings/i)]).toEqual([
      name,
      null,
    ])
  }
  const found = await walk<{ id: string }>(operator, '/businesses?q=Thandi')
  expect(found).toEqual([])
  const [event] = await walk<AuditEvent>(operator, `/businesses/${businessId}/activity`)
  expect(event).toMatchObject({ action: 'person.erase', after: { people: 1, tombstones: 0 }, reason: REASON })
})

test('filters on the name or role of an erased person are emptied, and files that may contain the person are deleted', async () => {
  const { t, operator, administrator, added, erase } = await eraseWorld()
  const { id: businessId } = await createProspect(operator, { name: 'Hantam Fencing' })
  const { id } = await added(businessId)
  await added(businessId, { name: 'Zola', role: 'Owner' })
  const filter = [
    { field: 'person', op: 'contains', values: ['Thandi'] },
    { field: 'role', op: 'contains', values: ['Owner'] },
  ]
  const saved = await operator.post('/saved-filters', { desk: 'prospects', name: 'Buyers', filter })
  expect([saved.status, saved.body]).toEqual([201, expect.anything()])
  const requested = await administrator.post(
    '/exports',
    { source: 'prospects', format: 'csv', filter },
    { 'idempotency-key': 'buyers' },
  )
  expect([requested.status, requested.body]).toEqual([201, expect.anything()])
  expect((await erase(id)).status).toBe(200)
  const emptied = [{ field: 'person', op: 'contains', erased: true }, filter[1]]
  const stored = await t.store.reader.selectFrom('saved_filters').select('conditions').executeTakeFirstOrThrow()
  expect(JSON.parse(stored.conditions)).toMatchObject(emptied)
  const exported = await t.store.reader.selectFrom('exports').select('filter_json').executeTakeFirstOrThrow()
  expect(JSON.parse(exported.filter_json)).toMatchObject(emptied)
})

test.each([
  [
    'a person marked by hand',
    async ({ block }: Awaited<ReturnType<typeof eraseWorld>>, id: string) => block(id),
    false,
  ],
  [
    'a person at a marked prospect',
    async ({ operator }: Awaited<ReturnType<typeof eraseWorld>>, _id: string, businessId: string) =>
      operator.post(`/businesses/${businessId}/do-not-contact`, { reason: 'They asked.' }),
    false,
  ],
  ['anybody who asks for it', async () => undefined, true],
] as const)('the values of %s stay suppressed by their hashes', async (_who, mark, suppress) => {
  const world = await eraseWorld()
  const { operator, added, erase, personOf } = world
  const { id: businessId } = await createProspect(operator, { name: 'Hantam Fencing' })
  const { id } = await added(businessId)
  await mark(world, id, businessId)
  const before = (await personOf(id)).doNotContact
  expect((await erase(id, { suppress })).status).toBe(200)
  if (before?.byHand != null)
    expect(await personOf(id)).toMatchObject({ doNotContact: { byHand: { reason: 'Erased.' } } })
  for (const body of [{ emails: thandi.emails }, { phones: thandi.phones }]) {
    const again = await createProspect(operator, { name: `Again ${Object.keys(body).join()}`, ...body })
    expect(again.doNotContact).toMatchObject({ through: 'suppression' })
  }
})

test('the values of a person who was free are free again', async () => {
  const { operator, added, erase } = await eraseWorld()
  const { id: businessId } = await createProspect(operator, { name: 'Hantam Fencing' })
  await erase((await added(businessId)).id)
  expect((await createProspect(operator, { name: 'Again', emails: thandi.emails })).doNotContact).toBeNull()
})

test('joined people are erased together, and nothing returns with the reversal of a merge', async () => {
  const { t, operator, added, erase, personOf } = await eraseWorld()
  const { id: survivor } = await createProspect(operator, { name: 'Survivor' })
  const { id: loser } = await createProspect(operator, { name: 'Loser' })
  const { id } = await added(survivor)
  const { id: other } = await added(loser, { ...thandi, name: 'T. Nkosi' })
  await endProspect(t, loser, { status: 'merged', into: survivor })
  await operator.put(`/people/${id}/join`, { with: other, withVersion: 1 }, { 'if-match': '"1"' })
  expect((await erase(other)).body).toMatchObject({ name: 'Erased.' })
  await endProspect(t, loser, { status: 'active' })
  for (const one of [id, other]) expect(await personOf(one)).toMatchObject({ name: 'Erased.', emails: [], phones: [] })
})

test('an erased person is not changed, joined, marked or erased again', async () => {
  const { t, operator, added, erase, editPerson, block } = await eraseWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  const { id: other } = await added(businessId, { name: 'Zola' })
  await erase(id)
  const changes = await t.changes(async () => {
    const join = { with: id, withVersion: 2 }
    const answers = [
      await editPerson(id, { name: 'Thandi Nkosi' }),
      await operator.post<Refusal>(`/people/${id}/departure`, { on: '2026-11-01' }),
      await operator.put<Refusal>(`/people/${other}/join`, join, { 'if-match': '"1"' }),
      await block(id),
      await erase(id),
    ]
    expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 'conflict'))
  })
  expect(changes).toEqual({})
  const refill = sql`UPDATE person_states SET name = 'Thandi' WHERE erased_at IS NOT NULL`
  await expect(
    t.store.write('upkeep', async (db) => ({ keep: true, value: await refill.execute(db) })),
  ).rejects.toThrow('an erased person stays empty')
})

test('only an administrator erases a person', async () => {
  const { t, operator, added } = await eraseWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  const manager = await t.as('manager')
  for (const client of [operator, manager])
    expect((await client.post(`/people/${id}/erasure`, { reason: REASON })).status).toBe(403)
})
