import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMatch, useNavigate, useSearch } from '@tanstack/react-router'
import { ExportButton } from '../../rooms/exports/export-button.tsx'
import { filterSentence } from '../../rooms/prospects/list/filter-words.ts'
import { prospectColumns } from '../../rooms/prospects/list/prospect-columns.tsx'
import {
  parseProspectSearch,
  queryOf,
  type SearchPatch,
  shownConditions,
  unreadFilters,
} from '../../rooms/prospects/list/prospect-search.ts'
import { ProspectTable } from '../../rooms/prospects/list/prospect-table.tsx'
import { ProspectToolbar } from '../../rooms/prospects/list/prospect-toolbar.tsx'
import { UnreadFilters } from '../../rooms/prospects/list/unread-filters.tsx'
import { CleaningLine } from '../../rooms/registry/cleaning-line-part.ts'
import { useBulkActions } from '../../rooms/review/bulk/bulk-bar.tsx'
import { useCan, useSession } from '../../ui/api/session.ts'
import { useStored } from '../../ui/forms/use-stored.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { media } from '../../ui/layout/media.ts'
import { NoPermission, ScreenLoading } from '../../ui/layout/states.tsx'
import { lazyPart, usePrefetchParts } from '../../ui/lazy/lazy-part.tsx'
import { ColumnsMenu } from '../../ui/lists/table/columns-menu.tsx'
import { useColumnPreferences } from '../../ui/lists/table/use-column-preferences.ts'
import { useScoreBands } from '../../ui/prospects/active-scoring.ts'
import { assigneesQuery } from '../../ui/prospects/assignees.ts'
import { CallOrder } from '../../ui/prospects/call-hours-part.ts'
import { openQuickDialog } from '../record/open-quick-dialog.tsx'
import panel from '../record/record-panel.module.css'
import { RecordPanel, RecordView } from '../record/record-panel.tsx'
import { useSavedFilter } from '../saved-filters/use-saved-filter.tsx'
import classes from './prospects-desk.module.css'

const Board = lazyPart(
  'board',
  () => import('../../rooms/pipeline/board/board.tsx').then((module) => module.Board),
  <ScreenLoading />,
)
const FirstSteps = lazyPart('first-steps', () =>
  import('../../rooms/prospects/list/first-steps.tsx').then((module) => module.FirstSteps),
)
const nextParts = [RecordView, Board]

/**
 * List of prospects with the record beside it. The address of a record is the same for panel and page: opened from the list, the record is a panel
 * and the list stays; opened directly, it is a full page.
 */
export function ProspectsDesk() {
  const record = useMatch({ from: '/desk/prospects/$businessId', shouldThrow: false })
  const canRead = useCan('businesses.read')
  usePrefetchParts(nextParts)
  if (!canRead) return <NoPermission isPage what="prospects" />
  if (record !== undefined && !record.context.isPanel) return <RecordPage businessId={record.params.businessId} />
  return <ListWithPanel openId={record?.params.businessId ?? null} />
}

function ListWithPanel({ openId }: { openId: string | null }) {
  // Parse again: the router still passes on values from parent routes that `validateSearch` dropped.
  const search = useSearch({ from: '/desk/prospects', select: parseProspectSearch, structuralSharing: true })
  const unread = useSearch({ from: '/desk/prospects', select: unreadFilters, structuralSharing: true })
  const { tenant, role, user } = useSession()
  const [hasSeenSteps, setSeenSteps] = useStored(`prospect-first-steps:${user.id}`, (value) => value === true)
  const navigate = useNavigate()
  const [preferences, setPreferences] = useColumnPreferences('prospects', prospectColumns)
  const conditions = shownConditions(search, tenant.timeZone)
  const namesPeople = conditions.some(({ field }) => field === 'assignee')
  const people = useQuery({ ...assigneesQuery, enabled: namesPeople }).data ?? []
  const bands = useScoreBands()
  const words = filterSentence(conditions, { people, bands, timeZone: tenant.timeZone })
  const isNarrow = useMediaQuery(media.drawer, false, { getInitialValueInEffect: false })
  // The first steps and the line of the registry load after the rows and would move them, which a small screen has no room for.
  const hasRoomAbove = !useMediaQuery(media.narrow, false, { getInitialValueInEffect: false })

  const go = (patch: SearchPatch, replace: boolean): void => {
    // The open record stays, including unsaved edits.
    const place = openId === null ? list : beside(openId)
    void navigate({
      ...place,
      search: (current) => parseProspectSearch({ ...current, ...patch }),
      replace,
      state: true,
    })
  }
  // Changes of filters replace one history entry. A new view or clearing the filters adds an entry, so that Back restores the former list.
  const change = (patch: SearchPatch): void => go(patch, !('view' in patch))
  const { menu, notice, isSettling, clear } = useSavedFilter({
    desk: 'prospects',
    search,
    shown: search,
    go,
    opensDefault: openId === null,
    preferences,
    setPreferences,
  })
  const bulk = useBulkActions(conditions)
  return (
    <div className={panel.desk}>
      {openId === null && <title>{`${words} · Prospect Platform`}</title>}
      <div className={panel.list} inert={isNarrow && openId !== null}>
        <ProspectToolbar search={search} change={change} clear={clear}>
          {menu}
          <ExportButton
            shrinks
            wanted={{
              source: 'prospects',
              filter: conditions,
              words: `${words}. The file contains the values at the time of the export.`,
            }}
          />
          {search.view !== 'board' && (
            <ColumnsMenu columns={prospectColumns} preferences={preferences} onPreferences={setPreferences} />
          )}
        </ProspectToolbar>
        <UnreadFilters unread={unread} clear={() => change({})} />
        {notice}
        {hasRoomAbove && <CleaningLine />}
        {search.sort === 'mayBeCalled' && <CallOrder className={classes.order} />}
        {hasRoomAbove && !hasSeenSteps && openId === null && (
          <FirstSteps role={role} dismiss={() => setSeenSteps(true)} />
        )}
        {search.view === 'board' ? (
          <Board query={queryOf(conditions)} openId={openId} quick={openQuickDialog} />
        ) : (
          <ProspectTable
            search={search}
            change={change}
            clear={clear}
            openId={openId}
            preferences={preferences}
            onPreferences={setPreferences}
            bulk={bulk}
            quick={openQuickDialog}
            isSettling={isSettling}
          />
        )}
      </div>
      {openId !== null && <RecordPanel businessId={openId} />}
    </div>
  )
}

const list = { to: '/prospects' } as const
const beside = (businessId: string) => ({ to: '/prospects/$businessId', params: { businessId } }) as const

function RecordPage({ businessId }: { businessId: string }) {
  return (
    <div className={classes.page}>
      <div className={classes.back}>
        <BackLink to="/prospects" search={({ tab: _, ...rest }) => rest} state={{ isReturn: true }}>
          Prospects
        </BackLink>
      </div>
      <RecordView businessId={businessId} variant="page" />
    </div>
  )
}
