import { defineFacts } from '../define-facts.ts'

export const contactFacts = defineFacts({
  room: 'contacts',
  permissions: {
    'contacts.read_counts': { role: 'viewer', label: 'See what extractions counted' },
    'contacts.read': { role: 'operator', label: 'See contact candidates' },
    'contacts.extract': { role: 'operator', label: 'Extract contacts from pages of official sites' },
    'contacts.decide': { role: 'operator', label: 'Accept, reject and release contact candidates' },
    'contacts.enable': { role: 'administrator', label: 'Enable and disable contact extraction' },
  },
  errors: { checklist_incomplete: [422, 'The checklist has open items'] },
  workActions: {
    'extraction.enable': 'Contact extraction enabled',
    'extraction.disable': 'Contact extraction disabled',
    'extraction.lapse': 'Contact extraction lapsed',
    'extraction.request': 'Contact extraction requested',
    'extraction.start': 'Contact extraction started',
    'extraction.end': 'Contact extraction ended',
    'contact_candidate.accept': 'Contact candidate accepted',
    'contact_candidate.reject': 'Contact candidate rejected',
    'contact_candidate.release': 'Contact candidate released from quarantine',
    'contact_candidate.expire': 'Contact candidates expired',
    'contact_candidate.suppress': 'Contact candidates suppressed',
  },
  auditSubjects: {
    contact_candidate: { label: 'Found contact', visibleTo: 'contacts.read' },
    contact_enablement: { label: 'Contact extraction', visibleTo: 'contacts.read_counts' },
    extraction: { label: 'Extraction of contacts', visibleTo: 'contacts.read_counts' },
  },
  systemActors: ['contacts'],
  businessChildren: {
    extractions: { table: 'extractions', changed: 'has more contact extractions' },
    contactCandidates: { table: 'contact_candidates', changed: 'has more contact candidates', derived: true },
  },
  otherBusinessTables: {
    contact_candidate_states: 'the present state of each contact candidate',
    contact_rejections: 'hashes of rejected values, which leave with an erasure',
  },
  erasedCounts: {
    extractions: 'Contact extractions that were emptied',
    contactCandidates: 'Contact candidates that were emptied',
  },
  capabilities: [
    {
      phase: 9,
      area: 'Official-site contact extraction',
      status: 'contract_only',
      reason:
        'Where an administrator enables it, contacts are extracted from pages of approved official sites that people supply, and people decide on each; no adapter is loaded, so no page is fetched.',
    },
  ],
})
