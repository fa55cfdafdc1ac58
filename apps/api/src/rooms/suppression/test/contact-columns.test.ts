import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import { askMerge, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { addEvidenceTo, createProspect, type Refusal } from '../../../../test/prospects.ts'
import { isFreeText, textColumns } from '../../../../test/text-columns.ts'
import { newId } from '../../../lib/ids.ts'
import { contactWorld } from '../../contacts/test/contact-world.ts'
import { followDomains } from '../../domains/candidates/domain-follower.ts'
import { followChanges } from '../../matching/suggestions/matching-follower.ts'
import { formWith } from '../../scanning/test/page-forms.ts'

/*
 * Tests every stored column that is declared with the type `ContactText` (Global rule 5, Phase 12 §5): a suppressed value is not stored, or readers
 * without contact values do not see it. The columns come from the declarations of the tables. Every other text column must be listed with the reason
 * why it needs no case.
 */

/** The suppressed values. Their secret parts occur nowhere else in this test. */
const entries = [
  { kind: 'email', value: 'quagga@zonkeyfarm.co.za' },
  { kind: 'phone', value: '+27827654321' },
  { kind: 'domain', value: 'springbok.co.za', scope: 'with_subdomains' },
]
const secret = /quagga|82 ?765 ?4321|springbok/i
/** A contact on the records of this test that is free. */
const FREE = 'desk@karoo.co.za'

type World = { t: TestApp; operator: TestClient; manager: TestClient; viewer: TestClient }
type Written = { status: number; code?: string }

type Case = {
  name: string
  columns: string
  /** stores values before there is an entry; returns the paths where they are read */
  store(world: World): Promise<string[]>
  /** writes the same after the entries; each write is refused, or the record is marked */
  again?(world: World): Promise<Written[]>
}

async function written(answer: Promise<{ status: number; body: unknown }>): Promise<Written> {
  const { status, body } = await answer
  return status < 300 ? { status } : { status, code: (body as Refusal).code }
}

const refused = { status: 422, code: 'suppressed' }

async function made<B>(answer: Promise<{ status: number; body: B }>): Promise<B> {
  const { status, body } = await answer
  expect([status, status < 300 ? null : body]).toEqual([expect.toSatisfy((one: number) => one < 300), null])
  return body
}

const prospect = async ({ operator }: World, more: object = {}) =>
  (await createProspect(operator, { name: 'Karoo Pumps', emails: [{ value: FREE }], ...more })).id

const recipients = [
  { kind: 'email', value: 'Quagga@zonkeyfarm.co.za' },
  { kind: 'phone', value: '+27 82 765 4321' },
  { kind: 'address', value: 'c/o springbok.co.za, 1 Kerk St, Prieska' },
]
const draftBody = (businessId: string, recipient: object) => ({
  businessId,
  title: 'Letter to Quagga',
  jurisdiction: 'za',
  channel: 'letter',
  purpose: 'introduction',
  language: 'en',
  recipient,
  text: 'Good day, Quagga.',
  noCitationReason: 'Nothing is claimed.',
})
const basisBody = (recipient: object) => ({
  kind: 'consent',
  form: 'written',
  language: 'en',
  agreedTo: 'Letters.',
  channels: ['letter'],
  purpose: 'introduction',
  jurisdiction: 'za',
  recipient,
  documentReference: 'Mail from Quagga',
  from: '2026-11-01T00:00:00Z',
  until: '2027-11-01T00:00:00Z',
})

/** Values in URLs and titles. */
const pages = [
  { url: 'https://www.springbok.co.za/contact' },
  { url: 'https://karoo.co.za/go?u=springbok.co.za' },
  { url: 'https://karoo.co.za/sites/springbok.co.za/x' },
  { url: 'https://karoo.co.za/m/quagga(at)zonkeyfarm.co.za' },
]
const supply = ({ operator }: World, businessId: string, { url }: { url: string }) => {
  const { body, contentType } = formWith('<title>Contact</title><p>Windpumps of the Karoo, built since 1998.</p>', {
    url,
  })
  const headers = { 'idempotency-key': newId(), 'content-type': contentType }
  return operator.post<{ id: string }>(`/businesses/${businessId}/supplied-pages`, body, headers)
}

const mx = { kind: 'MX', preference: 10, exchange: 'mail.springbok.co.za', ttl: 300 }
const observations = [
  { name: 'shop.karoo.co.za', kind: 'MX', records: [mx] },
  { name: 'karoo.co.za', kind: 'NS', records: [{ kind: 'NS', host: 'ns1.springbok.co.za', ttl: 300 }] },
  ...[
    'v=DMARC1; p=none; rua=mailto:quagga@zonkeyfarm.co.za',
    'v=spf1 include:springbok.co.za ~all',
    'Tel 082 765 4321',
  ].map((text) => ({ name: 'karoo.co.za', kind: 'TXT', records: [{ kind: 'TXT', text, isEscaped: false, ttl: 300 }] })),
  {
    name: 'www.karoo.co.za',
    kind: 'MX',
    aliases: ['web.springbok.co.za'],
    records: [{ ...mx, exchange: 'mail.karoo.co.za' }],
  },
  {
    name: 'karoo.co.za',
    kind: 'MX',
    source: 'ns1.springbok.co.za',
    records: [{ ...mx, exchange: 'mail.karoo.co.za' }],
  },
]
const observe = ({ t, operator }: World, observation: object) =>
  operator.post<{ id: string }>('/dns-observations', {
    status: 'resolved',
    source: 'dig',
    observedAt: t.clock().toISOString(),
    ...observation,
  })

const ofRecord = {
  emails: [{ value: 'quagga@zonkeyfarm.co.za' }],
  phones: [{ value: '082 765 4321', region: 'ZA' }],
  domains: [{ value: 'springbok.co.za' }],
}

const cases: Case[] = [
  {
    name: 'the recipient of a draft',
    columns: 'draft_versions.recipient_value draft_versions.recipient_normalized',
    store: async (world) => {
      const businessId = await prospect(world)
      const paths = ['/drafts', `/drafts?businessId=${businessId}`]
      for (const recipient of recipients) {
        const { id } = await made(world.operator.post<{ id: string }>('/drafts', draftBody(businessId, recipient)))
        paths.push(`/drafts/${id}`, `/drafts/${id}/versions`)
      }
      return paths
    },
    again: async (world) => {
      const businessId = await prospect(world)
      const free = draftBody(businessId, { kind: 'email', value: FREE })
      const { id } = await made(world.operator.post<{ id: string }>('/drafts', free))
      const answers: Written[] = []
      for (const recipient of recipients) {
        answers.push(await written(world.operator.post('/drafts', draftBody(businessId, recipient))))
        answers.push(await written(world.operator.patch(`/drafts/${id}`, { recipient }, { 'if-match': '"1"' })))
      }
      return answers
    },
  },
  {
    name: 'the recipient of a legal basis',
    columns: 'legal_bases.recipient_value legal_bases.recipient_normalized',
    store: async (world) => {
      const path = `/businesses/${await prospect(world)}/legal-bases`
      for (const recipient of recipients) await made(world.operator.post<{ id: string }>(path, basisBody(recipient)))
      return [path]
    },
    again: async (world) => {
      const path = `/businesses/${await prospect(world)}/legal-bases`
      return Promise.all(recipients.map((one) => written(world.operator.post(path, basisBody(one)))))
    },
  },
  {
    name: 'names in DNS records',
    columns: 'dns_observations.records dns_observations.aliases dns_observations.resolver',
    store: async (world) => {
      for (const one of observations) await made(observe(world, one))
      return ['/dns-observations', '/dns-observations?kind=TXT', '/domains/karoo.co.za']
    },
  },
  {
    name: 'a domain, as a name, a claim and a candidate',
    columns: `dns_observations.name dns_observations.domain domain_names.domain domain_uses.domain domain_uses.hosts
      domain_candidates.domain domain_candidates.host domain_candidate_states.domain domain_candidate_states.evaluation domain_associations.domain`,
    store: async (world) => {
      const { t, operator, manager } = world
      await made(observe(world, { name: 'www.springbok.co.za', kind: 'NS', status: 'nxdomain' }))
      await prospect(world, ofRecord)
      const businessId = await prospect(world)
      const proposal = { domain: 'springbok.co.za', businessId, reason: 'They write from springbok.co.za.' }
      type Candidate = { id: string; fingerprint: string }
      const { id, fingerprint } = await made(operator.post<Candidate>('/domain-candidates', proposal))
      const decision = { decision: 'accept', reason: 'They said so.', fingerprint }
      expect((await manager.post(`/domain-candidates/${id}/decision`, decision)).status).toBe(200)
      await followDomains(t.store)
      return ['/dns-observations', '/domains', '/domain-candidates', `/domain-candidates/${id}`]
    },
    again: async (world) => {
      const { operator } = world
      const businessId = await prospect(world)
      const proposal = { domain: 'springbok.co.za', businessId, reason: 'They said so.' }
      const { id } = await made(operator.post<{ id: string }>('/domain-candidates', proposal))
      const { body } = await world.viewer.get(`/domain-candidates/${id}`)
      expect(JSON.stringify(body)).not.toMatch(secret)
      return []
    },
  },
  {
    name: 'the URLs of a scan',
    columns: 'scans.url scan_pages.url',
    store: async (world) => {
      const businessId = await prospect(world)
      const paths = ['/scans', `/scans?businessId=${businessId}`]
      for (const page of pages) paths.push(`/scans/${(await made(supply(world, businessId, page))).id}`)
      return paths
    },
    again: async (world) => {
      const businessId = await prospect(world)
      return Promise.all(pages.map((page) => written(supply(world, businessId, page))))
    },
  },
  {
    name: 'titles and redirects of a scan',
    columns: 'scan_pages.facts scan_hops.url',
    store: async (world) => {
      const businessId = await prospect(world)
      const { id } = await made(supply(world, businessId, { url: 'https://karoo.co.za/contact' }))
      const other = await made(supply(world, businessId, { url: 'https://karoo.co.za/about' }))
      await world.t.store.write('upkeep', async (db) => {
        await sql`UPDATE scan_pages SET facts = json_set(facts, '$.title', 'Springbok, 082 765 4321') WHERE scan_id = ${id}`.execute(
          db,
        )
        const hop = {
          position: 0,
          page: 0,
          status: 302,
          address: '196.10.100.1',
          verdict: 'denied',
          reason: 'off_site',
        }
        const tenant_id = world.t.tenants.home.id
        const url = 'https://www.springbok.co.za/'
        await db
          .insertInto('scan_hops')
          .values({ ...hop, verdict: 'denied', tenant_id, scan_id: other.id, url })
          .execute()
        return { keep: true, value: undefined }
      })
      return [`/scans/${id}`, `/scans/${other.id}`]
    },
  },
  {
    name: 'the host of an official site',
    columns: 'official_sites.host',
    store: async (world) => {
      const businessId = await prospect(world, ofRecord)
      const path = `/businesses/${businessId}/official-sites`
      await made(world.operator.post<{ id: string }>(path, { host: 'www.springbok.co.za' }))
      return [path, '/official-sites']
    },
    again: async (world) => {
      const path = `/businesses/${await prospect(world)}/official-sites`
      return [await written(world.operator.post(path, { host: 'www.springbok.co.za' }))]
    },
  },
  {
    name: 'the value and the URL of an observation',
    columns: 'evidence.value evidence.url',
    store: async (world) => {
      const businessId = await prospect(world)
      const claimed = await prospect(world)
      const path = `/businesses/${businessId}/evidence`
      const paths = [
        path,
        `/businesses/${businessId}/brief`,
        `/businesses/${businessId}/activity`,
        `/businesses/${claimed}/evidence`,
        `/businesses/${claimed}/facts`,
      ]
      for (const { url } of pages) {
        const { id } = await addEvidenceTo(world.operator, businessId, { observation: 'Seen on a page.', url })
        paths.push(`${path}/${id}`)
      }
      const claim = { observation: null, field: 'email', value: 'quagga@zonkeyfarm.co.za' }
      await addEvidenceTo(world.operator, claimed, claim)
      return paths
    },
  },
  {
    name: 'the contacts of a record',
    columns: `businesses.primary_email businesses.primary_phone businesses.primary_phone_normalized businesses.primary_domain
      business_identifiers.original business_identifiers.normalized`,
    store: async (world) => {
      const id = await prospect(world, ofRecord)
      return [`/businesses/${id}`, '/businesses', `/businesses/${id}/activity`, `/businesses/${id}/facts`]
    },
    again: async (world) => {
      const { doNotContact } = await createProspect(world.operator, { name: 'Again', ...ofRecord })
      expect(doNotContact).toMatchObject({ through: 'suppression' })
      return []
    },
  },
  {
    name: 'the values of a person at a business',
    columns: 'person_identifiers.original',
    store: async (world) => {
      const id = await prospect(world)
      const { emails, phones } = ofRecord
      const person = { name: 'Anna', emails, phones }
      const added = await made(world.operator.post<{ id: string }>(`/businesses/${id}/people`, person))
      return [`/businesses/${id}/people`, `/people/${added.id}`]
    },
    again: async (world) => {
      const id = await prospect(world)
      await made(world.operator.post(`/businesses/${id}/people`, { name: 'Anna', emails: ofRecord.emails }))
      const { body } = await world.operator.get(`/businesses/${id}`)
      expect(body).toMatchObject({ doNotContact: { through: 'suppression' } })
      return []
    },
  },
  {
    name: 'the compared values of two records, and their merge',
    columns: 'match_suggestions.evidence match_suggestions.canonical merges.after',
    store: async (world) => {
      const { t, manager } = world
      const address = { street: '1 Kerk St', city: 'Prieska' }
      const pair = async (name: string) => {
        const both = [
          await prospect(world, { name, address, ...ofRecord }),
          await prospect(world, { name, address, ...ofRecord }),
        ]
        await followChanges(t.store)
        return both
      }
      const [a = '', b = ''] = await pair('Prieska Windpumps')
      const open = await suggestionOfPair(manager, a, b)
      const [loser = '', survivor = ''] = await pair('Hantam Fencing')
      const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, loser, survivor), survivor))
      return ['/match-suggestions', `/match-suggestions/${open.id}`, '/merges', `/merges/${id}`]
    },
  },
]

