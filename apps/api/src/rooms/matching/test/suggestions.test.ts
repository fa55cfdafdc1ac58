import { expect, test } from 'vitest'
import { breakWrites } from '../../../../test/break-writes.ts'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { suggestionOfPair } from '../../../../test/merging.ts'
import { createProspect, endProspect, type ListPage, type Problem, walk } from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Business } from '../../businesses/businesses.ts'
import type { Suggestion, SuggestionCounts, SuggestionSummary } from '../matching.schema.ts'
import { compareWithCandidates } from '../suggestions/check-business.ts'
import { findMatchInput } from '../suggestions/match-input.queries.ts'
import { followChanges } from '../suggestions/matching-follower.ts'
import { frequenciesOf } from '../suggestions/save-suggestions.ts'
import { findSnapshot } from '../suggestions/suggestions.queries.ts'

const karoo = {
  name: 'Karoo Windpumps (Pty) Ltd',
  phones: [{ value: '041 555 0101', region: 'ZA' }],
  address: { street: '12 Main Road', city: 'Port Elizabeth' },
}
const same = {
  name: 'KAROO WINDPUMPS CC',
  phones: [{ value: '+27 41 555 0101' }],
  address: { street: 'Hoofweg 12', city: 'Gqeberha' },
}

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const follow = () => followChanges(t.store)
  return { t, operator, follow }
}

const open = (client: TestClient, query = '') => walk<SuggestionSummary>(client, `/match-suggestions${query}`)

async function suggested(client: TestClient): Promise<Suggestion> {
  const [first] = await open(client)
  return (await client.get<Suggestion>(`/match-suggestions/${first?.id}`)).body
}

test('a typing slip is found among the neighbours by name, regardless of how many share the beginning', async () => {
  const { operator, follow } = await setUp()
  const there = { address: { street: 'PO Box 99', city: 'Upington' } }
  const others = [
    'Abattoir',
    'Bakery',
    'Cycles',
    'Dairy',
    'Electric',
    'Farms',
    'Glass',
    'Hardware',
    'Insurance',
    'Joinery',
  ]
  for (const trade of [...others, ...others.map((one) => `Zinc ${one}`), ...others.map((one) => `Baths ${one}`)])
    await createProspect(operator, { name: `Karoo ${trade}` })
  const { id } = await createProspect(operator, { name: 'Karoo Irrigation', ...there })
  const slip = await createProspect(operator, { name: 'Karoo Irigation', ...there })
  await follow()
  expect(await suggestionOfPair(operator, id, slip.id)).toMatchObject({ status: 'open' })
})

test('two spellings of one business are suggested after creation, with reasons, versions and compared values', async () => {
  const { t, operator, follow } = await setUp()
  const a = await createProspect(operator, karoo)
  const b = await createProspect(operator, same)
  const changes = await t.changes(follow)
  expect(changes).toEqual({
    match_records: 2,
    match_keys: 6,
    follower_positions: 2,
    match_snapshots: 1,
    match_suggestions: 1,
    match_suggestion_counts: 1,
    audit_events: 1,
  })
  const suggestion = await suggested(operator)
  expect(suggestion).toMatchObject({
    band: 'strong',
    status: 'open',
    normalizationVersion: 'identifiers-9',
    algorithmVersion: 'additive-6',
    decision: null,
    renews: null,
    businesses: [{ id: a.id }, { id: b.id }],
    canonical: [
      {
        names: ['karoo windpumps'],
        legalForm: 'private_company',
        phones: ['+27415550101'],
        address: '12 main, gqeberha, EC',
      },
      {
        names: ['karoo windpumps'],
        legalForm: 'close_corporation',
        phones: ['+27415550101'],
        address: '12 main, gqeberha, EC',
      },
    ],
    snapshot: { records: 0 },
  })
  expect(suggestion.reasons.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      'same name: “KAROO WINDPUMPS CC” and “Karoo Windpumps (Pty) Ltd”',
      'same phone +27415550101, used by no other prospect',
      'same address',
      'different legal forms: close corporation and private company',
    ]),
  )
  expect(suggestion.reasons.some(({ weight }) => weight < 0)).toBe(true)
  expect(suggestion.conflicts.map(({ field }) => field)).toEqual(['name', 'address.street', 'address.city'])
  // Conflicts quote the values as typed. Otherwise a conflict and the reasons "same name" and "same address" would contradict each other.
  expect(suggestion.conflicts.at(0)?.text).toBe(
    'Their name differs: “Karoo Windpumps (Pty) Ltd” and “KAROO WINDPUMPS CC”',
  )
  expect(suggestion.conflicts.at(-1)?.text).toBe('Their city differs: “Port Elizabeth” and “Gqeberha”')
  expect(await t.changes(follow)).toEqual({})
  const [checked] = await walk<AuditEvent>(await t.as('manager'), '/audit-events?action=matching.check')
  expect(checked).toMatchObject({ businessName: expect.any(String), after: { created: 1, updated: 0, superseded: 0 } })
  expect(await walk(operator, `/businesses/${checked?.businessId}/activity`)).toContainEqual(checked)
})

