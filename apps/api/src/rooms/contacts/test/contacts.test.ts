import { expect, test } from 'vitest'
import type { TestApp } from '../../../../test/build-app.ts'
import { createProspect, endProspect, type Refusal, walk } from '../../../../test/prospects.ts'
import { actorIn } from '../../../../test/temporary-store.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { change } from '../../../store/change/change.ts'
import type { Business } from '../../businesses/businesses.ts'
import type { Person } from '../../people/people.schema.ts'
import { heldContentOf } from '../../scanning/scanning.ts'
import { reevaluateEntries } from '../../suppression/reevaluation/reevaluate.ts'
import { candidateBounds } from '../bounds.ts'
import type { ContactCandidate } from '../candidates/candidates.schema.ts'
import { followSuppressions } from '../candidates/suppression-follower.ts'
import type { Readiness } from '../enablement/enablement.schema.ts'
import { contactWorld, headers, reason } from './contact-world.ts'

const page = `<title>Contact us</title><h1>Contact us</h1><p>Tel 021 555 0105</p><p>Write to desk@karoo.co.za</p>
<p>Bookkeeper: anna@syfers.co.za</p><p data-cfemail="a1">[email protected]</p><p>logo@2x.png</p>`

test('an extraction stores what a page states, and counts the rest by rule', async () => {
  const { extract, list } = await contactWorld()
  const extraction = await extract(page)
  expect(extraction).toMatchObject({
    state: 'complete',
    reasons: [],
    notRead: [],
    counts: {
      open: 2,
      known: 0,
      quarantined: 1,
      protected: 1,
      excluded: 1,
      suppressed: 0,
      byRule: { other_domain: 1, cf_email: 1, file_name: 1 },
    },
    emptiedAt: null,
  })
  const items = await list()
  expect(items.map(({ value, state, rule, mx }) => [value, state, rule, mx?.status ?? null])).toEqual([
    ['anna@syfers.co.za', 'quarantined', 'other_domain', 'not_checked'],
    ['desk@karoo.co.za', 'open', null, 'not_checked'],
    ['021 555 0105', 'open', null, null],
  ])
  expect(items[1]).toMatchObject({
    kind: 'email',
    normalized: 'desk@karoo.co.za',
    syntax: 'valid',
    isRole: false,
    isFreeMail: false,
    confidence: { level: 'high', reasons: ['own_domain', 'on_contact_page'] },
    sightings: [
      {
        pageUrl: 'https://karoo.co.za/contact',
        pageTitle: 'Contact us',
        location: 'Contact us',
        method: 'text',
        context: 'Write to desk@karoo.co.za',
        observedAt: '2026-11-20T09:00:00.000Z',
      },
    ],
  })
  expect(items[2]).toMatchObject({ normalized: '+27215550105', uncertainty: null, region: 'ZA' })
  expect(extraction.examples).toEqual({ file_name: ['l•••@2x.p••'] })
  expect(await list('&state=quarantined&rule=other_domain')).toHaveLength(1)
  expect(await list('&kind=phone')).toHaveLength(1)
})

test('one number in two notations on two pages is one candidate, and accepting the local form stores its country', async () => {
  const { t, id, extract, list, decide } = await contactWorld()
  await extract('<h1>Contact</h1><p>Tel (021) 555-0105</p>')
  const [local] = await list()
  expect(local).toMatchObject({ value: '(021) 555-0105', normalized: '+27215550105', region: 'ZA' })
  expect(local?.confidence.reasons).toContain('workspace_country')
  await extract('<h1>Contact</h1><p><a href="tel:+27215550105">021 555 0105</a></p>')
  const [candidate, ...others] = await list()
  expect([candidate?.id, candidate?.sightings.length, others]).toEqual([local?.id, 2, []])
  if (candidate === undefined) throw new Error('There is no candidate.')
  expect((await decide(candidate, { decision: 'accept', addToRecord: true })).status).toBe(200)
  const { phones } = (await (await t.as('operator')).get<Business>(`/businesses/${id}`)).body
  expect(phones).toMatchObject([{ value: '(021) 555-0105', region: 'ZA', normalized: '+27215550105' }])
})

