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
import { newestProgress } from '../../ui/jobs/job-pace.ts'
import { JobProgress } from '../../ui/jobs/job-progress.tsx'
import { useFollowedJob } from '../../ui/jobs/use-followed-job.ts'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import classes from './matching.module.css'
import { isUnderWay, lastRunQuery } from './matching.queries.ts'

/** Button that starts a job to compare all records of the tenant. The progress appears on this page. */
export function StartRun() {
  const canRun = useCan('matching.run')
  const canSee = useCan('jobs.read')
  const queryClient = useQueryClient()
  const last = useQuery({ ...lastRunQuery, enabled: canSee })
  const { keyFor, done } = useIdempotencyKey()
  const start = useMutation({
    meta: { notDone: 'Scan all records' },
    mutationFn: () => dataOf(startMatchRun({ body: {}, ...withKey(keyFor('match-run')) })),
    onSuccess: () => {
      done()
      return queryClient.invalidateQueries({ queryKey: lastRunQuery.queryKey })
    },
  })
  const isRunning = isUnderWay(last.data ?? null)
  const run: Action = {
    id: 'matching.run',
    label: 'Scan all records',
    group: 'Duplicates',
    Icon: IconZoomScan,
    permission: 'matching.run',
    unavailable: isRunning && 'A scan is running.',
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

/** The current or last comparison of all records. */
export function LastRun() {
  const queryClient = useQueryClient()
  // Only users who may start this kind of job can read it. For others, an empty list does not mean that there was none.
  const canSee = useCan('matching.run')
  const { data: job, isError } = useQuery({ ...lastRunQuery, enabled: canSee })
  const isRunning = isUnderWay(job ?? null)
  const { events } = useFollowedJob(
    isRunning && job ? job.id : null,
    () => void queryClient.invalidateQueries({ queryKey: lastRunQuery.queryKey }),
  )
  const progress = newestProgress(events) ?? job?.progress ?? null
  const wasRunning = useRef(isRunning)
  useEffect(() => {
    if (wasRunning.current && !isRunning) void refreshRecords(queryClient)
    wasRunning.current = isRunning
  }, [isRunning, queryClient])
  if (!canSee || (isError && job === undefined)) return null
  // Unknown is not the same as "never": while the job loads, only its space is reserved.
  if (job === undefined) return <div className={classes.run} data-unknown />
  return (
    <div className={classes.run}>
      <p role="status">
        {job === null ? (
          'New and changed records are checked automatically. Nobody has run a full scan yet.'
        ) : (
          <RunWords job={job} />
        )}
      </p>
      {job !== null && (
        <Link to="/jobs/$jobId" params={{ jobId: job.id }}>
          Open job
        </Link>
      )}
      {isRunning && progress !== null && (
        <div className={classes.progress}>
          <JobProgress progress={progress} isRunning title="the scan" />
        </div>
      )}
    </div>
  )
}

function RunWords({ job }: { job: JobSummary }) {
  const ended = job.endedAt === null ? null : <DateTime at={job.endedAt} />
  switch (job.status) {
    case 'queued':
      return 'The scan is starting.'
    case 'running':
      return 'Scanning all records. Suggestions appear as they are found.'
    case 'succeeded':
      return <>Last full scan: {ended}.</>
    case 'cancelled':
      return <>The last scan was cancelled {ended}. The suggestions of this scan were kept.</>
    case 'failed':
      return (
        <>
          The last scan failed {ended}. {localSentence(job.error?.message ?? '')}
        </>
      )
  }
}