test('the list and the pair quote names as written, and numbers of any country match in local and international form', async () => {
  const { operator, follow } = await setUp()
  await createProspect(operator, { name: 'Karoo Loodgieters', phones: [{ value: '(847) 488-9988', region: 'US' }] })
  await createProspect(operator, { name: 'Karoo Plumbing', phones: [{ value: '+1 847 488 9988' }] })
  await follow()
  const [listed] = await open(operator)
  const texts = ['same name, translated: loodgieters = plumbing', 'same phone +18474889988, used by no other prospect']
  for (const { reasons } of [listed, await suggested(operator)].filter((one) => one !== undefined))
    expect(reasons.map(({ text }) => text)).toEqual(expect.arrayContaining(texts))
})

test('the result of a check does not depend on which record came first', async () => {
  const evidence = async (bodies: readonly Record<string, unknown>[]) => {
    const { operator, follow } = await setUp()
    for (const body of bodies) await createProspect(operator, body)
    await follow()
    const { score, reasons } = await suggested(operator)
    return { score, reasons }
  }
  expect(await evidence([same, karoo])).toEqual(await evidence([karoo, same]))
})

test('an edit that ends the similarity ends the suggestion; any other edit does not change it', async () => {
  const { t, operator, follow } = await setUp()
  await createProspect(operator, karoo)
  const b = await createProspect(operator, same)
  await follow()
  const edit = (body: unknown, version: number) =>
    operator.patch<Business>(`/businesses/${b.id}`, body, { 'if-match': `"${version}"` })
  await edit({ industry: 'Irrigation' }, 1)
  expect(await t.changes(follow)).toEqual({ follower_positions: 0 })
  await edit({ name: 'Botha Attorneys', phones: [], address: { street: '90 Oak Street' } }, 2)
  await follow()
  expect(await open(operator)).toEqual([])
  expect(await open(operator, '?status=superseded')).toHaveLength(1)
})

