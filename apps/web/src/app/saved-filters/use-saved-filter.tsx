import { Button } from '@mantine/core'
import type { SavedFilter } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { canonicalText } from '../../rooms/prospects/list/condition-text.ts'
import {
  conditionsOf,
  defaultSort,
  filterPatch,
  isFiltered,
  noFilters,
  type ProspectSearch,
  type SearchPatch,
} from '../../rooms/prospects/list/prospect-search.ts'
import { problemWords } from '../../rooms/review/filters/filter-texts.ts'
import {
  type Desk,
  defaultFilterOf,
  defaultsQuery,
  type FilterContent,
  isBroken,
  savedFilterQuery,
} from '../../rooms/review/filters/saved-filters.queries.ts'
import { SavedFiltersMenu } from '../../rooms/review/filters/saved-filters-menu.tsx'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { useSession } from '../../ui/api/session.ts'
import type { ColumnPreferences } from '../../ui/lists/table/column-preferences.ts'
import { listWords } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './saved-filter.module.css'

type Options = {
  desk: Desk
  search: ProspectSearch
  /** Effective filters: `search`, or the built-in filters of the desk. */
  shown: ProspectSearch
  go: (patch: SearchPatch, replace: boolean) => void
  /** False if a record beside the list was opened by its address: then the default filter must not change that address. */
  opensDefault: boolean
  preferences: ColumnPreferences
  setPreferences: (preferences: ColumnPreferences) => void
}

type SavedFilterState = {
  menu: ReactNode
  /** Notices about the open filter. */
  notice: ReactNode
  /** True while the filter is loading: the list would briefly show other rows. */
  isSettling: boolean
  /** Removes all filters, including the default filter. */
  clear: () => void
}

/** Saved filter of a list. Precedence: the address, the user's default, the workspace's default, the built-in filters. */
export function useSavedFilter(options: Options): SavedFilterState {
  const { desk, search, shown, go, opensDefault, preferences, setPreferences } = options
  const { timeZone } = useSession().tenant
  const defaults = useQuery(defaultsQuery)
  const isBare = !isFiltered(search)
  const [wantsDefault, setWantsDefault] = useState(opensDefault && isBare && search.saved === undefined)
  const savedId = search.saved === undefined || search.saved === 'none' ? null : search.saved
  const saved = useQuery({ ...savedFilterQuery(savedId ?? ''), enabled: savedId !== null })
  const filter = savedId === null ? undefined : saved.data
  /** Id of the filter that was already applied to the address, or null. Applied only once, so that the user can then remove all conditions. */
  const [resolvedId, setResolvedId] = useState(isBare ? null : savedId)

  const apply = (chosen: SavedFilter, replace: boolean): void => {
    setResolvedId(chosen.id)
    if (chosen.columns !== null) setPreferences(withColumns(preferences, chosen.columns))
    go(
      {
        ...filterPatch(chosen.filter, timeZone),
        sort: chosen.sort ?? undefined,
        view: chosen.view === 'board' ? 'board' : undefined,
        saved: chosen.id,
      },
      replace,
    )
  }

  useEffect(() => {
    if (!wantsDefault || defaults.isPending) return
    setWantsDefault(false)
    const id = defaults.data === undefined ? null : defaultFilterOf(defaults.data, desk)
    if (id !== null) go({ saved: id }, true)
  })
  useEffect(() => {
    if (filter === undefined || resolvedId === filter.id) return
    if (isBare && !isBroken(filter)) apply(filter, true)
    else setResolvedId(filter.id)
  })

  const content = contentOf(shown, preferences, timeZone)
  const hasDefault = defaults.data !== undefined && defaultFilterOf(defaults.data, desk) !== null
  const clear = () => go({ ...noFilters, saved: hasDefault ? 'none' : undefined }, false)
  const isOpen = filter !== undefined && !isBroken(filter)
  return {
    menu: (
      <SavedFiltersMenu
        desk={desk}
        open={isOpen ? filter : null}
        isEdited={isOpen && resolvedId === filter.id && isDifferent(filter, content, desk)}
        content={content}
        choose={(chosen) => (chosen === null ? clear() : apply(chosen, false))}
      />
    ),
    notice: savedId !== null && (
      <Notice filter={filter} error={saved.error} leave={() => go({ saved: undefined }, true)} />
    ),
    isSettling: wantsDefault || (savedId !== null && isBare && resolvedId !== savedId && !saved.isError),
    clear,
  }
}

type NoticeProps = { filter: SavedFilter | undefined; error: unknown; leave: () => void }

function Notice({ filter, error, leave }: NoticeProps) {
  if (filter === undefined)
    return (
      error !== null && (
        <p role="alert" className={classes.notice}>
          The saved filter could not be opened. {sentenceOf(error)} The filter may have been deleted or may no longer be
          shared.{' '}
          <Button size="compact-xs" variant="default" onClick={leave}>
            Continue without the filter
          </Button>
        </p>
      )
    )
  if (!isBroken(filter)) return null
  return (
    <p role="status" className={classes.notice}>
      {`“${nameText(filter.name)}” is not applied. `}
      {listWords(filter.problems.map(problemWords))}.{' '}
      <Link to="/review/filters/$savedFilterId" params={{ savedFilterId: filter.id }}>
        Repair the filter
      </Link>
    </p>
  )
}

function contentOf(shown: ProspectSearch, preferences: ColumnPreferences, timeZone: string): FilterContent {
  const { order, hidden } = preferences
  return {
    filter: conditionsOf(shown, timeZone),
    sort: shown.sort ?? null,
    view: shown.view ?? null,
    columns: order.filter((id) => !hidden.includes(id)),
  }
}

/** True if the list differs from the saved filter. Columns are personal and do not count. */
function isDifferent(filter: SavedFilter, content: FilterContent, desk: Desk): boolean {
  const sortOf = ({ sort }: Pick<FilterContent, 'sort'>) => sort ?? (desk === 'prospects' ? defaultSort : null)
  const viewOf = ({ view }: Pick<FilterContent, 'view'>) => view ?? 'table'
  return (
    canonicalText(filter.filter) !== canonicalText(content.filter) ||
    sortOf(filter) !== sortOf(content) ||
    viewOf(filter) !== viewOf(content)
  )
}

function withColumns(preferences: ColumnPreferences, columns: readonly string[]): ColumnPreferences {
  return { ...preferences, hidden: preferences.order.filter((id) => !columns.includes(id)) }
}
