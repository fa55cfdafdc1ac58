import { defineFacts } from '../define-facts.ts'

export const draftFacts = defineFacts({
  room: 'drafts',
  permissions: {
    'drafts.read': { role: 'viewer', label: 'See drafts' },
    'drafts.write': { role: 'operator', label: 'Write drafts, templates and legal bases' },
    'drafts.copy': { role: 'operator', label: 'Copy approved texts' },
    'drafts.approve': { role: 'manager', label: 'Approve drafts and draft policies' },
    'drafts.configure': { role: 'administrator', label: 'Propose draft policies' },
  },
  errors: {
    draft_changed: [409, 'The draft changed'],
    draft_not_open: [409, 'The draft is not open for this'],
    approval_ended: [409, 'The approval ended'],
    policy_not_open: [409, 'The policy is not open for this'],
    suggestion_not_approved: [409, 'The suggestion is not approved'],
    unknown_field: [422, 'Unknown merge field'],
    checks_failed: [422, 'A check failed'],
    outside_contact_hours: [422, 'Outside of contact hours'],
    cap_reached: [422, 'A cap is reached'],
    too_many_drafts: [422, 'Too many drafts'],
  },
  workActions: {
    'draft.create': 'Draft created',
    'draft.save': 'Draft saved',
    'draft.request_approval': 'Approval of a draft requested',
    'draft.withdraw': 'Request for approval withdrawn',
    'draft.approve': 'Draft approved',
    'draft.approval_failed': 'Approval of a draft failed',
    'draft.reject': 'Draft rejected',
    'draft.stale': 'Approval of a draft ended by a change',
    'draft.expire': 'Approval of a draft expired',
    'draft.copy': 'Approved text copied',
    'draft.copy_refused': 'Copy of a draft refused',
    'draft.close': 'Draft closed',
    'draft_policy.propose': 'Draft policy proposed',
    'draft_policy.approve': 'Draft policy approved',
    'draft_policy.approval_failed': 'Approval of a draft policy failed',
    'draft_policy.reject': 'Draft policy rejected',
    'draft_policy.withdraw': 'Draft policy withdrawn',
    'draft_policy.expire': 'Draft policy expired',
    'draft_template.create': 'Draft template created',
    'draft_template.edit': 'Draft template changed',
    'draft_template.delete': 'Draft template deleted',
    'legal_basis.add': 'Legal basis added',
    'legal_basis.withdraw': 'Legal basis withdrawn',
  },
  auditSubjects: {
    draft: { label: 'Draft', visibleTo: 'drafts.read' },
    draft_policy: { label: 'Draft policy', visibleTo: 'drafts.read' },
    draft_template: { label: 'Draft template', visibleTo: 'drafts.read' },
    legal_basis: { label: 'Legal basis', visibleTo: 'drafts.read' },
  },
  systemActors: ['drafts'],
  businessChildren: {
    draftVersions: { table: 'draft_versions', changed: 'has more versions of drafts' },
    legalBases: { table: 'legal_bases', changed: 'has more legal bases' },
  },
  otherBusinessTables: {
    drafts: 'the current state of a draft: a merge counts its versions',
  },
  erasedCounts: {
    draftVersions: 'Versions of drafts that were emptied',
    legalBases: 'Legal bases that were emptied',
  },
  capabilities: [
    {
      phase: 14,
      area: 'Draft-only outreach',
      status: 'operational',
      reason:
        'Drafts are written, checked, approved by another person and copied by hand; nothing in this product sends one.',
      pilot:
        'Operational, preparation only: no component of this build can send. Approval by a second person and counted copies go beyond the preparation.',
    },
  ],
})