test('a number that was rejected before local forms were read with a country is not proposed again', async () => {
  const { t, extract, list } = await contactWorld()
  await extract('<h1>Contact</h1><p>Tel (021) 555-0105</p>')
  await t.store.write('upkeep', async (db) => {
    await db
      .updateTable('contact_candidate_states')
      .set({ normalized: null, region: null, uncertainty: 'no_country_context', identity: 'phone?0215550105' })
      .execute()
    return { keep: true, value: undefined }
  })
  await extract('<h1>Contact</h1><p>Tel 021 555 0105</p>')
  expect((await list()).map(({ sightings }) => sightings.length)).toEqual([2])
})

test('viewers see counts and no candidate', async () => {
  const { t, extract } = await contactWorld()
  const { id } = await extract(page)
  const viewer = await t.as('viewer')
  expect((await viewer.get(`/extractions/${id}`)).status).toBe(200)
  expect((await viewer.get('/extractions')).status).toBe(200)
  expect((await viewer.get<Readiness>('/extraction/readiness')).body.state).toBe('enabled')
  expect((await viewer.get('/contact-candidates')).status).toBe(403)
})

test('accepting writes evidence, and the value onto the record only where the person asks for it', async () => {
  const { t, id, operator, extract, list, decide } = await contactWorld()
  await extract(page)
  const [, mail, phone] = await list()
  if (mail === undefined || phone === undefined) throw new Error('Too few candidates.')
  const changes = await t.changes(async () => expect((await decide(mail, {})).status).toBe(200))
  expect(changes).toMatchObject({ evidence: 1, contact_decisions: 1, contact_candidate_states: 0 })
  const read = async () => (await operator.get<Business>(`/businesses/${id}`)).body
  expect((await read()).emails).toEqual([])
  const { body } = await decide(phone, { region: 'ZA', label: 'Office', addToRecord: true })
  expect(body).toMatchObject({ state: 'accepted', normalized: '+27215550105', decision: { addedToRecord: true } })
  expect((await read()).phones).toMatchObject([{ value: '021 555 0105', normalized: '+27215550105', label: 'Office' }])
  const evidence = await walk<Record<string, unknown>>(operator, `/businesses/${id}/evidence`)
  expect(evidence).toMatchObject([
    { field: 'phone', value: '021 555 0105', sourceLabel: 'Official site', confidence: 'medium' },
    {
      field: 'email',
      value: 'desk@karoo.co.za',
      url: 'https://karoo.co.za/contact',
      capturedAt: '2026-11-20T09:00:00.000Z',
      confidence: 'high',
      context: expect.stringContaining('Write to desk@karoo.co.za'),
    },
  ])
})

test('a quarantined value is released with a reason before it is accepted, and a rejected one is not proposed again for a year', async () => {
  const { t, extract, list, decide } = await contactWorld()
  await extract(page)
  const [first] = await list('&state=quarantined')
  if (first === undefined) throw new Error('Nothing is quarantined.')
  expect((await decide(first, {})).body.code).toBe('candidate_not_open')
  expect((await decide(first, { decision: 'release' })).body.code).toBe('reason_required')
  const { body: released } = await decide(first, { decision: 'release', reason })
  expect(released).toMatchObject({ state: 'open', rule: 'other_domain', decision: { decision: 'release', reason } })
  expect((await decide(first, { decision: 'reject', reason })).body).toMatchObject({
    code: 'candidate_changed',
    errors: expect.arrayContaining([expect.objectContaining({ message: 'Somebody decided about this candidate.' })]),
  })
  expect((await decide(released, { decision: 'reject', reason })).body.state).toBe('rejected')
  expect((await extract(page)).counts).toMatchObject({ rejectedBefore: 1, quarantined: 0 })
  t.clock.advance(366 * DAY_MS)
  await upkeepOf('contacts', t.store)
  const { rows } = { rows: await t.store.reader.selectFrom('contact_candidate_states').selectAll().execute() }
  expect(rows.map(({ state, value }) => [state, value])).toEqual([
    ['expired', null],
    ['expired', null],
    ['rejected', null],
  ])
})

