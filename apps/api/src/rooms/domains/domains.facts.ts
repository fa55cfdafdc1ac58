import { defineFacts } from '../define-facts.ts'

export const domainFacts = defineFacts({
  room: 'domains',
  permissions: {
    'domains.read': { role: 'viewer', label: 'See domains and what is known of them' },
    'domains.record': { role: 'operator', label: 'Record DNS observations' },
    'domains.check': { role: 'manager', label: 'Check DNS through a source' },
  },
  errors: { domain_not_resolvable: [422, 'The value is no domain that somebody can hold'] },
  actions: {
    'dns_observation.record': 'DNS observation recorded',
    'dns_observation.complete': 'DNS check ended',
    'dns_observation.delete_text': 'Pasted DNS texts deleted',
    'dns_check.request': 'DNS check requested',
  },
  systemActors: ['domains'],
  capabilities: [
    {
      phase: 7,
      area: 'Domain intelligence',
      status: 'contract_only',
      reason:
        'Domains are normalized by a pinned suffix list and DNS output is recorded by hand; no resolver and no availability provider is loaded, so no DNS query is sent and availability is unknown.',
    },
  ],
})
