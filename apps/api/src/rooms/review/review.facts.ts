import { defineFacts } from '../define-facts.ts'

export const reviewFacts = defineFacts({
  room: 'review',
  permissions: {
    'review.bulk': { role: 'operator', label: 'Act on many prospects at once' },
    'saved_filters.share': { role: 'operator', label: 'Share saved filters' },
    'saved_filters.manage': { role: 'manager', label: 'Lock saved filters and set defaults' },
  },
  errors: {
    preview_expired: [409, 'The preview has expired'],
    preview_used: [409, 'The preview was used already'],
    too_many_previews: [429, 'Too many open previews'],
    selection_too_large: [422, 'Too many records are selected'],
    changed_since_preview: [422, 'This is not what the preview showed'],
    filter_locked: [422, 'The filter is locked'],
    filter_unreadable: [422, 'The filter cannot be read'],
    too_many_filters: [422, 'Too many filters'],
    suppressed: [422, 'Do not contact'],
  },
  workActions: {
    'bulk_review.preview': 'Bulk action previewed',
    'bulk_review.create': 'Bulk action confirmed',
    'bulk_review.check': 'Records of a bulk action left as they are',
    'bulk_review.end': 'Bulk action ended',
    'saved_filter.create': 'Filter saved',
    'saved_filter.edit': 'Saved filter changed',
    'saved_filter.delete': 'Saved filter deleted',
    'saved_filter.lock': 'Saved filter locked or unlocked',
    'saved_filter.set_defaults': 'Default filters set',
  },
  auditSubjects: {
    bulk_preview: { label: 'Preview of a bulk action', hidden: 'belongs to the person who made it' },
    bulk_review: { label: 'Bulk action', visibleTo: 'review.read' },
    saved_filter: { label: 'Saved filter', hidden: 'belongs to the person who made it' },
  },
  otherBusinessTables: {
    bulk_outcomes: 'what a bulk action did, by ids and states',
  },
  capabilities: [
    {
      phase: 11,
      area: 'Dashboard and review workflow',
      status: 'operational',
      reason:
        'Prospects are reviewed from a queue with an exact predicate and count, filters are saved and shared, bulk actions are previewed, reported for each record and undone, and the dashboard counts what its lists show.',
      pilot:
        'Operational, pilot: one store serves all lists and counts. Editing of saved filters, exact counts, previews and results for each record go beyond the pilot.',
    },
  ],
  erasedCounts: {
    savedFilters: 'Saved filters that lost a search or a tag',
    bulkSelections: 'Selections of bulk actions that lost a search or a tag',
  },
})
