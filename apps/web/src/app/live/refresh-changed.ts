import type { ApiTag, BusinessSummary } from '@prospect/api-client'
import type { QueryClient } from '@tanstack/react-query'
import type { ChangeItem } from '../../ui/api/live-changes.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { markChangedRows } from '../../ui/lists/changed-rows.ts'
import { loadedRows } from '../../ui/lists/visible-pages.ts'
import { prospectListsKey } from '../../ui/prospects/list-keys.ts'
import { answersOfRecord, recordKey, refreshLists } from '../../ui/prospects/record-keys.ts'

/** Maximum number of changed records that are read individually. If more changed, all visible data is read again. */
const MOST_RECORDS = 50

/**
 * Tags of the API operations whose responses are outdated by a change, by kind. Responses about the prospect itself and lists are always included.
 */
const partsOf: Readonly<Record<string, readonly ApiTag[]>> = {
  assist_policy: ['assist'],
  bulk_review: ['bulk actions'],
  contact_candidate: ['contacts'],
  contact_enablement: ['contacts'],
  dns_observation: ['domains'],
  domain_candidate: ['domains'],
  draft: ['drafts'],
  draft_policy: ['draft policies'],
  draft_template: ['draft templates'],
  export: ['exports'],
  extraction: ['contacts'],
  job: ['jobs'],
  legal_basis: ['legal bases'],
  match_suggestion: ['matching'],
  merge: ['matching'],
  official_site: ['scanning'],
  person: ['people'],
  pipeline: ['pipeline'],
  report: ['reports'],
  review: ['review'],
  scan: ['scanning'],
  scan_policy: ['scanning'],
  scoring_rule_set: ['scoring'],
  scoring_run: ['scoring'],
  source: ['sources'],
  source_file: ['sources'],
  source_record: ['sources'],
  subject_request: ['subject requests'],
  suggestion: ['assist'],
  suppression: ['suppression', 'legal bases'],
}

/**
 * Reads the visible data again that these changes outdate, and marks the rows that changed. A change is skipped if this window already has its
 * version, for example because it made the change. Data that is not visible is read when it is next shown.
 */
export async function refreshChanged(queryClient: QueryClient, items: readonly ChangeItem[]): Promise<void> {
  const outdated = items.filter((item) => !isKnown(queryClient, item))
  if (outdated.length === 0) return
  const records = new Set(outdated.flatMap(({ businessId }) => (businessId === null ? [] : [businessId])))
  const tags = new Set(outdated.flatMap(({ kind }) => partsOf[kind] ?? []))
  markChanged(outdated)
  if (records.size > MOST_RECORDS) return refreshAll(queryClient)
  await Promise.all([
    ...[...records].map((id) => queryClient.invalidateQueries({ queryKey: answersOfRecord(id) })),
    ...[...tags].map((tag) => queryClient.invalidateQueries({ queryKey: answersAbout(tag) })),
    ...(records.size === 0 ? [] : [refreshLists(queryClient)]),
    // Progress of jobs alone changes no number of the dashboard that has to follow at once.
    ...(records.size === 0 && [...tags].every((tag) => tag === 'jobs')
      ? []
      : [queryClient.invalidateQueries({ queryKey: answersAbout('dashboard') })]),
  ])
}

/** Marks the rows of these prospects in every list. */
export function markChanged(items: readonly ChangeItem[]): void {
  markChangedRows(items.filter(({ kind }) => kind === 'business').map(({ id }) => id))
}

/** Reads all visible data again, except the session and the parts of the app. */
export async function refreshAll(queryClient: QueryClient): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [first], meta }) =>
      meta?.isPart !== true &&
      typeof first === 'object' &&
      first !== null &&
      '_id' in first &&
      first._id !== 'getSession',
  })
}

/** Returns true if this window already has this version of the prospect or a newer one. */
function isKnown(queryClient: QueryClient, { kind, id, version }: ChangeItem): boolean {
  if (kind !== 'business' || version === null) return false
  const record = queryClient.getQueryData(recordKey(id))
  if (record !== undefined) return record.version >= version
  const rows = loadedRows<BusinessSummary>(queryClient, prospectListsKey, id)
  return rows.length > 0 && rows.every((row) => row.version >= version)
}
