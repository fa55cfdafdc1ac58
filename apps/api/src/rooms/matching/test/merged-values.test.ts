import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import {
  addEvidenceTo,
  addInteractionTo,
  addNoteTo,
  createProspect,
  happened,
  seen,
  walk,
} from '../../../../test/prospects.ts'
import type { Business } from '../../businesses/businesses.ts'
import type { Evidence } from '../../evidence/evidence.schema.ts'
import type { Interaction } from '../../interactions/interactions.schema.ts'
import { followChanges } from '../suggestions/matching-follower.ts'
import { updateSuggestion } from '../suggestions/suggestions.queries.ts'

test('if the survivor is do not contact, a viewer sees no contact value of its merged records on any route', async () => {
  const t = await buildTestApp()
  const [manager, viewer] = [await t.as('manager'), await t.as('viewer')]
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps', [
    { phones: [{ value: '+27 41 555 0101' }] },
    { phones: [{ value: '+27 41 555 0102' }], domains: [{ value: 'pumps.co.za' }] },
  ])
  await addEvidenceTo(manager, b, {
    field: 'phone',
    value: '+27 41 555 0102',
    observation: 'Call 555 0102.',
    context: 'It says 555 0102 on the door.',
    url: 'https://pumps.co.za/contact',
  })
  const { id: c } = await createProspect(manager, {
    name: 'Karoo Pumps',
    emails: [{ value: 'desk@karoopumps.co.za' }],
    phones: [{ value: '+27 41 555 0103' }],
  })
  await followChanges(t.store)
  const merges = [await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))]
  await followChanges(t.store)
  const suggestion = await suggestionOfPair(manager, a, c)
  merges.push(await merged(askMerge(manager, suggestion, c)))
  await followChanges(t.store)
  const paths = [
    ...[a, b, c].flatMap((id) => ['', '/evidence', '/facts', '/activity'].map((part) => `/businesses/${id}${part}`)),
    '/businesses?q=karoo',
    '/match-suggestions?status=merged',
    '/match-suggestions?status=superseded',
    `/match-suggestions?status=merged&businessId=${b}`,
    ...[...merges.map(({ suggestionId }) => suggestionId)].flatMap((id) => [
      `/match-suggestions/${id}`,
      `/match-suggestions/${id}/merge-preview`,
    ]),
    '/merges',
    ...merges.map(({ id }) => `/merges/${id}`),
    '/merge-attempts',
  ]
  const said = async (client: typeof viewer) => {
    const holding: string[] = []
    for (const path of paths) {
      const { status, body } = await client.get(path)
      expect([path, status]).toEqual([path, 200])
      if (/555 ?010|desk@|karoopumps\.co|pumps\.co/.test(JSON.stringify(body))) holding.push(path)
    }
    return holding
  }
  expect((await said(viewer)).length).toBeGreaterThan(10)
  await manager.post(`/businesses/${c}/do-not-contact`, { reason: 'They asked.' })
  expect(await said(viewer)).toEqual([])
  expect((await said(manager)).length).toBeGreaterThan(10)
  expect((await viewer.get<Business>(`/businesses/${b}`)).body).toMatchObject({
    doNotContact: null,
    survivorDoNotContact: true,
    valuesHidden: true,
  })
  for (const value of ['5550102', 'desk@karoopumps.co.za'])
    expect((await viewer.get<{ items: unknown[] }>(`/businesses?q=${value}`)).body.items).toEqual([])
})

test('texts written for a do not contact record stay hidden on a survivor that was unblocked', async () => {
  const t = await buildTestApp()
  const [administrator, viewer] = [await t.as('administrator'), await t.as('viewer')]
  const { a, b } = await suggestedPair(t, administrator, 'Karoo Pumps', [
    { phones: [{ value: '+27 41 555 0101' }] },
    {},
  ])
  const { id: evidenceId } = await addEvidenceTo(administrator, b, {
    field: 'phone',
    value: '+27 41 555 0102',
    observation: 'Call 555 0102.',
  })
  await addEvidenceTo(administrator, b, { field: 'name', value: 'Karoo Pumps', sourceLabel: 'Nomsa, 555 0102' })
  await addNoteTo(administrator, b, { text: 'Ask for Nomsa at 555 0102.' })
  await addInteractionTo(administrator, b, { summary: 'Called 555 0102.' })
  expect((await administrator.post(`/businesses/${b}/do-not-contact`, { reason: 'They asked.' })).status).toBe(200)
  await merged(askMerge(administrator, await suggestionOfPair(administrator, a, b), a))
  const parts = ['evidence', 'facts', 'notes', 'interactions', 'activity', `evidence/${evidenceId}`]
  const holding = async (client: typeof viewer, id: string) => {
    const found: string[] = []
    for (const part of parts) {
      const { status, body } = await client.get(`/businesses/${id}/${part}`)
      expect([part, status]).toEqual([part, 200])
      if (JSON.stringify(body).includes('555 0102')) found.push(part)
    }
    return found
  }
  expect(await holding(viewer, a)).toEqual([])
  const freed = await administrator.post(`/businesses/${a}/do-not-contact-removal`, { reason: 'Asked to be called.' })
  expect(freed.status).toBe(200)
  expect((await viewer.get<Business>(`/businesses/${a}`)).body).toMatchObject({
    doNotContact: null,
    valuesHidden: false,
  })
  expect(await holding(viewer, b)).toEqual([])
  expect(await holding(viewer, a)).toEqual([])
  expect(await holding(administrator, a)).toEqual(parts)
})

