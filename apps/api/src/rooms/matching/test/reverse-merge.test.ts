import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { integrityOf } from '../../../../test/integrity.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { addEvidenceTo, createProspect, endProspect, moveTo, walk } from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Business } from '../../businesses/businesses.ts'
import type { Transition } from '../../pipeline/pipeline.schema.ts'
import type { AddedSuppression } from '../../suppression/suppression.schema.ts'
import type { Suggestion, SuggestionSummary } from '../matching.schema.ts'
import { endMerge } from '../merging/merges.queries.ts'
import type { Merge } from '../merging/merges.schema.ts'
import { followChanges } from '../suggestions/matching-follower.ts'

async function setUp() {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  return { t, manager, ...(await suggestedPair(t, manager, 'Karoo Pumps')) }
}

test.for(['by hand', 'by an entry'] as const)(
  'a block %s from before a merge, lifted since, does not prevent the reversal and does not return',
  async (how) => {
    const { t, manager, a, b } = await setUp()
    const administrator = await t.as('administrator')
    const entry = { kind: 'email', value: 'desk@karoopumps.co.za', reason: 'They asked.', channel: 'email' }
    const { body: made } =
      how === 'by hand'
        ? await manager.post<Partial<AddedSuppression>>(`/businesses/${a}/do-not-contact`, { reason: 'They asked.' })
        : await manager.post<Partial<AddedSuppression>>('/suppressions', entry)
    const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
    const lifted = await administrator.post(
      how === 'by hand' ? `/businesses/${a}/do-not-contact-removal` : `/suppressions/${made.suppression?.id}/removal`,
      { reason: 'They asked to hear from us.' },
    )
    expect(lifted.status).toBe(200)
    expect((await manager.get<Merge>(`/merges/${id}`)).body.reversible?.outcome?.doNotContact).toEqual([])
    const { status, body } = await askReversal(manager, id)
    expect([status, body.reversal?.outcome.doNotContact]).toEqual([200, []])
    for (const one of [a, b]) expect((await manager.get<Business>(`/businesses/${one}`)).body.doNotContact).toBeNull()
  },
)

test('a block that the merge copied to the survivor ends with the reversal, and stays on the record that had it', async () => {
  const { t, manager, a, b } = await setUp()
  await manager.post(`/businesses/${b}/do-not-contact`, { reason: 'They asked.' })
  const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  const blockOf = async (one: string) => (await manager.get<Business>(`/businesses/${one}`)).body.doNotContact
  expect(await blockOf(a)).toMatchObject({ through: 'hand', reason: 'They asked.' })
  expect((await manager.get<Merge>(`/merges/${id}`)).body.reversible?.outcome?.doNotContact).toEqual([b])
  expect((await askReversal(manager, id)).body.reversal?.outcome.doNotContact).toEqual([b])
  expect([await blockOf(a), (await blockOf(b))?.reason]).toEqual([null, 'They asked.'])
  const events = await walk<AuditEvent>(manager, `/businesses/${a}/activity`)
  expect(events.filter(({ action }) => action === 'business.unblock')).toMatchObject([
    { before: { carriedFrom: b }, after: { doNotContact: false } },
  ])
  expect(await integrityOf(t.store.dataDir, t.tenants.home.id)).toMatchObject({ first: null })
})

test.for(['blocked it', 'an entry matches it'] as const)(
  'a block that the merge copied stays on the survivor if a person has since %s',
  async (since) => {
    const { t, manager, a, b } = await setUp()
    await manager.post(`/businesses/${b}/do-not-contact`, { reason: 'They asked.' })
    const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
    t.clock.advance(1_000)
    const entry = { kind: 'email', value: 'desk@karoopumps.co.za', reason: 'They asked.', channel: 'email' }
    const blocked =
      since === 'blocked it'
        ? await manager.post(`/businesses/${a}/do-not-contact`, { reason: 'They asked again.' })
        : await manager.post('/suppressions', entry)
    expect(blocked.status).toBeLessThan(300)
    const both = [a, b].toSorted()
    expect((await manager.get<Merge>(`/merges/${id}`)).body.reversible?.outcome?.doNotContact.toSorted()).toEqual(both)
    expect((await askReversal(manager, id)).body.reversal?.outcome.doNotContact).toEqual(both)
    const { doNotContact } = (await manager.get<Business>(`/businesses/${a}`)).body
    expect(doNotContact).toMatchObject(
      since === 'blocked it' ? { through: 'hand', reason: 'They asked again.' } : { through: 'suppression' },
    )
  },
)

