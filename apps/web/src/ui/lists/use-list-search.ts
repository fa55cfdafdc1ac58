import { useMatch, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'

export type ListSearch<Search extends object> = {
  search: Search
  /** Changes some filters; one that is undefined is removed. */
  set: (part: { [Key in keyof Search]?: unknown }) => void
  /** Removes all filters. It adds a history entry, so that Back restores them. */
  clear: () => void
  isFiltered: boolean
}

/** Filters of a list, in the search part of the address of its route. `parse` drops invalid values. */
export function useListSearch<Search extends object>(
  parse: (search: Record<string, unknown>) => Search,
): ListSearch<Search> {
  const raw = useSearch({ strict: false })
  // Parse again: the router still passes on values from parent routes that `validateSearch` dropped.
  const search = useMemo(() => parse(raw), [parse, raw])
  // A delayed change navigates to the address of this list, even if another page was opened before the delay ended.
  const to: string = useMatch({ strict: false, select: ({ pathname }) => pathname })
  const navigate = useNavigate()
  return {
    search,
    set: (part) => void navigate({ to, search: parse({ ...search, ...part }), replace: true, resetScroll: false }),
    clear: () => void navigate({ to, search: {}, resetScroll: false }),
    isFiltered: Object.keys(search).length > 0,
  }
}
