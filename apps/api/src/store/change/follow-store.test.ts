import { expect, onTestFinished, test, vi } from 'vitest'
import { seedTenant, temporaryStore } from '../../../test/temporary-store.ts'
import { followStore } from './follow-store.ts'

type Options = Partial<Parameters<typeof followStore>[1]>

/** A follower that counts its rounds. A round is one call of `work`. */
function follower(options: Options = {}) {
  const store = temporaryStore()
  const log = { error: vi.fn() }
  const work = vi.fn(() => Promise.resolve())
  const loop = followStore(store, { name: 'a follower', work, log, failed: 'following failed', ...options })
  onTestFinished(() => loop.stop())
  return { store, log, work, loop }
}

test('a follower works once after each commit, and rests while nothing is committed', async () => {
  const { store, work } = follower()
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1))
  await seedTenant(store)
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2), 3_000)
})

test('a follower of dates also works while nothing is committed', async () => {
  const { work } = follower({ alsoEveryMs: 1 })
  await vi.waitFor(() => expect(work.mock.calls.length).toBeGreaterThan(2), 5_000)
})

test('a failed round is logged, and a commit does not end the pause after it', async () => {
  const work = vi.fn(() => Promise.reject(new Error('The disk is full.')))
  const { store, log } = follower({ work, afterFailureMs: 1_500 })
  await vi.waitFor(() => expect(log.error).toHaveBeenCalledTimes(1))
  const failedAt = performance.now()
  await seedTenant(store)
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2), 5_000)
  expect(performance.now() - failedAt).toBeGreaterThan(1_400)
})
