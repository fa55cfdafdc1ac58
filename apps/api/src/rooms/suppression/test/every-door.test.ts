import { expect, test } from 'vitest'
import type { TestApp, TestClient } from '../../../../test/build-app.ts'
import { jobWorld } from '../../../../test/job-world.ts'
import { askMerge, askReversal, merged, suggestionOfPair } from '../../../../test/merging.ts'
import { addEvidenceTo, addInteractionTo, addNoteTo, createProspect, moveTo, walk } from '../../../../test/prospects.ts'
import { type DescribedRoute, describeRoutes } from '../../../http/describe-routes.ts'
import { newId } from '../../../lib/ids.ts'
import type { Business } from '../../businesses/businesses.ts'
import { followDomains } from '../../domains/candidates/domain-follower.ts'
import { exportJob } from '../../exports/exports.jobs.ts'
import type { Job } from '../../jobs/jobs.schema.ts'
import { renormalization } from '../../matching/matching.jobs.ts'
import { followChanges } from '../../matching/suggestions/matching-follower.ts'
import { reportJob } from '../../reports/reports.jobs.ts'
import type { Report } from '../../reports/reports.ts'
import { formWith } from '../../scanning/test/page-forms.ts'
import { scorePreview, scoreRun } from '../../scoring/scoring.jobs.ts'
import { MANUAL_SOURCE_ID } from '../../sources/sources.table.ts'
import { grantablePermissions } from '../../tokens/tokens.ts'

/*
 * Tests every combination of a kind of value, a way in which a suppressed value can enter, and an exit of data. The exits are all GET operations of
 * the OpenAPI document, so that new routes are included, and files, checks, previews and counts.
 */

/** The suppressed value of each kind: as an entry, and in another spelling. Their secret parts occur nowhere else in the test. */
const kinds = [
  { kind: 'email', entry: 'quagga@karoo.co.za', written: 'QUAGGA+x@Karoo.co.za', field: 'emails' },
  { kind: 'phone', entry: '+27827654321', written: '082 765 4321', field: 'phones' },
  { kind: 'domain', entry: 'springbok.co.za', written: 'https://WWW.Springbok.co.za/about', field: 'domains' },
] as const
type Kind = (typeof kinds)[number]
/** Matches the secret parts in any spelling of a response. */
const secret = /quagga|82 ?765 ?4321|827654321|springbok/i
/** A text about such a record that a person might write, for example as the reason of a change. */
const told = 'Write to quagga@karoo.co.za, 082 765 4321, springbok.co.za'

const alike = (name: string) => ({
  name,
  registrationNumber: '2011/123456/07',
  address: { street: '1 Kerk St', city: 'Prieska' },
})
const key = () => ({ 'idempotency-key': newId() })

