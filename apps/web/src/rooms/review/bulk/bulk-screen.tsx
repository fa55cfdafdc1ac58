import { notifications } from '@mantine/notifications'
import { type BulkOutcome, type BulkReview, cancelBulkReview, previewUndo, retryJob } from '@prospect/api-client'
import { IconArrowBackUp, IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../../ui/actions/actions.ts'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { newKey } from '../../../ui/api/idempotency.ts'
import { useCan } from '../../../ui/api/session.ts'
import { useDialog } from '../../../ui/dialogs/use-dialog.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { JobProgress } from '../../../ui/jobs/job-progress.tsx'
import { useFollowedJob } from '../../../ui/jobs/use-followed-job.ts'
import { BackLink } from '../../../ui/layout/back-link.tsx'
import { Fact, Facts } from '../../../ui/layout/facts.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Empty } from '../../../ui/layout/states.tsx'
import { FilterBar, FilterSelect } from '../../../ui/lists/filters.tsx'
import { FixedTable } from '../../../ui/lists/fixed-table.tsx'
import { ListBody } from '../../../ui/lists/list-body.tsx'
import { RecordBody } from '../../../ui/lists/record-body.tsx'
import { useListSearch } from '../../../ui/lists/use-list-search.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { formatNumber } from '../../../ui/text/format.ts'
import { GivenReason } from '../../../ui/text/given-reason.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import classes from '../review.module.css'
import { refreshAfterBulk } from '../review.queries.ts'
import { bulkQuery, jobQuery, outcomesQuery, refreshBulks, usePeopleNames } from './bulk.queries.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import {
  actionWords,
  type BulkAction,
  bulkTitle,
  codeWords,
  isUnderWay,
  outcomeWords,
  prospectCount,
  statusWords,
} from './bulk-words.ts'
import { outcomeCodes, outcomes, parseOutcomeSearch } from './outcome-search.ts'
import { SelectionFacts } from './preview-screen.tsx'

/** Page of a bulk action: progress, counts, the outcome of each record, and undo. */
export function BulkScreen() {
  const { bulkId } = useParams({ from: '/desk/review/bulks/$bulkId' })
  const bulk = useQuery(bulkQuery(bulkId))
  return (
    <RecordBody record={bulk} what="this bulk action" lines={10}>
      {(loaded) => <BulkPage key={bulkId} bulk={loaded} />}
    </RecordBody>
  )
}

