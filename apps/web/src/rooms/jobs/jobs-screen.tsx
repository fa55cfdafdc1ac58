import type { JobSummary } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { JobProgress } from '../../ui/jobs/job-progress.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import cells from '../../ui/lists/cells.module.css'
import { FilterBar, FilterSelect } from '../../ui/lists/filters.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { useListSearch } from '../../ui/lists/use-list-search.ts'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { JobStatus } from './job-status.tsx'
import { durationOf, formatDuration, statusName } from './job-words.ts'
import { hasEnded, jobKindsQuery, jobPages } from './jobs.queries.ts'
import { jobStatuses, parseJobsSearch } from './jobs-search.ts'
import { NewJob } from './new-job.tsx'
import { useNow } from './use-now.ts'

const statuses = jobStatuses.map((status) => ({ value: status, label: statusName(status) }))

const columns: readonly DataColumn<JobSummary>[] = [
  {
    id: 'job',
    label: 'Job',
    width: 18,
    isFixed: true,
    isGrowing: true,
    render: (job) => (
      <>
        <Link to="/jobs/$jobId" params={{ jobId: job.id }} className={cells.name}>
          {job.title}
        </Link>
        {job.attempt > 1 && <span className={cells.soft}> attempt {job.attempt}</span>}
        {job.error !== null && <span className={cells.under}>{localSentence(job.error.message)}</span>}
        {job.automaticRetry !== null && (
          <span className={cells.under}>Repeated after: {localSentence(job.automaticRetry.because.message)}</span>
        )}
      </>
    ),
  },
  { id: 'status', label: 'Status', width: 8, render: (job) => <JobStatus job={job} /> },
  {
    id: 'progress',
    label: 'Progress',
    width: 16,
    narrow: 'wide',
    render: ({ progress, status, title }) =>
      progress !== null && <JobProgress progress={progress} isRunning={status === 'running'} title={title} />,
  },
  {
    id: 'requestedBy',
    label: 'Requested by',
    width: 10,
    narrow: 'hidden',
    render: (job) => <Name of={job.requestedBy.name} />,
  },
  { id: 'requestedAt', label: 'Requested', width: 8, render: (job) => <DateTime at={job.createdAt} /> },
  {
    id: 'duration',
    label: 'Duration',
    width: 6.5,
    align: 'end',
    render: (job) => <Duration job={job} />,
  },
]

function Duration({ job }: { job: JobSummary }) {
  const duration = durationOf(job, useNow(!hasEnded(job)))
  return duration === null ? null : formatDuration(duration)
}

/** States that jobs are hidden, so that an empty list is not taken for a workspace without jobs. */
function hiddenWords(kinds: number): string {
  if (kinds === 0) return ''
  return ` Jobs of ${countWords(kinds, 'kind', 'kinds')} are hidden, because your role cannot start such jobs.`
}

export function JobsScreen() {
  const { search, set, clear, isFiltered } = useListSearch(parseJobsSearch)
  const { items: kinds, hidden } = useQuery(jobKindsQuery).data ?? { items: [], hidden: 0 }

  return (
    <ListScreen
      name="jobs"
      nouns={{ one: 'job', many: 'jobs' }}
      title="Jobs"
      label="Jobs"
      lead={`Long-running work and its progress. Jobs continue when you leave this page.${hiddenWords(hidden)}`}
      actions={<NewJob kinds={kinds} />}
      isWrapped
      columns={columns}
      pages={jobPages(search)}
      filters={
        <FilterBar isFiltered={isFiltered} clear={clear}>
          <FilterSelect
            label="Status"
            placeholder="Any"
            options={statuses}
            value={search.status}
            onChange={(status) => set({ status })}
          />
          <FilterSelect
            label="Kind"
            placeholder="Any"
            options={kinds.map(({ kind, title }) => ({ value: kind, label: title }))}
            value={search.kind}
            onChange={(kind) => set({ kind })}
          />
        </FilterBar>
      }
      clear={isFiltered ? clear : null}
      stale="This list is no longer live."
      empty={
        <Empty title="No jobs yet">
          Reports, exports and other long work run as jobs. You see the kinds of jobs that your role can start.
        </Empty>
      }
    />
  )
}
