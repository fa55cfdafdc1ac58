import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    /** a domain with observations */
    domain: string
    candidateId: string
    openCandidateId: string
    openCandidateFingerprint: string
    acceptedCandidateId: string
  }
}

const seen = {
  name: 'www.overberg.example',
  kind: 'MX',
  status: 'resolved',
  records: [{ kind: 'MX', preference: 10, exchange: 'mail.overberg.example', ttl: 3_600 }],
  source: '10.0.0.53',
  observedAt: '2026-11-20T09:00:00Z',
}

const reason = 'It is on their letterhead.'

export const fixture: RoomFixture = {
  records: async ({ client, unique, place: { businessId } }) => {
    const domain = `${unique()}.example`.toLowerCase()
    const record = async (name: string) => idIn(await client.post('/dns-observations', { ...seen, name }), 'domain')
    const propose = (about = businessId) =>
      client.post('/domain-candidates', { domain: `${unique()}.example`.toLowerCase(), businessId: about, reason })
    const accept = async () => {
      const proposed = await propose()
      const decision = { decision: 'accept', reason, fingerprint: idIn(proposed, 'fingerprint') }
      return idIn(await client.post(`/domain-candidates/${idIn(proposed)}/decision`, decision), 'candidate.id')
    }
    await record(`www.${domain}`)
    // Use a record that no other case changes, because the decision sends the fingerprint of the candidate's current evaluation.
    const open = await propose(idIn(await client.post('/businesses', { name: `Hantam ${unique()}` })))
    return {
      domain: await record(domain),
      candidateId: idIn(await propose()),
      openCandidateId: idIn(open),
      openCandidateFingerprint: idIn(open, 'fingerprint'),
      acceptedCandidateId: await accept(),
    }
  },
  cases: {
    normalizeDomains: {
      permission: 'domains.read',
      body: { values: ['shop.overberg.example', 'karoo.github.io', '127.1'] },
      asksOnly: true,
    },
    listDnsObservations: { permission: 'domains.read' },
    readDnsText: {
      permission: 'domains.record',
      body: { text: ';; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN, id: 1' },
      asksOnly: true,
    },
    recordDnsObservation: {
      permission: 'domains.record',
      fills: { dns_observations_of_day: {} },
      body: {
        ...seen,
        ttl: 600,
        aliases: ['overberg.example'],
        isTruncated: true,
        isPartial: true,
        raw: 'What dig showed.',
      },
      otherBodies: [
        { ...seen, status: 'error', records: [], errorReason: 'response_code' },
        { ...seen, kind: 'NS', records: [{ kind: 'NS', host: 'ns.overberg.example', ttl: 60 }] },
        { ...seen, kind: 'TXT', records: [{ kind: 'TXT', text: 'v=spf1 -all', isEscaped: false, ttl: 60 }] },
      ],
    },
    checkDns: { permission: 'domains.check', body: { name: 'overberg.example', kinds: ['MX', 'NS', 'TXT'] } },
    listDomains: { permission: 'domains.read' },
    getDomain: { permission: 'domains.read' },
    getDomainAvailability: { permission: 'domains.read', takesAnyValue: 'unseen.example' },
    listDomainCandidates: { permission: 'domains.read', filtersBy: { businessId: 'businessId' } },
    getDomainCandidate: { permission: 'domains.read' },
    proposeDomainCandidate: {
      permission: 'domains.propose',
      fills: { domain_candidates_of_day: {} },
      body: ({ businessId }) => ({ domain: 'hantam.example', businessId, reason }),
      refersTo: { businessId: { names: 'businessId', answers: 404 } },
      answersAgain: 409,
    },
    decideDomainCandidate: {
      permission: 'domains.decide',
      path: ({ openCandidateId }) => ({ candidateId: openCandidateId }),
      body: ({ openCandidateFingerprint: fingerprint }) => ({
        decision: 'accept',
        reason,
        fingerprint,
        addToRecord: true,
      }),
      answersAgain: 409,
    },
    previewDomainRejection: { permission: 'domains.decide', query: 'domain=overberg.example' },
    rejectDomain: {
      permission: 'domains.decide',
      body: ({ candidateId: through }) => ({ through, bands: ['low', 'medium', 'high'], reason }),
      refersTo: { through: { names: 'candidateId', answers: 404 } },
    },
    withdrawDomainCandidate: {
      permission: 'domains.decide',
      path: ({ acceptedCandidateId }) => ({ candidateId: acceptedCandidateId }),
      body: { reason },
      answersAgain: 409,
    },
  },
}
