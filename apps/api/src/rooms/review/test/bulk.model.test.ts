import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import type { Bulk, Outcome } from '../bulk/bulk.schema.ts'
import { bulkWorld, confirm, ended, outcomesOf, preview } from './bulk-world.ts'

/*
 * A model-based test of one bulk action. At any commit it is cancelled, fails, or its person loses the role; records are edited between the attempts;
 * and each retry continues with the records that remain. No record may be changed twice, and no outcome may be rewritten.
 */

const RECORDS = 13
/** Number of commits, by the batch sizes of `run-bulk.ts`. */
const COMMITS = 3

type Interruption = { what: 'cancelled' | 'failed' | 'role_lost'; commit: number; edited: number }

const interruption: fc.Arbitrary<Interruption> = fc.record({
  what: fc.constantFrom('cancelled', 'cancelled', 'failed', 'failed', 'role_lost'),
  commit: fc.integer({ min: 1, max: COMMITS }),
  edited: fc.nat(RECORDS - 1),
})

async function follow(plan: readonly Interruption[]): Promise<void> {
  let current: Interruption | undefined
  let base = 0
  let seen = 0
  let jobId = ''
  const { t, operator, ids, startWith } = await bulkWorld(RECORDS)
  const [manager, viewer] = [await t.as('manager'), await t.as('viewer')]
  const bulk = await confirm(operator, await preview(operator, { action: 'verify', selection: { ids } }))
  jobId = bulk.jobId
  const loseRole = () =>
    t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
      const { id } = t.tenants.home.users.operator
      await db.updateTable('memberships').set({ role: 'viewer' }).where('user_id', '=', id).execute()
      return { keep: true, value: undefined }
    })
  const before = async (): Promise<void> => {
    seen += 1
    if (current === undefined || seen - base !== current.commit) return
    if (current.what === 'failed') throw new Error('A fault in the middle.')
    if (current.what === 'role_lost') await loseRole()
    else await manager.post(`/bulk-reviews/${bulk.id}/cancellation`)
  }
  let outcomes: Outcome[] = []
  const edited = new Set<string>()
  let isLost = false
  let now: Bulk | undefined
  for (const [attempt, step] of [...plan, undefined].entries()) {
    ;[current, base] = [step, seen]
    if (attempt === 0) startWith(before)
    else {
      const retried = await manager.post<{ id: string }>(`/jobs/${jobId}/retry`, {}, { 'idempotency-key': newId() })
      if (retried.status !== 202) throw new Error(`A retry answers ${retried.status}`)
      jobId = retried.body.id
    }
    now = await ended(t, viewer, { ...bulk, jobId })
    outcomes = await compare(now, outcomes)
    isLost ||= step?.what === 'role_lost'
    if (now.status === 'done') break
    expect(now.status).toBe(step?.what === 'failed' ? 'failed' : 'cancelled')
    const id = ids[step?.edited ?? 0] ?? ''
    const isPending = outcomes.some((one) => one.businessId === id && one.outcome === 'not_done')
    if (isPending && !edited.has(id)) {
      await manager.patch(`/businesses/${id}`, { industry: 'Edited' }, { 'if-match': '"1"' })
      edited.add(id)
    }
  }
  expect(now?.status).toBe('done')
  for (const { businessId, outcome, code } of outcomes) {
    if (outcome === 'changed') expect(edited.has(businessId)).toBe(false)
    else if (code === 'permission_denied') expect(isLost).toBe(true)
    else expect([outcome, code, edited.has(businessId)]).toEqual(['refused', 'changed_since_preview', true])
  }

  /** Checks the result of one attempt: outcomes of earlier attempts are unchanged, the counts match, and each change has its review and event. */
  async function compare(of: Bulk, earlier: readonly Outcome[]): Promise<Outcome[]> {
    const listed = await outcomesOf(viewer, bulk)
    for (const one of earlier)
      if (one.outcome !== 'not_done')
        expect(listed.find(({ businessId }) => businessId === one.businessId)).toEqual(one)
    const { changed, unchanged, refused, notDone } = of.counts
    expect(changed + unchanged + refused + notDone).toBe(RECORDS)
    expect(listed.map(({ businessId }) => businessId)).toEqual(ids)
    const reviews = await t.store.reader.selectFrom('reviews').select('business_id').execute()
    const changes = listed.filter(({ outcome }) => outcome === 'changed')
    expect(changed).toBe(changes.length)
    expect(reviews.map((one) => one.business_id).toSorted()).toEqual(changes.map((one) => one.businessId).toSorted())
    const events = await t.store.reader
      .selectFrom('audit_events')
      .select('id')
      .where('action', '=', 'review.decide')
      .execute()
    expect(events.map(({ id }) => id).toSorted()).toEqual(changes.map((one) => one.auditEventId).toSorted())
    return listed
  }
}

test('whatever interrupts a bulk, each record is changed at most once and the outcomes add up', {
  timeout: 240_000,
}, async () => {
  await fc.assert(fc.asyncProperty(fc.array(interruption, { maxLength: 4 }), follow), {
    numRuns: 12,
    seed: 3,
    endOnFailure: true,
    examples: [
      [[{ what: 'cancelled', commit: 2, edited: 12 }]],
      [[{ what: 'failed', commit: 3, edited: 11 }]],
      [
        [
          { what: 'failed', commit: 1, edited: 0 },
          { what: 'role_lost', commit: 2, edited: 1 },
        ],
      ],
    ],
  })
})