test('a suppressed value that came in by any way marks its record, and is disclosed by none', async () => {
  const routes: DescribedRoute[] = []
  const { t, operator, ended, work } = await jobWorld([exportJob, reportJob, renormalization, scorePreview, scoreRun], {
    onRoute: (route) => routes.push(route),
  })
  work()
  const [administrator, viewer] = [await t.as('administrator'), await t.as('viewer')]
  const read = async (id: string) => (await operator.get<Business>(`/businesses/${id}`)).body
  const edit = async (id: string, body: Record<string, unknown>) => {
    const { version } = await read(id)
    expect((await operator.patch(`/businesses/${id}`, body, { 'if-match': `"${version}"` })).status).toBe(200)
  }
  const asWritten = ({ kind, field, written }: Kind) => ({
    [field]: [{ value: written, ...(kind === 'phone' ? { region: 'ZA' } : {}) }],
  })
  const job = async (path: string, body: Record<string, unknown>) => {
    const asked = await administrator.post<Job & { jobId?: string }>(path, body, key())
    expect([path, asked.status]).toEqual([path, path === '/jobs' ? 202 : 201])
    expect((await ended(asked.body.jobId ?? asked.body.id)).status).toBe('succeeded')
    return asked.body.id
  }
  const merge = async (loser: string, survivor: string) => {
    await followChanges(t.store)
    const suggestion = await suggestionOfPair(administrator, loser, survivor)
    return merged(askMerge(administrator, suggestion, survivor, { reason: told }, key()))
  }
  const pair = async (kind: Kind, name: string) => {
    const [loser, survivor] = [
      await createProspect(operator, { ...alike(name), ...asWritten(kind) }),
      await createProspect(operator, alike(name)),
    ]
    return [loser.id, survivor.id] as const
  }

  /**
   * The ways in which a value can enter, by name. Each function returns the records that must be marked. Those in `before` run before the entry is
   * added.
   */
  const before: Record<string, (kind: Kind) => Promise<string[]>> = {
    // The first one, because the value of another record is refused.
    'a person': async (kind) => {
      if (kind.kind === 'domain') return []
      const { id } = await createProspect(operator)
      const person = { name: told, role: told, note: told, ...asWritten(kind) }
      expect((await operator.post(`/businesses/${id}/people`, person)).status).toBe(201)
      return [id]
    },
    'an earlier record': async (kind) => [(await createProspect(operator, asWritten(kind))).id],
    'an earlier merge': async (kind) => {
      const [loser, survivor] = await pair(kind, `Early ${kind.kind} traders`)
      await merge(loser, survivor)
      return [loser, survivor]
    },
    'an earlier reversal': async (kind) => {
      const [loser, survivor] = await pair(kind, `Parted ${kind.kind} traders`)
      const { id } = await merge(loser, survivor)
      expect((await askReversal(administrator, id, key(), told)).status).toBe(200)
      return [loser]
    },
    'a supplied page and an official site': async (kind) => {
      const { id } = await createProspect(operator, asWritten(kind))
      const url = `https://www.springbok.co.za/${kind.kind}/quagga@karoo.co.za?tel=0827654321`
      const { body, contentType } = formWith(`<title>${told}</title><p>${told}</p>`, { url })
      const headers = { ...key(), 'content-type': contentType }
      const scan = await operator.post<{ id: string }>(`/businesses/${id}/supplied-pages`, body, headers)
      expect(scan.status).toBe(201)
      const extraction = { businessId: id, scanIds: [scan.body.id] }
      expect((await operator.post('/extractions', extraction, key())).status).toBe(201)
      const proposal = await operator.post(`/businesses/${id}/official-sites`, { host: 'www.springbok.co.za' })
      expect(proposal.status).toBe(kind.kind === 'domain' ? 201 : 422)
      return [id]
    },
    'a draft and a legal basis': async (kind) => {
      const { id } = await createProspect(operator, asWritten(kind))
      const recipient = { kind: kind.kind === 'phone' ? 'phone' : 'email', value: kind.written }
      const use = { purpose: 'introduction', jurisdiction: 'za' }
      const text = { title: told, language: 'en', text: told, subject: told, noCitationReason: told }
      const draft = { businessId: id, ...use, channel: 'email', recipient, ...text }
      const written = await operator.post<{ id: string }>('/drafts', draft)
      expect(written.status).toBe(201)
      const drafts = `/drafts/${written.body.id}`
      expect((await operator.patch(drafts, { text: `${told}!` }, { 'if-match': '"1"' })).status).toBe(200)
      const consent = { kind: 'consent', form: 'telephone', language: 'en', agreedTo: told, recordingReference: told }
      const basis = { ...use, ...consent, channels: ['email'], recipient, documentReference: told }
      const term = { from: '2026-11-01T00:00:00Z', until: '2027-11-01T00:00:00Z' }
      expect((await operator.post(`/businesses/${id}/legal-bases`, { ...basis, ...term })).status).toBe(201)
      if (kind.kind === 'phone') expect((await operator.post(`${drafts}/closure`, { reason: told })).status).toBe(200)
      return [id]
    },
    'forms and keys of older rules': async (kind) => {
      const { id } = await createProspect(operator, asWritten(kind))
      await t.store.write('upkeep', async (db) => {
        const older = { normalized: 'an older form', uncertainty: null, normalization_version: '0' }
        await db.updateTable('business_identifiers').set(older).where('business_id', '=', id).execute()
        await db
          .deleteFrom('suppression_record_keys')
          .where('docid', '=', ({ selectFrom }) => selectFrom('businesses').select('docid').where('id', '=', id))
          .execute()
        return { keep: true, value: undefined }
      })
      return [id]
    },
  }
  const after: Record<string, (kind: Kind) => Promise<string[]>> = {
    create: before['an earlier record'] ?? (async () => []),
    edit: async (kind) => {
      const { id } = await createProspect(operator)
      await edit(id, asWritten(kind))
      return [id]
    },
    evidence: async ({ kind, written }) => {
      const { id } = await createProspect(operator)
      await addEvidenceTo(operator, id, { field: kind, value: written })
      return [id]
    },
    'a source record': async ({ kind, written }) => {
      const { id } = await createProspect(operator)
      const observations = [{ field: kind, value: written, confidence: 'low' }]
      const body = { sourceId: MANUAL_SOURCE_ID, raw: written, attribution: told, capturedAt: t.clock().toISOString() }
      expect((await operator.post(`/businesses/${id}/source-records`, { ...body, observations })).status).toBe(201)
      return [id]
    },
    merge: async (kind) => {
      const [loser, survivor] = await pair(kind, `Late ${kind.kind} traders`)
      await merge(loser, survivor)
      return [loser, survivor]
    },
    'an accepted domain': async ({ kind, written }) => {
      if (kind !== 'domain') return []
      const { id } = await createProspect(operator)
      const proposal = { domain: written, businessId: id, reason: told }
      const { body } = await operator.post<{ id: string; fingerprint: string }>('/domain-candidates', proposal)
      const decision = { decision: 'accept', reason: told, fingerprint: body.fingerprint }
      expect((await administrator.post(`/domain-candidates/${body.id}/decision`, decision)).status).toBe(200)
      return [id]
    },
    reversal: async (kind) => {
      const [loser, survivor] = await pair(kind, `Twice ${kind.kind} traders`)
      const { id } = await merge(loser, survivor)
      expect((await askReversal(administrator, id, key(), told)).status).toBe(200)
      return [loser, survivor]
    },
    'again after an erasure': async (kind) => {
      const { id } = await createProspect(operator, asWritten(kind))
      expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })).status).toBe(200)
      return [id, (await createProspect(operator, asWritten(kind))).id]
    },
  }
  const marked: [door: string, id: string][] = []
  const enter = async (doors: typeof before) => {
    for (const [door, way] of Object.entries(doors))
      for (const kind of kinds) for (const id of await way(kind)) marked.push([`${door}, ${kind.kind}`, id])
  }
  await enter(before)
  for (const { kind, entry } of kinds) {
    const wanted = { kind, value: entry, reason: told, channel: 'letter' }
    expect((await operator.post('/suppressions', wanted)).status).toBe(201)
  }
  await enter(after)
  await job('/jobs', { kind: 'renormalization', input: {} })
  await followChanges(t.store)
  for (const id of new Set(marked.map(([, one]) => one))) {
    if ((await read(id)).status !== 'active') continue
    await addEvidenceTo(operator, id, { observation: told })
    await addNoteTo(operator, id, { text: told })
    await addInteractionTo(operator, id, { summary: told, participants: [told] })
    await moveTo(operator, id, 'contacted', told)
    expect((await operator.post(`/businesses/${id}/do-not-contact`, { reason: told })).status).toBe(200)
  }

  const observed = {
    name: 'springbok.co.za',
    kind: 'NS',
    status: 'nxdomain',
    source: 'dig',
    observedAt: t.clock().toISOString(),
  }
  expect((await operator.post('/dns-observations', { ...observed, raw: told })).status).toBe(201)
  await followDomains(t.store)
  const template = {
    name: 'First letter',
    channel: 'email',
    purpose: 'introduction',
    language: 'en',
    text: 'Good day.',
  }
  expect((await operator.post('/draft-templates', template)).status).toBe(201)

  const free = []
  for (const [door, id] of marked) if ((await read(id)).doNotContact === null) free.push(door)
  expect(free).toEqual([])

  // Moves the clock, because an export is refused if a record was erased at the time when the export began.
  t.clock.advance(1_000)
  const reportId = await job('/reports', { from: '2026-11-01', to: '2026-11-30' })
  for (const suppressed of ['leave_out', 'mark'] as const) {
    const exportId = await job('/exports', { source: 'prospects', format: 'jsonl', suppressed })
    const { status, body } = await administrator.get<string>(`/exports/${exportId}/content`)
    expect([suppressed, status, secret.exec(body)]).toEqual([suppressed, 200, null])
  }
  const { body: report } = await administrator.get<Report>(`/reports/${reportId}`)
  const active = new Set<string>()
  for (const [, id] of marked) if ((await read(id)).status === 'active') active.add(id)
  const counted = report.result?.figures.find((figure) => figure.key === 'suppression')?.rows
  expect(counted?.find(([what]) => what === 'do_not_contact')?.[1]).toBe(active.size)

  const values = kinds.map(({ kind, written }) => ({ kind, value: written, region: kind === 'phone' ? 'ZA' : null }))
  const { body: checked } = await operator.post<{ items: { suppressed: boolean }[] }>('/suppressions/checks', {
    values,
  })
  expect(checked.items.map(({ suppressed }) => suppressed)).toEqual([true, true, true])
  const file = kinds.map((_, row) => ['Name', ...kinds.map(({ written }, at) => (at === row ? written : ''))].join(','))
  const { body: preview } = await operator.post<{ totals: { doNotContactRows: number } }>(
    '/csv-previews?mapping=1:name,2:email,3:phone,4:domain&header=false',
    file.join('\n'),
    { 'content-type': 'text/csv' },
  )
  expect(preview.totals.doNotContactRows).toBe(kinds.length)

  await scoreAll(t, ended)
  const document = JSON.parse(JSON.stringify(await describeRoutes(routes, grantablePermissions)))
  const asked = await everyAnswer(document, administrator, viewer, [...active])
  expect(asked.length).toBeGreaterThan(100)
  // A viewer gets 404 for jobs of kinds that they may not use, and for suppressed domains. Every other response must be 200 or 403.
  const notThere = asked.filter(
    ({ path, status }) => ![200, 403].includes(status) && !path.startsWith('/jobs/') && path !== '/domains/{domain}',
  )
  expect(notThere).toEqual([])
  // The answer about availability repeats the domain of any request, because a hidden one would confirm a guess.
  const disclosing = asked.filter(({ path, text }) => secret.test(text) && path !== '/domains/{domain}/availability')
  expect(disclosing.map(({ path }) => path)).toEqual([])
  for (const q of ['quagga', '0827654321', 'springbok']) {
    for (const path of ['/businesses', '/match-suggestions']) {
      const { body } = await viewer.get<{ items: unknown[] }>(`${path}?q=${q}`)
      expect([path, q, body.items]).toEqual([path, q, []])
    }
  }
})

