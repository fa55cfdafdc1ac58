import { expect, test } from 'vitest'
import { actorIn, seedTenant, temporaryStore } from '../../../../test/temporary-store.ts'
import { createTestClock } from '../../../../test/test-clock.ts'
import { newId } from '../../../lib/ids.ts'
import { change } from '../../../store/change/change.ts'
import { beginFollowing } from '../../../store/change/follow-audit.queries.ts'
import { followToEnd } from '../../../store/change/follow-audit.ts'
import { readBackgroundWork } from '../background-work.ts'

async function world() {
  const clock = createTestClock()
  const store = temporaryStore({ clock })
  const tenantId = await seedTenant(store)
  const record = async (count: number) => {
    for (let done = 0; done < count; done++)
      await change(store, actorIn(tenantId), { permission: null, action: 'test.thing' }, async (tx) => {
        await tx.record({ subject: { type: 'test.thing', id: newId() } })
      })
  }
  const beginAtNow = (follower: string) =>
    store.write({ tenantId }, async (db) => ({
      keep: true,
      value: await beginFollowing(db, { tenantId, follower }),
    }))
  return { clock, store, tenantId, record, beginAtNow }
}

test('a follower is behind after more changes than it reads at once, and no longer when it has read them', async () => {
  const { clock, store, tenantId, record, beginAtNow } = await world()
  await beginAtNow('matching')
  const since = clock().toISOString()
  await record(299)
  expect(await readBackgroundWork(store, tenantId)).toEqual({ items: [] })
  await record(1)
  expect(await readBackgroundWork(store, tenantId)).toEqual({ items: [{ name: 'matching', changes: 300, since }] })
  await followToEnd(store, [{ name: 'matching', wants: () => true, on: async () => undefined }])
  expect(await readBackgroundWork(store, tenantId)).toEqual({ items: [] })
})

test('a follower that fails is behind after 90 seconds, for its own workspace only', async () => {
  const { clock, store, tenantId, record, beginAtNow } = await world()
  await beginAtNow('scoring')
  await record(1)
  const other = await seedTenant(store)
  clock.advance(90_000)
  expect(await readBackgroundWork(store, tenantId)).toEqual({ items: [] })
  clock.advance(1)
  expect(await readBackgroundWork(store, tenantId)).toMatchObject({ items: [{ name: 'scoring', changes: 1 }] })
  expect(await readBackgroundWork(store, other)).toEqual({ items: [] })
})
