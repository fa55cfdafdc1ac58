import type { BusinessSummary } from '@prospect/api-client'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { useCan, useSession } from '../../../ui/api/session.ts'
import { Empty, LoadingLines } from '../../../ui/layout/states.tsx'
import { lazyPart, usePrefetchParts } from '../../../ui/lazy/lazy-part.tsx'
import type { BulkActions } from '../../../ui/lists/list-types.ts'
import { ListView } from '../../../ui/lists/list-view.tsx'
import type { ColumnPreferences } from '../../../ui/lists/table/column-preferences.ts'
import type { CellEditing, CellEditorProps } from '../../../ui/lists/table/table-types.ts'
import type { RowAction } from '../../../ui/lists/table/use-table-keys.ts'
import { type OpenQuickDialog, quickKeys } from '../../../ui/prospects/quick-keys.ts'
import { prospectPages } from '../../../ui/prospects/use-prospect-pages.ts'
import { listedFacts } from '../../../ui/text/facts.ts'
import { newProspect } from '../new-prospect.ts'
import { NarrowProspect, prospectColumns } from './prospect-columns.tsx'
import {
  defaultSort,
  isFiltered,
  type ProspectSearch,
  prospectSorts,
  queryOf,
  type SearchPatch,
  shownConditions,
} from './prospect-search.ts'

const CellEditor = lazyPart<CellEditorProps<BusinessSummary>>('cell-editor', () =>
  import('../cells/cell-editor.tsx').then((module) => module.CellEditor),
)
const NoMatch = lazyPart('no-match', () => import('./no-match.tsx').then((module) => module.NoMatch))
const nextParts = [CellEditor, NoMatch]
const editing: CellEditing<BusinessSummary> = {
  columns: new Set(['name', 'assignee', 'city', 'province', 'phone', 'email', 'domain', ...listedFacts, 'tags']),
  canEdit: ({ status }) => status === 'active',
  Editor: CellEditor,
}

const PAGE_OF_ROWS = 50

type ProspectTableProps = {
  search: ProspectSearch
  change: (patch: SearchPatch) => void
  clear: () => void
  openId: string | null
  preferences: ColumnPreferences
  onPreferences: (preferences: ColumnPreferences) => void
  bulk: BulkActions | undefined
  quick: OpenQuickDialog
  /** True while a saved filter is loading: the list would show other rows. */
  isSettling: boolean
}

export function ProspectTable(props: ProspectTableProps) {
  const { search, change, clear, openId, preferences, onPreferences, bulk, isSettling, quick } = props
  const { tenant } = useSession()
  const navigate = useNavigate()
  const canWrite = useCan('businesses.write')
  usePrefetchParts(nextParts)
  const openBeside = useCallback(
    (row: Pick<BusinessSummary, 'id'>) =>
      void navigate({
        to: '/prospects/$businessId',
        params: { businessId: row.id },
        search: ({ tab: _, ...rest }) => rest,
        state: { panel: true },
        // One step back leads to the list, however many records were opened beside it.
        replace: true,
      }),
    [navigate],
  )
  const edit: RowAction<BusinessSummary> = {
    id: 'list-edit',
    label: 'Edit prospect',
    group: 'Prospects',
    keys: 'e',
    inPalette: false,
    permission: 'businesses.write',
    unavailable: openId !== null,
    run: ({ id }) =>
      void navigate({
        to: '/prospects/$businessId',
        params: { businessId: id },
        search: (current) => ({ ...current, tab: 'edit' }),
        state: { panel: true },
      }),
  }

  const quickActions = quickKeys.map(
    ({ dialog, ...action }): RowAction<BusinessSummary> => ({
      ...action,
      id: `list-${dialog}`,
      group: 'Prospects',
      inPalette: false,
      unavailable: openId !== null,
      run: ({ id }) => quick(id, dialog),
    }),
  )

  return (
    <ListView
      name="prospects"
      nouns={{ one: 'prospect', many: 'prospects' }}
      label="Prospects"
      columns={prospectColumns}
      pages={prospectPages(queryOf(shownConditions(search, tenant.timeZone), search.sort), PAGE_OF_ROWS)}
      clear={isFiltered(search) ? clear : null}
      empty={<NoProspects />}
      noMatch={{ words: '', notice: <NoMatch search={search} change={change} clear={clear} /> }}
      preferences={preferences}
      onPreferences={onPreferences}
      sort={search.sort ?? defaultSort}
      onSort={(sort) => change({ sort: prospectSorts.find((known) => known === sort) })}
      openId={openId}
      onStep={openBeside}
      rowActions={[edit, ...quickActions]}
      cells={canWrite ? editing : undefined}
      bulk={bulk}
      {...(isSettling && { instead: <LoadingLines lines={12} /> })}
      renderNarrow={(row) => <NarrowProspect row={row} />}
    />
  )
}

function NoProspects() {
  return (
    <Empty title="No prospects yet" action={<ActionButton action={newProspect} variant="default" />}>
      {useCan('businesses.write') ? (
        <>
          Create the first one. All you need is a registered name or a trading name. For a list:{' '}
          <Link to="/sources/csv-preview">Open a CSV file</Link>.
        </>
      ) : (
        'Ask a colleague who can create prospects.'
      )}
    </Empty>
  )
}
