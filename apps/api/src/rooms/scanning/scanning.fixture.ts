import { idIn, type RoomFixture } from '../fixture.ts'
import { defaultBudgets } from './bounds.ts'

declare module '../fixture.ts' {
  interface Place {
    scanId: string
    /** a prospect with its own domains */
    siteBusinessId: string
    siteId: string
    /** a host of that prospect without a proposal, a domain that was accepted for it */
    siteHost: string
    siteCandidateId: string
    siteFingerprint: string
    /** a version by another person that awaits approval */
    policyId: string
  }
}

const policy = { bounds: { ...defaultBudgets, pages: 3 }, retentionDays: 90 }
const reason = 'Their own name is on it.'

type World = Parameters<NonNullable<RoomFixture['records']>>[0]

/** Creates two proposals of one prospect and two policy versions by another person. */
async function sitesAndPolicies({ client, colleague, unique }: World) {
  const domains = ['first', 'second'].map((word) => `${word}-${unique()}.co.za`.toLowerCase())
  const siteBusinessId = idIn(
    await client.post('/businesses', { name: `Site ${unique()}`, domains: domains.map((value) => ({ value })) }),
  )
  const propose = (host: string | undefined) => colleague.post(`/businesses/${siteBusinessId}/official-sites`, { host })
  await propose(domains[0])
  const siteHost = `third-${unique()}.co.za`.toLowerCase()
  const candidate = await client.post('/domain-candidates', { domain: siteHost, businessId: siteBusinessId, reason })
  const siteCandidateId = idIn(candidate)
  const accepting = { decision: 'accept', reason, fingerprint: idIn(candidate, 'fingerprint') }
  await client.post(`/domain-candidates/${siteCandidateId}/decision`, accepting)
  // Proposed last, because an accepted domain changes the fingerprints of earlier proposals.
  const site = await propose(domains[1])
  await client.post('/scan-policies', policy)
  const policyId = idIn(await colleague.post('/scan-policies', policy))
  return {
    siteBusinessId,
    siteId: idIn(site),
    siteHost,
    siteCandidateId,
    siteFingerprint: idIn(site, 'fingerprint'),
    policyId,
  }
}

const BOUNDARY = 'page-of-a-prospect'
const contentType = `multipart/form-data; boundary=${BOUNDARY}`

const page = `<!doctype html><title>Overberg Fencing</title><h1>Overberg Fencing</h1>
<p>We build fences in Caledon. Ask Pieter for
a price.</p><a href="/contact">Contact us</a>`

function formOf(url: string): string {
  const fields = [
    `Content-Disposition: form-data; name="page"; filename="page.html"\r\nContent-Type: text/html\r\n\r\n${page}`,
    `Content-Disposition: form-data; name="url"\r\n\r\n${url}`,
    'Content-Disposition: form-data; name="capturedAt"\r\n\r\n2026-11-20T09:00:00Z',
    'Content-Disposition: form-data; name="role"\r\n\r\nstart',
  ]
  return `${fields.map((field) => `--${BOUNDARY}\r\n${field}\r\n`).join('')}--${BOUNDARY}--\r\n`
}

export const fixture: RoomFixture = {
  records: async (world) => {
    const { client, unique, place } = world
    const { businessId } = place
    const supply = async (path: string) =>
      idIn(
        await client.post(`/businesses/${businessId}/supplied-pages`, formOf(`https://overberg.example/${path}`), {
          'content-type': contentType,
          'idempotency-key': unique(),
        }),
      )
    await supply('About us')
    return { scanId: await supply('Home page'), ...(await sitesAndPolicies(world)) }
  },
  cases: {
    supplyPage: {
      permission: 'scanning.supply',
      path: ({ siteBusinessId }) => ({ businessId: siteBusinessId }),
      body: formOf('https://overberg.example/Home page'),
      contentType,
    },
    listScans: { permission: 'scanning.read', filtersBy: { businessId: 'businessId' } },
    getScan: { permission: 'scanning.read' },
    addPageEvidence: {
      permission: 'evidence.write',
      body: ({ scanId }) => ({ scanId, page: 0, repeats: ['name'], confidence: 'medium' }),
      refersTo: { scanId: { names: 'scanId', answers: 404 } },
    },
    getScanningStatus: { permission: 'scanning.read' },
    planScan: {
      permission: 'scanning.plan',
      body: ({ siteBusinessId: businessId, siteHost }) => ({ businessId, url: `https://${siteHost}/` }),
      refersTo: { businessId: { names: 'siteBusinessId', answers: 404 } },
      asksOnly: true,
    },
    requestScan: {
      permission: 'scanning.fetch',
      body: ({ siteBusinessId: businessId, siteHost }) => ({
        businessId,
        url: `https://${siteHost}/`,
        bypassCache: true,
      }),
      refersTo: { businessId: { names: 'siteBusinessId', answers: 404 } },
    },
    listOfficialSites: { permission: 'scanning.read' },
    listSitesOfBusiness: {
      permission: 'scanning.read',
      path: ({ siteBusinessId }) => ({ businessId: siteBusinessId }),
    },
    proposeOfficialSite: {
      permission: 'scanning.propose_site',
      path: ({ siteBusinessId }) => ({ businessId: siteBusinessId }),
      body: ({ siteHost: host, siteCandidateId: domainCandidateId }) => ({ host, domainCandidateId }),
      refersTo: { domainCandidateId: { names: 'siteCandidateId', answers: 404 } },
      answersAgain: 409,
    },
    decideOfficialSite: {
      permission: 'scanning.approve_site',
      body: ({ siteFingerprint: fingerprint }) => ({
        decision: 'approve',
        reason,
        fingerprint,
        validUntil: '2027-06-01T00:00:00.000Z',
        confirmUsedByOthers: true,
      }),
      answersAgain: 409,
    },
    listScanPolicies: { permission: 'scanning.read' },
    createScanPolicy: { permission: 'scanning.write_policy', body: { ...policy, basedOn: 0 } },
    approveScanPolicy: {
      permission: 'scanning.approve_policy',
      body: { reason },
      answersAgain: 409,
    },
  },
}
