import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair } from '../../../../test/merging.ts'
import { addInteractionTo, createProspect, type ListPage, walk } from '../../../../test/prospects.ts'
import type { TestClient } from '../../../../test/test-client.ts'

/** Returns the names of the prospects that a condition on the last outcome matches, and checks their total. */
async function foundBy(client: TestClient, op: string, values: readonly unknown[]): Promise<string[]> {
  const conditions = encodeURIComponent(JSON.stringify([{ field: 'lastOutcome', op, values }]))
  const path = `/businesses?sort=createdAt&conditions=${conditions}`
  const rows = await walk<{ name: string }>(client, path)
  const { page } = (await client.get<ListPage<unknown>>(path)).body
  expect(page.total?.value).toBe(rows.length)
  return rows.map(({ name }) => name)
}

test('prospects are found by the outcome of their latest contact, and an exclusion includes those without one', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const contacts = { Reached: ['no_answer', 'connected'], Missed: ['connected', 'no_answer'], Won: ['won'], Never: [] }
  for (const [name, outcomes] of Object.entries(contacts)) {
    const { id } = await createProspect(operator, { name })
    for (const [day, outcome] of outcomes.entries())
      await addInteractionTo(operator, id, { outcome, occurredAt: `2026-11-1${day}T09:00:00Z` })
  }
  const found = (op: string, ...values: unknown[]) => foundBy(operator, op, values)
  expect(await found('any_of', 'no_answer')).toEqual(['Missed'])
  expect(await found('any_of', 'connected', 'won')).toEqual(['Reached', 'Won'])
  expect(await found('none_of', 'connected', 'no_answer')).toEqual(['Won', 'Never'])
  expect(await found('is_empty')).toEqual(['Never'])
  expect(await found('is_not_empty')).toEqual(['Reached', 'Missed', 'Won'])
  expect(await found('any_of', 'lost')).toEqual([])
  for (const wrong of [
    { op: 'any_of', values: [] },
    { op: 'is_empty', values: ['won'] },
    { op: 'any_of', values: ['fax'] },
  ]) {
    const conditions = encodeURIComponent(JSON.stringify([{ field: 'lastOutcome', ...wrong }]))
    expect((await operator.get(`/businesses?conditions=${conditions}`)).status).toBe(400)
  }
})

test('a correction replaces the outcome, and an earlier interaction that is recorded later does not', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator, { name: 'Karoo' })
  const { id: correctsId } = await addInteractionTo(operator, id, { outcome: 'won' })
  await addInteractionTo(operator, id, { outcome: 'lost', occurredAt: '2026-11-01T09:00:00Z' })
  expect(await foundBy(operator, 'any_of', ['won'])).toEqual(['Karoo'])
  await addInteractionTo(operator, id, { outcome: 'qualified', correctsId })
  expect(await foundBy(operator, 'any_of', ['won'])).toEqual([])
  expect(await foundBy(operator, 'any_of', ['qualified'])).toEqual(['Karoo'])
})

test('a survivor has the outcome of the latest contact of both records, and each record has its own again after the reversal', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Karoo', [{}, { name: 'Karoo Wind' }])
  await addInteractionTo(manager, a, { outcome: 'no_answer', occurredAt: '2026-11-10T09:00:00Z' })
  await addInteractionTo(manager, b, { outcome: 'meeting_booked', occurredAt: '2026-11-11T09:00:00Z' })
  const { body: fresh } = await manager.get<typeof suggestion>(`/match-suggestions/${suggestion.id}`)
  const merge = await merged(askMerge(manager, fresh, a))
  expect(await foundBy(manager, 'is_not_empty', [])).toEqual(['Karoo'])
  expect(await foundBy(manager, 'any_of', ['meeting_booked'])).toEqual(['Karoo'])
  // A correction of an interaction of the merged record reaches the survivor.
  const interactions = await walk<{ id: string; outcome: string }>(manager, `/businesses/${a}/interactions`)
  const correctsId = interactions.find(({ outcome }) => outcome === 'meeting_booked')?.id
  await addInteractionTo(manager, a, { outcome: 'lost', occurredAt: '2026-11-11T09:00:00Z', correctsId })
  expect(await foundBy(manager, 'any_of', ['lost'])).toEqual(['Karoo'])
  expect((await askReversal(manager, merge.id)).status).toBe(200)
  expect(await foundBy(manager, 'any_of', ['no_answer'])).toEqual(['Karoo'])
  expect(await foundBy(manager, 'any_of', ['lost'])).toEqual(['Karoo Wind'])
})
