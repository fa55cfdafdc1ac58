import type { BusinessSuppression, Suppression, SuppressionHistoryItem } from '@prospect/api-client'
import { phoneText } from '../../ui/text/format.ts'

export const kindWords: Record<Suppression['kind'], string> = {
  email: 'Email address',
  phone: 'Phone',
  domain: 'Domain',
}

export const actionWords: Record<SuppressionHistoryItem['action'], string> = {
  added: 'Added',
  requested_again: 'Requested again',
  removed: 'Removed',
  reevaluated: 'Re-evaluated',
}

export const causeWords: Record<BusinessSuppression['cause'], string> = {
  entry: 'matched when the entry was added',
  record: 'matched later',
  merge: 'through a merged record',
  reevaluation: 'found by updated rules',
}

/** Name of an entry by its blocked value. A tombstone contains no readable value. */
export function entryName({ kind, normalized, scope }: Suppression): string {
  if (normalized === null) return `Erased ${kind === 'email' ? 'address' : kind}`
  return scope === 'with_subdomains' ? `${normalized} and all subdomains` : phoneText(normalized)
}

/** Id of the prospect in the reference of an entry that was added with a block; null for any other reference. */
export const prospectOfReference = (reference: string | null): string | null =>
  /^Prospect ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(reference ?? '')?.[1] ?? null
