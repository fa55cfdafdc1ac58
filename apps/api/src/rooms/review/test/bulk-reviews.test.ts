import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TestClient } from '../../../../test/build-app.ts'
import { createProspect, endProspect, moveTo, type Problem, type Refusal } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import type { Business } from '../../businesses/businesses.ts'
import { type Bulk, type BulkPreview, limits } from '../bulk/bulk.schema.ts'
import { digestOf } from '../bulk/run-bulk.ts'
import { askBulk, askPreview, bulkWorld, confirm, ended, outcomesOf, preview, undoPreview } from './bulk-world.ts'
import { rejection, reviewed, reviewStateOf } from './review-world.ts'

const all = { filter: [], excludedIds: [] }
const MINUTE_MS = 60_000

test('a preview freezes the selection and says what would change, with codes, counts and examples', async () => {
  const { t, operator, ids } = await bulkWorld(5)
  const [done = '', blocked = '', ...rest] = ids
  await reviewed(operator, done, { decision: 'verify' })
  await operator.post(`/businesses/${blocked}/do-not-contact`, { reason: 'They asked.' })
  const seen = await preview(operator, { action: 'verify', selection: { ...all, excludedIds: [rest[0]] } })
  expect(seen).toMatchObject({
    selection: { size: 4, max: 10_000, counts: 'matching_set', excluded: 1 },
    wouldChange: 2,
    unchanged: 1,
    refused: [{ code: 'suppressed', count: 1, examples: [{ id: blocked, name: 'P 1' }] }],
  })
  expect(seen.selection.predicate?.words).toBe('Active prospects: oldest first.')
  expect(await t.store.reader.selectFrom('reviews').selectAll().execute()).toHaveLength(1)
})

test('an assignment or a tag needs no reason; a review does', async () => {
  const { t, operator, ids, start } = await bulkWorld(2)
  start()
  const selection = { ids }
  const tagged = await preview(operator, { action: 'add_tag', tag: 'solar', selection })
  const { status, body } = await askBulk(operator, tagged, { reason: undefined })
  expect([status, body.reason]).toEqual([202, null])
  expect(await ended(t, operator, body)).toMatchObject({ status: 'done', reason: null, counts: { changed: 2 } })
  const verifying = await preview(operator, { action: 'verify', selection })
  const refused = await askBulk(operator, verifying, { reason: undefined })
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
  expect((await askBulk(operator, verifying)).status).toBe(202)
})

test('a selection states the maximum of its kind: 2,000 for ids, 10,000 for a filter', async () => {
  const { operator, ids } = await bulkWorld(2)
  const byIds = await preview(operator, { action: 'verify', selection: { ids } })
  const byFilter = await preview(operator, { action: 'verify', selection: all })
  expect([byIds, byFilter].map(({ selection }) => [selection.size, selection.max])).toEqual([
    [2, 2_000],
    [2, 10_000],
  ])
  expect((await confirm(operator, byIds)).selection.max).toBe(2_000)
})

test('a selection of more than 2,000 ids is refused with the maximum', async () => {
  const { t, operator } = await bulkWorld(0)
  const ids = Array.from({ length: 2_001 }, () => newId())
  const changes = await t.changes(async () => {
    const { status, body } = await operator.post<Problem>('/bulk-reviews/previews', {
      action: 'verify',
      selection: { ids },
    })
    expect([status, body.errors]).toMatchObject([400, [{ path: 'selection.ids', code: 'too_big' }]])
    expect(body.detail).toContain('2,000')
  })
  expect(changes).toEqual({})
})