/** Columns of the type that no case above covers, each with the reason. */
const otherContactColumns: Record<string, string> = {
  'suppressions.original suppressions.normalized': 'the entries themselves, for readers with suppression.read',
  'merge_snapshots.content': 'stored for a reversal; no route returns it',
  'dns_cache.name dns_cache.domain': 'finds a fresh observation again; no route returns it',
  'source_permits.target source_queries.request': 'a request to a source; no route returns it',
  'contact_candidate_states.identity': 'finds a candidate again; no route returns it',
  'holdings.value holdings.value_normalized':
    'what a collection is about, for readers with holdings.create; emptied with the file (rooms/holdings/test/holdings.test.ts)',
  'subject_requests.requester_contact subject_requests.contact_normalized':
    'where a person is answered, for readers with requests.read; no export contains it (rooms/requests/test/requests.test.ts)',
}

/** Columns of contact candidates: for readers with `contacts.read`, and for nobody once the value is suppressed. */
const ofCandidates = `contact_candidate_states.value contact_candidate_states.normalized contact_candidate_states.domain
  contact_sightings.page_url contact_sightings.page_title contact_sightings.location contact_sightings.context extraction_results.not_read`

/** Text columns that are no contact values, by reason. */
const otherColumns: Record<string, string> = {
  'free text about a record, withheld as a whole (docs/decisions/free-text-is-withheld-whole.md)': `
    businesses.blocked_reason business_identifiers.label person_identifiers.label person_states.name person_states.role
    person_states.note person_states.blocked_reason notes.text interactions.summary interactions.participants
    evidence.observation evidence.source_reference evidence.source_label evidence.context pipeline_transitions.reason
    match_suggestions.decision_reason merges.reason merges.reversal_reason reviews.reason
    domain_candidates.reason domain_candidate_states.decision_reason domain_candidate_states.withdrawal_reason
    official_site_decisions.reason contact_decisions.reason drafts.title draft_versions.subject draft_versions.text
    draft_versions.no_citation_reason draft_versions.acknowledgements draft_citations.quote draft_requests.reason
    draft_events.reason legal_bases.document_reference legal_bases.agreed_to legal_bases.recording_reference legal_bases.sale
    legal_basis_withdrawals.reason
    source_records.identity source_records.reference source_records.attribution source_record_raws.raw source_record_raws.reason
    assist_results.result assist_results.claims assist_results.decision_reason assist_exchanges.body`,
  'free text about no record: shown to everybody, and documented as no exit (docs/suppression.md)': `
    reports.name reports.filter_json exports.filter_json saved_filters.name saved_filters.name_key saved_filters.conditions
    saved_filter_defaults.prospects saved_filter_defaults.review bulk_previews.predicate bulk_previews.params bulk_reviews.reason
    draft_templates.name draft_templates.subject draft_templates.text draft_policies.content draft_policies.reason
    scoring_rule_sets.name scoring_rule_sets.description scoring_versions.content scoring_versions.rollback_plan
    scoring_versions.decision_reason scoring_versions.retirement_reason scoring_runs.reason scoring_activations.reason
    scan_policy_approvals.reason assist_policies.content assist_policies.decision_reason assist_usage.reason
    contact_enablements.reason contact_enablements.checklist
    sources.slug sources.name sources.description source_versions.contract source_decisions.reason source_decisions.items
    source_incidents.description source_incidents.decision_reason registry_rounds.confirmation registry_rounds.cancelled_because
    source_files.name source_files.label source_files.purpose source_files.legal_basis`,
  'counts, hashes, ids, times and settings of registry rounds, without any value': `
    registry_rounds.kinds registry_rounds.states registry_rounds.columns registry_rounds.salt registry_rounds.file registry_rounds.result
    registry_rounds.outcome registry_rounds.registration registry_rounds.closed_event registry_registrations.number`,
  'texts about a person who asked about their data, for readers with requests.read': `
    subject_requests.requester_name subject_requests.identity_check subject_requests.extension_reason subject_requests.answer`,
  'ids of events, and sizes, hashes and counts of files': 'subject_requests.acts holdings.file',
  'suppression entries, for readers with suppression.read': `
    suppressions.reason suppressions.reference suppressions.ended_reason suppression_history.reason suppression_history.reference`,
  'names, places and tags of a record, which stay visible': `
    businesses.name businesses.name_key businesses.trading_name businesses.registration_number businesses.industry
    businesses.street businesses.suburb businesses.city businesses.province businesses.postal_code businesses.country
    businesses.tags business_tags.tag_key business_tags.tag business_tag_counts.tag_key business_tag_counts.tag
    business_identifiers.region person_identifiers.region suppressions.region contact_candidate_states.region`,
  'derived for searching, comparing and the gate; no route returns it': `
    business_name_keys.name_key business_search.text business_search.tenant business_search_pending.text business_search_pending.tenant
    suppression_keys.key suppression_record_keys.key match_snapshots.words
    domain_names.label domain_names.skeleton domain_names.letters domain_records.label
    draft_copies.recipient_key draft_requests.snapshot`,
  'a pasted text, of which routes return the state alone': 'dns_observations.raw',
  'the log of changes: eventsForReader hides it, and the audit log needs audit.read': `
    audit_events.action audit_events.subject_type audit_events.before_json audit_events.after_json audit_events.reason
    audit_events.salt audit_redactions.residue`,
  'results of changes, which hold ids': `
    idempotency_keys.key idempotency_keys.result draft_copies.idempotency_key jobs.idempotency_key
    pipeline_transitions.idempotency_key jobs.input_json jobs.checkpoint_json jobs.result_json job_effects.result_json
    job_events.data_json`,
  'accounts, sessions and settings of members and workspaces': `
    tenants.name tenants.time_zone tenants.country users.email users.name sessions.address sessions.agent
    totp_factors.secret totp_enrolments.secret passkeys.public_key passkeys.transports passkeys.name
    company_identities.issuer company_identities.subject
    access_tokens.name access_tokens.addresses access_tokens.permissions
    one_time_links.email one_time_links.name unknown_attempts.tried unknown_attempts.address unknown_attempts.agent
    reports.time_zone dashboard_arrangements.tiles`,
  'codes, numbers, ids, names of fields, and sentences of the product': `
    schema_steps.name leases.name leases.owner follower_positions.follower jobs.kind jobs.owner jobs.retry_of jobs.progress_unit jobs.error_code
    jobs.error_message job_effects.step businesses.merged_into business_counts.province_code
    match_suggestions.facts merges.choices match_suggestions.business_a match_suggestions.business_b match_suggestions.renews merges.ended_suggestions
    merges.read_back merges.reversal merge_attempts.failure report_results.figures_json
    scoring_versions.template scoring_previews.against scoring_previews.result scoring_preview_moves.from_cell
    scoring_preview_moves.to_cell scoring_runs.active_when_created scoring_runs.counts scoring_runs.read_back
    scoring_runs.stopped_because scoring_failures.reason score_generations.bands score_generations.compared_with
    score_history.from_priority score_history.to_priority score_moves.from_priority score_moves.to_priority
    source_circuits.cause source_queries.purpose source_queries.plan source_queries.outcome source_permits.cause
    source_health.latencies source_record_raws.failure
    exports.spreadsheet exports.audit_filter bulk_previews.undoes bulk_previews.refused bulk_previews.records bulk_reviews.read_back bulk_outcomes.before bulk_outcomes.after
    drafts.jurisdiction drafts.stale_causes draft_versions.jurisdiction draft_versions.language draft_events.causes
    draft_copies.policy draft_templates.language draft_policies.jurisdiction legal_bases.channels legal_bases.jurisdiction
    legal_bases.language person_states.language person_states.joined_into
    reviews.checked_fields reviews.undoes saved_filters.sort saved_filters.view saved_filters.columns
    scan_results.reasons scan_results.applied scan_results.spent scan_pages.suspected scan_pages.reasons scan_hops.address
    scan_hops.reason scan_policies.bounds extractions.scan_ids extractions.limits extraction_results.reasons
    extraction_results.counts contact_enablements.limits contact_candidate_states.uncertainty contact_candidate_states.confidence
    assist_suggestions.evidence assist_results.versions assist_results.usage assist_results.state_code
    assist_results.state_subject`,
}

