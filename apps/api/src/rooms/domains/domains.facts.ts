import { defineFacts } from '../define-facts.ts'

export const domainFacts = defineFacts({
  room: 'domains',
  permissions: {
    'domains.read': { role: 'viewer', label: 'See domains and what is known of them' },
  },
  capabilities: [
    {
      phase: 7,
      area: 'Domain intelligence',
      status: 'contract_only',
      reason:
        'Domains are normalized by a pinned suffix list; no resolver and no availability provider is loaded, so no DNS query is sent.',
    },
  ],
})
