import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { matchWorld } from '../../../../test/match-world.ts'
import { askMerge, askReversal, merged, suggestionOfPair } from '../../../../test/merging.ts'
import { createProspect, walk } from '../../../../test/prospects.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import type { Suggestion, SuggestionSummary } from '../matching.schema.ts'
import { followChanges } from '../suggestions/matching-follower.ts'

const karoo = { name: 'Karoo Pumps', emails: [{ value: 'desk@karoopumps.co.za' }] }
const phones = [{ value: '+27 41 555 0101' }]

async function setUp() {
  const { t, manager, run: started } = await matchWorld()
  const run = async () => expect((await started()).status).toBe('succeeded')
  const open = async (id?: string) =>
    walk<SuggestionSummary>(manager, `/match-suggestions${id === undefined ? '' : `?businessId=${id}`}`, 200)
  const edit = async (id: string, body: object) => {
    const { version } = (await manager.get<{ version: number }>(`/businesses/${id}`)).body
    expect((await manager.patch(`/businesses/${id}`, body, { 'if-match': `"${version}"` })).status).toBe(200)
    await followChanges(t.store)
  }
  const reject = (id: string) => manager.post(`/match-suggestions/${id}/rejection`, { reason: 'Two shops.' })
  return { t, manager, run, open, edit, reject }
}

test('suggestions of a run stay after a check, even with more records than one check compares', async () => {
  const { manager, run, open, edit } = await setUp()
  const ids: string[] = []
  for (let at = 0; at < 40; at++) ids.push((await createProspect(manager, karoo)).id)
  await run()
  const last = ids.at(-1) ?? ''
  expect(await open(last)).toHaveLength(39)
  await edit(last, { phones })
  expect(await open(last)).toHaveLength(39)
})

test('a rejected pair that was edited and restored is no longer suggested', async () => {
  const { t, manager, open, edit, reject } = await setUp()
  const { id: a } = await createProspect(manager, karoo)
  const { id: b } = await createProspect(manager, karoo)
  await followChanges(t.store)
  await reject((await suggestionOfPair(manager, a, b)).id)
  await edit(b, { phones })
  const again = await suggestionOfPair(manager, a, b)
  await edit(b, { phones: [] })
  expect(await open()).toEqual([])
  expect((await manager.get<Suggestion>(`/match-suggestions/${again.id}`)).body.status).toBe('superseded')
  await edit(b, { phones })
  await reject((await suggestionOfPair(manager, a, b)).id)
  await edit(b, { phones: [] })
  expect(await open()).toEqual([])
})

test('another country of a phone changes the facts: the number is compared in its new form, and a rejected pair is suggested again', async () => {
  const { t, manager, open, edit, reject } = await setUp()
  const inCountry = (region: string) => ({ phones: [{ value: '049 892 0000', region }] })
  const { id: a } = await createProspect(manager, { name: 'Karoo Pumps', phones: [{ value: '+27 49 892 0000' }] })
  const { id: b } = await createProspect(manager, { name: 'Karoo Pumps', ...inCountry('NA') })
  await followChanges(t.store)
  const before = await suggestionOfPair(manager, a, b)
  await edit(b, inCountry('ZA'))
  const { id, score } = await suggestionOfPair(manager, a, b)
  expect([id, score > before.score]).toEqual([before.id, true])
  await edit(b, inCountry('NA'))
  await reject(id)
  await edit(b, inCountry('ZA'))
  expect(await open(a)).toMatchObject([{ proposedAgain: true }])
})

test('a pair rejected by a version with other fact hashes stays rejected while the compared values are equal', async () => {
  const { t, manager, run, open, edit, reject } = await setUp()
  const phone = { value: '049 892 0000', region: 'ZA' }
  const { id: a } = await createProspect(manager, { ...karoo, phones: [phone] })
  const { id: b } = await createProspect(manager, { ...karoo, phones: [phone] })
  await followChanges(t.store)
  await sql`UPDATE match_suggestions SET facts = 'of before', algorithm_version = 'additive-2'`.execute(
    await writerOf(t.store),
  )
  await reject((await suggestionOfPair(manager, a, b)).id)
  await run()
  expect(await open()).toEqual([])
  await edit(b, { phones })
  expect(await open(a)).toMatchObject([{ proposedAgain: true }])
})

test('a check and a run of the whole tenant compare the province and the country of an address', async () => {
  const { t, manager, run } = await setUp()
  const street = '8 Church Street'
  const pairs: [name: string, one: object, other: object][] = [
    [
      'Protea Hardware',
      { city: 'Richmond', province: 'Northern Cape' },
      { city: 'Richmond', province: 'KwaZulu-Natal' },
    ],
    ['Marula Bakery', { city: 'Kleinbegin', country: 'South Africa' }, { city: 'Kleinbegin', country: 'Namibia' }],
    ['Aloe Motors', { city: 'Middelburg' }, { city: 'Middelburg', province: 'MP' }],
    ['Impala Deco', { city: 'Windhoek', province: 'Khomas' }, { city: 'Windhoek', province: 'Erongo' }],
    ['Kudu Glass', { city: 'Middelburg', postalCode: '1050' }, { city: 'Middelburg', province: 'Mpumalanga' }],
  ]
  for (const [name, ...addresses] of pairs)
    for (const address of addresses) await createProspect(manager, { name, address: { street, ...address } })
  const found = async () =>
    (await walk<SuggestionSummary>(manager, '/match-suggestions', 200))
      .map(({ businesses, band }) => `${businesses[0]?.name} ${band}`)
      .toSorted()
  const expected = ['Aloe Motors review', 'Impala Deco review', 'Kudu Glass strong']
  await followChanges(t.store)
  expect(await found()).toEqual(expected)
  await sql`UPDATE match_suggestions SET status = 'superseded'`.execute(await writerOf(t.store))
  await run()
  expect(await found()).toEqual(expected)
})