test('a rejected pair is suggested again only after a record changes, and then names the rejection', async () => {
  const { t, operator, follow } = await setUp()
  const a = await createProspect(operator, karoo)
  const b = await createProspect(operator, same)
  await follow()
  const { id } = await suggested(operator)
  const changes = await t.changes(async () => {
    const { status, body } = await operator.post<Suggestion>(`/match-suggestions/${id}/rejection`, {
      reason: 'Two shops.',
    })
    expect([status, body.status, body.decision?.reason]).toEqual([200, 'rejected', 'Two shops.'])
  })
  expect(changes).toEqual({ match_suggestions: 0, match_suggestion_counts: 1, audit_events: 1 })
  expect(await walk<AuditEvent>(await t.as('manager'), '/audit-events?action=matching.reject')).toMatchObject([
    {
      subject: { type: 'match_suggestion', id },
      before: { status: 'open' },
      after: { status: 'rejected', businesses: [a.id, b.id], score: expect.any(Number) },
      reason: 'Two shops.',
    },
  ])
  const again = await t.changes(() => operator.post(`/match-suggestions/${id}/rejection`, { reason: 'Once more.' }))
  expect(again).toEqual({})
  await follow()
  await operator.patch(`/businesses/${b.id}`, { industry: 'Irrigation' }, { 'if-match': '"1"' })
  await follow()
  expect(await open(operator)).toEqual([])
  await operator.patch(
    `/businesses/${b.id}`,
    { phones: [{ value: '041 555 0101', region: 'ZA' }] },
    { 'if-match': '"2"' },
  )
  await follow()
  const renewed = await suggested(operator)
  expect(renewed.renews).toEqual({ id, rejectedAt: expect.any(String), reason: 'Two shops.' })
  expect(await open(operator)).toMatchObject([{ proposedAgain: true }])
  expect(await open(operator, '?status=rejected')).toMatchObject([{ proposedAgain: false }])
  expect((await operator.get<Suggestion>(`/match-suggestions/${id}`)).body.status).toBe('rejected')
})

test('a merged record is absent at once, its suggestions end, and a decision on them is refused with the reason', async () => {
  const { t, operator, follow } = await setUp()
  const a = await createProspect(operator, karoo)
  const b = await createProspect(operator, same)
  await follow()
  const { id } = await suggested(operator)
  await endProspect(t, b.id, { status: 'merged', into: a.id })
  expect(await open(operator)).toEqual([])
  await operator.post(`/businesses/${b.id}/do-not-contact`, { reason: 'Asked.' })
  await follow()
  const { status, body } = await operator.post<Problem>(`/match-suggestions/${id}/rejection`, { reason: 'Late.' })
  expect([status, body.code]).toEqual([409, 'suggestion_not_open'])
})

test('a blocked record is suggested like any other and marked as blocked', async () => {
  const { operator, follow } = await setUp()
  const a = await createProspect(operator, karoo)
  await createProspect(operator, same)
  await operator.post(`/businesses/${a.id}/do-not-contact`, { reason: 'Asked.' })
  await follow()
  const [first] = await open(operator)
  expect(first?.businesses.map(({ doNotContact }) => doNotContact)).toEqual([true, false])
  expect((await suggested(operator)).conflicts.at(-1)?.field).toBe('doNotContact')
})

test('the list is filtered by band, status and business, most likely first, in pages', async () => {
  const { operator, follow } = await setUp()
  const a = await createProspect(operator, karoo)
  for (const name of ['Protea Bakery', 'Protea Bakery']) await createProspect(operator, { name })
  await createProspect(operator, same)
  await createProspect(operator, karoo)
  await follow()
  const all = await open(operator)
  expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).toSorted((x, y) => y - x))
  expect(all.map(({ band }) => band)).toEqual(['strong', 'strong', 'strong', 'review'])
  expect(await open(operator, '?band=review')).toEqual(all.slice(3))
  expect(await open(operator, '?band=strong')).toEqual(all.slice(0, 3))
  const ofA = all.filter(({ businesses }) => businesses.some(({ id }) => id === a.id))
  expect(await open(operator, `?businessId=${a.id}`)).toEqual(ofA)
  expect(ofA).toHaveLength(2)
  expect(all.every(({ reasons }) => reasons.length > 0 && reasons.length <= 4)).toBe(true)
})