const words = (text: string) => text.trim().split(/\s+/)
const listed = (groups: Record<string, string>) => Object.values(groups).flatMap(words)

test('every text column is declared as a contact value and tested here, or listed with the reason why it is none', async () => {
  const columns = await textColumns()
  const contact = columns.filter(({ type }) => /\bContactText\b/.test(type ?? '')).map(({ name }) => name)
  expect(contact.length).toBeGreaterThan(40)
  const covered = [
    ...cases.flatMap((one) => words(one.columns)),
    ...Object.keys(otherContactColumns).flatMap(words),
    ...words(ofCandidates),
  ]
  expect(covered.toSorted()).toEqual(contact.toSorted())
  const texts = columns.filter((column) => isFreeText(column) && !contact.includes(column.name)).map(({ name }) => name)
  expect(listed(otherColumns).toSorted()).toEqual(texts.toSorted())
})

/** Returns the columns that hold a secret. */
async function holding(t: TestApp, columns: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of columns) {
    const [table = '', column = ''] = name.split('.')
    const { rows } = await sql<{
      value: string | null
    }>`SELECT ${sql.ref(column)} AS value FROM ${sql.table(table)}`.execute(t.store.reader)
    if (rows.some(({ value }) => secret.test(value ?? ''))) found.push(name)
  }
  return found
}

