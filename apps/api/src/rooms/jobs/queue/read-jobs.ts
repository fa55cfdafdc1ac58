import { type Cursors, type Page, toPage, totalOf } from '../../../http/pagination.ts'
import { type Actor, actorRef, type UserActor } from '../../../lib/actor.ts'
import { requireNotAhead } from '../../../lib/app-error.ts'
import { readObject } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import {
  getJobRow,
  type JobRow,
  jobsOf,
  selectAttempts,
  selectEvents,
  selectJobs,
  selectNewestNumbers,
} from '../jobs.queries.ts'
import { decideCancellation, decideRetry, hasEnded, isAutomatic } from '../jobs.rules.ts'
import type { ForgottenEvents, Job, JobEvent, JobSummary, ListJobs } from '../jobs.schema.ts'
import type { JobEventTable } from '../jobs.table.ts'
import type { JobKind, JobKinds } from '../kinds/job-kind.ts'

export type Jobs = { store: Store; kinds: JobKinds; cursors: Cursors }

/** Returns the kinds whose jobs this person may see. They are the kinds whose permission the person has. */
export function visibleKinds(kinds: JobKinds, { permissions }: Pick<Actor, 'permissions'>): JobKind[] {
  return [...kinds.values()].filter(({ permission }) => permissions.has(permission))
}

export function visibleKindNames(kinds: JobKinds, actor: Pick<Actor, 'permissions'>): string[] {
  return visibleKinds(kinds, actor).map(({ kind }) => kind)
}

/**
 * Lists the jobs that the reader may see, newest first. Each kind is read by its own index, and the newest rows are merged. A single query over all
 * kinds would also read every job of a kind that the reader may not see.
 */
export async function listJobs(
  { store, kinds, cursors }: Jobs,
  reader: UserActor,
  query: ListJobs,
): Promise<Page<JobSummary>> {
  const { tenantId } = reader
  const { limit, cursor, status, kind: wanted } = query
  const names = visibleKindNames(kinds, reader).filter((name) => wanted === undefined || name === wanted)
  const binding = ['jobs', tenantId, names.toSorted(), status ?? null]
  const [before] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const from = before === undefined ? undefined : String(before)
  const found = await Promise.all(
    names.map((kind) => selectJobs(store.reader, { tenantId, kind, status, before: from, limit: limit + 1 })),
  )
  const rows = found
    .flat()
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit + 1)
  const newestOf = await newestAttempts(store, tenantId, rows.slice(0, limit))
  return toPage({
    rows,
    limit,
    total: await totalOf(store, { tenantId, rows, limit, cursor }, (db) =>
      jobsOf(db, { tenantId, kinds: names, status }),
    ),
    toItem: (row) => toSummary(row, kinds, reader, newestOf.get(row.lineage_id) ?? row.attempt),
    cursorAfter: ({ id }) => cursors.encode(binding, [id]),
  })
}

/** Returns the number of the newest attempt of each lineage, because only the newest attempt can be retried. */
async function newestAttempts(store: Store, tenantId: string, rows: readonly JobRow[]): Promise<Map<string, number>> {
  const ended = rows.filter(({ status }) => status === 'failed' || status === 'cancelled')
  const lineageIds = [...new Set(ended.map(({ lineage_id }) => lineage_id))]
  return lineageIds.length === 0 ? new Map() : selectNewestNumbers(store.reader, tenantId, lineageIds)
}

/** Returns one job with all attempts of its lineage. Errors: `not_found`, also for a kind that the reader may not use. */
export async function getJob({ store, kinds }: Omit<Jobs, 'cursors'>, reader: UserActor, jobId: string): Promise<Job> {
  const { tenantId } = reader
  const row = await getJobRow(store.reader, { tenantId, jobId, kinds: visibleKindNames(kinds, reader) })
  const attempts = await selectAttempts(store.reader, tenantId, row.lineage_id)
  return {
    ...toSummary(row, kinds, reader, attempts.at(-1)?.attempt ?? row.attempt),
    input: readObject(row.input_json),
    result: row.result_json === null ? null : readObject(row.result_json),
    attempts: attempts.map((row) => ({
      id: row.id,
      attempt: row.attempt,
      status: row.status,
      isAutomatic: isAutomatic(row),
      createdAt: row.created_at,
      endedAt: row.ended_at,
    })),
  }
}

/**
 * Lists the events after a sequence, in order, and whether more can follow. The job is read before the events, so events that are written between the
 * two reads are part of the next page. Errors: `not_found`, `cursor_ahead`.
 */
export async function listEvents(
  { store, kinds }: Omit<Jobs, 'cursors'>,
  reader: UserActor,
  jobId: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ items: JobEvent[]; nextAfter: number; isOver: boolean; forgotten: ForgottenEvents | null }> {
  const { tenantId } = reader
  const job = await getJobRow(store.reader, { tenantId, jobId, kinds: visibleKindNames(kinds, reader) })
  requireNotAhead(after, job.last_sequence)
  const rows = await selectEvents(store.reader, { tenantId, jobId, after, limit })
  const nextAfter = rows.at(-1)?.sequence ?? after
  // A gap before the first event means that event retention deleted events. Sequences have no other gaps, and the last event of a job is never
  // deleted.
  const first = rows[0]?.sequence ?? after + 1
  return {
    items: rows.map(toEvent),
    nextAfter,
    isOver: hasEnded(job.status) && nextAfter >= job.last_sequence,
    forgotten: first > after + 1 ? { from: after + 1, through: first - 1 } : null,
  }
}

function toEvent({ job_id, sequence, type, at, data_json }: JobEventTable): JobEvent {
  return { jobId: job_id, sequence, type, at, data: readObject(data_json) }
}

function toSummary(row: JobRow, kinds: JobKinds, reader: UserActor, newestAttempt: number): JobSummary {
  const kind = kinds.get(row.kind)
  const { status, attempt } = row
  const cancellation = decideCancellation({ status, isCancellable: kind?.isCancellable === true })
  const mayCancel = cancellation === 'cancelled' || (cancellation === 'requested' && row.cancel_requested_at === null)
  return {
    id: row.id,
    kind: row.kind,
    title: kind?.title ?? row.kind,
    status,
    attempt,
    lineageId: row.lineage_id,
    retryOf: row.retry_of,
    progress:
      row.progress_done === null
        ? null
        : { done: row.progress_done, total: row.progress_total, unit: row.progress_unit ?? '' },
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    shortfall: row.result_json === null ? null : (kind?.shortfallIn(readObject(row.result_json)) ?? null),
    ...requestOf(row),
    cancelRequested:
      row.cancel_requested_at === null
        ? null
        : { at: row.cancel_requested_at, by: actorRef(row.cancel_requested_by ?? '', row.canceller_name) },
    reclaims: row.reclaims,
    lastSequence: row.last_sequence,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    permitted: {
      cancel: mayCancel && reader.permissions.has('jobs.cancel'),
      retry: decideRetry({ status, attempt, newestAttempt }) === 'allowed' && reader.permissions.has('jobs.retry'),
    },
  }
}

/** Returns who requested an attempt. The worker queues an automatic attempt, which runs with the permissions of the person of the first one. */
function requestOf(row: JobRow): Pick<JobSummary, 'requestedBy' | 'automaticRetry'> {
  const person = actorRef(row.actor, row.actor_name)
  if (!isAutomatic(row)) return { requestedBy: person, automaticRetry: null }
  const because = { code: row.retried_code ?? '', message: row.retried_message ?? '' }
  return { requestedBy: actorRef('job worker', null), automaticRetry: { because, runsAs: person } }
}