test('each record gets an outcome, a changed one an event with the bulk, and the batch an event that is read back', async () => {
  const { t, operator, ids, start } = await bulkWorld(7)
  start()
  await operator.post(`/businesses/${ids[1]}/do-not-contact`, { reason: 'They asked.' })
  const bulk = await confirm(operator, await preview(operator, { action: 'verify', selection: all }))
  const done = await ended(t, operator, bulk)
  expect(done).toMatchObject({
    status: 'done',
    counts: { changed: 6, unchanged: 0, refused: 1, notDone: 0 },
    readBack: { outcomes: 7, events: 6, complete: true },
  })
  const outcomes = await outcomesOf(operator, bulk)
  expect(outcomes.map(({ businessId }) => businessId)).toEqual(ids)
  const events = await t.store.reader
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', 'review.decide')
    .execute()
  expect(events.map(({ id }) => id).toSorted()).toEqual(outcomes.flatMap((one) => one.auditEventId ?? []).toSorted())
  expect(events.every(({ after_json }) => JSON.parse(after_json ?? '{}').bulkId === bulk.id)).toBe(true)
  const [batch] = await t.store.reader
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', 'bulk_review.end')
    .execute()
  expect(JSON.parse(batch?.after_json ?? '{}')).toMatchObject({ changed: 6, refused: 1, digest: done.digest })
  const stored = await t.store.reader.selectFrom('bulk_outcomes').selectAll().orderBy('place').execute()
  expect(digestOf(stored)).toBe(done.digest)
  expect(await reviewStateOf(operator, ids[0] ?? '')).toMatchObject({ state: 'verified' })
})

test('records that were edited, merged, blocked or erased since the preview are refused, and nothing of them changes', async () => {
  const { t, operator, ids, start } = await bulkWorld(5)
  const administrator = await t.as('administrator')
  const [edited = '', ended_ = '', blocked = '', erased = '', fine = ''] = ids
  const seen = await preview(operator, { action: 'verify', selection: { ids: [...ids, 'nobody'] } })
  expect(seen.refused).toMatchObject([{ code: 'not_found', count: 1 }])
  await operator.patch(`/businesses/${edited}`, { name: 'Edited' }, { 'if-match': '"1"' })
  await endProspect(t, ended_, { status: 'inactive' })
  await operator.post(`/businesses/${blocked}/do-not-contact`, { reason: 'They asked.' })
  await administrator.post(`/businesses/${erased}/erasure`, { reason: 'They asked.' })
  const bulk = await confirm(operator, seen)
  start()
  const done = await ended(t, operator, bulk)
  const codes = new Map((await outcomesOf(operator, bulk)).map(({ businessId, code }) => [businessId, code]))
  expect([edited, ended_, blocked, erased, fine, 'nobody'].map((id) => codes.get(id))).toEqual([
    'changed_since_preview',
    'business_not_active',
    'changed_since_preview',
    'business_not_active',
    null,
    'not_found',
  ])
  expect(done.counts).toEqual({ changed: 1, unchanged: 0, refused: 5, notDone: 0 })
  expect(await t.store.reader.selectFrom('reviews').select('business_id').execute()).toEqual([{ business_id: fine }])
})

test('assign and tags need the permission of the single action and change the records as an edit does', async () => {
  const { t, operator, ids, start } = await bulkWorld(3)
  start()
  const { id: manager } = t.tenants.home.users.manager
  const assigned = await ended(
    t,
    operator,
    await confirm(operator, await preview(operator, { action: 'assign', assigneeId: manager, selection: all })),
  )
  expect(assigned.counts.changed).toBe(3)
  const tagged = await ended(
    t,
    operator,
    await confirm(operator, await preview(operator, { action: 'add_tag', tag: 'Visited', selection: { ids } })),
  )
  expect(tagged.counts.changed).toBe(3)
  const { body } = await operator.get<Business>(`/businesses/${ids[0]}`)
  expect([body.assignee?.id, body.tags]).toEqual([manager, ['Visited']])
  const again = await preview(operator, { action: 'add_tag', tag: 'visited', selection: { ids } })
  expect([again.wouldChange, again.unchanged]).toEqual([0, 3])
  const stranger = await preview(operator, { action: 'assign', assigneeId: newId(), selection: { ids } })
  expect(stranger.refused).toMatchObject([{ code: 'assignee_not_a_member', count: 3 }])
  expect((await askPreview(await t.as('viewer'), { action: 'verify', selection: all })).status).toBe(403)
})