async function suppressAll(operator: TestClient): Promise<void> {
  for (const entry of entries)
    await made(operator.post('/suppressions', { ...entry, reason: 'No.', channel: 'letter' }))
}

/** Reads the paths; returns those whose answer contains a secret. Every path is answered. */
async function disclosing(client: TestClient, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const { status, body } = await client.get(path)
    expect([path, status]).toEqual([path, 200])
    if (secret.test(JSON.stringify(body))) found.push(path)
  }
  return found
}

test.for(cases)(
  '$name: a suppressed value is refused or marks its record, and is hidden from viewers',
  async ({ columns, store, again }) => {
    const t = await buildTestApp()
    const world = { t, operator: await t.as('operator'), manager: await t.as('manager'), viewer: await t.as('viewer') }
    const paths = await store(world)
    expect(await holding(t, words(columns))).toEqual(words(columns))
    expect((await disclosing(world.viewer, paths)).length).toBeGreaterThan(0)
    await suppressAll(world.operator)
    expect(await disclosing(world.viewer, paths)).toEqual([])
    expect((await disclosing(world.operator, paths)).length).toBeGreaterThan(0)
    const answers = (await again?.(world)) ?? []
    expect(answers).toEqual(answers.map(() => refused))
  },
)

test('a value that left its record before it was suppressed is hidden in the activity and in rejected suggestions', async () => {
  const t = await buildTestApp()
  const [operator, viewer] = [await t.as('operator'), await t.as('viewer')]
  const { a, b, suggestion } = await suggestedPair(t, operator, 'Prieska Windpumps', [ofRecord, ofRecord])
  const rejection = { reason: 'Two shops.' }
  expect((await operator.post(`/match-suggestions/${suggestion.id}/rejection`, rejection)).status).toBe(200)
  const emptied = { emails: [], phones: [], domains: [] }
  for (const id of [a, b])
    expect((await operator.patch(`/businesses/${id}`, emptied, { 'if-match': '"1"' })).status).toBe(200)
  const paths = [
    `/businesses/${a}/activity`,
    '/match-suggestions?status=rejected',
    `/match-suggestions/${suggestion.id}`,
  ]
  expect(await disclosing(viewer, paths)).toEqual(paths)
  await suppressAll(operator)
  expect(await disclosing(viewer, paths)).toEqual([])
  expect(await disclosing(operator, paths)).toEqual(paths)
})