test('texts of a record merged into a do not contact record stay hidden when that record is merged into an unblocked survivor', async () => {
  const t = await buildTestApp()
  const [administrator, viewer] = [await t.as('administrator'), await t.as('viewer')]
  const { a: b, b: c } = await suggestedPair(t, administrator, 'Karoo Pumps')
  await addEvidenceTo(administrator, c, { field: 'phone', value: '+27 41 555 0102' })
  await addNoteTo(administrator, c, { text: 'Ask for Nomsa at 555 0102.' })
  await addInteractionTo(administrator, c, { summary: 'Called 555 0102.' })
  await merged(askMerge(administrator, await suggestionOfPair(administrator, b, c), b))
  await administrator.post(`/businesses/${b}/do-not-contact`, { reason: 'They asked.' })
  const emails = [{ value: 'desk@karoopumps.co.za' }]
  const { id: a } = await createProspect(administrator, { name: 'Karoo Pumps', emails })
  await followChanges(t.store)
  await merged(askMerge(administrator, await suggestionOfPair(administrator, a, b), a))
  const reason = { reason: 'Asked to be called.' }
  expect((await administrator.post(`/businesses/${a}/do-not-contact-removal`, reason)).status).toBe(200)
  const parts = ['evidence', 'notes', 'interactions', 'activity']
  const holding = async (client: typeof viewer) => {
    const said = parts.map(async (part) => JSON.stringify((await client.get(`/businesses/${a}/${part}`)).body))
    return (await Promise.all(said)).map((body) => body.includes('555 0102'))
  }
  expect(await holding(administrator)).toEqual([true, true, true, true])
  expect(await holding(viewer)).toEqual([false, false, false, false])
})

test('evidence of a merged record can be corrected from its survivor, applies to it, and leaves with a reversal', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps')
  const first = await addEvidenceTo(manager, b, { field: 'email', value: 'desk@pump.co.za' })
  const call = await addInteractionTo(manager, b)
  const { id: mergeId } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))

  const better = { ...seen, field: 'email', value: 'office@pump.co.za', supersedesId: first.id }
  const { status, body: later } = await manager.post<Evidence>(`/businesses/${a}/evidence`, better)
  expect([status, later.businessId, later.supersedesId]).toEqual([201, b, first.id])
  expect((await manager.post(`/businesses/${a}/evidence`, better)).status).toBe(409)
  const correction = { ...happened, outcome: 'no_answer', correctsId: call.id }
  const key = { 'idempotency-key': 'correct-it' }
  const correct = () => manager.post<Interaction>(`/businesses/${a}/interactions`, correction, key)
  const { status: corrected, body: told } = await correct()
  expect([corrected, told.businessId, told.correctsId]).toEqual([201, b, call.id])
  expect((await manager.post(`/businesses/${b}/evidence`, better)).status).toBe(422)

  expect((await manager.get<Evidence>(`/businesses/${a}/evidence/${later.id}`)).body).toEqual(later)
  const read = await walk<Evidence>(manager, `/businesses/${a}/evidence`)
  expect(read.map(({ id, supersededById }) => [id, supersededById])).toEqual([
    [later.id, null],
    [first.id, later.id],
  ])
  expect((await askReversal(manager, mergeId)).status).toBe(200)
  expect(await walk(manager, `/businesses/${a}/evidence`)).toEqual([])
  expect(await walk(manager, `/businesses/${a}/interactions`)).toEqual([])
  const again = await correct()
  expect([again.status, again.body]).toEqual([201, told])
  expect(await walk(manager, `/businesses/${b}/evidence`)).toHaveLength(2)
  expect(await walk(manager, `/businesses/${b}/interactions`)).toHaveLength(2)
  const gone = await manager.get(`/businesses/${a}/evidence/${later.id}`)
  const refused = await manager.post(`/businesses/${a}/evidence`, { ...better, supersedesId: later.id })
  expect([gone.status, refused.status]).toEqual([404, 404])
  const entry = { kind: 'email', value: 'office@pump.co.za', reason: 'They asked.', channel: 'phone' }
  expect((await manager.post('/suppressions', entry)).status).toBe(201)
  const blocked = async (id: string) => (await manager.get<Business>(`/businesses/${id}`)).body.doNotContact !== null
  expect([await blocked(a), await blocked(b)]).toEqual([false, true])
})

