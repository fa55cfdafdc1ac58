import { type Business, carryToSurvivor, getStoredRecord } from '../src/rooms/businesses/businesses.ts'
import type { Evidence } from '../src/rooms/evidence/evidence.schema.ts'
import type { Interaction } from '../src/rooms/interactions/interactions.schema.ts'
import type { Note } from '../src/rooms/notes/notes.schema.ts'
import type { Moved } from '../src/rooms/pipeline/pipeline.schema.ts'
import { change } from '../src/store/change/change.ts'
import type { TestApp } from './build-app.ts'
import { actorIn } from './temporary-store.ts'
import type { Answer, TestClient } from './test-client.ts'

/** Body of evidence, for tests in which its content does not matter. */
export const seen = {
  observation: 'The sign above the door.',
  sourceLabel: 'A visit',
  capturedAt: '2026-11-20T09:00:00Z',
  confidence: 'high',
}

/** Body of an interaction, for tests in which its content does not matter. */
export const happened = { occurredAt: '2026-11-20T09:00:00Z', channel: 'phone', outcome: 'connected' }

type Body = Record<string, unknown>

export async function createProspect(client: TestClient, body: Body = {}): Promise<Business> {
  return created(await client.post<Business>('/businesses', { name: 'Karoo Windpumps', ...body }))
}

export async function addEvidenceTo(client: TestClient, businessId: string, body: Body = {}): Promise<Evidence> {
  return created(await client.post<Evidence>(`/businesses/${businessId}/evidence`, { ...seen, ...body }))
}

export async function addNoteTo(client: TestClient, businessId: string, body: Body = {}): Promise<Note> {
  return created(await client.post<Note>(`/businesses/${businessId}/notes`, { text: 'Call in May.', ...body }))
}

export async function addInteractionTo(client: TestClient, businessId: string, body: Body = {}): Promise<Interaction> {
  return created(await client.post<Interaction>(`/businesses/${businessId}/interactions`, { ...happened, ...body }))
}

export async function moveTo(client: TestClient, businessId: string, to: string, reason?: string): Promise<Moved> {
  return created(await client.post<Moved>(`/businesses/${businessId}/pipeline-transitions`, { to, reason }))
}

/** Returns the body of a preparation request. Throws if the request failed, because the test would then prove something else. */
function created<T>({ status, body }: Answer<T>): T {
  if (status !== 200 && status !== 201) throw new Error(`A preparation got ${status}: ${JSON.stringify(body)}`)
  return body
}

/** Sets a prospect's status directly: without the match suggestion and the snapshot that the merge route requires. */
export async function endProspect(
  { store }: Pick<TestApp, 'store'>,
  id: string,
  end: { status: 'inactive' } | { status: 'merged'; into: string } | { status: 'active' },
): Promise<void> {
  const ended = store.reader.selectFrom('businesses').select('tenant_id').where('id', '=', id)
  const { tenant_id: tenantId } = await ended.executeTakeFirstOrThrow()
  await change(store, actorIn(tenantId), { permission: null, action: 'test.end' }, async (tx) => {
    const into = end.status === 'merged' ? end.into : null
    if (into !== null) {
      const { business: loser } = await getStoredRecord(tx.db, tenantId, id)
      const { business: survivor } = await getStoredRecord(tx.db, tenantId, into)
      await carryToSurvivor(tx, { loser, survivor, matches: [] })
    }
    await tx.db.updateTable('businesses').set({ status: end.status, merged_into: into }).where('id', '=', id).execute()
    return tx.record({ subject: { type: 'business', id } })
  })
}

/** Returns every item of a list, page by page. */
export async function walk<T>(client: TestClient, path: string, limit = 2): Promise<T[]> {
  const items: T[] = []
  const separator = path.includes('?') ? '&' : '?'
  let cursor: string | null = null
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { status, body } = await client.get<ListPage<T>>(`${path}${separator}limit=${limit}${next}`)
    if (status !== 200) throw new Error(`${path} got ${status}: ${JSON.stringify(body)}`)
    items.push(...body.items)
    cursor = body.page.nextCursor
  } while (cursor !== null)
  return items
}

export type ListPage<T> = {
  items: T[]
  page: {
    limit: number
    returned: number
    nextCursor: string | null
    total: { value: number; counts: string; asOf: string } | null
  }
}

/** A problem in the form of a response. `requestId` is different in each request. */
export type Problem = {
  status: number
  code: string
  detail: string
  requestId: string
  currentVersion?: number
  limit?: string
  size?: number
  max?: number
  errors?: { path: string; code: string; message: string }[]
}

/** A problem that is compared with a record; without `status`, because a record can have a `status` of its own. */
export type Refusal = Omit<Problem, 'status'>