function BulkPage({ bulk }: { bulk: BulkReview }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const people = usePeopleNames()
  const canSeeJob = useCan('jobs.read')
  const again = useDialog<BulkAction>()
  const job = useQuery({ ...jobQuery(bulk.jobId), enabled: canSeeJob })
  const attemptId = job.data?.attempts.at(-1)?.id ?? bulk.jobId
  const refresh = () => {
    void refreshBulks(queryClient)
    void queryClient.invalidateQueries({ queryKey: jobQuery(bulk.jobId).queryKey })
    void refreshAfterBulk(queryClient)
  }
  useFollowedJob(canSeeJob && isUnderWay(bulk) ? attemptId : null, refresh)
  const { counts, selection, status } = bulk
  const path = { bulkId: bulk.id }
  const cancel = useMutation({
    meta: { isTold: true },
    mutationFn: () => dataOf(cancelBulkReview({ path, ...withKey(newKey()) })),
    onSettled: refresh,
  })
  const retry = useMutation({
    meta: { isTold: true },
    mutationFn: () => dataOf(retryJob({ path: { jobId: attemptId }, body: {}, ...withKey(newKey()) })),
    onSuccess: () => notifications.show({ message: 'Resumed.' }),
    onSettled: refresh,
  })
  const undo = useMutation({
    meta: { isTold: true },
    mutationFn: () => dataOf(previewUndo({ path, ...withKey(newKey()) })),
    onSuccess: ({ id }) => navigate({ to: '/review/previews/$previewId', params: { previewId: id } }),
  })
  const group = 'This bulk action'
  const actions: Action[] = [
    {
      id: 'bulk.cancel',
      label: 'Stop',
      group,
      Icon: IconPlayerStop,
      keys: 'shift+c',
      permission: 'review.bulk',
      unavailable: !isUnderWay(bulk),
      isBusy: cancel.isPending,
      run: () => cancel.mutate(),
    },
    {
      id: 'bulk.retry',
      label: 'Resume',
      group,
      Icon: IconRefresh,
      permission: 'review.bulk',
      unavailable: status !== 'failed' && status !== 'cancelled',
      isBusy: retry.isPending,
      run: () => retry.mutate(),
    },
    {
      id: 'bulk.undo',
      label: 'Undo',
      group,
      Icon: IconArrowBackUp,
      keys: 'u',
      permission: 'review.bulk',
      asksMore: true,
      unavailable: isUnderWay(bulk) || (counts.changed === 0 && 'Nothing was changed.'),
      isBusy: undo.isPending,
      run: () => undo.mutate(),
    },
  ]
  useActions('screen', actions)
  const done = selection.size - counts.notDone
  const error = cancel.error ?? retry.error ?? undo.error
  return (
    <Page
      title={bulkTitle(bulk, people)}
      lead={
        <span role="status">{`${statusWords[status]}: ${prospectCount(done)} of ${formatNumber(selection.size)}`}</span>
      }
      back={<BackLink to="/review/bulks">Bulk actions</BackLink>}
      actions={actions.map((action) => <ActionButton key={action.id} action={action} variant="default" />)}
    >
      <div className={classes.stack}>
        {isUnderWay(bulk) && (
          <JobProgress
            progress={{ done, total: selection.size, unit: 'prospects' }}
            isRunning={status === 'running'}
            title={bulkTitle(bulk, people)}
          />
        )}
        {error !== null && (
          <p role="alert" className="pp-refusal">
            {sentenceOf(error)}
          </p>
        )}
        <Counts bulk={bulk} />
        <BulkFacts bulk={bulk} />
      </div>
      <Outcomes bulk={bulk} selectAgain={again.open} />
      {again.slot((action, dialog) => (
        <BulkDialog
          action={action}
          selection={{ bulkId: bulk.id, outcome: 'refused' }}
          words={`the ${prospectCount(counts.refused)} that this bulk action refused`}
          {...dialog}
        />
      ))}
    </Page>
  )
}

function Counts({ bulk: { counts, id } }: { bulk: BulkReview }) {
  const rows = [
    ['changed', counts.changed],
    ['unchanged', counts.unchanged],
    ['refused', counts.refused],
    ['not_done', counts.notDone],
  ] as const
  return (
    <FixedTable>
      <caption>Prospects by outcome</caption>
      <tbody>
        {rows.map(([outcome, count]) => (
          <tr key={outcome}>
            <th scope="row">{outcomeWords[outcome]}</th>
            <td data-number>
              <Link to="/review/bulks/$bulkId" params={{ bulkId: id }} search={{ outcome }}>
                {formatNumber(count)}
              </Link>
            </td>
          </tr>
        ))}
      </tbody>
    </FixedTable>
  )
}

function BulkFacts({ bulk }: { bulk: BulkReview }) {
  const canSeeJob = useCan('jobs.read')
  const { readBack, undoes, digest } = bulk
  return (
    <>
      <SelectionFacts selection={bulk.selection} />
      <Facts>
        <Fact label="Requested">
          <DateTime at={bulk.createdAt} as="dateTime" /> by <Name of={bulk.requestedBy.name} />
          {bulk.reason !== null && (
            <>
              : <GivenReason of={bulk.reason} isQuoted />
            </>
          )}
        </Fact>
        {bulk.endedAt !== null && (
          <Fact label="Ended">
            <DateTime at={bulk.endedAt} as="dateTime" />
          </Fact>
        )}
        {undoes !== null && (
          <Fact label="Undoes">
            <Link to="/review/bulks/$bulkId" params={{ bulkId: undoes }}>
              An earlier bulk action
            </Link>
          </Fact>
        )}
        {readBack !== null && (
          <Fact label="Audit">
            {countWords(readBack.outcomes, 'outcome', 'outcomes')} and {countWords(readBack.events, 'event', 'events')}{' '}
            found in the audit log, {readBack.complete ? 'complete' : 'not complete'}
          </Fact>
        )}
        {digest !== null && (
          <Fact label="Fingerprint of the results">
            <code>{digest}</code>
          </Fact>
        )}
        <Fact label="Identifiers">
          Bulk action <code>{bulk.id}</code>, correlation <code>{bulk.correlationId}</code>
          {canSeeJob && (
            <>
              ,{' '}
              <Link to="/jobs/$jobId" params={{ jobId: bulk.jobId }}>
                job
              </Link>
            </>
          )}
        </Fact>
      </Facts>
    </>
  )
}

