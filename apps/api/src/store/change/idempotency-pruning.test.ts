import { test } from 'vitest'
import { actorIn, seedTenant, temporaryStore } from '../../../test/temporary-store.ts'
import { createTestClock } from '../../../test/test-clock.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { change } from './change.ts'
import { IDEMPOTENCY_KEYS_KEPT_DAYS } from './idempotency.ts'
import { forgetOldKeys } from './idempotency-pruning.ts'

const isStopped = () => false

test('keys are deleted when they expire, not before, and never all in one transaction', async ({ expect }) => {
  const clock = createTestClock()
  const store = temporaryStore({ clock })
  const actor = actorIn(await seedTenant(store))
  const use = (key: string) =>
    change(store, actor, { permission: null, action: 'test.use', idempotency: { key, fingerprint: 'same' } }, (tx) =>
      tx.record({ subject: { type: 'tenant', id: actor.tenantId } }),
    )
  for (const key of ['a', 'b', 'c']) await use(key)
  clock.advance(1)
  await use('younger')
  clock.advance(IDEMPOTENCY_KEYS_KEPT_DAYS * DAY_MS - 1)
  expect(await forgetOldKeys({ store, limit: 2, isStopped })).toBe(0)
  expect((await use('a')).replayed).toBe(true)
  clock.advance(1)
  const commits = store.writes.commits()
  expect(await forgetOldKeys({ store, limit: 2, isStopped })).toBe(3)
  expect(store.writes.commits() - commits).toBe(2)
  expect(await Promise.all(['a', 'younger'].map(async (key) => (await use(key)).replayed))).toEqual([false, true])
})