test('a block from before a merge, lifted and set again since, applies to both and stays on both', async () => {
  const { t, manager, a, b } = await setUp()
  const administrator = await t.as('administrator')
  const block = () => manager.post(`/businesses/${a}/do-not-contact`, { reason: 'They asked.' })
  await block()
  const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  await administrator.post(`/businesses/${a}/do-not-contact-removal`, { reason: 'They asked to hear from us.' })
  t.clock.advance(1_000)
  await block()
  const both = [a, b].toSorted()
  expect((await manager.get<Merge>(`/merges/${id}`)).body.reversible?.outcome?.doNotContact.toSorted()).toEqual(both)
  expect((await askReversal(manager, id)).body.reversal?.outcome.doNotContact).toEqual(both)
})

test('a manual block of the survivor from before a merge applies to it alone and is not copied by the reversal', async () => {
  const { manager, a, b } = await setUp()
  await manager.post(`/businesses/${a}/do-not-contact`, { reason: 'They asked.' })
  const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  expect((await manager.get<Merge>(`/merges/${id}`)).body.reversible?.outcome?.doNotContact).toEqual([a])
  expect((await askReversal(manager, id)).body.reversal?.outcome.doNotContact).toEqual([a])
  expect((await manager.get<Business>(`/businesses/${b}`)).body.doNotContact).toBeNull()
})

test('a manual block of the survivor stays on the other record: removing an entry that matched both frees neither', async () => {
  const { manager, a, b, t } = await setUp()
  const administrator = await t.as('administrator')
  const entry = { kind: 'email', value: 'desk@karoopumps.co.za', reason: 'They asked.', channel: 'email' }
  const { body: made } = await manager.post<AddedSuppression>('/suppressions', entry)
  const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  expect((await manager.post(`/businesses/${a}/do-not-contact`, { reason: 'They asked again.' })).status).toBe(200)
  expect((await askReversal(manager, id)).status).toBe(200)
  const removal = { reason: 'They asked to hear from us.' }
  expect((await administrator.post(`/suppressions/${made.suppression.id}/removal`, removal)).status).toBe(200)
  for (const one of [a, b]) {
    const { doNotContact } = (await manager.get<Business>(`/businesses/${one}`)).body
    expect(doNotContact).toMatchObject({ through: 'hand' })
  }
})

test('a value of the other record edited on the survivor stays there after the reversal, and an entry matches it', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const value = '+27 41 555 0102'
  const { a, suggestion } = await suggestedPair(t, manager, 'Karoo Pumps', [{}, { phones: [{ value }] }])
  const { id } = await merged(askMerge(manager, suggestion, a))
  const read = async () => (await manager.get<Business>(`/businesses/${a}`)).body
  const edit = { phones: [{ value, label: 'Office' }] }
  await manager.patch(`/businesses/${a}`, edit, { 'if-match': `"${(await read()).version}"` })
  expect((await askReversal(manager, id)).status).toBe(200)
  expect((await read()).phones).toMatchObject(edit.phones)
  await manager.post('/suppressions', { kind: 'phone', value, reason: 'They asked.', channel: 'phone' })
  expect((await read()).doNotContact).toMatchObject({ through: 'suppression' })
})

test('a reversal that restores the pipeline state is a row of its history, with the merge', async () => {
  const { manager, a, b } = await setUp()
  await moveTo(manager, b, 'contacted')
  const suggestion = await suggestionOfPair(manager, a, b)
  const { id } = await merged(askMerge(manager, suggestion, a, { fields: { pipelineState: b } }))
  expect((await askReversal(manager, id)).status).toBe(200)
  const moves = await walk<Transition>(manager, `/businesses/${a}/pipeline-transitions`)
  expect(moves.map(({ from, to, mergeId }) => [from, to, mergeId])).toEqual([
    ['contacted', 'new', id],
    ['new', 'contacted', id],
  ])
  expect((await manager.get<Business>(`/businesses/${a}`)).body.pipelineState).toBe('new')
})

test('evidence of the other record alone is not evidence of the survivor after the reversal', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps')
  await addEvidenceTo(manager, b, { field: 'email', value: 'desk@pump.co.za' })
  const hasEvidence = async (id: string) =>
    (await manager.get<{ items: { id: string }[] }>('/businesses?hasEvidence=true')).body.items.some(
      (one) => one.id === id,
    )
  const { id: mergeId } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  expect(await hasEvidence(a)).toBe(true)
  expect((await askReversal(manager, mergeId)).status).toBe(200)
  expect([await hasEvidence(a), await hasEvidence(b)]).toEqual([false, true])
})