test('a person has at most 5 open previews; a confirmed or expired one gives its place to another', async () => {
  const { t, operator, ids } = await bulkWorld(1)
  const wanted = { action: 'add_tag', tag: 'Visited', selection: { ids } }
  const seen = await preview(operator, wanted)
  t.clock.advance(60_000)
  for (let n = 1; n < limits.openPreviews; n++) await preview(operator, wanted)
  const refused = await askPreview(operator, wanted)
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': String((limits.previewMinutes - 1) * 60) },
    body: { code: 'too_many_previews', limit: 'bulk_previews', size: 5, max: 5 },
  })
  expect(refused.body.detail).toBe(
    'You have 5 open previews of bulk actions; the limit is 5. Confirm an open preview, or wait. A preview expires after 15 minutes.',
  )
  expect((await askPreview(await t.as('manager'), wanted)).status).toBe(201)
  await confirm(operator, seen)
  expect((await askPreview(operator, wanted)).status).toBe(201)
  expect((await askPreview(operator, wanted)).status).toBe(429)
  t.clock.advance(limits.previewMinutes * 60_000)
  expect((await askPreview(operator, wanted)).status).toBe(201)
})

test('a preview is used once, by its person, within 15 minutes, and with its own fingerprint', async () => {
  const { t, operator } = await bulkWorld(2)
  const seen = await preview(operator, { action: 'verify', selection: all })
  const manager = await t.as('manager')
  expect((await askBulk(manager, seen)).status).toBe(404)
  expect((await manager.get(`/bulk-reviews/previews/${seen.id}`)).status).toBe(404)
  const altered = await askBulk(operator, seen, { fingerprint: '0'.repeat(64) })
  expect([altered.status, altered.body.code]).toEqual([422, 'changed_since_preview'])
  const key = newId()
  const first = await askBulk(operator, seen, {}, key)
  expect(first.status).toBe(202)
  expect((await askBulk(operator, seen, {}, key)).body.id).toBe(first.body.id)
  expect((await askBulk(operator, seen, { reason: 'Another.' }, key)).body.code).toBe('idempotency_key_reused')
  expect((await askBulk(operator, seen)).body.code).toBe('preview_used')
  const late = await preview(operator, { action: 'reject', reasonCode: 'closed', selection: all })
  t.clock.advance(15 * MINUTE_MS)
  expect((await askBulk(operator, late)).body.code).toBe('preview_expired')
})

test('a cancelled bulk leaves the rest not done, and a retry continues with it', async () => {
  const { t, operator, start } = await bulkWorld(6)
  const manager = await t.as('manager')
  const bulk = await confirm(operator, await preview(operator, { action: 'verify', selection: all }))
  const { body: cancelled } = await operator.post<Bulk>(`/bulk-reviews/${bulk.id}/cancellation`)
  expect(cancelled).toMatchObject({ status: 'cancelled', counts: { changed: 0, notDone: 6 } })
  expect((await outcomesOf(operator, bulk)).every(({ outcome }) => outcome === 'not_done')).toBe(true)
  start()
  const { body: retried } = await manager.post<{ id: string }>(
    `/jobs/${bulk.jobId}/retry`,
    {},
    { 'idempotency-key': newId() },
  )
  const done = await ended(t, operator, { ...bulk, jobId: retried.id })
  expect(done).toMatchObject({ status: 'done', counts: { changed: 6, notDone: 0 } })
})

test('losing the permission midway refuses the rest, and the batch still ends with its event', async () => {
  const { t, operator, startWith } = await bulkWorld(8)
  const viewer = await t.as('viewer')
  const bulk = await confirm(operator, await preview(operator, { action: 'verify', selection: all }))
  startWith(async (step) => {
    if (step !== 2) return
    await t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
      const { id } = t.tenants.home.users.operator
      await db.updateTable('memberships').set({ role: 'viewer' }).where('user_id', '=', id).execute()
      return { keep: true, value: undefined }
    })
  })
  const done = await ended(t, viewer, bulk)
  expect(done).toMatchObject({ status: 'done', counts: { changed: 5, refused: 3, notDone: 0 } })
  const codes = (await outcomesOf(viewer, bulk)).map(({ code }) => code)
  expect(codes.filter((code) => code === 'permission_denied')).toHaveLength(3)
})

