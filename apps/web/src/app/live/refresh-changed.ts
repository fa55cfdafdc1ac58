import type { ApiTag, BusinessSummary } from '@prospect/api-client'
import type { QueryClient } from '@tanstack/react-query'
import type { ChangeItem } from '../../ui/api/live-changes.ts'
import { answersAbout, answersOf } from '../../ui/api/query-keys.ts'
import { markChangedRows } from '../../ui/lists/changed-rows.ts'
import { loadedRows } from '../../ui/lists/visible-pages.ts'
import { prospectListsKey } from '../../ui/prospects/list-keys.ts'
import { answersOfRecord, recordKey, refreshLists } from '../../ui/prospects/record-keys.ts'

/** More records than these are read again as one: everything on screen. */
const MOST_RECORDS = 50

/** The parts of the API whose answers a change of this kind outdates, beside those of its prospect and of lists. */
const partsOf: Readonly<Record<string, readonly ApiTag[]>> = {
  assist_policy: ['assist'],
  bulk_review: ['bulk actions'],
  contact_enablement: ['contacts'],
  dns_observation: ['domains'],
  domain_candidate: ['domains'],
  draft: ['drafts'],
  draft_policy: ['draft policies'],
  draft_template: ['draft templates'],
  export: ['exports'],
  job: ['jobs'],
  legal_basis: ['legal bases'],
  match_suggestion: ['matching'],
  merge: ['matching'],
  official_site: ['scanning'],
  pipeline: ['pipeline'],
  report: ['reports'],
  review: ['review'],
  scan: ['scanning'],
  scan_policy: ['scanning'],
  scoring_rule_set: ['scoring'],
  scoring_run: ['scoring'],
  source: ['sources'],
  source_record: ['sources'],
  suggestion: ['assist'],
  suppression: ['suppression'],
}

/**
 * Reads again what is on screen and outdated by these changes, and marks the rows that others changed. What this window has already, because it made
 * the change, is left alone. Answers that are not on screen are read when they are shown.
 */
export async function refreshChanged(queryClient: QueryClient, items: readonly ChangeItem[]): Promise<void> {
  const outdated = items.filter((item) => !isKnown(queryClient, item))
  if (outdated.length === 0) return
  const records = new Set(outdated.flatMap(({ businessId }) => (businessId === null ? [] : [businessId])))
  const tags = new Set(outdated.flatMap(({ kind }) => partsOf[kind] ?? []))
  markChangedRows(outdated.filter(({ kind }) => kind === 'business').map(({ id }) => id))
  if (records.size > MOST_RECORDS) return refreshAll(queryClient)
  await Promise.all([
    ...[...records].map((id) => queryClient.invalidateQueries({ queryKey: answersOfRecord(id) })),
    ...[...tags].map((tag) => queryClient.invalidateQueries({ queryKey: answersAbout(tag) })),
    ...(records.size === 0
      ? []
      : [
          refreshLists(queryClient),
          queryClient.invalidateQueries({ queryKey: answersAbout('dashboard') }),
          queryClient.invalidateQueries({ queryKey: answersOf('listReviewQueue') }),
        ]),
  ])
}

/** Everything on screen, except the session and the parts of the app. */
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

/** True for a version of a prospect that this window has read, or brought about. */
function isKnown(queryClient: QueryClient, { kind, id, version }: ChangeItem): boolean {
  if (kind !== 'business' || version === null) return false
  const record = queryClient.getQueryData(recordKey(id))
  if (record !== undefined) return record.version >= version
  const rows = loadedRows<BusinessSummary>(queryClient, prospectListsKey, id)
  return rows.length > 0 && rows.every((row) => row.version >= version)
}