type Described = { paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>> }

/** Creates a preview and a run of a rule set. In the preview every record changes its score; in the run every record fails. */
async function scoreAll(t: TestApp, ended: (jobId: string) => Promise<unknown>): Promise<void> {
  const [administrator, manager] = [await t.as('administrator'), await t.as('manager')]
  const sent = async <T>(answer: Promise<{ status: number; body: T }>): Promise<T> => {
    const { status, body } = await answer
    expect([200, 201, 202]).toContain(status)
    return body
  }
  const { id } = await sent(
    administrator.post<{ id: string }>('/scoring/rule-sets', { name: 'Fit', template: 'reachable' }),
  )
  const path = `/scoring/rule-sets/${id}/versions/1`
  await sent(administrator.patch(path, { rollbackPlan: 'None.' }, { 'if-match': '"1"' }))
  const preview = await sent(administrator.post<{ id: string; jobId: string }>(`${path}/previews`, {}, key()))
  await ended(preview.jobId)
  const version = await sent(administrator.post<{ contentHash: string }>(`${path}/submission`))
  const { contentHash } = version
  await sent(manager.post(`${path}/approval`, { contentHash, previewId: preview.id, reason: 'Seen.' }))
  const body = { ruleSetId: id, version: 1, reason: 'First.', activate: 'when_complete' }
  const run = await sent(administrator.post<{ id: string; jobId: string }>('/scoring/runs', body, key()))
  await ended(run.jobId)
  await t.store.write('upkeep', async (db) => {
    const records = await db.selectFrom('businesses').select(['tenant_id', 'id']).execute()
    for (const [place, { tenant_id, id: business_id }] of records.entries()) {
      const cell = {
        matrix: 'priority',
        from_cell: 'Z',
        to_cell: 'Z',
        from_low: 1,
        from_high: 2,
        to_low: 3,
        to_high: 4,
      } as const
      const move = { tenant_id, preview_id: preview.id, business_id, place: place + 1, ...cell }
      await db.insertInto('scoring_preview_moves').values(move).execute()
      const failure = { tenant_id, run_id: run.id, business_id, reason: 'It cannot be read.' }
      await db.insertInto('scoring_failures').values(failure).execute()
    }
    return { keep: true, value: undefined }
  })
}

