import { expect, test } from 'vitest'
import { createProspect } from '../../../../test/prospects.ts'
import { suppressionWorld } from '../../../../test/suppression-world.ts'
import { gate } from '../../contact-gate/gate/gate.ts'
import { MATCHED_AT_ONCE } from '../../contact-gate/matches/matches.queries.ts'

test('an entry marks every record that it matches and its removal frees every one, however many there are', async () => {
  const { t, operator, suppress, remove } = await suppressionWorld()
  const many = 2 * MATCHED_AT_ONCE + 1
  for (let one = 0; one < many; one++) await createProspect(operator, { domains: [{ value: 'karoo.co.za' }] })
  const countBlocked = async () =>
    (await t.store.reader.selectFrom('businesses').select('id').where('do_not_contact', '=', 1).execute()).length
  const { body } = await suppress('karoo.co.za', { kind: 'domain' })
  expect([body.marked, await countBlocked()]).toEqual([many, many])
  expect((await remove(body.suppression.id)).body.freed).toBe(many)
  expect(await countBlocked()).toBe(0)
})

test('with more values than one query takes, each is checked', async () => {
  const { t, suppress } = await suppressionWorld()
  const numbers = Array.from({ length: 4_001 }, (_, index) => `+2782${String(1_000_000 + index)}`)
  const places = [0, 1_999, 2_000, 2_001, 4_000]
  for (const place of places) await suppress(numbers[place] ?? '', { kind: 'phone' })
  const asked = numbers.map((value) => ({ kind: 'phone' as const, value }))
  const matches = await gate({ db: t.store.reader, keys: t.store.keys }, t.tenants.home.id, asked)
  expect(matches.map(({ index }) => index)).toEqual(places)
})

test("one tenant's suppressions do not affect another tenant with the same values", async () => {
  const { t, suppress } = await suppressionWorld()
  const neighbour = await t.as('operator', 'other')
  const entry = { kind: 'email', reason: 'Asked.', channel: 'email' }
  await neighbour.post('/suppressions', { ...entry, value: 'jan@karoo.co.za' })
  const before = await createProspect(neighbour, { emails: [{ value: 'piet@karoo.co.za' }] })
  await suppress('piet@karoo.co.za')
  const { id } = await createProspect(await t.as('operator'), { emails: [{ value: 'jan@karoo.co.za' }] })
  const after = await createProspect(neighbour, { emails: [{ value: 'piet@karoo.co.za' }] })
  const blocked = await t.store.reader.selectFrom('businesses').select('id').where('do_not_contact', '=', 1).execute()
  expect([id, before.id, after.id].filter((one) => blocked.some((row) => row.id === one))).toEqual([])
})
