import { Button } from '@mantine/core'
import type { BusinessSummary } from '@prospect/api-client'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { useActions } from '../../../ui/actions/actions.ts'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { useCan, useSession } from '../../../ui/api/session.ts'
import { isFocusLost } from '../../../ui/focus/lost-focus.ts'
import { Empty, Failed, FilteredToNothing, LoadingLines } from '../../../ui/layout/states.tsx'
import { useListMemory } from '../../../ui/lists/list-memory.ts'
import type { ColumnPreferences } from '../../../ui/lists/table/column-preferences.ts'
import { DataTable, focusActiveRow, rowsOnScreen } from '../../../ui/lists/table/data-table.tsx'
import { footerText } from '../../../ui/lists/table/list-footer.ts'
import { keptPlace, type Place, stepFrom } from '../../../ui/lists/table/step-from.ts'
import { useProspectPages } from '../../../ui/prospects/use-prospect-pages.ts'
import { newProspect } from '../new-prospect.ts'
import classes from './list.module.css'
import { NarrowProspect, prospectColumns } from './prospect-columns.tsx'
import { queryFrom } from './prospect-query.ts'
import { defaultSort, isFiltered, type ProspectSearch, prospectSorts, type SearchPatch } from './prospect-search.ts'

/** How far each key moves in the list. */
const stepKeys: [keys: string, label: string, by: () => number][] = [
  ['j', 'Next prospect', () => 1],
  ['k', 'Previous prospect', () => -1],
  ['ArrowDown', 'Next prospect', () => 1],
  ['ArrowUp', 'Previous prospect', () => -1],
]
/** Beside an open record these scroll it, as everywhere. */
const leapKeys: typeof stepKeys = [
  ['PageDown', 'A page down', rowsOnScreen],
  ['PageUp', 'A page up', () => -rowsOnScreen()],
  ['Home', 'First prospect', () => -Infinity],
  ['End', 'Last prospect that is loaded', () => Infinity],
]

const PAGE_OF_ROWS = 50

type ProspectTableProps = {
  search: ProspectSearch
  change: (patch: SearchPatch) => void
  clear: () => void
  openId: string | null
  preferences: ColumnPreferences
  onPreferences: (preferences: ColumnPreferences) => void
}

export function ProspectTable({ search, change, clear, openId, preferences, onPreferences }: ProspectTableProps) {
  const { tenant } = useSession()
  const navigate = useNavigate()
  const query = queryFrom(search, tenant.timeZone)
  const { list, rows, total, see, loadMore } = useProspectPages(query, PAGE_OF_ROWS)
  const listKey = JSON.stringify(query)
  const { initial, remember } = useListMemory(`prospects ${listKey}`)
  const [activeId, setActiveId] = useState<string | null>(openId ?? initial.activeId)

  const place = useRef<Place | null>(null)
  useEffect(() => {
    place.current = keptPlace(rows, activeId, place.current)
  }, [rows, activeId])

  const activate = useCallback(
    (id: string) => {
      setActiveId(id)
      remember({ activeId: id })
    },
    [remember],
  )
  const open = useCallback(
    (row: Pick<BusinessSummary, 'id'>) => {
      void navigate({
        to: '/prospects/$businessId',
        params: { businessId: row.id },
        search: ({ tab: _, ...rest }) => rest,
        state: { panel: true },
        // One step back leads to the list, however many records were looked at beside it.
        replace: openId !== null,
      })
    },
    [navigate, openId],
  )
  const wasOpen = useRef(false)
  useEffect(() => {
    if (openId !== null) activate(openId)
    // The record is closed: the keys go on from its row.
    else if (wasOpen.current && isFocusLost()) focusActiveRow()
    wasOpen.current = openId !== null
  }, [openId, activate])

  const move = (by: number): void => {
    const next = stepFrom(rows, place.current, by)
    if (next === undefined) return
    activate(next.id)
    if (openId !== null) open(next)
  }
  const openActive = (): void => {
    const row = rows.find(({ id }) => id === activeId)
    if (row !== undefined) open(row)
  }
  const editActive = (): void => {
    if (activeId === null || openId !== null) return
    void navigate({
      to: '/prospects/$businessId',
      params: { businessId: activeId },
      search: (current) => ({ ...current, tab: 'edit' }),
      state: { panel: true },
    })
  }
  useActions('screen', [
    {
      id: 'list-edit',
      label: 'Edit the prospect',
      group: 'List',
      keys: 'e',
      inPalette: false,
      permission: 'businesses.write',
      unavailable: openId !== null,
      run: editActive,
    },
    ...[...stepKeys, ...(openId === null ? leapKeys : [])].map(([keys, label, by]) => ({
      id: `list-${keys}`,
      label,
      group: 'List',
      keys,
      inPalette: false,
      run: () => move(by()),
    })),
    { id: 'list-open', label: 'Open the prospect', group: 'List', keys: 'Enter', inPalette: false, run: openActive },
  ])

  const { isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const filtered = isFiltered(search)
  const isSwitching = list.isPlaceholderData
  const status = list.isPending || isSwitching ? 'loading' : list.data === undefined ? 'failed' : 'ready'

  return (
    <div className={classes.table}>
      {isSwitching && list.isFetching && <div className={classes.busy} aria-hidden />}
      {list.isPending ? (
        <LoadingLines lines={12} label="Loading prospects" />
      ) : list.data === undefined ? (
        <Failed what="the prospects" error={list.error} retry={() => void list.refetch()} />
      ) : rows.length === 0 && !isSwitching ? (
        <Nothing isFiltered={filtered} isSearched={search.q !== undefined} clear={clear} />
      ) : (
        <DataTable
          label="Prospects"
          columns={prospectColumns}
          rows={rows}
          total={total?.counts === 'matching_set' ? total.value : null}
          preferences={preferences}
          onPreferences={onPreferences}
          listKey={listKey}
          sort={search.sort ?? defaultSort}
          onSort={(sort) => change({ sort: prospectSorts.find((known) => known === sort) })}
          activeId={activeId}
          openId={openId}
          onActivate={activate}
          onOpen={open}
          renderNarrow={(row) => <NarrowProspect row={row} />}
          onSeen={see}
          onEndReached={loadMore}
          isBusy={isSwitching}
          initialOffset={initial.offset}
          onScrolled={(offset) => remember({ offset })}
          foot={
            isFetchNextPageError && (
              <div className={classes.foot} role="alert">
                The next page could not be loaded. {sentenceOf(list.error)}
                <Button variant="default" size="compact-sm" onClick={() => void fetchNextPage()}>
                  Try again
                </Button>
              </div>
            )
          }
        />
      )}
      <footer className={classes.footer}>
        <span role="status">
          {footerText({
            total,
            loaded: rows.length,
            isFiltered: filtered,
            noun: 'prospects',
            status,
            isStale: list.isRefetchError,
            isLoadingMore: isFetchingNextPage,
          })}
        </span>
      </footer>
    </div>
  )
}

const SEARCHED = 'names, registration numbers, e-mail addresses, phones and web domains, and no notes or evidence'

type NothingProps = { isFiltered: boolean; isSearched: boolean; clear: () => void }

function Nothing({ isFiltered: filtered, isSearched, clear }: NothingProps) {
  const canCreate = useCan('businesses.write')
  if (filtered) return <FilteredToNothing what="prospects" clear={clear} searched={isSearched ? SEARCHED : undefined} />
  return (
    <Empty title="No prospects yet" action={<ActionButton action={newProspect} />}>
      {canCreate
        ? 'Create the first one: a name is enough to begin with.'
        : 'Somebody who may create prospects here begins.'}
    </Empty>
  )
}