test('the fingerprint changes with either record and any addition to it', async () => {
  const { operator, follow } = await setUp()
  const a = await createProspect(operator, karoo)
  await createProspect(operator, same)
  await follow()
  const seen = [(await suggested(operator)).fingerprint]
  await operator.post(`/businesses/${a.id}/notes`, { text: 'Call in May.' })
  seen.push((await suggested(operator)).fingerprint)
  await operator.post(`/businesses/${a.id}/do-not-contact`, { reason: 'Asked.' })
  seen.push((await suggested(operator)).fingerprint)
  expect(new Set(seen).size).toBe(3)
  expect((await suggested(operator)).fingerprint).toBe(seen.at(-1))
})

test('a check among hundreds of records with one mailbox stays within its limit', async () => {
  const { t, operator } = await setUp()
  for (let at = 0; at < 60; at++)
    await createProspect(operator, {
      name: `Firm ${'abcdefghijklmnopqrstuvwxyz'.charAt(at % 26).repeat(4)}${at}`,
      emails: [{ value: 'info@karoo.co.za' }],
    })
  const last = await createProspect(operator, { name: 'Firm last', emails: [{ value: 'info@karoo.co.za' }] })
  const tenantId = t.tenants.home.id
  const input = await findMatchInput(t.store.reader, tenantId, last.id)
  if (input === undefined) throw new Error('The prospect is there.')
  const frequencies = frequenciesOf(await findSnapshot(t.store.reader, tenantId))
  const { compared } = await compareWithCandidates(t.store, tenantId, input, frequencies)
  expect(compared).toBeGreaterThan(10)
  expect(compared).toBeLessThanOrEqual(60)
})

test('records of another tenant are never shown or compared', async () => {
  const { t, operator, follow } = await setUp()
  const other = await t.as('operator', 'other')
  await createProspect(operator, karoo)
  await createProspect(other, same)
  await follow()
  expect([await open(operator), await open(other)]).toEqual([[], []])
})

test('a tenant whose changes cannot be followed does not stop the others', async () => {
  const { t, operator, follow } = await setUp()
  const other = await t.as('operator', 'other')
  await breakWrites(t, 'match_records', `NEW.tenant_id = '${t.tenants.home.id}'`)
  await createProspect(operator, karoo)
  for (const body of [karoo, same]) await createProspect(other, body)
  await expect(follow()).rejects.toThrow(AggregateError)
  expect(await open(other)).toHaveLength(1)
})

test('counts by status and band follow each insert, decision and evaluation, and the list returns its total', async () => {
  const { t, operator, follow } = await setUp()
  const none = { strong: 0, review: 0 }
  const counts = async () => (await operator.get<SuggestionCounts>('/match-suggestions/counts')).body.counts
  const total = async (query: string) =>
    (await operator.get<ListPage<unknown>>(`/match-suggestions?limit=1${query}`)).body.page.total?.value
  expect(await counts()).toEqual({ open: none, rejected: none, merged: none, superseded: none })
  await createProspect(operator, karoo)
  await createProspect(operator, same)
  await createProspect(operator, { ...karoo, name: 'Karoo Windpumps' })
  await follow()
  expect(await counts()).toMatchObject({ open: { strong: 3, review: 0 } })
  expect([await total(''), await total('&band=strong'), await total('&band=review')]).toEqual([3, 3, 0])
  const { id } = await suggested(operator)
  await operator.post(`/match-suggestions/${id}/rejection`, { reason: 'Two shops.' })
  expect(await counts()).toMatchObject({ open: { strong: 2, review: 0 }, rejected: { strong: 1, review: 0 } })
  const [one] = await open(operator)
  await t.store.write('upkeep', async (db) => {
    await db
      .updateTable('match_suggestions')
      .set({ score: 0.8 })
      .where('id', '=', one?.id ?? '')
      .execute()
    return { keep: true, value: undefined }
  })
  expect(await counts()).toMatchObject({ open: { strong: 1, review: 1 }, rejected: { strong: 1, review: 0 } })
  expect([await total(''), await total('&band=review'), await total('&status=rejected')]).toEqual([2, 1, 1])
  expect(await total(`&businessId=${one?.businesses[0]?.id}`)).toBe(2)
})
