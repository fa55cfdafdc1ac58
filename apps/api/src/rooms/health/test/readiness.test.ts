import { test } from 'vitest'
import { AppError } from '../../../lib/app-error.ts'
import { createReadiness } from '../readiness.ts'

test('concurrent requests share one check, and a later one gets a new check', async ({ expect }) => {
  let probes = 0
  const requireReady = createReadiness(async () => {
    probes += 1
    await new Promise((resolve) => setImmediate(resolve))
  })
  await Promise.all(Array.from({ length: 100 }, requireReady))
  expect(probes).toBe(1)
  await requireReady()
  expect(probes).toBe(2)
})

test('the reason of the store is passed on', async ({ expect }) => {
  const failure = new AppError('unavailable', 'Full.', { reason: 'storage_full' })
  await expect(createReadiness(() => Promise.reject(failure))()).rejects.toBe(failure)
})

test('a store that does not respond in time is not ready, and is ready when it responds again', async ({ expect }) => {
  const answers: (() => void)[] = []
  const requireReady = createReadiness(() => new Promise((resolve) => answers.push(resolve)), 10)
  await expect(requireReady()).rejects.toMatchObject({ code: 'unavailable', details: { reason: 'storage_slow' } })
  answers[0]?.()
  await new Promise((resolve) => setImmediate(resolve))
  const ready = requireReady()
  answers[1]?.()
  await ready
})
