import type { Scan } from '@prospect/api-client'
import { oneOf, withoutUndefined } from '../../ui/lists/search-params.ts'

export const originWords: Readonly<Record<Scan['origin'], string>> = { supplied: 'Supplied', fetched: 'Fetched' }

export const stateWords: Readonly<Record<Scan['state'], string>> = {
  deferred: 'Deferred',
  queued: 'Queued',
  running: 'Running',
  complete: 'Complete',
  incomplete: 'Incomplete',
  blocked: 'Blocked',
  cancelled: 'Cancelled',
}

export const freshnessWords: Readonly<Record<Scan['freshness'], string>> = {
  fresh: 'Fresh',
  stale: 'Stale',
  policy_changed: 'Policy changed',
}

/** Search parameters of the list of scans. The scan's state is called `scanState`, because `state` is the pipeline state in other addresses. */
export type ScanSearch = { origin?: Scan['origin']; scanState?: Scan['state']; freshness?: Scan['freshness'] }

const keysOf = <Key extends string>(words: Readonly<Record<Key, string>>) => Object.keys(words) as Key[]

export function parseScanSearch({ origin, scanState, freshness }: Record<string, unknown>): ScanSearch {
  return withoutUndefined({
    origin: oneOf(keysOf(originWords), origin),
    scanState: oneOf(keysOf(stateWords), scanState),
    freshness: oneOf(keysOf(freshnessWords), freshness),
  })
}

/** Search parameters of the list of proposed sites: without `show` it contains the sites that nobody has decided about. */
export type ProposedSitesSearch = { show?: 'answered' }

export const parseProposedSitesSearch = ({ show }: Record<string, unknown>): ProposedSitesSearch =>
  withoutUndefined({ show: oneOf(['answered'] as const, show) })

export const optionsOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))