async function previewsOf(client: TestClient, ruleSetIds: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const id of ruleSetIds) {
    const { body } = await client.get<{ previewId: string | null }>(`/scoring/rule-sets/${id}/versions/1`)
    if (body.previewId !== null) ids.push(body.previewId)
  }
  return ids
}

/** Returns values for the parameters of paths, by name. A parameter that is missing here fails the test. */
async function idsOf(administrator: TestClient, businessIds: string[]): Promise<Record<string, string[]>> {
  const from = async (path: string) => (await walk<{ id: string }>(administrator, path, 200)).map(({ id }) => id)
  const evidence: string[] = []
  const sourceRecords: string[] = []
  const people: string[] = []
  for (const businessId of businessIds) {
    for (const id of await from(`/businesses/${businessId}/evidence`)) evidence.push(`${businessId}/evidence/${id}`)
    people.push(...(await from(`/businesses/${businessId}/people`)))
    for (const id of await from(`/businesses/${businessId}/source-records`))
      sourceRecords.push(`${businessId}/source-records/${id}`)
  }
  const ruleSetId = await from('/scoring/rule-sets')
  return {
    businessId: businessIds,
    evidenceId: evidence,
    sourceRecordId: sourceRecords,
    personId: people,
    sourceId: await from('/sources'),
    // empty, because a preview is visible to its author only and a viewer cannot create one
    previewId: [],
    suppressionId: await from('/suppressions'),
    suggestionId: await from('/match-suggestions'),
    mergeId: await from('/merges'),
    reportId: await from('/reports'),
    exportId: await from('/exports'),
    roundId: await from('/registry-rounds'),
    requestId: await from('/subject-requests'),
    // empty, because a collection needs a job and is for readers who see contact values
    holdingId: [],
    ruleSetId,
    scoringVersion: ruleSetId.map((id) => `${id}/versions/1`),
    scoringPreviewId: await previewsOf(administrator, ruleSetId),
    runId: await from('/scoring/runs'),
    // Empty, because a saved filter is visible only to its author and a bulk action needs a job.
    savedFilterId: [],
    bulkId: [],
    // Empty, because no provider is loaded and so these records cannot exist; only their lists are read.
    assistPolicyId: [],
    assistSuggestionId: [],
    key: ['due', 'mine', 'pipeline', 'failed_jobs', 'reviews_per_day'],
    domain: (await walk<{ domain: string }>(administrator, '/domains', 200)).map(({ domain }) => domain),
    candidateId: await from('/domain-candidates'),
    draftId: await from('/drafts'),
    templateId: await from('/draft-templates'),
    jobId: await from('/jobs'),
    scanId: await from('/scans'),
    extractionId: await from('/extractions'),
    // empty, because a candidate needs a job that reads pages: `rooms/contacts/test/suppressed-values.test.ts`
    contactCandidateId: [],
    id: (await from('/audit-events')).slice(0, 20),
  }
}