const outcomeOptions = outcomes.map((value) => ({ value, label: outcomeWords[value] }))
const codeOptions = outcomeCodes.map((value) => ({ value, label: codeWords[value] }))
const againOptions = (['verify', 'reject', 'assign', 'add_tag', 'remove_tag'] as const).map((value) => ({
  value,
  label: actionWords[value],
}))

function Outcomes({ bulk, selectAgain }: { bulk: BulkReview; selectAgain: (action: BulkAction) => void }) {
  const { search, set, clear, isFiltered } = useListSearch(parseOutcomeSearch)
  const mayAct = useCan('review.bulk')
  const list = useInfiniteQuery(outcomesQuery(bulk.id, search))
  return (
    <section aria-labelledby="outcomes">
      <h2 id="outcomes" className={classes.part}>
        Outcomes
      </h2>
      <FilterBar isFiltered={isFiltered} clear={clear}>
        <FilterSelect
          label="Outcome"
          placeholder="Any"
          options={outcomeOptions}
          value={search.outcome}
          onChange={(outcome) => set({ outcome })}
        />
        <FilterSelect
          label="Refused because"
          placeholder="Any"
          options={codeOptions}
          value={search.code}
          onChange={(code) => set({ code })}
        />
        {mayAct && bulk.counts.refused > 0 && !isUnderWay(bulk) && (
          <Select
            label="Try another action on the refused prospects"
            placeholder="Action"
            size="xs"
            data={againOptions}
            value={null}
            leavesOnChoice
            onChange={(action) => action !== null && selectAgain(action)}
          />
        )}
      </FilterBar>
      <ListBody
        list={list}
        data={list.data}
        noun="outcomes"
        lines={6}
        clear={isFiltered ? clear : null}
        empty={<Empty title="No outcomes yet" />}
      >
        {(items) => <OutcomeTable outcomes={items} />}
      </ListBody>
    </section>
  )
}

function OutcomeTable({ outcomes: items }: { outcomes: BulkOutcome[] }) {
  const people = usePeopleNames()
  return (
    <FixedTable look="stacked" className={classes.table} aria-label="Outcome of each prospect">
      <thead>
        <tr>
          <th scope="col">Prospect</th>
          <th scope="col">Outcome</th>
          <th scope="col">Before and after</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.businessId}>
            <td>
              <Link to="/prospects/$businessId" params={{ businessId: item.businessId }}>
                {item.name === null ? 'A prospect' : <Name of={item.name} />}
              </Link>
            </td>
            <td>
              {outcomeWords[item.outcome]}
              {item.code !== null && `: ${codeWords[item.code].toLowerCase()}`}
            </td>
            <td>{changeWords(item, people)}</td>
          </tr>
        ))}
      </tbody>
    </FixedTable>
  )
}

const shownFields: Readonly<Record<string, string>> = { state: 'Review', tags: 'Tags', assigneeId: 'Assignee' }

/** Formats as 'Review: unreviewed → verified'. */
function changeWords({ before, after }: BulkOutcome, people: ReadonlyMap<string, string>): string {
  if (after === null) return ''
  return Object.entries(shownFields)
    .filter(([field]) => Object.hasOwn(after, field))
    .map(([field, label]) => `${label}: ${valueText(before?.[field], people)} → ${valueText(after[field], people)}`)
    .join('; ')
}

function valueText(value: unknown, people: ReadonlyMap<string, string>): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).map(nameText).join(', ')
  return value === null || value === undefined ? 'nobody' : nameText(people.get(String(value)) ?? String(value))
}