test('a pair rejected by a version that read no country and fewer provinces stays rejected', async () => {
  const { t, manager, run, open, edit, reject } = await setUp()
  const address = { street: '8 Church Street', city: 'Kleinbegin', postalCode: '7600', country: 'South Africa' }
  const { id: a } = await createProspect(manager, { ...karoo, address })
  const { id: b } = await createProspect(manager, { ...karoo, address })
  await followChanges(t.store)
  await sql`UPDATE match_suggestions SET facts = 'of before', canonical = replace(canonical, ', WC', ''), algorithm_version = 'additive-4'`.execute(
    await writerOf(t.store),
  )
  await reject((await suggestionOfPair(manager, a, b)).id)
  await run()
  expect(await open()).toEqual([])
  await edit(b, { address: { street: '8a Church Street' } })
  expect(await open(a)).toMatchObject([{ proposedAgain: true }])
})

test('a rejection of another version stands while the pair has the same facts, and ends when a fact changes', async () => {
  const { t, manager, run, open, edit, reject } = await setUp()
  const phone = { value: '049 892 0000', region: 'ZA' }
  const { id: a } = await createProspect(manager, { ...karoo, phones: [phone] })
  const { id: b } = await createProspect(manager, { ...karoo, phones: [phone] })
  await followChanges(t.store)
  const { id } = await suggestionOfPair(manager, a, b)
  await sql`UPDATE match_suggestions SET canonical = '[]', algorithm_version = 'additive-3'`.execute(
    await writerOf(t.store),
  )
  await reject(id)
  await run()
  expect(await open()).toEqual([])
  await edit(b, { phones })
  expect(await open(a)).toMatchObject([{ proposedAgain: true }])
})

test('the rejection of a merged record is named when its survivor is suggested, until the merge is reversed', async () => {
  const { t, manager, run, edit, reject } = await setUp()
  const { id: a } = await createProspect(manager, karoo)
  const { id: b } = await createProspect(manager, { ...karoo, phones })
  const { id: c } = await createProspect(manager, { name: 'Karoo Pumps', phones })
  await followChanges(t.store)
  const rejected = await suggestionOfPair(manager, b, c)
  await reject(rejected.id)
  const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  await followChanges(t.store)
  const renews = { id: rejected.id, reason: 'Two shops.' }
  expect((await suggestionOfPair(manager, a, c)).renews).toMatchObject(renews)
  await run()
  expect((await suggestionOfPair(manager, a, c)).renews).toMatchObject(renews)
  expect((await askReversal(manager, id)).status).toBe(200)
  await edit(a, { phones, tradingName: 'Karoo' })
  expect((await suggestionOfPair(manager, a, c)).renews).toBeNull()
})

test('an unchanged survivor is suggested with the rejection too, and without it after the reversal', async () => {
  const { t, manager, reject } = await setUp()
  const { id: a } = await createProspect(manager, karoo)
  const { id: b } = await createProspect(manager, karoo)
  const { id: c } = await createProspect(manager, { ...karoo, phones })
  await followChanges(t.store)
  const rejected = await suggestionOfPair(manager, b, c)
  await reject(rejected.id)
  const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  await followChanges(t.store)
  expect((await suggestionOfPair(manager, a, c)).renews).toMatchObject({ id: rejected.id, reason: 'Two shops.' })
  expect((await askReversal(manager, id)).status).toBe(200)
  await followChanges(t.store)
  expect((await suggestionOfPair(manager, a, c)).renews).toBeNull()
})

test('of several rejections below a survivor the last decision is named, regardless of the order of suggestions', async () => {
  const { t, manager, reject } = await setUp()
  const { id: a } = await createProspect(manager, karoo)
  const { id: b } = await createProspect(manager, karoo)
  const { id: c } = await createProspect(manager, { ...karoo, phones })
  await followChanges(t.store)
  const { id: d } = await createProspect(manager, karoo)
  await followChanges(t.store)
  const [early, late] = [await suggestionOfPair(manager, b, c), await suggestionOfPair(manager, c, d)]
  expect(early.id < late.id).toBe(true)
  for (const { id } of [late, early]) {
    t.clock.advance(1_000)
    await reject(id)
  }
  await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  await followChanges(t.store)
  await merged(askMerge(manager, await suggestionOfPair(manager, a, d), a))
  expect((await suggestionOfPair(manager, a, c)).renews).toMatchObject({ id: early.id })
})