test('a pair that was rejected, suggested again and merged is a suggestion again after the reversal', async () => {
  const { t, manager, a, b, suggestion } = await setUp()
  await manager.post(`/match-suggestions/${suggestion.id}/rejection`, { reason: 'Two shops.' })
  await manager.patch(`/businesses/${b}`, { phones: [{ value: '+27 41 555 0101' }] }, { 'if-match': '"1"' })
  await followChanges(t.store)
  const renewed = await suggestionOfPair(manager, a, b)
  expect(renewed.renews?.id).toBe(suggestion.id)
  const { id } = await merged(askMerge(manager, renewed, a))
  expect((await askReversal(manager, id)).status).toBe(200)
  const stands = (await manager.get<Suggestion>(`/match-suggestions/${renewed.id}`)).body
  expect([stands.status, stands.decision]).toEqual(['open', null])
  await followChanges(t.store)
  expect((await suggestionOfPair(manager, a, b)).id).toBe(renewed.id)
})

test('a suggestion that ended with the merged record, once rejected and suggested again, is reopened too', async () => {
  const { t, manager, a, b } = await setUp()
  const { id: c } = await createProspect(manager, { name: 'Karoo Pumps', emails: [{ value: 'desk@karoopumps.co.za' }] })
  await followChanges(t.store)
  const other = await suggestionOfPair(manager, b, c)
  await manager.post(`/match-suggestions/${other.id}/rejection`, { reason: 'Two shops.' })
  await manager.patch(`/businesses/${c}`, { phones: [{ value: '+27 41 555 0101' }] }, { 'if-match': '"1"' })
  await followChanges(t.store)
  const renewed = await suggestionOfPair(manager, b, c)
  const { id: ended } = await createProspect(manager, {
    name: 'Karoo Pumps',
    emails: [{ value: 'desk@karoopumps.co.za' }],
  })
  await followChanges(t.store)
  const ofEnded = await suggestionOfPair(manager, b, ended)
  const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  await endProspect(t, ended, { status: 'inactive' })
  await followChanges(t.store)
  expect((await askReversal(manager, id)).status).toBe(200)
  expect((await manager.get<Suggestion>(`/match-suggestions/${ofEnded.id}`)).body.status).toBe('superseded')
  await followChanges(t.store)
  const { items } = (await manager.get<{ items: SuggestionSummary[] }>(`/match-suggestions?businessId=${b}`)).body
  expect(items.map((one) => one.id)).toContain(renewed.id)
})

test('a suggestion that ended with the merged record stays closed if the older record has ended meanwhile', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const emails = [{ value: 'desk@karoopumps.co.za' }]
  const { id: older } = await createProspect(manager, { name: 'Karoo Pumps', emails })
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Karoo Pumps')
  const ofOlder = await suggestionOfPair(manager, older, b)
  const { id } = await merged(askMerge(manager, suggestion, a))
  await endProspect(t, older, { status: 'inactive' })
  expect((await askReversal(manager, id)).status).toBe(200)
  expect((await manager.get<Suggestion>(`/match-suggestions/${ofOlder.id}`)).body.status).toBe('superseded')
})

test('a merge whose snapshot contained an erased record reports that it cannot be reversed, in its preview and on request', async () => {
  const { t, manager, a, b, suggestion } = await setUp()
  const { id: c } = await createProspect(manager, { name: 'Karoo Pumps', emails: [{ value: 'desk@karoopumps.co.za' }] })
  await followChanges(t.store)
  const first = await merged(askMerge(manager, suggestion, a))
  await followChanges(t.store)
  const second = await merged(askMerge(manager, await suggestionOfPair(manager, a, c), a))
  // Only the last merge can be reversed first. Earlier versions chose another merge if the clock had been set back.
  await endProspect(t, b, { status: 'active' })
  const reversed = {
    reversed_at: first.mergedAt,
    reversed_by: 'somebody',
    reversal_reason: 'Two shops.',
    reversal: '{}',
  }
  await t.store.write('upkeep', async (db) => ({
    keep: true,
    value: await endMerge(db, t.tenants.home.id, first.id, reversed),
  }))
  const administrator = await t.as('administrator')
  expect((await administrator.post(`/businesses/${b}/erasure`, { reason: 'They asked.' })).status).toBe(200)

  const hindrance = expect.stringContaining('was erased')
  const { body: told } = await manager.get<Merge>(`/merges/${second.id}`)
  expect(told.reversible).toEqual({ possible: false, hindrance, firstReverse: null, outcome: null })
  expect(told.choices).toBeNull()
  const { status, body } = await askReversal(manager, second.id)
  expect([status, body.code, body.detail]).toEqual([409, 'merge_not_reversible', hindrance])
  expect((await manager.get<Business>(`/businesses/${c}`)).body).toMatchObject({ mergedInto: a, name: 'Karoo Pumps' })
})