test('a value on the record is known, in any spelling, and can be accepted as evidence', async () => {
  const { operator, id, extract, list, decide } = await contactWorld()
  const { version } = (await operator.get<Business>(`/businesses/${id}`)).body
  const phones = [{ value: '+27 21 555 0105' }]
  await operator.patch(
    `/businesses/${id}`,
    { phones, emails: [{ value: 'DESK@karoo.co.za' }] },
    { 'if-match': `"${version}"` },
  )
  expect((await extract(page)).counts).toMatchObject({ open: 0, known: 2 })
  const known = await list('&state=known')
  expect(known.map(({ value, isOnRecord }) => [value, isOnRecord])).toEqual([
    ['desk@karoo.co.za', true],
    ['021 555 0105', true],
  ])
  expect((await decide(known[0] as ContactCandidate, {})).body.state).toBe('accepted')
  expect((await extract(page)).counts).toMatchObject({ open: 0, known: 2 })
})

test('found again, a value gets a further sighting, and leaves quarantine where a page states it plainly', async () => {
  const { extract, list } = await contactWorld()
  await extract('<h1>Contact</h1><p hidden>desk@karoo.co.za</p>')
  expect(await list()).toMatchObject([{ state: 'quarantined', rule: 'hidden' }])
  const { counts } = await extract('<h1>Contact</h1><p>desk@karoo.co.za</p>')
  expect(counts).toMatchObject({ open: 1, quarantined: 0 })
  const [candidate] = await list()
  expect([candidate?.state, candidate?.rule, candidate?.sightings.length]).toEqual(['open', null, 2])
})

test('a suppressed value is counted and stored nowhere; a later entry hides it at once and empties its row', async () => {
  const { t, extract, list, suppress, operator, readExtraction } = await contactWorld()
  await suppress('email', 'desk@karoo.co.za')
  const first = await extract(page)
  expect(first.counts).toMatchObject({ open: 1, suppressed: 1 })
  expect((await list()).map(({ value }) => value)).toEqual(['anna@syfers.co.za', '021 555 0105'])
  const [anna] = await list('&state=quarantined')
  await suppress('domain', 'syfers.co.za')
  expect((await list()).map(({ value }) => value)).toEqual(['021 555 0105'])
  expect((await operator.get(`/contact-candidates/${anna?.id}`)).status).toBe(404)
  expect((await readExtraction(first.id)).counts).toMatchObject({ quarantined: 0, byRule: { file_name: 1 } })
  await followSuppressions(t.store)
  const rows = await t.store.reader
    .selectFrom('contact_candidate_states')
    .select(['state', 'value', 'identity'])
    .execute()
  expect(rows.find(({ state }) => state === 'suppressed')).toEqual({ state: 'suppressed', value: null, identity: null })
  const sightings = await t.store.reader
    .selectFrom('contact_sightings')
    .selectAll()
    .where('candidate_id', '=', anna?.id ?? '')
    .execute()
  expect(sightings).toMatchObject([{ page_url: null, context: null, location: null, rule: 'other_domain' }])
})

test('keys that a re-evaluation adds to an entry empty the candidates that they match', async () => {
  const { t, extract, list, suppress } = await contactWorld()
  const { store, tenants } = t
  await suppress('email', 'desk@karoo.co.za')
  // The entry is as older rules left it, which read another address in its text.
  await store.write('upkeep', async (db) => {
    await db.updateTable('suppression_keys').set({ key: 'another' }).execute()
    await db.updateTable('suppressions').set({ rules_version: 'older' }).execute()
    return { keep: true, value: undefined }
  })
  await extract(page)
  await followSuppressions(store)
  expect((await list()).map(({ value }) => value)).toContain('desk@karoo.co.za')
  const options = { permission: null, action: 'suppression.reevaluate' } as const
  await change(store, actorIn(tenants.home.id), options, (tx) => reevaluateEntries(tx, ''))
  expect((await list()).map(({ value }) => value)).not.toContain('desk@karoo.co.za')
  await followSuppressions(store)
  const rows = await store.reader.selectFrom('contact_candidate_states').select(['state', 'value']).execute()
  expect(rows.filter(({ state }) => state === 'suppressed')).toEqual([{ state: 'suppressed', value: null }])
  expect(rows.map(({ value }) => value)).not.toContain('desk@karoo.co.za')
})

