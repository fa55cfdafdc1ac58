/** What stands, phase by phase of the specification, for this build as it is. */
export type Capability = {
  phase: number
  area: string
  status: 'operational' | 'partial' | 'not_built' | 'disabled'
  reason: string
}

export const capabilities: readonly Capability[] = [
  {
    phase: 3,
    area: 'Manual prospect workflow',
    status: 'operational',
    reason: 'Businesses, evidence, notes and the pipeline are worked by people, and every change is audited.',
  },
  {
    phase: 4,
    area: 'Jobs',
    status: 'operational',
    reason:
      'Jobs survive crashes under fenced leases, with cancellation, retry and a monitor that follows them by stream or by polling; they run in the API process and share its one store, without horizontal scaling.',
  },
  {
    phase: 5,
    area: 'Sources',
    status: 'partial',
    reason:
      'A CSV file can be previewed, row by row, and nothing of it is stored or imported; there is no source registry, no dry run and no adapter.',
  },
  {
    phase: 6,
    area: 'Normalization and duplicate review',
    status: 'operational',
    reason:
      'Pairs that may be one business are suggested with reasons, as records change and over a whole tenant by a job, compared side by side, rejected, merged by a person and taken apart again from a snapshot; their quality was measured on generated and labelled sets, not on records of this tenant.',
  },
  {
    phase: 7,
    area: 'Domain intelligence',
    status: 'not_built',
    reason: 'No domain is looked up: there is no DNS worker and no availability provider.',
  },
  {
    phase: 8,
    area: 'Website scanning',
    status: 'not_built',
    reason: 'No web page is fetched: there is no scan worker, and addresses of pages are kept as text.',
  },
  {
    phase: 9,
    area: 'Official-site contact extraction',
    status: 'not_built',
    reason: 'No contact is extracted from any site; contacts are what operators type.',
  },
  {
    phase: 10,
    area: 'Scoring',
    status: 'not_built',
    reason: 'There are no rule sets and no scores.',
  },
  {
    phase: 11,
    area: 'Dashboard and review workflow',
    status: 'not_built',
    reason: 'There are no saved filters, no review queue, no bulk actions and no dashboard.',
  },
  {
    phase: 12,
    area: 'CRM',
    status: 'operational',
    reason:
      'The pipeline follows its canonical table; the suppression center is the gate of every write and answer, a match marks at once and only an authorized removal lifts it; interactions are recorded as history; reports are made, read and printed; prospects and figures are exported by jobs that ask the gate again; a record can be erased for good.',
  },
  {
    phase: 13,
    area: 'Optional AI assistance',
    status: 'disabled',
    reason: 'No provider is configured, and nothing is sent to one.',
  },
  {
    phase: 14,
    area: 'Draft-only outreach',
    status: 'not_built',
    reason: 'There are no drafts, and nothing in this product ever sends one.',
  },
  {
    phase: 15,
    area: 'Portable production deployment',
    status: 'operational',
    reason:
      'Container stack, health, probe, metrics, encrypted backups, restore, drills and a runbook work; deployment itself, copies off the host and image scans are the operator’s.',
  },
  {
    phase: 17,
    area: 'Final acceptance report',
    status: 'operational',
    reason:
      'A running service is tried from outside, and the report is written against its schema; what stands in the way is in its blockers.',
  },
]
