import type { TestApp, TestClient } from '../../../../test/build-app.ts'
import { buildTestApp } from '../../../../test/build-app.ts'
import { untilJob, work } from '../../../../test/job-world.ts'
import { createProspect, type Refusal, walk } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import { type JobKinds, jobKindsOf } from '../../jobs/jobs.ts'
import { bulkReview } from '../bulk/bulk.jobs.ts'
import type { Bulk, BulkPreview, Outcome } from '../bulk/bulk.schema.ts'

type Body = Record<string, unknown>
const bulkKinds = jobKindsOf([bulkReview])

function kindsWith(
  before: (commit: number) => Promise<void>,
  afterLast: () => Promise<void>,
  records: number,
): JobKinds {
  const run: typeof bulkReview.run = (context, input) => {
    let commits = 0
    let done = 0
    const effect: typeof context.effect = async (step, options, applied) => {
      commits += 1
      await before(commits)
      const result = await context.effect(step, options, applied)
      done += RECORDS_A_COMMIT
      if (done >= records) await afterLast()
      return result
    }
    return bulkReview.run({ ...context, effect }, input)
  }
  return jobKindsOf([{ ...bulkReview, run }])
}

/** Number of changed records per commit, as in `run-bulk.ts`. */
const RECORDS_A_COMMIT = 5

/** Creates an app with the bulk job kinds, without a worker. */
export async function bulkWorld(prospects = 0) {
  const t = await buildTestApp({ kinds: bulkKinds })
  const operator = await t.as('operator')
  const ids: string[] = []
  for (let at = 0; at < prospects; at++) ids.push((await createProspect(operator, { name: `P ${at}` })).id)
  return {
    t,
    operator,
    ids,
    start: () => work({ store: t.store, kinds: bulkKinds }),
    /** Starts a worker that calls `before` with the number of each commit before it, and `afterLast` after the last commit. */
    startWith: (before: (commit: number) => Promise<void>, afterLast: () => Promise<void> = async () => {}) =>
      work({ store: t.store, kinds: kindsWith(before, afterLast, ids.length) }),
  }
}

export function askPreview(client: TestClient, body: Body) {
  return client.post<BulkPreview & Refusal>('/bulk-reviews/previews', body)
}

export async function preview(client: TestClient, body: Body): Promise<BulkPreview> {
  return made(await askPreview(client, body), 201)
}

export function askBulk(client: TestClient, { id, fingerprint }: BulkPreview, body: Body = {}, key = newId()) {
  const asked = { previewId: id, fingerprint, reason: 'A round of visits.', ...body }
  return client.post<Bulk & Refusal>('/bulk-reviews', asked, { 'idempotency-key': key })
}

export async function confirm(client: TestClient, of: BulkPreview): Promise<Bulk> {
  return made(await askBulk(client, of), 202)
}

export async function undoPreview(client: TestClient, { id }: Bulk): Promise<BulkPreview> {
  return made(await client.post<BulkPreview>(`/bulk-reviews/${id}/undo-previews`), 201)
}

/** Returns the bulk after its newest attempt has ended. */
export async function ended({ store }: Pick<TestApp, 'store'>, client: TestClient, { id, jobId }: Bulk): Promise<Bulk> {
  await untilJob(store, jobId, ({ ended_at }) => ended_at !== null)
  return (await client.get<Bulk>(`/bulk-reviews/${id}`)).body
}

export function outcomesOf(client: TestClient, { id }: Bulk): Promise<Outcome[]> {
  return walk<Outcome>(client, `/bulk-reviews/${id}/outcomes`, 50)
}

function made<T>({ status, body }: { status: number; body: T }, wanted: number): T {
  if (status !== wanted) throw new Error(`A preparation was answered ${status}: ${JSON.stringify(body)}`)
  return body
}