test('a written-out address is compared by the address that it spells, and accepted as that address', async () => {
  const { id, operator, extract, list, decide, suppress } = await contactWorld()
  const written = '<h1>Contact</h1><p>desk [at] karoo [dot] co.za</p><p>anna (at) karoo (dot) co.za</p>'
  await extract(written)
  const [anna, desk] = await list('&state=quarantined&rule=written_out')
  if (anna === undefined || desk === undefined) throw new Error('Too few candidates.')
  await suppress('email', 'anna@karoo.co.za')
  expect((await list()).map(({ value }) => value)).toEqual(['desk [at] karoo [dot] co.za'])
  const { body: released } = await decide(desk, { decision: 'release', reason })
  expect((await decide(released, { addToRecord: true })).body).toMatchObject({ state: 'accepted', isOnRecord: true })
  expect((await operator.get<Business>(`/businesses/${id}`)).body.emails).toMatchObject([{ value: 'desk@karoo.co.za' }])
  expect(await walk(operator, `/businesses/${id}/evidence`)).toMatchObject([{ value: 'desk@karoo.co.za' }])
})

test('a suppression between listing and accepting refuses the decision, and writes nothing', async () => {
  const { t, extract, list, suppress, decide } = await contactWorld()
  await extract(page)
  const [phone] = await list('&kind=phone')
  if (phone === undefined) throw new Error('There is no phone.')
  await suppress('phone', '+27215550105')
  const changes = await t.changes(async () => {
    expect((await decide(phone, { region: 'ZA', addToRecord: true })).status).toBe(404)
  })
  expect(changes).toEqual({})
})

test.each(['disabled', 'lapsed', 'no site', 'expired site', 'do not contact', 'gone', 'over budget'] as const)(
  'a request names why it cannot run: %s',
  async (why) => {
    const world = await contactWorld({ isEnabled: why !== 'disabled' && why !== 'over budget' })
    const { t, id, operator, supply, request, enable } = world
    const expected = {
      disabled: ['deferred', 'disabled'],
      lapsed: ['deferred', 'enablement_lapsed'],
      'no site': ['deferred', 'site_not_approved'],
      'expired site': ['deferred', 'site_expired'],
      'do not contact': ['blocked', 'do_not_contact'],
      gone: ['deferred', 'content_gone'],
      'over budget': ['deferred', 'out_of_budget'],
    }[why]
    let [businessId, host] = [id, 'karoo.co.za']
    if (why === 'no site' || why === 'expired site') {
      host = 'hantam.co.za'
      businessId = (await createProspect(operator, { domains: [{ value: host }] })).id
      if (why === 'expired site') await world.approve(businessId, host, 1)
    }
    if (why === 'over budget') await enable({ limits: { extractionsPerDay: 1 } })
    if (why === 'expired site') t.clock.advance(2 * DAY_MS)
    if (why === 'lapsed') t.clock.advance(201 * DAY_MS)
    const scanId = await supply(page, { url: `https://${host}/contact` }, businessId)
    if (why === 'do not contact') await operator.post(`/businesses/${businessId}/do-not-contact`, { reason })
    if (why === 'gone') heldContentOf(t.store).releaseScans([scanId])
    if (why === 'over budget') await request([scanId], businessId)
    const { status, body } = await request([scanId], businessId)
    expect([status, body.state, body.reasons, body.jobId]).toEqual([201, expected[0], [expected[1]], null])
  },
)