test('two bulks over the same records change each record once', async () => {
  const { t, operator, ids, start } = await bulkWorld(6)
  const [one, other] = [
    await confirm(operator, await preview(operator, { action: 'verify', selection: all })),
    await confirm(operator, await preview(operator, { action: 'reject', reasonCode: 'closed', selection: all })),
  ]
  start()
  const counts = [(await ended(t, operator, one)).counts, (await ended(t, operator, other)).counts]
  expect(counts.map(({ changed, refused }) => changed + refused)).toEqual([6, 6])
  expect(counts.reduce((sum, { changed }) => sum + changed, 0)).toBe(6)
  expect(await t.store.reader.selectFrom('reviews').select('business_id').distinct().execute()).toHaveLength(ids.length)
})

test('a failed read-back fails the bulk', async () => {
  const { t, operator, startWith } = await bulkWorld(3)
  const bulk = await confirm(operator, await preview(operator, { action: 'verify', selection: all }))
  startWith(
    async () => {},
    async () => {
      // Make an outcome refer to an event that does not exist.
      await t.store.write('upkeep', async (db) => {
        await sql`DROP TRIGGER bulk_outcomes_keeps_rows`.execute(db)
        await sql`UPDATE bulk_outcomes SET audit_event_id = ${newId()} WHERE place = 0`.execute(db)
        return { keep: true, value: undefined }
      })
    },
  )
  const done = await ended(t, operator, bulk)
  expect(done).toMatchObject({ status: 'failed', readBack: null, counts: { changed: 3 } })
})

test('undo brings every record back that is still as the bulk left it', async () => {
  const { t, operator, ids, start } = await bulkWorld(4)
  start()
  const [earlier = '', edited = '', moved = '', again = ''] = ids
  await reviewed(operator, earlier, rejection)
  const before = await reviewStateOf(operator, earlier)
  const bulk = await ended(
    t,
    operator,
    await confirm(operator, await preview(operator, { action: 'verify', selection: { ids } })),
  )
  await operator.patch(`/businesses/${edited}`, { name: 'Edited' }, { 'if-match': '"1"' })
  await moveTo(operator, moved, 'contacted')
  await reviewed(operator, again, { decision: 'reopen', reason: 'Again.' })
  const seen = await undoPreview(operator, bulk)
  expect(seen).toMatchObject({ undoes: bulk.id, selection: { size: 4 }, wouldChange: 3 })
  const undone = await ended(t, operator, await confirm(operator, seen))
  expect(undone).toMatchObject({ undoes: bulk.id, counts: { changed: 2, refused: 2 } })
  const codes = new Map((await outcomesOf(operator, undone)).map(({ businessId, code }) => [businessId, code]))
  expect(ids.map((id) => codes.get(id))).toEqual([null, 'changed_since', null, 'changed_since'])
  expect(await reviewStateOf(operator, earlier)).toEqual(before)
  expect((await reviewStateOf(operator, moved)).state).toBe('unreviewed')
})

test('undoing assignments and tags restores what was there, and an assignee who left is refused', async () => {
  const { t, operator, ids, start } = await bulkWorld(2)
  start()
  const [first = ''] = ids
  const { id: manager } = t.tenants.home.users.manager
  await operator.patch(`/businesses/${first}`, { assigneeId: manager, tags: ['Old'] }, { 'if-match': '"1"' })
  const run = async (of: BulkPreview) => ended(t, operator, await confirm(operator, of))
  const emptied = await run(await preview(operator, { action: 'assign', assigneeId: null, selection: { ids } }))
  const untagged = await run(await preview(operator, { action: 'remove_tag', tag: 'old', selection: { ids } }))
  expect([emptied.counts.changed, untagged.counts.changed]).toEqual([1, 1])
  await run(await undoPreview(operator, untagged))
  await run(await undoPreview(operator, emptied))
  const { body } = await operator.get<Business>(`/businesses/${first}`)
  expect([body.assignee?.id, body.tags]).toEqual([manager, ['old']])
})

