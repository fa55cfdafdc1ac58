import { Button } from '@mantine/core'
import type { JobSummary } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { memo, useRef } from 'react'
import { useRowKeys } from '../../ui/actions/use-row-keys.ts'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { useCan } from '../../ui/api/session.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { FilterSelect } from '../../ui/lists/event-filters.tsx'
import list from '../../ui/lists/event-list.module.css'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { useVisiblePages } from '../../ui/lists/use-visible-pages.ts'
import { useVisibleRows } from '../../ui/lists/use-visible-rows.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { JobProgress } from './job-progress.tsx'
import { JobStatus } from './job-status.tsx'
import { durationOf, formatDuration, statusName } from './job-words.ts'
import classes from './jobs.module.css'
import { hasEnded, jobKindsQuery, jobPages } from './jobs.queries.ts'
import { type JobsSearch, jobStatuses, parseJobsSearch } from './jobs-search.ts'
import { NewJob } from './new-job.tsx'
import { useNow } from './use-now.ts'

export function JobsScreen() {
  if (!useCan('jobs.read')) return <NoPermission isPage what="jobs" />
  return <Jobs />
}

const statuses = jobStatuses.map((status) => ({ value: status, label: statusName(status) }))

function Jobs() {
  const search = useSearch({ from: '/desk/jobs', select: parseJobsSearch, structuralSharing: true })
  const navigate = useNavigate({ from: '/jobs' })
  const kinds = useQuery(jobKindsQuery)
  const { list: jobs, rows, total, see } = useVisiblePages(jobPages(search))
  const table = useRef<HTMLTableElement>(null)
  useVisibleRows(table, see)
  useRowKeys(table, 'job', 'Jobs')
  const set = (next: JobsSearch) => void navigate({ search: next, replace: true, resetScroll: false })
  // Back restores what was cleared.
  const clear = () => void navigate({ search: {}, resetScroll: false })
  const isFiltered = search.status !== undefined || search.kind !== undefined
  const kindOptions = (kinds.data ?? []).map(({ kind, title }) => ({ value: kind, label: title }))
  const isOld = jobs.isError && jobs.data !== undefined

  return (
    <Page
      title="Jobs"
      lead="Long work, as it happens. It goes on when you leave this page."
      actions={<NewJob kinds={kinds.data ?? []} />}
    >
      <search className={list.filters}>
        <FilterSelect
          label="State"
          placeholder="Any"
          options={statuses}
          value={search.status}
          onChange={(status) => set(parseJobsSearch({ ...search, status }))}
        />
        <FilterSelect
          label="Kind"
          placeholder="Any"
          options={kindOptions}
          value={search.kind}
          onChange={(kind) => set(parseJobsSearch({ ...search, kind }))}
        />
        {isFiltered && (
          <Button variant="subtle" onClick={clear}>
            Clear filters
          </Button>
        )}
      </search>
      <p role="status" className={isOld ? classes.old : 'pp-visually-hidden'}>
        {isOld && `This list is no longer live. ${sentenceOf(jobs.error)}`}
      </p>
      <ListBody
        list={jobs}
        data={jobs.data && { items: rows, total }}
        noun="jobs"
        clear={isFiltered ? clear : null}
        empty={
          <Empty title="No jobs to show">
            What takes longer than a moment, such as a report or an export, runs as a job. Here are those of the kinds
            that your role may start.
          </Empty>
        }
      >
        {(items) => <JobTable jobs={items} table={table} />}
      </ListBody>
    </Page>
  )
}

function JobTable({ jobs, table }: { jobs: JobSummary[]; table: React.RefObject<HTMLTableElement | null> }) {
  const now = useNow(jobs.some((job) => !hasEnded(job)))
  return (
    <table ref={table} className={`${list.table} ${classes.table}`} aria-label="Jobs">
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">State</th>
          <th scope="col">Progress</th>
          <th scope="col">Who</th>
          <th scope="col">Asked for</th>
          <th scope="col" className={classes.number}>
            Took
          </th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <JobRow key={job.id} job={job} now={hasEnded(job) ? 0 : now} />
        ))}
      </tbody>
    </table>
  )
}

/** The list is read every few seconds: a row that says what it said before is not drawn again. `now` counts for one under way. */
const JobRow = memo(function JobRow({ job, now }: { job: JobSummary; now: number }) {
  const duration = durationOf(job, now)
  return (
    <tr>
      <td className={classes.what}>
        <Link to="/jobs/$jobId" params={{ jobId: job.id }}>
          {job.title}
        </Link>
        {job.attempt > 1 && <span className={classes.attempt}>attempt {job.attempt}</span>}
        {job.error !== null && <span className={classes.reason}>{job.error.message}</span>}
      </td>
      <td className={classes.state}>
        <JobStatus job={job} />
      </td>
      <td className={classes.how}>
        {job.progress !== null && (
          <JobProgress progress={job.progress} isRunning={job.status === 'running'} title={job.title} />
        )}
      </td>
      <td className={classes.who}>
        <Name of={job.requestedBy.name} />
      </td>
      <td className={list.when}>
        <DateTime at={job.createdAt} />
      </td>
      <td className={`${classes.number} pp-figures`}>{duration === null ? '' : formatDuration(duration)}</td>
    </tr>
  )
})
