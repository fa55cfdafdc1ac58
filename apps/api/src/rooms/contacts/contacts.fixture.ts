import { newId } from '../../lib/ids.ts'
import { change } from '../../store/change/change.ts'
import type { Store } from '../../store/store.ts'
import { type FixtureWorld, idIn, type RoomFixture } from '../fixture.ts'
import { memberActor } from '../identity/identity.ts'
import { type ReadPageContacts, saveFindings } from './candidates/save-findings.ts'
import { findExtraction, updateExtraction } from './extractions/extractions.queries.ts'
import type { FoundValue } from './reading/found-values.ts'

declare module '../fixture.ts' {
  interface Place {
    extractionId: string
    contactCandidateId: string
    /** an open candidate of a prospect that no other case changes */
    openContactId: string
    openContactFingerprint: string
    /** with an approved site and a supplied page */
    contactBusinessId: string
    contactScanId: string
  }
}

const reason = 'It is on their own page.'
const validUntil = '2027-06-01T00:00:00.000Z'
const BOUNDARY = 'page-with-contacts'

function formOf(url: string, page: string): string {
  const fields = [
    `Content-Disposition: form-data; name="page"; filename="page.html"\r\nContent-Type: text/html\r\n\r\n${page}`,
    `Content-Disposition: form-data; name="url"\r\n\r\n${url}`,
    'Content-Disposition: form-data; name="capturedAt"\r\n\r\n2026-11-20T09:00:00Z',
    'Content-Disposition: form-data; name="role"\r\n\r\ncontact',
  ]
  return `${fields.map((field) => `--${BOUNDARY}\r\n${field}\r\n`).join('')}--${BOUNDARY}--\r\n`
}

type Site = { contactBusinessId: string; contactScanId: string; host: string; siteId: string }

/** A prospect with an approved site, and a page of it. */
async function siteWithPage({ client, colleague, unique }: FixtureWorld): Promise<Site> {
  const host = `contacts-${unique()}.co.za`.toLowerCase()
  const prospect = { name: `Contacts ${unique()}`, domains: [{ value: host }] }
  const contactBusinessId = idIn(await client.post('/businesses', prospect))
  const site = await client.post(`/businesses/${contactBusinessId}/official-sites`, { host })
  const decision = { decision: 'approve', reason, fingerprint: idIn(site, 'fingerprint'), validUntil }
  const headers = () => ({ 'idempotency-key': unique() })
  idIn(await colleague.post(`/official-sites/${idIn(site)}/decision`, decision, headers()))
  const page = `<h1>Contact us</h1><p>Write to desk@${host} or navrae@${host}</p>`
  const form = formOf(`https://${host}/contact`, page)
  const contactScanId = idIn(
    await client.post(`/businesses/${contactBusinessId}/supplied-pages`, form, {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...headers(),
    }),
  )
  return { contactBusinessId, contactScanId, host, siteId: idIn(site) }
}

/** Enables extraction and extracts through the routes, for a service in another process. */
async function extracted(world: FixtureWorld, { contactBusinessId: businessId, contactScanId }: Site) {
  const { client, unique, eventually } = world
  const enabled = await client.post('/extraction/enablement', { enabled: true, reason, validUntil })
  const request = { businessId, scanIds: [contactScanId] }
  const asked = await client.post('/extractions', request, { 'idempotency-key': unique() })
  // Without every item of the checklist the extraction is deferred, and there are no candidates to read.
  if (enabled.status !== 201) return { extractionId: idIn(asked) }
  const openContactId = await eventually(async () => {
    const { body } = await client.get(`/contact-candidates?businessId=${businessId}&state=open`)
    const [first] = typeof body === 'object' && body !== null && 'items' in body ? (body.items as { id: string }[]) : []
    return first?.id
  })
  return { extractionId: idIn(asked), contactCandidateId: openContactId, openContactId }
}

/** Stores findings without the job, because no worker runs in a test. */
async function stored(world: FixtureWorld, store: Store, site: Site) {
  const { place, unique } = world
  const at = (businessId: string) => storeFindings(world, store, site, businessId, [unique(), unique()])
  await at(place.businessId)
  const { extractionId, ids } = await at(place.businessId)
  const own = await at(site.contactBusinessId)
  return { extractionId, contactCandidateId: ids[0] ?? '', openContactId: own.ids[0] ?? '' }
}

