import type { BusinessSuppression, Suppression, SuppressionHistoryItem } from '@prospect/api-client'
import { formatNumber } from '../../ui/text/format.ts'

export const kindWords: Record<Suppression['kind'], string> = {
  email: 'E-mail address',
  phone: 'Phone',
  domain: 'Domain',
}

export const channelWords: Record<Suppression['channel'], string> = {
  email: 'E-mail',
  phone: 'Phone call',
  letter: 'Letter',
  in_person: 'In person',
  website: 'Website',
  registry: 'Opt-out registry',
  internal: 'Our own decision',
  other: 'Other, or not known',
}
export const channelOptions = Object.entries(channelWords).map(([value, label]) => ({ value, label }))

export const actionWords: Record<SuppressionHistoryItem['action'], string> = {
  added: 'Added',
  requested_again: 'Asked for again',
  removed: 'Removed',
  reevaluated: 'Evaluated by newer rules',
}

export const causeWords: Record<BusinessSuppression['cause'], string> = {
  entry: 'had it when the entry was added',
  record: 'was given it later',
  merge: 'through a merged record',
  reevaluation: 'found by newer rules',
}

/** An entry by what it blocks. Of a tombstone nothing readable is left. */
export function entryName({ kind, normalized, scope }: Suppression): string {
  if (normalized === null) return `Erased ${kind === 'email' ? 'address' : kind}`
  return scope === 'with_subdomains' ? `${normalized} and all below it` : normalized
}

export function countWords(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}
