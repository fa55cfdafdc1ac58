import { Button } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { sentenceOf } from '../api/api-problem.ts'
import { isFocusLost } from '../focus/lost-focus.ts'
import { NotLoaded } from '../layout/not-loaded.tsx'
import { FilteredToNothing } from '../layout/states.tsx'
import type { Nouns } from '../text/count-words.ts'
import { sentenceCase } from '../text/sentence-case.ts'
import { useChangedRows } from './changed-rows.ts'
import { useHeldOrder } from './held-order.ts'
import { useListMemory } from './list-memory.ts'
import type { BulkActions, ListSelection } from './list-types.ts'
import classes from './list-view.module.css'
import { SelectionBar } from './selection-bar.tsx'
import type { ColumnPreferences } from './table/column-preferences.ts'
import { DataTable } from './table/data-table.tsx'
import { footerText } from './table/list-footer.ts'
import { focusActiveRow } from './table/row-focus.ts'
import type { CellEditing, DataColumn } from './table/table-types.ts'
import type { SelectedRows } from './table/use-list-table.ts'
import type { RowAction } from './table/use-table-keys.ts'
import { useVisiblePages } from './use-visible-pages.ts'
import type { PagedList } from './visible-pages.ts'

export type ListViewProps<Row extends { id: string }> = {
  /** Name of the list for its stored position and its group of shortcuts. */
  name: string
  nouns: Nouns
  /** Accessible name of the table. */
  label: string
  /** Object of "Could not load …" if it is not the rows. */
  what?: string | undefined
  columns: readonly DataColumn<Row>[]
  pages: PagedList<Row>
  /** Clears all filters; null if there are none. */
  clear: (() => void) | null
  /** Notice above the rows, with the reason, when a refresh failed: a list of live work is outdated then. */
  stale?: string | undefined
  /** Notice for a list that is empty without filters. */
  empty: ReactNode
  /** Notice for filters without a match, and the text that announces it. The default offers to clear the filters. */
  noMatch?: { words: string; notice: ReactNode } | undefined
  sort?: string | undefined
  onSort?: ((sort: string) => void) | undefined
  isWrapped?: boolean
  /** Cells that can be edited where they stand. */
  cells?: CellEditing<Row> | undefined
  renderNarrow?: ((row: Row) => ReactNode) | undefined
  /** Id of the record that is open beside the list. */
  openId?: string | null
  /** Called for each row that the keyboard moves to while a record is open beside the list. */
  onStep?: ((row: Row) => void) | undefined
  /** Actions on the active row. */
  rowActions?: readonly RowAction<Row>[] | undefined
  /** Actions for selected rows. Without them, rows cannot be selected. */
  bulk?: BulkActions | undefined
}

type OwnedProps<Row extends { id: string }> = ListViewProps<Row> & {
  preferences: ColumnPreferences
  onPreferences: (preferences: ColumnPreferences) => void
  /** Content above the rows, which scrolls with them. */
  above?: ReactNode
  /** Content below the rows, which scrolls with them. */
  below?: ReactNode
  /** Replaces the rows, regardless of loaded data. */
  instead?: ReactNode | undefined
}

/**
 * A list of the API as a table: loads more pages while the user scrolls, and shows the count. Position and selection are stored, so that Back
 * restores them.
 */