test('pages out of scope, uncertain pages and limits make the result unknown, and say what was not read', async () => {
  const { extract, enable, administrator, list } = await contactWorld()
  const other = '<title>Fences</title><h1>Fences</h1><p>We build fences of steel for farms in the Karoo.</p>'
  expect(await extract([other, { url: 'https://karoo.co.za/fences', role: 'other' }])).toMatchObject({
    state: 'unknown',
    reasons: ['page_out_of_scope'],
    notRead: [{ url: 'https://karoo.co.za/fences', reason: 'page_out_of_scope' }],
  })
  expect(await extract('<title>Contact</title><p>This domain is for sale. desk@karoo.co.za')).toMatchObject({
    state: 'unknown',
    reasons: ['page_uncertain'],
  })
  await administrator.post('/extraction/enablement', { enabled: false, reason })
  await enable({ limits: { pages: 1, candidates: 1 } })
  const limited = await extract(page, [page, { url: 'https://karoo.co.za/about-us', role: 'about' }])
  expect(limited).toMatchObject({
    state: 'unknown',
    reasons: ['page_limit', 'candidate_limit'],
    limits: { reached: ['page_limit', 'candidate_limit'], applied: { pages: 1, candidates: 1 } },
    notRead: [{ url: 'https://karoo.co.za/about-us', reason: 'page_limit' }],
  })
  expect(await list()).toHaveLength(1)
})

test('past the fiftieth value a page fills quarantine, and a prospect has at most 200 undecided candidates', async () => {
  const { extract, list } = await contactWorld()
  const many = (from: number) =>
    `<h1>Contact</h1>${Array.from({ length: 100 }, (_, at) => `<p>p${from + at}@karoo.co.za</p>`).join('')}`
  const first = await extract(many(0))
  expect(first.counts).toMatchObject({ open: 50, quarantined: 50, byRule: { value_limit: 50 } })
  await extract(many(100))
  const third = await extract(many(200))
  expect([third.state, third.reasons]).toEqual(['deferred', ['out_of_budget']])
  expect(await list()).toHaveLength(candidateBounds.openOfBusiness)
})

test('candidates expire with their retention period, and with the approval of their site', async () => {
  const { t, siteId, manager, extract, list, readExtraction } = await contactWorld()
  const { id } = await extract(page)
  const sites = await manager.get<{ items: { id: string; fingerprint: string }[] }>('/official-sites')
  const site = sites.body.items.find((one) => one.id === siteId)
  const withdrawal = { decision: 'withdraw', reason, fingerprint: site?.fingerprint }
  expect((await manager.post(`/official-sites/${siteId}/decision`, withdrawal, headers())).status).toBe(200)
  await upkeepOf('contacts', t.store)
  const items = await list()
  expect(items.map(({ state, value, rule }) => [state, value, rule])).toEqual([
    ['expired', null, 'other_domain'],
    ['expired', null, null],
    ['expired', null, null],
  ])
  expect(await readExtraction(id)).toMatchObject({
    counts: { open: 2, quarantined: 1 },
    undecided: { open: 0, known: 0, quarantined: 0 },
  })
})

test('extraction is enabled by an administrator with a complete checklist, lapses, and only a person enables it again', async () => {
  const { t, administrator, operator, enable, inDays, siteId, manager } = await contactWorld({ isEnabled: false })
  const readiness = async () => (await operator.get<Readiness>('/extraction/readiness')).body
  expect((await readiness()).state).toBe('disabled')
  expect((await enable({ validUntil: inDays(367) })).body.errors).toMatchObject([
    { path: 'validUntil', code: 'too_late' },
  ])
  expect((await enable({ validUntil: null })).body.errors).toMatchObject([{ path: 'validUntil', code: 'required' }])
  expect((await enable({ limits: { pages: 11 } })).status).toBe(400)
  const changes = await t.changes(async () => expect((await enable()).status).toBe(201))
  expect(changes).toEqual({ contact_enablements: 1, audit_events: 1 })
  expect((await enable()).body.code).toBe('conflict')
  const sites = await manager.get<{ items: { id: string; fingerprint: string }[] }>('/official-sites')
  const { fingerprint } = sites.body.items.find(({ id }) => id === siteId) ?? { fingerprint: '' }
  await manager.post(`/official-sites/${siteId}/decision`, { decision: 'withdraw', reason, fingerprint }, headers())
  expect(await readiness()).toMatchObject({
    state: 'lapsed',
    checklist: expect.arrayContaining([
      expect.objectContaining({ key: 'official_site', isOk: false, resolvedBy: 'scanning.approve_site' }),
    ]),
  })
  expect((await enable()).body).toMatchObject({ code: 'checklist_incomplete', errors: [{ path: 'official_site' }] })
  expect(await t.changes(() => upkeepOf('contacts', t.store))).toEqual({ contact_enablements: 1, audit_events: 1 })
  expect(await t.changes(() => upkeepOf('contacts', t.store))).toEqual({})
  const disabled = await administrator.post<Readiness>('/extraction/enablement', { enabled: false, reason })
  expect(disabled.body.state).toBe('disabled')
})

