import { withoutUndefined } from '../../ui/lists/search-params.ts'

/** Search parameters of the list of domains. */
export type DomainSearch = { search?: string; isWaiting?: 'true' }

const MAX_SEARCH = 253

export function parseDomainSearch({ search, isWaiting }: Record<string, unknown>): DomainSearch {
  const typed = typeof search === 'string' ? search.trim().slice(0, MAX_SEARCH) : ''
  return withoutUndefined({
    search: typed === '' ? undefined : typed,
    isWaiting: String(isWaiting) === 'true' ? ('true' as const) : undefined,
  })
}

/** Search parameters of the list of candidates. */
export type CandidateSearch = Pick<DomainSearch, 'search'>

export function parseCandidateSearch({ search }: Record<string, unknown>): CandidateSearch {
  return parseDomainSearch({ search })
}

/** Search parameters of one domain. It is not part of the path, because the web server treats a path with a dot as a file. */
export function parseAboutSearch({ domain }: Record<string, unknown>): { domain: string } {
  return { domain: typeof domain === 'string' ? domain.slice(0, MAX_SEARCH) : '' }
}
