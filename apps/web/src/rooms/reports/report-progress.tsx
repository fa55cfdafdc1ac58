import { Button, Loader } from '@mantine/core'
import type { Report } from '@prospect/api-client'
import { cancelJob, retryJob } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { newestProgress } from '../../ui/jobs/job-pace.ts'
import { useFollowedJob } from '../../ui/jobs/use-followed-job.ts'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { ReportStatus } from './report-status.tsx'
import classes from './reports.module.css'
import { isUnderWay, newestAttemptQuery, reportsKey } from './reports.queries.ts'

/** State of a report without figures: queued, running, failed or cancelled. Users who may not create reports see only its status. */
export function ReportProgress({ report }: { report: Report }) {
  const canSeeJob = useCan('reports.create')
  const queryClient = useQueryClient()
  const { data: job } = useQuery({ ...newestAttemptQuery(report.jobId), enabled: canSeeJob })
  const isGoing = isUnderWay(report)
  const { keyFor, done: keyUsed } = useIdempotencyKey()
  const refresh = () => queryClient.invalidateQueries({ queryKey: reportsKey })
  const retry = useMutation({
    meta: { notDone: 'Retry report' },
    mutationFn: (jobId: string) => dataOf(retryJob({ path: { jobId }, body: {}, ...withKey(keyFor(jobId)) })),
    onSuccess: () => {
      keyUsed()
      return refresh()
    },
  })
  const cancel = useMutation({
    meta: { notDone: 'Stop report' },
    mutationFn: (jobId: string) => dataOf(cancelJob({ path: { jobId }, body: {} })),
    onSuccess: refresh,
  })
  const { events } = useFollowedJob(isGoing && job !== undefined ? job.id : null, () => void refresh())
  const done = newestProgress(events)?.done ?? job?.progress?.done ?? null
  const failure = retry.error ?? cancel.error

  return (
    <section className={classes.progress} aria-label="Progress" data-status={report.status}>
      <div className={classes.standing}>
        {isGoing ? <Loader size={18} aria-hidden /> : null}
        <div>
          <p role="status">
            {isGoing ? (
              <b>{report.status === 'queued' ? 'Queued' : 'Running'}</b>
            ) : (
              <ReportStatus status={report.status} />
            )}
          </p>
          <p className={classes.under}>{statusText(report, done, job?.error?.message)}</p>
        </div>
      </div>
      {job?.permitted.cancel === true && isGoing && (
        <Button
          variant="default"
          loading={cancel.isPending || job.cancelRequested !== null}
          onClick={() => cancel.mutate(job.id)}
        >
          Cancel
        </Button>
      )}
      {job?.permitted.retry === true && !isGoing && (
        <Button loading={retry.isPending} onClick={() => retry.mutate(job.id)}>
          Try again
        </Button>
      )}
      {failure !== null && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(failure)}
        </p>
      )}
    </section>
  )
}

function statusText({ status }: Report, done: number | null, error: string | undefined): string {
  switch (status) {
    case 'queued':
    case 'running':
      return `${done === null ? '' : `${countWords(done, 'prospect', 'prospects')} processed. `}You can leave this page. The report continues and will be saved here.`
    case 'failed':
      return `${localSentence(error ?? 'The report could not be created.')} Only the settings of the report were kept.`
    case 'cancelled':
      return 'Only the settings of the report were kept.'
    case 'succeeded':
      return 'Loading the figures.'
  }
}