/** The gate cannot be read from now on. */
async function breakGate({ store }: TestApp): Promise<void> {
  await store.write('upkeep', async (db) => {
    await db.schema.alterTable('suppression_keys').renameTo('suppression_keys_gone').execute()
    return { keep: true, value: undefined }
  })
}

test('enabling extraction requires a fresh proof of identity; disabling it does not', async () => {
  const { t, enable } = await contactWorld({ hasWorker: false })
  t.clock.advance(16 * 60_000)
  expect((await enable({ enabled: false, validUntil: null })).body.state).toBe('disabled')
  expect((await enable()).body.code).toBe('step_up_required')
})

test('a gate that fails while an extraction runs ends it as failed: nothing is stored, and the readiness lists it', async () => {
  const { t, operator, supply, request, ended, work } = await contactWorld({ hasWorker: false })
  const { body } = await request([await supply(page)])
  t.store.signals.on('recorded', (_, actions) => {
    if (actions.includes('extraction.start')) void breakGate(t)
  })
  work()
  const job = await ended(body.jobId ?? '')
  expect([job.status, job.result_json]).toEqual([
    'succeeded',
    JSON.stringify({ extractionId: body.id, state: 'failed', reasons: ['gate_unavailable'] }),
  ])
  for (const table of ['contact_candidates', 'contact_sightings'] as const)
    expect(await t.store.reader.selectFrom(table).selectAll().execute()).toEqual([])
  expect((await operator.get<Readiness>('/extraction/readiness')).body).toMatchObject({
    state: 'lapsed',
    reason: 'The do-not-contact list could not be checked.',
    checklist: expect.arrayContaining([expect.objectContaining({ key: 'suppression_gate', isOk: false })]),
    failures: [{ extractionId: body.id, reason: 'gate_unavailable' }],
  })
})

test('a gate that does not answer before the start defers the extraction, and refuses decisions', async () => {
  const { t, operator, extract, supply, request, list, decide } = await contactWorld()
  await extract(page)
  const [first] = await list('&state=open')
  const scanId = await supply(page)
  await breakGate(t)
  expect((await request([scanId])).body).toMatchObject({
    state: 'deferred',
    reasons: ['gate_unavailable'],
    jobId: null,
  })
  expect((await decide(first as ContactCandidate, {})).status).toBe(503)
  expect((await operator.get<Refusal>('/extractions')).status).toBe(503)
})

test('an erasure empties candidates, sightings, decisions and rejections', async () => {
  const { t, id, administrator, extract, list, decide } = await contactWorld()
  await extract(page)
  const [quarantined, mail] = await list()
  if (quarantined === undefined || mail === undefined) throw new Error('Too few candidates.')
  const { body: released } = await decide(quarantined, { decision: 'release', reason: 'Ask anna@syfers.co.za' })
  await decide(released, { decision: 'reject', reason: 'Not anna@syfers.co.za' })
  await decide(mail, { addToRecord: true })
  const { body: erased } = await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })
  expect(erased).toMatchObject({ erased: { extractions: 1, contactCandidates: 3 } })
  const stored = async (table: 'contact_candidate_states' | 'contact_sightings' | 'contact_decisions') =>
    JSON.stringify(await t.store.reader.selectFrom(table).selectAll().execute())
  for (const table of ['contact_candidate_states', 'contact_sightings', 'contact_decisions'] as const)
    expect(await stored(table)).not.toMatch(/karoo|syfers|0105/)
  expect(await t.store.reader.selectFrom('contact_rejections').selectAll().execute()).toEqual([])
})

