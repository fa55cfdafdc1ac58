import { Button, Loader, Progress } from '@mantine/core'
import { cancelJob, type Permission } from '@prospect/api-client'
import { getJobOptions } from '@prospect/api-client/query'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useCan } from '../../../ui/api/session.ts'
import { newestProgress } from '../../../ui/jobs/job-pace.ts'
import { useFollowedJob } from '../../../ui/jobs/use-followed-job.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import classes from '../scoring.module.css'
import { refreshScoring } from '../scoring.queries.ts'

type Props = {
  jobId: string
  label: string
  /** Permission for the kind of job, without which it is not shown. */
  permission: Permission
}

/** Progress of a job, and a button to cancel it for users with its permission. */
export function JobProgress({ jobId, label, permission }: Props) {
  const canSee = useCan(permission)
  const queryClient = useQueryClient()
  const query = getJobOptions({ path: { jobId } })
  const { data: job } = useQuery({ ...query, enabled: canSee })
  const { events } = useFollowedJob(canSee ? jobId : null, () => {
    void queryClient.invalidateQueries({ queryKey: query.queryKey })
    void refreshScoring(queryClient)
  })
  const cancel = useMutation({
    meta: { notDone: `Cancel: ${label}` },
    mutationFn: () => dataOf(cancelJob({ path: { jobId }, body: {} })),
    onSuccess: () => refreshScoring(queryClient),
  })
  const progress = newestProgress(events) ?? job?.progress ?? null
  const done = progress?.done ?? null
  const total = progress?.total ?? null
  const words =
    done === null || total === null
      ? 'waiting to start'
      : `${formatNumber(done)} of ${countWords(total, 'prospect', 'prospects')}`
  return (
    <div className={classes.progress}>
      <Loader size={18} aria-hidden />
      <div>
        <p role="status">
          {label} is running: {words}.
        </p>
        <p className={classes.note}>You can leave this page. The result will be stored.</p>
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