test('the refused of a bulk are the selection of the next one, and a selection beyond the maximum freezes nothing', async () => {
  const { t, operator, ids, start } = await bulkWorld(3)
  start()
  await operator.post(`/businesses/${ids[0]}/do-not-contact`, { reason: 'They asked.' })
  const bulk = await ended(
    t,
    operator,
    await confirm(operator, await preview(operator, { action: 'verify', selection: all })),
  )
  const selection = { bulkId: bulk.id, outcome: 'refused', code: 'suppressed' }
  const next = await preview(operator, { action: 'reject', reasonCode: 'other', selection })
  expect(next).toMatchObject({ selection: { size: 1 }, wouldChange: 1 })
  const listed = await operator.get<{ items: { businessId: string }[]; page: { total: { value: number } } }>(
    `/bulk-reviews/${bulk.id}/outcomes?outcome=refused&code=suppressed`,
  )
  expect([listed.body.items.map(({ businessId }) => businessId), listed.body.page.total.value]).toEqual([[ids[0]], 1])
  const tooMany = Array.from({ length: 2_001 }, (_, at) => `id-${at}`)
  expect((await askPreview(operator, { action: 'verify', selection: { ids: tooMany } })).status).toBe(400)
})

test('an erasure takes a search and a tag out of what bulk actions were asked for', async () => {
  const { t, operator, start } = await bulkWorld()
  start()
  const administrator = await t.as('administrator')
  const { id } = await createProspect(operator, { name: 'Quagga Springs' })
  const filter = [{ field: 'q', op: 'contains', values: ['quagga'] }]
  const seen = await preview(operator, { action: 'add_tag', tag: 'Quagga', selection: { filter, excludedIds: [] } })
  const bulk = await ended(t, operator, await confirm(operator, seen))
  expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })).status).toBe(200)
  const { body } = await operator.get<Bulk>(`/bulk-reviews/${bulk.id}`)
  expect([body.tag, body.selection.predicate?.filter]).toEqual([null, []])
  expect(JSON.stringify(body).toLowerCase()).not.toContain('quagga')
})

test('an erasure takes the name of a person out of what a bulk action was asked for', async () => {
  const { t, operator, start } = await bulkWorld()
  start()
  const administrator = await t.as('administrator')
  const { id } = await createProspect(operator, { name: 'Springs' })
  await operator.post(`/businesses/${id}/people`, { name: 'Thandi Nkosi', role: 'Buyer' })
  const filter = [{ field: 'person', op: 'contains', values: ['thandi'] }]
  const seen = await preview(operator, { action: 'add_tag', tag: 'Farm', selection: { filter, excludedIds: [] } })
  const bulk = await ended(t, operator, await confirm(operator, seen))
  expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'She asked.' })).status).toBe(200)
  const { body } = await operator.get<Bulk>(`/bulk-reviews/${bulk.id}`)
  expect(body.selection.predicate?.filter).toEqual([])
  expect(JSON.stringify(body).toLowerCase()).not.toContain('thandi')
})

async function tooLarge(client: TestClient): Promise<Refusal & { size?: number; max?: number }> {
  return (await askPreview(client, { action: 'verify', selection: all })).body
}

test('a selection of more than 10,000 states both numbers', async () => {
  const { t, operator } = await bulkWorld(1)
  await t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
    const row = await db.selectFrom('businesses').selectAll().executeTakeFirstOrThrow()
    const { docid: _docid, ...columns } = row
    for (let at = 0; at < 10_000; at++)
      await db
        .insertInto('businesses')
        .values({ ...columns, id: `x${String(at).padStart(5, '0')}` })
        .execute()
    return { keep: true, value: undefined }
  })
  const changes = await t.changes(async () => {
    expect(await tooLarge(operator)).toMatchObject({
      code: 'selection_too_large',
      limit: 'bulk_selection',
      size: 10_001,
      max: 10_000,
    })
  })
  expect(changes).toEqual({})
})
