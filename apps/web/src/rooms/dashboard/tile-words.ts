import type { Tile } from '@prospect/api-client'
import { formatNumber } from '../../ui/text/format.ts'

/** Titles of the built-in tiles. */
export const tileNames: Readonly<Record<string, string>> = {
  waiting: 'Waiting for me',
  due: 'Due for review',
  mine: 'My prospects',
  my_follow_ups: 'My follow-ups',
  follow_ups: 'Follow-ups',
  pipeline: 'By pipeline state',
  priority: 'By priority',
  eligibility: 'By eligibility',
  no_evidence: 'Without evidence',
  do_not_contact: 'Do not contact',
  registry: 'Registry',
  duplicates: 'Suggested duplicates',
  failed_jobs: 'Failed jobs',
  reviews_per_day: 'Reviews per day',
}

/** '1,204' or 'More than 10,000'; null if the tile has no number. */
export function valueWords({ value, status }: Pick<Tile, 'value' | 'status'>): string | null {
  if (value === null) return null
  return status === 'at_least' ? `More than ${formatNumber(value)}` : formatNumber(value)
}

export function partWords({ value, isAtLeast }: Pick<Tile['parts'][number], 'value' | 'isAtLeast'>): string {
  return isAtLeast ? `more than ${formatNumber(value)}` : formatNumber(value)
}
