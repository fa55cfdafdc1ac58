import type { Job } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Followed } from '../../ui/jobs/follow-job.ts'
import { newestProgress, paceOf } from '../../ui/jobs/job-pace.ts'
import { JobProgress } from '../../ui/jobs/job-progress.tsx'
import { useFollowedJob } from '../../ui/jobs/use-followed-job.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { By, Fact, Facts } from '../../ui/layout/facts.tsx'
import { Page, PageHead } from '../../ui/layout/page.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { fieldName } from '../../ui/text/field-names.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { isOpaque } from '../../ui/text/is-opaque-id.ts'
import { Name } from '../../ui/text/name.tsx'
import { JobActions } from './job-actions.tsx'
import { JobEvents } from './job-events.tsx'
import { JobStatus } from './job-status.tsx'
import { durationOf, formatDuration, formatEstimate, statusName } from './job-words.ts'
import classes from './jobs.module.css'
import { hasEnded, jobKey, jobQuery } from './jobs.queries.ts'
import { useNow } from './use-now.ts'

export function JobScreen() {
  const { jobId } = useParams({ from: '/desk/jobs/$jobId' })
  const job = useQuery(jobQuery(jobId))
  return (
    <Page width="text" back={<BackLink to="/jobs">Jobs</BackLink>}>
      <RecordBody record={job} what="this job" lines={8}>
        {(loaded) => <JobView key={loaded.id} job={loaded} />}
      </RecordBody>
    </Page>
  )
}

function JobView({ job }: { job: Job }) {
  const queryClient = useQueryClient()
  const followed = useFollowedJob(job.id, () => void queryClient.invalidateQueries({ queryKey: jobKey(job.id) }))
  const { startedAt, endedAt, requestedBy, automaticRetry, cancelRequested } = job
  const now = useNow(!hasEnded(job))
  const duration = durationOf({ startedAt, endedAt }, now)
  return (
    <>
      <PageHead
        title={job.title}
        tab={`${job.title} · Jobs`}
        lead={
          <p className={classes.standing}>
            <JobStatus job={job} />
            {job.attempt > 1 && <span>attempt {job.attempt}</span>}
            {duration !== null && <span className="pp-figures">{formatDuration(duration)}</span>}
          </p>
        }
        actions={<JobActions job={job} />}
      />
      <LiveLine followed={followed} job={job} />
      {job.error !== null && (
        <p className={classes.failure}>
          <b>The job failed.</b> {localSentence(job.error.message)}
        </p>
      )}
      <JobPace job={job} followed={followed} now={now} />
      <Facts className={classes.facts}>
        <Fact label="Requested by">
          <By person={requestedBy} at={job.createdAt} />
        </Fact>
        {automaticRetry !== null && (
          <>
            <Fact label="Repeated after">{localSentence(automaticRetry.because.message)}</Fact>
            <Fact label="With the permissions of">
              <Name of={automaticRetry.runsAs.name} />
            </Fact>
          </>
        )}
        {startedAt !== null && (
          <Fact label="Started">
            <DateTime at={startedAt} as="dateTime" />
          </Fact>
        )}
        {cancelRequested !== null && (
          <Fact label="Cancelled by">
            <By person={cancelRequested.by} at={cancelRequested.at} />
          </Fact>
        )}
        {endedAt !== null && (
          <Fact label="Ended">
            <DateTime at={endedAt} as="dateTime" />
          </Fact>
        )}
        {job.reclaims > 0 && <Fact label="Worker lost">{countWords(job.reclaims, 'time', 'times')}</Fact>}
        <Values name="Input" values={job.input} />
        {job.result !== null && <Values name="Result" values={job.result} />}
      </Facts>
      {job.attempts.length > 1 && <Attempts job={job} />}
      <JobEvents followed={followed} />
    </>
  )
}

/** State of the event stream, as a live region. Once the job has ended, the text is only announced, because the status above shows it. */
function LiveLine({ followed: { state, error }, job }: { followed: Followed; job: Job }) {
  const words = {
    connecting: 'Connecting…',
    live: 'Live',
    polling:
      error === null
        ? 'Live updates stopped. This page refreshes every two seconds instead.'
        : 'The server is not responding. This page may be out of date. The page refreshes when the connection is back.',
    over: hasEnded(job) ? `The job has ended: ${statusName(job.status).toLowerCase()}.` : '',
  }
  return (
    <p role="status" className={state === 'over' ? 'pp-visually-hidden' : classes.live} data-state={state}>
      {words[state]}
    </p>
  )
}

function JobPace({ job, followed: { events }, now }: { job: Job; followed: Followed; now: number }) {
  const progress = newestProgress(events) ?? job.progress
  if (progress === null) return null
  const isRunning = job.status === 'running'
  const pace = isRunning ? paceOf(events, now) : null
  return (
    <div className={classes.pace}>
      <JobProgress progress={progress} isRunning={isRunning} title={job.title} />
      {pace !== null && (
        <span className={classes.estimate}>
          {pace.stalledMs !== null
            ? `No progress for ${formatDuration(pace.stalledMs)}`
            : [
                pace.rate === null ? 'No estimate yet' : `${formatNumber(pace.rate)} ${progress.unit}/s`,
                pace.remainingMs === null ? null : formatEstimate(pace.remainingMs),
              ]
                .filter((word) => word !== null)
                .join(', ')}
        </span>
      )}
    </div>
  )
}

/** Input or result of a job. Each kind has its own fields, so labels are derived from their names; ids are hidden. */
function Values({ name, values }: { name: string; values: Record<string, unknown> }) {
  const known = Object.entries(values).filter(
    ([, value]) => value !== null && !(typeof value === 'string' && isOpaque(value)),
  )
  if (known.length === 0) return null
  return (
    <Fact label={name}>
      <ul className={classes.values}>
        {known.map(([key, value]) => (
          <li key={key}>
            <span>{fieldName(key)}</span>{' '}
            {typeof value === 'number'
              ? formatNumber(value)
              : typeof value === 'string'
                ? value
                : JSON.stringify(value)}
          </li>
        ))}
      </ul>
    </Fact>
  )
}

function Attempts({ job }: { job: Job }) {
  return (
    <section aria-labelledby="attempts" className={classes.attempts}>
      <h2 id="attempts">Attempts</h2>
      <ol>
        {job.attempts.map(({ id, attempt, status, isAutomatic, createdAt }) => (
          <li key={id}>
            {id === job.id ? (
              <b aria-current="page">Attempt {attempt}</b>
            ) : (
              <Link to="/jobs/$jobId" params={{ jobId: id }}>
                Attempt {attempt}
              </Link>
            )}
            <span>{statusName(status)}</span>
            {isAutomatic && <span>by the job worker</span>}
            <DateTime at={createdAt} as="dateTime" />
          </li>
        ))}
      </ol>
    </section>
  )
}