async function storeFindings(
  { client, unique, place: { tenantId } }: FixtureWorld,
  store: Store,
  { contactScanId, contactBusinessId, host, siteId }: Site,
  businessId: string,
  locals: readonly string[],
): Promise<{ extractionId: string; ids: string[] }> {
  const request = { businessId: contactBusinessId, scanIds: [contactScanId] }
  const asked = idIn(await client.post('/extractions', request, { 'idempotency-key': unique() }))
  const member = await store.reader
    .selectFrom('memberships')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('role', '=', 'administrator')
    .executeTakeFirstOrThrow()
  const actor = await memberActor(store.reader, { tenantId, userId: member.user_id }, newId())
  if (actor === undefined) throw new Error('The tenant has no administrator.')
  const page: ReadPageContacts = {
    url: `https://${host}/contact`,
    siteId,
    scanId: contactScanId,
    observedAt: '2026-11-20T09:00:00.000Z',
    contacts: {
      scope: 'page',
      title: 'Contact us',
      values: locals.map((local) => foundValue(`${local}@${host}`.toLowerCase())),
      excluded: { file_name: 2 },
      protected: { cf_email: 1 },
      examples: { file_name: ['l•••@2•••'] },
      isWhole: true,
    },
  }
  const { value } = await change(store, actor, { permission: null, action: 'extraction.end' }, async (tx) => {
    const extraction = await findExtraction(tx.db, { tenantId, id: asked })
    if (extraction === undefined) throw new Error('There is no extraction.')
    const id = newId()
    // One that ended: the extractions of the routes are deferred here.
    const own = await tx.db.selectFrom('extractions').selectAll().where('id', '=', asked).executeTakeFirstOrThrow()
    const result = await tx.db
      .selectFrom('extraction_results')
      .selectAll()
      .where('extraction_id', '=', asked)
      .executeTakeFirstOrThrow()
    await tx.db
      .insertInto('extractions')
      .values({ ...own, id, business_id: businessId })
      .execute()
    await tx.db
      .insertInto('extraction_results')
      .values({ ...result, extraction_id: id, state: 'running', reasons: '[]', ended_at: null })
      .execute()
    const { counts } = await saveFindings(tx, { ...extraction, id, businessId }, [page])
    const ended = { state: 'complete' as const, counts: JSON.stringify(counts), ended_at: tx.at }
    await updateExtraction(tx.db, { tenantId, id }, ended)
    await tx.record({ subject: { type: 'extraction', id }, businessId, after: { state: 'complete' } })
    const rows = await tx.db.selectFrom('contact_candidates').select('id').where('extraction_id', '=', id).execute()
    return { extractionId: id, ids: rows.map((row) => row.id) }
  })
  return value
}

function foundValue(value: string): FoundValue {
  return {
    kind: 'email',
    value,
    normalized: value,
    uncertainty: null,
    region: null,
    rule: null,
    method: 'text',
    location: 'main › Contact us',
    context: `Write to ${value}`,
    syntax: 'valid',
    isRole: false,
    isFreeMail: false,
    confidence: { level: 'high', reasons: ['own_domain'] },
  }
}

export const fixture: RoomFixture = {
  records: async (world) => {
    const { client, store } = world
    const site = await siteWithPage(world)
    const { contactBusinessId, contactScanId } = site
    const made = store === undefined ? await extracted(world, site) : await stored(world, store, site)
    const records = { ...made, contactBusinessId, contactScanId }
    if (!('openContactId' in made)) return records
    const open = await client.get(`/contact-candidates/${made.openContactId}`)
    return { ...records, openContactFingerprint: idIn(open, 'fingerprint') }
  },
  cases: {
    getExtractionReadiness: { permission: 'contacts.read_counts' },
    setExtractionEnablement: {
      permission: 'contacts.enable',
      body: {
        enabled: true,
        reason,
        validUntil,
        limits: { pages: 3, candidates: 50, extractionsPerDay: 20, retentionDays: 30 },
      },
      answersAgain: 409,
    },
    requestExtraction: {
      permission: 'contacts.extract',
      body: ({ contactBusinessId: businessId, contactScanId }) => ({ businessId, scanIds: [contactScanId] }),
      refersTo: {
        businessId: { names: 'contactBusinessId', answers: 404 },
      },
    },
    listExtractions: { permission: 'contacts.read_counts', filtersBy: { businessId: 'businessId' } },
    getExtraction: { permission: 'contacts.read_counts' },
    listContactCandidates: { permission: 'contacts.read', filtersBy: { businessId: 'businessId' } },
    getContactCandidate: { permission: 'contacts.read' },
    decideContactCandidate: {
      permission: 'contacts.decide',
      path: ({ openContactId }) => ({ contactCandidateId: openContactId }),
      body: ({ openContactFingerprint: fingerprint }) => ({
        decision: 'accept',
        fingerprint,
        reason,
        label: 'Desk',
        addToRecord: true,
      }),
      refersTo: { personId: { names: 'personId', answers: 404 } },
      otherBodies: [
        ({ openContactFingerprint: fingerprint }) => ({
          decision: 'accept',
          fingerprint,
          newPerson: { name: 'Thandi Nkosi', role: 'Buyer' },
        }),
        ({ openContactFingerprint: fingerprint }) => ({ decision: 'reject', fingerprint, reason, region: 'ZA' }),
      ],
      answersAgain: 409,
    },
  },
}
