import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { BusinessSummary, Permission } from '@prospect/api-client'
import { useMatch, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { canonicalText } from '../../rooms/prospects/list/condition-text.ts'
import { FilterBar } from '../../rooms/prospects/list/filter-bar.tsx'
import { NarrowProspect } from '../../rooms/prospects/list/prospect-columns.tsx'
import {
  conditionsOf,
  filterPatch,
  isFiltered,
  prospectSorts,
  type SearchPatch,
  unreadFilters,
} from '../../rooms/prospects/list/prospect-search.ts'
import { UnreadFilters } from '../../rooms/prospects/list/unread-filters.tsx'
import { useBulkActions } from '../../rooms/review/bulk/bulk-bar.tsx'
import { PredicateBar } from '../../rooms/review/queue/predicate-bar.tsx'
import { ReviewRunContext } from '../../rooms/review/queue/review-run.ts'
import { useRun } from '../../rooms/review/queue/use-run.ts'
import { queuePages, type Wanted } from '../../rooms/review/review.queries.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { BehindNotice } from '../../ui/jobs/behind-notice.tsx'
import { media } from '../../ui/layout/media.ts'
import { Empty, LoadingLines } from '../../ui/layout/states.tsx'
import { ListView } from '../../ui/lists/list-view.tsx'
import { ColumnsMenu } from '../../ui/lists/table/columns-menu.tsx'
import { useColumnPreferences } from '../../ui/lists/table/use-column-preferences.ts'
import type { RowAction } from '../../ui/lists/table/use-table-keys.ts'
import panel from '../record/record-panel.module.css'
import { RecordPanel } from '../record/record-panel.tsx'
import { useSavedFilter } from '../saved-filters/use-saved-filter.tsx'
import { queueColumns } from './queue-columns.tsx'
import classes from './review-desk.module.css'
import { builtIn, parseReviewSearch, shownSearch } from './review-search.ts'

/** Review queue with the open record beside it. */
export function ReviewDesk() {
  const record = useMatch({ from: '/desk/review/$businessId', shouldThrow: false })
  return <Queue openId={record?.params.businessId ?? null} />
}

const decisions: readonly { dialog: string; label: string; keys: string; permission: Permission }[] = [
  { dialog: 'review.verify', label: 'Verify the prospect', keys: 'v', permission: 'review.decide' },
  { dialog: 'review.reject', label: 'Reject the prospect', keys: 'r', permission: 'review.decide' },
  { dialog: 'assign', label: 'Assign the prospect', keys: 'a', permission: 'businesses.write' },
  { dialog: 'block', label: 'Mark the prospect as do not contact', keys: 'd', permission: 'businesses.block' },
  { dialog: 'review.defer', label: 'Defer the prospect', keys: 'l', permission: 'review.decide' },
]

function Queue({ openId }: { openId: string | null }) {
  const search = useSearch({ from: '/desk/review', select: parseReviewSearch, structuralSharing: true })
  const unread = useSearch({ from: '/desk/review', select: unreadFilters, structuralSharing: true })
  const { timeZone } = useSession().tenant
  const canDecide = useCan('review.decide')
  const navigate = useNavigate()
  const [preferences, setPreferences] = useColumnPreferences('review-queue', queueColumns)
  const isNarrow = useMediaQuery(media.drawer, false, { getInitialValueInEffect: false })
  const shown = shownSearch(search)
  const { sort } = search
  const conditions = conditionsOf(shown, timeZone)
  const asked = JSON.stringify([conditions, sort])
  // biome-ignore lint/correctness/useExhaustiveDependencies: keeps the identity of the predicate while the address is unchanged
  const wanted = useMemo((): Wanted => {
    const isBuiltIn = canonicalText(conditions) === canonicalText(conditionsOf(builtIn, timeZone))
    return { ...(!isBuiltIn && { conditions }), ...(sort !== undefined && { sort }) }
  }, [asked])
  // biome-ignore lint/correctness/useExhaustiveDependencies: restarts when the predicate changes
  const since = useMemo(() => serverNow().toISOString(), [wanted])
  const run = useRun(wanted, openId)

  const go = (patch: SearchPatch, replace: boolean): void => {
    const place = openId === null ? list : beside(openId)
    void navigate({ ...place, search: (current) => parseReviewSearch({ ...current, ...patch }), replace })
  }
  const change = (patch: SearchPatch): void => go({ ...filterPatch(conditions, timeZone), ...patch }, true)
  const { menu, notice, isSettling, clear } = useSavedFilter({
    ...{ desk: 'review', search, shown, go, preferences, setPreferences },
    opensDefault: openId === null,
  })
  const openBeside = ({ id }: Pick<BusinessSummary, 'id'>) =>
    void navigate({ ...beside(id), search: ({ tab: _, ...rest }) => rest, replace: openId !== null })
  const rowActions = decisions.map(
    ({ dialog, label, keys, permission }): RowAction<BusinessSummary> => ({
      id: `queue-${dialog}`,
      label,
      group: 'Review queue',
      keys,
      permission,
      inPalette: false,
      unavailable: openId !== null,
      run: ({ id }) => run.openWith(id, dialog),
    }),
  )
  const bulk = useBulkActions(conditions)
  return (
    <ReviewRunContext value={run}>
      <div className={panel.desk} data-list-screen>
        <div className={panel.list} inert={isNarrow && openId !== null}>
          <header className={classes.toolbar}>
            {openId === null && <title>Review · Prospect Platform</title>}
            <div className={classes.first}>
              <h1 className={classes.title}>Review queue</h1>
              <span className={classes.end}>
                {menu}
                <ColumnsMenu columns={queueColumns} preferences={preferences} onPreferences={setPreferences} />
                {canDecide && (
                  <Button size="xs" loading={run.isSearching} onClick={run.next}>
                    {openId === null ? 'Start with the next' : 'Skip to the next'}
                  </Button>
                )}
              </span>
            </div>
            <FilterBar search={shown} change={change} clear={clear} />
          </header>
          <UnreadFilters unread={unread} clear={() => change({})} />
          {notice}
          <BehindNotice of="review" />
          <PredicateBar wanted={wanted} since={since} />
          <ListView
            name="review-queue"
            nouns={{ one: 'prospect', many: 'prospects' }}
            label="Review queue"
            what="the review queue"
            columns={queueColumns}
            pages={queuePages(wanted)}
            clear={isFiltered(search) ? clear : null}
            empty={
              <Empty title="Nothing is due for review">
                A prospect returns here when its facts or its evidence change after a review.
              </Empty>
            }
            preferences={preferences}
            onPreferences={setPreferences}
            sort={sort}
            onSort={(next) => go({ sort: prospectSorts.find((known) => known === next) }, true)}
            openId={openId}
            onStep={openBeside}
            rowActions={rowActions}
            renderNarrow={(row) => <NarrowProspect row={row} />}
            bulk={bulk}
            {...(isSettling && { instead: <LoadingLines lines={12} /> })}
          />
        </div>
        {openId !== null && <RecordPanel businessId={openId} home="/review" />}
      </div>
    </ReviewRunContext>
  )
}

const list = { to: '/review' } as const
const beside = (businessId: string) => ({ to: '/review/$businessId', params: { businessId } }) as const