test('contact candidates are for readers with contacts.read, and end for everybody when their value is suppressed', async () => {
  const { t, operator, extract, list } = await contactWorld({ limits: { pages: 1 } })
  const viewer = await t.as('viewer')
  const page = '<title>Contact us</title><h1>Contact us</h1><p>Write to quagga@zonkeyfarm.co.za or desk@karoo.co.za</p>'
  const { id } = await extract(page, [page, { url: 'https://karoo.co.za/go?u=springbok.co.za', role: 'other' }])
  const candidates = await list()
  const paths = ['/contact-candidates', ...candidates.map((one) => `/contact-candidates/${one.id}`)]
  for (const path of paths) expect([path, (await viewer.get(path)).status]).toEqual([path, 403])
  const [suppressed] = candidates.filter(({ value }) => secret.test(value ?? ''))
  expect(suppressed).toBeDefined()
  expect(JSON.stringify((await viewer.get(`/extractions/${id}`)).body)).toMatch(secret)
  await suppressAll(operator)
  expect(JSON.stringify((await viewer.get(`/extractions/${id}`)).body)).not.toMatch(secret)
  expect(JSON.stringify((await viewer.get('/extractions')).body)).not.toMatch(secret)
  expect((await operator.get(`/contact-candidates/${suppressed?.id}`)).status).toBe(404)
  expect((await list()).map(({ value }) => value)).toEqual(['desk@karoo.co.za'])
})
