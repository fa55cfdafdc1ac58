import { notifications } from '@mantine/notifications'
import { cancelJob, type Job, type JobCancellation, retryJob } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersOf } from '../../ui/api/query-keys.ts'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { useIsMounted } from '../../ui/forms/use-is-mounted.ts'
import { statusName } from './job-words.ts'
import classes from './jobs.module.css'
import { jobKey } from './jobs.queries.ts'

/** Actions that the user may run on the job in its current state. The server checks again. */
export function JobActions({ job }: { job: Job }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { keyFor, done } = useIdempotencyKey()
  const isHere = useIsMounted()
  const { id, permitted } = job
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: jobKey(id) })
    void queryClient.invalidateQueries({ queryKey: answersOf('listJobs') })
  }
  const cancel = useMutation({
    meta: { notDone: 'Cancel job' },
    mutationFn: () => dataOf(cancelJob({ path: { jobId: id }, body: {} })),
    onSuccess: (answer) => {
      queryClient.setQueryData(jobKey(id), answer.job)
      notifications.show({ message: cancelWords(answer) })
    },
    onSettled: refresh,
  })
  const retry = useMutation({
    meta: { notDone: 'Retry job' },
    mutationFn: () => dataOf(retryJob({ path: { jobId: id }, body: {}, ...withKey(keyFor(id)) })),
    onSuccess: async (attempt) => {
      done()
      if (isHere()) await navigate({ to: '/jobs/$jobId', params: { jobId: attempt.id } })
    },
    onSettled: refresh,
  })
  const toCancel: Action = {
    id: 'job-cancel',
    label: 'Cancel job',
    shortLabel: 'Cancel job',
    group: 'This job',
    keys: 'shift+c',
    unavailable: !permitted.cancel,
    isBusy: cancel.isPending,
    run: () => cancel.mutate(),
  }
  const toRetry: Action = {
    id: 'job-retry',
    label: 'Retry job',
    shortLabel: 'Retry',
    group: 'This job',
    keys: 'shift+r',
    unavailable: !permitted.retry,
    isBusy: retry.isPending,
    run: () => retry.mutate(),
  }
  useActions('screen', [toCancel, toRetry])
  const error = cancel.error ?? retry.error
  const next = job.attempts.find(({ attempt }) => attempt > job.attempt)
  return (
    <div className={classes.actions}>
      <ActionButton action={toCancel} variant="default" />
      <ActionButton action={toRetry} />
      {next !== undefined && (
        <Link to="/jobs/$jobId" params={{ jobId: next.id }}>
          Retried as attempt {next.attempt}
        </Link>
      )}
      {error !== null && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(error)}
        </p>
      )}
    </div>
  )
}

function cancelWords({ outcome, job }: JobCancellation): string {
  if (outcome === 'cancelled') return 'Job cancelled before it started'
  if (outcome === 'requested') return 'The job stops at its next step.'
  return `The job had already ended: ${statusName(job.status).toLowerCase()}.`
}