export function ListView<Row extends { id: string }>(props: OwnedProps<Row>) {
  const { name, nouns, pages, clear, openId = null, onStep, bulk } = props
  const { list, rows: read, total, see, loadMore } = useVisiblePages(pages)
  const listKey = JSON.stringify(pages.queryKey)
  const changed = useChangedRows()
  const { rows, pointer } = useHeldOrder(read, { listKey, changed })
  const { initial, remember } = useListMemory(`${name} ${listKey}`)
  const [activeId, setActiveId] = useState<string | null>(openId ?? initial.activeId)
  const { chosen, selected, setSelected, selectMatching, clearSelection } = useSelected(
    initial,
    filterKeyOf(pages),
    rows,
    remember,
  )

  const activate = useCallback(
    (id: string) => {
      setActiveId(id)
      remember({ activeId: id })
    },
    [remember],
  )
  const wasOpen = useRef(false)
  useEffect(() => {
    if (openId !== null) activate(openId)
    // The record was closed: keyboard movement continues from its row.
    else if (wasOpen.current && isFocusLost()) focusActiveRow()
    wasOpen.current = openId !== null
  }, [openId, activate])

  const matching = total?.counts === 'matching_set' ? total.value : null
  const selection = useMemo((): ListSelection => {
    const ids = Object.keys(selected)
    const allBut = chosen.allBut === null ? null : Object.keys(chosen.allBut)
    const isAllLoaded = rows.length > 0 && rows.every(({ id }) => selected[id] === true)
    return {
      ids,
      allBut,
      matching,
      count: allBut === null ? ids.length : matching === null ? null : matching - allBut.length,
      isAllLoaded,
      hasMore: isAllLoaded && list.hasNextPage,
      selectMatching,
      clear: clearSelection,
    }
  }, [chosen, selected, rows, matching, list.hasNextPage, selectMatching, clearSelection])

  const { isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const isSwitching = list.isPlaceholderData
  const status = list.isPending || isSwitching ? 'loading' : list.data === undefined ? 'failed' : 'ready'
  const instead =
    props.instead ??
    (list.data === undefined ? (
      <NotLoaded read={list} lines={12} what={props.what ?? `the ${nouns.many}`} />
    ) : rows.length > 0 || isSwitching || list.hasNextPage ? undefined : clear === null ? (
      props.empty
    ) : (
      (props.noMatch?.notice ?? <FilteredToNothing what={nouns.many} clear={clear} />)
    ))

  return (
    <div className={classes.view} {...pointer}>
      {isSwitching && list.isFetching && <div className={classes.busy} aria-hidden />}
      <DataTable
        label={props.label}
        columns={props.columns}
        rows={rows}
        changed={changed}
        total={matching ?? (list.hasNextPage ? null : rows.length)}
        preferences={props.preferences}
        onPreferences={props.onPreferences}
        listKey={listKey}
        sort={props.sort}
        onSort={props.onSort}
        keys={{
          noun: nouns.one,
          group: sentenceCase(nouns.many),
          isBeside: openId !== null,
          isComplete: !list.hasNextPage,
          onStep: openId === null ? undefined : onStep,
          rowActions: props.rowActions,
        }}
        activeId={activeId}
        openId={openId}
        onActivate={activate}
        selected={bulk === undefined ? undefined : selected}
        onSelected={setSelected}
        renderNarrow={props.renderNarrow}
        isWrapped={props.isWrapped ?? false}
        cells={props.cells}
        above={
          <>
            {props.above}
            {props.stale !== undefined && (
              <p role="status" className={list.isRefetchError ? classes.stale : 'pp-visually-hidden'}>
                {list.isRefetchError && `${props.stale} ${sentenceOf(list.error)}`}
              </p>
            )}
          </>
        }
        instead={instead}
        onSeen={see}
        onEndReached={loadMore}
        isBusy={isSwitching}
        initialOffset={initial.offset}
        onScrolled={(offset) => remember({ offset })}
        foot={
          <>
            {isFetchNextPageError && (
              <div className={classes.foot} role="alert">
                Could not load the next page. {sentenceOf(list.error)}
                <Button variant="default" size="compact-sm" onClick={() => void fetchNextPage()}>
                  Try again
                </Button>
              </div>
            )}
            {props.below}
          </>
        }
      />
      {bulk !== undefined && <SelectionBar selection={selection} nouns={nouns} bulk={bulk} />}
      <footer className={classes.footer}>
        <span role="status">
          {footerText({
            total,
            loaded: rows.length,
            isFiltered: clear !== null,
            nouns,
            status,
            hasMore: list.hasNextPage,
            isStale: list.isRefetchError,
            isLoadingMore: isFetchingNextPage,
          })}
          {status === 'ready' && rows.length === 0 && props.noMatch !== undefined && (
            <span className="pp-visually-hidden"> {props.noMatch.words}</span>
          )}
        </span>
      </footer>
    </div>
  )
}

type Remember = ReturnType<typeof useListMemory>['remember']

/** Selected rows: single rows, or all matching rows except some. */
type Chosen = { selected: SelectedRows; allBut: SelectedRows | null }

const noneChosen: Chosen = { selected: {}, allBut: null }

/**
 * Selected rows, stored with the position in the list. A change of filters clears them, so that bulk actions never change a row that the list does
 * not show.
 */
function useSelected(initial: Chosen, filterKey: string, rows: readonly { id: string }[], remember: Remember) {
  const [chosen, setChosen] = useState<Chosen>({ selected: initial.selected, allBut: initial.allBut })
  const shownKey = useRef(filterKey)
  const choose = useCallback(
    (next: Chosen) => {
      setChosen(next)
      remember(next)
    },
    [remember],
  )
  useEffect(() => {
    if (shownKey.current === filterKey) return
    shownKey.current = filterKey
    choose(noneChosen)
  }, [filterKey, choose])

  const { allBut } = chosen
  const selected = useMemo((): SelectedRows => {
    if (allBut === null) return chosen.selected
    return Object.fromEntries(rows.flatMap(({ id }) => (allBut[id] === true ? [] : [[id, true as const]])))
  }, [chosen.selected, allBut, rows])
  const latest = useRef({ allBut, rows })
  useLayoutEffect(() => {
    latest.current = { allBut, rows }
  })
  const setSelected = useCallback(
    (next: SelectedRows) => {
      const { allBut: excluded, rows: loaded } = latest.current
      if (excluded === null || Object.keys(next).length === 0) return choose({ selected: next, allBut: null })
      const unloaded = Object.keys(excluded).filter((id) => !loaded.some((row) => row.id === id))
      const left = loaded.flatMap(({ id }) => (next[id] === true ? [] : [id]))
      choose({ selected: {}, allBut: Object.fromEntries([...unloaded, ...left].map((id) => [id, true as const])) })
    },
    [choose],
  )
  const selectMatching = useCallback(() => choose({ selected: {}, allBut: {} }), [choose])
  const clearSelection = useCallback(() => choose(noneChosen), [choose])
  return { chosen, selected, setSelected, selectMatching, clearSelection }
}

/** Query of a list without its order. */
function filterKeyOf({ queryKey: [key] }: Pick<PagedList<{ id: string }>, 'queryKey'>): string {
  const query = 'query' in key && typeof key.query === 'object' ? { ...key.query, sort: undefined } : {}
  return JSON.stringify(query)
}