const withoutRecords = [
  'roundId',
  'requestId',
  'holdingId',
  'previewId',
  'savedFilterId',
  'bulkId',
  'contactCandidateId',
  'assistPolicyId',
  'assistSuggestionId',
]

/** Queries of the routes that require one. */
const requiredQueries: Record<string, string> = { '/contact-hours': '?country=ZA&channel=phone' }

/** Returns all responses that the viewer gets for GET. Of a list, reads up to two hundred items. */
async function everyAnswer(document: Described, administrator: TestClient, viewer: TestClient, businessIds: string[]) {
  const ids = await idsOf(administrator, businessIds)
  const answers: { path: string; status: number; text: string }[] = []
  for (const [url, { get }] of Object.entries(document.paths)) {
    if (get === undefined || url.endsWith('/stream')) continue
    // Evidence and source records have paths below their business, and a version has one below its rule set. These prefixes are replaced by real
    // paths.
    const path = url
      .replace('/api/v1', '')
      .replace(/\{businessId\}\/[\w-]+\/(?=\{)/, '')
      .replace('{ruleSetId}/versions/{version}', '{scoringVersion}')
      .replace('/scoring/previews/{previewId}', '/scoring/previews/{scoringPreviewId}')
    const [place] = /(?<=\{)\w+(?=\})/.exec(path) ?? []
    const limit = get.parameters?.some(({ name }) => name === 'limit') ? '?limit=200' : ''
    const query = requiredQueries[path] ?? limit
    const of = place === undefined ? [''] : ids[place]
    if (of === undefined) throw new Error(`${path} takes a ${place}, which this test does not know.`)
    if (of.length === 0 && !withoutRecords.includes(place ?? ''))
      throw new Error(`There is no ${place} to ask ${path} for.`)
    for (const id of of) {
      const { status, body } = await viewer.get(`${path.replace(`{${place}}`, id)}${query}`)
      answers.push({ path, status, text: JSON.stringify(body) })
    }
  }
  return answers
}