test('a correction of a merged record to a suppressed address marks its survivor too, and both activities record it', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps')
  const first = await addEvidenceTo(manager, b, { field: 'email', value: 'desk@pump.co.za' })
  await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  const entry = { kind: 'email', value: 'office@pump.co.za', reason: 'They asked.', channel: 'phone' }
  expect((await manager.post('/suppressions', entry)).status).toBe(201)
  const better = { ...seen, field: 'email', value: 'office@pump.co.za', supersedesId: first.id }
  expect((await manager.post(`/businesses/${a}/evidence`, better)).status).toBe(201)
  expect((await manager.get<Business>(`/businesses/${a}`)).body.doNotContact?.through).toBe('suppression')
  expect(await walk(manager, '/audit-events?action=business.match_suppression')).toMatchObject([
    { businessId: b, after: { doNotContact: true, suppressions: [expect.any(String)] } },
    { businessId: a, before: { doNotContact: false }, after: { doNotContact: true, carriedFrom: b } },
  ])
})

test('a new note, interaction, evidence, suppression or band since the pair was seen is named, and nothing is merged', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps', [{ phones: [{ value: '+27 41 555 0101' }] }])
  const suppress = (kind: string, value: string) =>
    manager.post('/suppressions', { kind, value, reason: 'They asked.', channel: 'phone' })
  await suppress('email', 'desk@karoopumps.co.za')
  const changes: [() => Promise<unknown>, string][] = [
    [() => addNoteTo(manager, a), '“Karoo Pumps” has more notes.'],
    [() => addInteractionTo(manager, b), '“Karoo Pumps” has more interactions.'],
    [() => addEvidenceTo(manager, a, { sourceReference: 'https://karoo.co.za' }), '“Karoo Pumps” has more evidence.'],
    [
      () => suppress('phone', '+27 41 555 0101'),
      '“Karoo Pumps” matches other entries of the do-not-contact list than before.',
    ],
  ]
  for (const [change, told] of changes) {
    const suggestion = await suggestionOfPair(manager, a, b)
    await change()
    const { status, body } = await askMerge(manager, suggestion, a)
    expect([status, body.code, body.errors?.map(({ message }) => message)]).toEqual([
      409,
      'pair_changed',
      expect.arrayContaining([told]),
    ])
  }
  const seen = await suggestionOfPair(manager, a, b)
  const { id: tenantId } = t.tenants.home
  await t.store.write('upkeep', async (db) => {
    await updateSuggestion(db, tenantId, seen.id, { score: 0.8 })
    return { keep: true, value: undefined }
  })
  const { body: weighed } = await askMerge(manager, seen, a)
  expect(weighed.errors?.map(({ message }) => message)).toEqual([
    'The evidence for and against the two records changed.',
  ])
  await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
})

test('a survivor takes over values of older rules in their current forms', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const phone = { value: '041 555 0101', region: 'ZA' }
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps', [
    {},
    { phones: [phone], address: { province: 'Eastern Cape' } },
  ])
  await t.store.write('upkeep', async (db) => {
    const old = 'identifiers-1'
    await sql`UPDATE businesses SET normalization_version = ${old}, province_code = NULL WHERE id = ${b}`.execute(db)
    await sql`UPDATE business_identifiers SET normalization_version = ${old}, normalized = NULL, uncertainty = 'no_country_context'
      WHERE business_id = ${b} AND kind = 'phone'`.execute(db)
    return { keep: true, value: undefined }
  })
  const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  const { body } = await manager.get<Business>(`/businesses/${a}`)
  expect([body.address.province, body.provinceCode, body.phones]).toMatchObject([
    'Eastern Cape',
    'EC',
    [{ normalized: '+27415550101' }],
  ])
  expect((await askReversal(manager, id)).status).toBe(200)
})
