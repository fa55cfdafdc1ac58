/** Reasons for which an extraction did not run, or is incomplete: a closed list. */
export const extractionReasons = [
  'disabled',
  'enablement_lapsed',
  'site_not_approved',
  'site_expired',
  'do_not_contact',
  'content_gone',
  'page_out_of_scope',
  'page_uncertain',
  'scan_incomplete',
  'out_of_budget',
  'gate_unavailable',
  'provenance_incomplete',
  'page_limit',
  'candidate_limit',
  'time_limit',
  'cancelled',
] as const
export type ExtractionReason = (typeof extractionReasons)[number]
