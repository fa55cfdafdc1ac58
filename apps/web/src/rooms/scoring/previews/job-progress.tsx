import { Button, Loader, Progress } from '@mantine/core'
import { cancelJob } from '@prospect/api-client'
import { getJobOptions } from '@prospect/api-client/query'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useCan } from '../../../ui/api/session.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import classes from '../scoring.module.css'
import { POLL_MS, refreshScoring } from '../scoring.queries.ts'

/** The progress of a job, with its cancellation for those who may see the job. */
export function JobProgress({ jobId, label }: { jobId: string; label: string }) {
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
    done === null || total === null ? 'waiting to start' : `${formatNumber(done)} of ${formatNumber(total)} prospects`
  return (
    <div className={classes.progress}>
      <Loader size={18} aria-hidden />
      <div>
        <p role="status">
          {label} is running: {words}.
        </p>
        <p className={classes.note}>You can leave this page. The result is stored.</p>
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
