import { Progress } from '@mantine/core'
import type { JobSummary } from '@prospect/api-client'
import { startMatchRun } from '@prospect/api-client'
import { IconZoomScan } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import classes from './matching.module.css'
import { isUnderWay, lastRunQuery } from './matching.queries.ts'

/** Has all records of the tenant compared, as a job; its progress shows on this page. */
export function StartRun() {
  const canRun = useCan('matching.run')
  const canSee = useCan('jobs.read')
  const queryClient = useQueryClient()
  const last = useQuery({ ...lastRunQuery, enabled: canSee })
  const { keyFor, done } = useIdempotencyKey()
  const start = useMutation({
    meta: { notDone: 'Look through all records' },
    mutationFn: () => dataOf(startMatchRun({ body: {}, ...withKey(keyFor('match-run')) })),
    onSuccess: () => {
      done()
      return queryClient.invalidateQueries({ queryKey: lastRunQuery.queryKey })
    },
  })
  const isRunning = isUnderWay(last.data ?? null)
  const run: Action = {
    id: 'matching.run',
    label: 'Look through all records',
    group: 'Duplicates',
    Icon: IconZoomScan,
    permission: 'matching.run',
    unavailable: isRunning && 'All records are being looked through.',
    isBusy: start.isPending,
    run: () => start.mutate(),
  }
  useActions('screen', [run])
  if (!canRun) return null
  return (
    <>
      <ActionButton action={run} iconSize={16} variant="default" />
      {start.isError && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(start.error)}
        </p>
      )}
    </>
  )
}

/** When all records were last compared, or how far that is. */
export function LastRun() {
  const queryClient = useQueryClient()
  // A job is shown to those who may start its kind. To others none is no sign that there was none.
  const canSee = useCan('matching.run')
  const { data: job, isError } = useQuery({ ...lastRunQuery, enabled: canSee })
  const isRunning = isUnderWay(job ?? null)
  const wasRunning = useRef(isRunning)
  useEffect(() => {
    if (wasRunning.current && !isRunning) void refreshRecords(queryClient)
    wasRunning.current = isRunning
  }, [isRunning, queryClient])
  if (!canSee || (isError && job === undefined)) return null
  // Not known is not "never": until it is, nothing is said, and its place kept.
  if (job === undefined) return <div className={classes.run} data-unknown />
  return (
    <div className={classes.run}>
      <p role="status">
        {job === null ? (
          'Records are compared as they change. They have not all been looked through at once yet.'
        ) : (
          <RunWords job={job} />
        )}
      </p>
      {job !== null && (
        <Link to="/jobs/$jobId" params={{ jobId: job.id }}>
          Open the job
        </Link>
      )}
      {job !== null && isRunning && <RunProgress job={job} />}
    </div>
  )
}

function RunWords({ job }: { job: JobSummary }) {
  const ended = job.endedAt === null ? null : <DateTime at={job.endedAt} />
  switch (job.status) {
    case 'queued':
      return 'All records are about to be looked through.'
    case 'running':
      return 'All records are being looked through. What is found shows here as it is kept.'
    case 'succeeded':
      return <>All records were last looked through {ended}.</>
    case 'cancelled':
      return <>The last look through all records was cancelled {ended}; what it had found is kept.</>
    case 'failed':
      return (
        <>
          The last look through all records failed {ended}. {job.error?.message}
        </>
      )
  }
}

function RunProgress({ job: { progress } }: { job: JobSummary }) {
  if (progress === null) return null
  const { done, total, unit } = progress
  const words = `${formatNumber(done)}${total === null ? '' : ` of ${formatNumber(total)}`} ${unit}`
  return (
    <div className={classes.progress}>
      {total !== null && total > 0 && (
        <Progress.Root size={6}>
          <Progress.Section
            value={Math.min(100, (done / total) * 100)}
            aria-label="Progress of the look through all records"
            aria-valuetext={words}
          />
        </Progress.Root>
      )}
      <span className="pp-figures">{words}</span>
    </div>
  )
}
