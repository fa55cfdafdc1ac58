import { defineFacts } from '../define-facts.ts'

export const domainFacts = defineFacts({
  room: 'domains',
  permissions: {
    'domains.read': { role: 'viewer', label: 'See domains and what is known of them' },
    'domains.record': { role: 'operator', label: 'Record DNS observations' },
    'domains.propose': { role: 'operator', label: 'Propose domains for prospects' },
    'domains.decide': { role: 'manager', label: 'Accept, reject and withdraw domains of prospects' },
    'domains.check': { role: 'manager', label: 'Check DNS through a source' },
  },
  errors: {
    domain_not_resolvable: [422, 'The value is no domain that somebody can hold'],
    free_mail_domain: [422, 'Anybody can have a mailbox or a page there'],
  },
  workActions: {
    'dns_observation.record': 'DNS observation recorded',
    'dns_observation.complete': 'DNS check ended',
    'dns_observation.delete_text': 'Pasted DNS texts deleted',
    'dns_check.request': 'DNS check requested',
    'domain_candidate.derive': 'Domain candidates derived',
    'domain_candidate.propose': 'Domain proposed',
    'domain_candidate.accept': 'Domain accepted',
    'domain_candidate.approval_failed': 'Acceptance of a domain failed',
    'domain_candidate.reject': 'Domain rejected',
    'domain_candidate.withdraw': 'Accepted domain withdrawn',
  },
  auditSubjects: {
    dns_observation: { label: 'DNS observation', visibleTo: 'domains.read' },
    domain_candidate: { label: 'Suggested domain', visibleTo: 'domains.read' },
  },
  systemActors: ['domains'],
  businessChildren: {
    domainCandidates: { table: 'domain_candidates', changed: 'has more domain candidates', derived: true },
    domainAssociations: { table: 'domain_associations', changed: 'has more accepted domains' },
  },
  otherBusinessTables: {
    domain_uses: 'derived from the identifiers of the record',
    domain_records: 'derived from the name of the record',
  },
  erasedCounts: {
    domainCandidates: 'Domain candidates that were emptied',
    domainAssociations: 'Accepted domains that were emptied',
    dnsObservations: 'DNS observations of domains that no other record has, which were emptied',
  },
  capabilities: [
    {
      phase: 7,
      area: 'Domain intelligence',
      status: 'contract_only',
      reason:
        'Domains are normalized by a pinned suffix list and DNS output is recorded by hand; no adapter is loaded, so no DNS query is sent; no provider of availability exists, so availability is unknown.',
    },
  ],
})
