import { Button, Loader, Progress } from '@mantine/core'
import { cancelJob, type ScoringPreview } from '@prospect/api-client'
import { getJobOptions } from '@prospect/api-client/query'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useCan } from '../../../ui/api/session.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { formatNumber } from '../../../ui/text/format.ts'
import classes from '../scoring.module.css'
import { POLL_MS, refreshScoring } from '../scoring.queries.ts'
import { Distribution } from './distribution.tsx'
import { Matrix } from './matrix.tsx'

/** A full preview: its progress, its failure, or its counts and matrices. */
export function PreviewResult({ preview }: { preview: ScoringPreview }) {
  const { result, status } = preview
  if (result === null) return <NotMade preview={preview} status={status} />
  return (
    <div className={classes.stack}>
      <p className={classes.note}>
        Computed <DateTime at={result.asOf} as="dateTime" /> from {formatNumber(result.records)} active prospects
        {preview.against === null ? '; no scores were active' : `, against version ${preview.against.version}`}. No
        score was written. Stored until <DateTime at={preview.expiresAt} as="date" />.
      </p>
      {result.failed > 0 && (
        <p className={classes.warning}>
          {formatNumber(result.failed)} prospects could not be read, so the counts leave them out.
        </p>
      )}
      <Distribution before={result.before} after={result.after} />
      <Matrix preview={preview} result={result} of="priority" />
      <Matrix preview={preview} result={result} of="eligibility" />
    </div>
  )
}

function NotMade({ preview, status }: { preview: ScoringPreview; status: ScoringPreview['status'] }) {
  if (status === 'failed')
    return <p className={classes.warning}>The preview failed. Open its job for the reason, then start another one.</p>
  if (status === 'cancelled') return <p className={classes.note}>The preview was cancelled. Start another one.</p>
  return <JobProgress jobId={preview.jobId} label="The preview" />
}

/** The progress of a job, with its cancellation for those who may see the job. */
function JobProgress({ jobId, label }: { jobId: string; label: string }) {
  const canSee = useCan('jobs.read')
  const queryClient = useQueryClient()
  const { data: job } = useQuery({ ...getJobOptions({ path: { jobId } }), enabled: canSee, refetchInterval: POLL_MS })
  const cancel = useMutation({
    meta: { notDone: `Cancel: ${label}` },
    mutationFn: () => dataOf(cancelJob({ path: { jobId }, body: {} })),
    onSuccess: () => refreshScoring(queryClient),
  })
  const progress = job?.progress ?? null
  const done = progress?.done ?? null
  const total = progress?.total ?? null
  const words =
    done === null || total === null
      ? 'waiting for its turn'
      : `${formatNumber(done)} of ${formatNumber(total)} prospects`
  return (
    <div className={classes.progress}>
      <Loader size={18} aria-hidden />
      <div>
        <p role="status">
          {label} is under way: {words}.
        </p>
        <p className={classes.note}>You can leave this page; the result stays here.</p>
        {done !== null && total !== null && total > 0 && (
          <Progress.Root size={6}>
            <Progress.Section value={Math.min(100, (done / total) * 100)} aria-label={label} aria-valuetext={words} />
          </Progress.Root>
        )}
      </div>
      {job?.permitted.cancel === true && (
        <Button
          variant="default"
          loading={cancel.isPending || job.cancelRequested !== null}
          onClick={() => cancel.mutate()}
        >
          Cancel
        </Button>
      )}
      {cancel.isError && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(cancel.error)}
        </p>
      )}
    </div>
  )
}
