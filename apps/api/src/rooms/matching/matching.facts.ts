import { defineFacts } from '../define-facts.ts'

export const matchingFacts = defineFacts({
  room: 'matching',
  permissions: {
    'matching.read': { role: 'viewer', label: 'See suggested duplicates and merges' },
    'matching.reject': { role: 'operator', label: 'Reject suggested duplicates' },
    'matching.run': { role: 'manager', label: 'Start a search for duplicates over all records' },
    'matching.merge': { role: 'manager', label: 'Merge records' },
    'matching.reverse': { role: 'manager', label: 'Undo merges' },
  },
  errors: {
    suggestion_not_open: [409, 'The suggestion is not open'],
    pair_changed: [409, 'The records changed'],
    merge_not_reversible: [409, 'The merge cannot be reversed'],
    conflicts_unresolved: [422, 'A conflict is not decided'],
    merge_stopped: [500, 'The merge was stopped'],
  },
  workActions: {
    'matching.merge': 'Records merged',
    'matching.reverse': 'Merge undone',
    'matching.begin_merge': 'Snapshot before a merge',
    'matching.begin_reversal': 'Reversal begun',
    'matching.reject': 'Suggested duplicate rejected',
    'matching.check': 'Changed record compared',
    'matching.run': 'Suggested duplicates kept',
    'matching.renormalize': 'Identifiers normalized again',
    'matching.start_run': 'Search for duplicates over all records requested',
  },
  withholding: ['matching.merge', 'matching.renormalize'],
  auditSubjects: {
    match_snapshot: { label: 'Snapshot of word counts', hidden: 'a merge follows it' },
    match_suggestion: { label: 'Suggested duplicate', visibleTo: 'matching.read' },
    merge: { label: 'Merge', visibleTo: 'matching.read' },
    merge_snapshot: { label: 'Snapshot before a merge', hidden: 'a merge follows it' },
  },
  systemActors: ['matching'],
  otherBusinessTables: {
    match_keys: 'derived from the record after each change',
    match_records: 'derived from the record after each change',
  },
  capabilities: [
    {
      phase: 6,
      area: 'Normalization and duplicate review',
      status: 'operational',
      reason:
        'Pairs that may be one business are suggested with reasons, compared side by side, rejected, merged and reversed from a snapshot; quality was measured on generated and labelled sets, not on the records of this workspace.',
      pilot:
        'Operational, pilot-grade fuzzy review: weights were measured on generated and labelled sets. Runs over a whole workspace and verified reversals go beyond the pilot.',
    },
  ],
})
