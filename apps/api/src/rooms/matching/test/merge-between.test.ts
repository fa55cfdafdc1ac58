import { expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { addNoteTo, createProspect } from '../../../../test/prospects.ts'
import { AppError } from '../../../lib/app-error.ts'
import { change } from '../../../store/change/change.ts'
import { systemActor } from '../../identity/identity.ts'
import { endLostAttempts } from '../merging/merge-attempts.ts'
import type { Attempt } from '../merging/merges.schema.ts'
import { followChanges } from '../suggestions/matching-follower.ts'

/* Tests other writes between the two commits of a merge or a reversal. */

/** Runs a function once after the next commit. */
function afterNextWrite({ store }: TestApp, what: () => Promise<unknown>): void {
  const { write } = store
  store.write = async (...given) => {
    store.write = write
    const value = await write(...given)
    await what()
    return value
  }
}

async function setUp() {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const pair = await suggestedPair(t, manager, 'Karoo Pumps')
  const attempts = async () =>
    (await manager.get<{ items: Attempt[] }>('/merge-attempts')).body.items.map(({ kind, status }) => [kind, status])
  return { t, manager, ...pair, attempts }
}

test('a change after the snapshot refuses the merge, even if the fingerprint is the same', async () => {
  const { t, manager, a, b, suggestion, attempts } = await setUp()
  afterNextWrite(t, () =>
    change(t.store, systemActor('matching', t.tenants.home.id), { permission: null, action: 'test.note' }, (tx) =>
      tx.record({ subject: { type: 'business', id: b }, businessId: b }),
    ),
  )
  const { status, body } = await askMerge(manager, suggestion, a)
  expect([status, body.code]).toEqual([409, 'pair_changed'])
  expect(await attempts()).toEqual([['merge', 'refused']])
  expect((await manager.get<{ status: string }>(`/businesses/${b}`)).body.status).toBe('active')
})

test('a merge that was reversed meanwhile, or whose survivor was merged again, is not reversed', async () => {
  const { t, manager, a, suggestion, attempts } = await setUp()
  const { id: c } = await createProspect(manager, { name: 'Karoo Pumps', emails: [{ value: 'desk@karoopumps.co.za' }] })
  const { id } = await merged(askMerge(manager, suggestion, a))
  await followChanges(t.store)
  const further = await suggestionOfPair(manager, a, c)
  let onTop = ''
  afterNextWrite(t, async () => {
    onTop = (await merged(askMerge(manager, further, c))).id
  })
  const first = await askReversal(manager, id)
  expect((await askReversal(manager, onTop)).status).toBe(200)
  afterNextWrite(t, () => askReversal(manager, id))
  const second = await askReversal(manager, id)
  const refused = [409, 'merge_not_reversible']
  expect([first, second].map(({ status, body }) => [status, body.code])).toEqual([refused, refused])
  const ends = await attempts()
  expect(ends.filter(([, status]) => status === 'refused')).toHaveLength(2)
  expect(ends.filter(([kind, status]) => kind === 'reversal' && status === 'done')).toHaveLength(2)
})

test.for(['merge', 'reversal'] as const)(
  'a %s that was marked as interrupted meanwhile is not committed',
  async (kind) => {
    const { t, manager, a, b, suggestion, attempts } = await setUp()
    const merge = kind === 'merge' ? undefined : await merged(askMerge(manager, suggestion, a))
    const before = (await manager.get(`/businesses/${b}`)).body
    afterNextWrite(t, () =>
      t.store.write('upkeep', async (db) => {
        const lost = { status: 'stopped', failure: 'Lost.', ended_at: t.clock().toISOString() } as const
        await db.updateTable('merge_attempts').set(lost).where('status', '=', 'begun').execute()
        return { keep: true, value: undefined }
      }),
    )
    const { status, body } = await (merge === undefined
      ? askMerge(manager, suggestion, a)
      : askReversal(manager, merge.id))
    expect([status, body.code]).toEqual([500, 'merge_stopped'])
    expect((await attempts())[0]).toEqual([kind, 'stopped'])
    expect((await manager.get(`/businesses/${b}`)).body).toEqual(before)
  },
)

test('a merge without an available store returns that error, and the attempt is recorded', async () => {
  const { t, manager, a, suggestion, attempts } = await setUp()
  const { write } = t.store
  let asked = 0
  t.store.write = async (...given) => {
    asked += 1
    // Fails the second write, which is the merge itself. The first write is its snapshot.
    if (asked === 2) throw new AppError('unavailable', 'The store is busy.', { reason: 'database_busy' })
    return write(...given)
  }
  const { status, body } = await askMerge(manager, suggestion, a)
  expect([status, body.code]).toEqual([503, 'unavailable'])
  expect((await attempts())[0]).toEqual(['merge', 'stopped'])
  await merged(askMerge(manager, suggestion, a))
})

test('an attempt stamped in the future by a clock set back ends at once, and a recent attempt does not', async () => {
  const { t, manager, a, b, suggestion, attempts } = await setUp()
  const backMs = 3_600_000
  const ended: number[] = []
  afterNextWrite(t, async () => {
    ended.push(await endLostAttempts(t.store, t.tenants.home.id))
    t.clock.advance(-backMs)
    ended.push(await endLostAttempts(t.store, t.tenants.home.id))
    t.clock.advance(backMs)
  })
  expect((await askMerge(manager, suggestion, a)).body.code).toBe('merge_stopped')
  expect(ended).toEqual([0, 1])
  expect(await attempts()).toEqual([['merge', 'stopped']])
  expect((await manager.get(`/businesses/${b}`)).body).toMatchObject({ status: 'active' })
})

test.for(['merge', 'reversal'] as const)(
  'a %s sent twice with one key at nearly the same time begins once; the second gets a conflict or the same response',
  async (kind) => {
    const { t, manager, a, suggestion, attempts } = await setUp()
    const merge = kind === 'merge' ? undefined : await merged(askMerge(manager, suggestion, a))
    const before = (await attempts()).length
    const key = { 'idempotency-key': 'once' }
    const ask = () =>
      merge === undefined ? askMerge(manager, suggestion, a, {}, key) : askReversal(manager, merge.id, key)
    const meanwhile: unknown[] = []
    // Sends a second request between the two commits of the first request, and a third when the first only has to send its response.
    afterNextWrite(t, async () => {
      const { status, body } = await ask()
      meanwhile.push([status, body.code])
      afterNextWrite(t, async () => {
        const { status: then, body: conflict } = await ask()
        meanwhile.push([then, conflict.code])
      })
    })
    const first = await ask()
    expect(first.status).toBe(200)
    expect(meanwhile).toEqual(Array.from({ length: 2 }, () => [409, 'idempotency_in_progress']))
    const second = await ask()
    expect([second.body, second.headers['idempotency-replayed']]).toEqual([first.body, 'true'])
    expect((await attempts()).slice(0, -before || undefined)).toEqual([[kind, 'done']])
  },
)

test('concurrent requests with one key wait or get the same response, and no attempt stays begun', async () => {
  const { t, manager, a, suggestion, attempts } = await setUp()
  const all = await Promise.all(
    Array.from({ length: 8 }, () => askMerge(manager, suggestion, a, {}, { 'idempotency-key': 'once' })),
  )
  expect(all.filter(({ status }) => status === 200)).not.toEqual([])
  for (const { status, body } of all)
    expect([200, 'idempotency_in_progress']).toContain(status === 200 ? 200 : body.code)
  expect(await attempts()).toEqual([['merge', 'done']])
  expect(await t.store.reader.selectFrom('merge_snapshots').select('id').execute()).toHaveLength(1)
})

test.for(['merge', 'reversal'] as const)(
  'a %s repeated with its key is not made again, and gets the merge as it is now',
  async (kind) => {
    const { manager, a, suggestion, attempts } = await setUp()
    const key = { 'idempotency-key': 'once' }
    const askOnce = () => askMerge(manager, suggestion, a, {}, kind === 'merge' ? key : undefined)
    const first = await askOnce()
    const ask = () => (kind === 'merge' ? askOnce() : askReversal(manager, first.body.id, key))
    const answered = kind === 'merge' ? first : await ask()
    expect(answered.status).toBe(200)
    await addNoteTo(manager, a)
    if (kind === 'merge') expect((await askReversal(manager, first.body.id)).status).toBe(200)
    const again = await ask()
    const { body: now } = await manager.get<object>(`/merges/${first.body.id}`)
    expect([again.status, again.headers['idempotency-replayed'], again.body]).toEqual([200, 'true', now])
    expect((await attempts()).map(([made]) => made)).toEqual(['reversal', 'merge'])
  },
)