test('merged prospects keep their candidates, which the survivor lists too', async () => {
  const { t, id, operator, extract, list } = await contactWorld()
  await extract(page)
  const survivor = await createProspect(operator)
  await endProspect(t, id, { status: 'merged', into: survivor.id })
  const items = await list(`&businessId=${survivor.id}`)
  expect(items.map(({ business }) => business.id)).toEqual([id, id, id])
})

test('a scan of another prospect is not found, and no row is written', async () => {
  const { t, operator, supply, request } = await contactWorld()
  const scanId = await supply(page)
  const stranger = await createProspect(operator)
  const changes = await t.changes(async () => {
    expect((await request([scanId], stranger.id)).status).toBe(404)
    expect((await request([newId()])).status).toBe(404)
  })
  expect(changes).toEqual({})
})

test('an accepted value becomes one of a person at the prospect, of a new one or of a known one', async () => {
  const { t, id, operator, extract, list, decide } = await contactWorld()
  await extract('<p>Buyer: thandi@karoo.co.za</p><p>Phone +27 82 555 0142</p>')
  const found = await list()
  const [mail, phone] = [found.find(({ kind }) => kind === 'email'), found.find(({ kind }) => kind === 'phone')]
  if (mail === undefined || phone === undefined) throw new Error('A candidate is missing.')
  const people = async () => (await operator.get<{ items: Person[] }>(`/businesses/${id}/people`)).body.items
  expect((await decide(mail, { newPerson: { name: 'Thandi Nkosi', role: 'Buyer' }, label: 'Desk' })).status).toBe(200)
  const [thandi] = await people()
  if (thandi === undefined) throw new Error('The person is missing.')
  expect(thandi).toMatchObject({
    name: 'Thandi Nkosi',
    role: 'Buyer',
    emails: [{ value: 'thandi@karoo.co.za', label: 'Desk', isOfBusiness: false }],
  })
  expect((await decide(phone, { personId: thandi.id, addToRecord: true })).status).toBe(200)
  expect((await people())[0]?.phones).toMatchObject([{ normalized: '+27825550142', isOfBusiness: true }])
  const { items } = (await operator.get<{ items: { action: string; after: unknown }[] }>(`/businesses/${id}/activity`))
    .body
  expect(items.filter(({ action }) => action === 'contact_candidate.accept').map(({ after }) => after)).toMatchObject([
    { personId: thandi.id, addedToRecord: true },
    { personId: thandi.id, addedToRecord: false },
  ])
  expect(items.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['person.add', 'person.edit', 'evidence.add']),
  )
  expect(t.logged()).not.toContain('Thandi')
})

test('a value is given to nobody who is unknown, marked or of another prospect, and the candidate stays open', async () => {
  const { t, id, operator, extract, list, decide } = await contactWorld()
  await extract('<p>Buyer: thandi@karoo.co.za</p>')
  const [mail] = await list()
  if (mail === undefined) throw new Error('The candidate is missing.')
  const add = async (businessId: string, name: string) =>
    (await operator.post<Person>(`/businesses/${businessId}/people`, { name })).body.id
  const { id: elsewhere } = await createProspect(operator, { name: 'Elsewhere' })
  const [stranger, marked] = [await add(elsewhere, 'Zola'), await add(id, 'Pieter')]
  await operator.post(`/people/${marked}/do-not-contact`, { reason: 'He asked.' })
  const changes = await t.changes(async () => {
    for (const [body, status, code] of [
      [{ personId: stranger }, 404, 'not_found'],
      [{ personId: marked }, 422, 'suppressed'],
      [{ newPerson: { name: 'Pieter' } }, 409, 'person_known'],
      [{ personId: stranger, newPerson: { name: 'Zola' } }, 400, 'invalid_request'],
      [{ decision: 'reject', reason, personId: stranger }, 400, 'invalid_request'],
      [{ newPerson: { name: '082 555 0142' } }, 400, 'invalid_request'],
    ] as const) {
      const answer = await decide(mail, body)
      expect([body, answer.status, answer.body.code]).toEqual([body, status, code])
    }
  })
  expect(changes).toEqual({})
})
