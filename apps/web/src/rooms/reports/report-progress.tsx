import { Button, Loader } from '@mantine/core'
import type { Report } from '@prospect/api-client'
import { cancelJob, retryJob } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { ReportStatus } from './report-status.tsx'
import classes from './reports.module.css'
import { isUnderWay, newestAttemptQuery, reportsKey } from './reports.queries.ts'

/** A report that has no figures yet, or never will unless it is tried again. Whoever may not make reports sees only how it stands. */
export function ReportProgress({ report }: { report: Report }) {
  const canSeeJob = useCan('reports.create')
  const queryClient = useQueryClient()
  const { data: job } = useQuery({ ...newestAttemptQuery(report.jobId), enabled: canSeeJob })
  const { keyFor, done } = useIdempotencyKey()
  const refresh = () => queryClient.invalidateQueries({ queryKey: reportsKey })
  const retry = useMutation({
    meta: { notDone: 'Try the report again' },
    mutationFn: (jobId: string) => dataOf(retryJob({ path: { jobId }, body: {}, ...withKey(keyFor(jobId)) })),
    onSuccess: () => {
      done()
      return refresh()
    },
  })
  const cancel = useMutation({
    meta: { notDone: 'Stop the report' },
    mutationFn: (jobId: string) => dataOf(cancelJob({ path: { jobId }, body: {} })),
    onSuccess: refresh,
  })
  const failure = retry.error ?? cancel.error
  const isGoing = isUnderWay(report)

  return (
    <section className={classes.progress} aria-label="Progress" data-status={report.status}>
      <div className={classes.standing}>
        {isGoing ? <Loader size={18} aria-hidden /> : null}
        <div>
          <p role="status">
            {isGoing ? (
              <b>{report.status === 'queued' ? 'Waiting for its turn' : 'Being made'}</b>
            ) : (
              <ReportStatus status={report.status} />
            )}
          </p>
          <p className={classes.under}>{standingWords(report, job?.progress?.done ?? null, job?.error?.message)}</p>
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

function standingWords({ status }: Report, done: number | null, error: string | undefined): string {
  switch (status) {
    case 'queued':
      return 'You can leave; it is made all the same and stays here.'
    case 'running':
      return done === null
        ? 'You can leave; it is made all the same and stays here.'
        : `${formatNumber(done)} prospects gone through. You can leave; it is made all the same.`
    case 'failed':
      return `${error ?? 'It could not be made.'} Nothing of it was kept but the question.`
    case 'cancelled':
      return 'Nothing of it was kept but the question.'
    case 'succeeded':
      return 'Its figures are on their way.'
  }
}
