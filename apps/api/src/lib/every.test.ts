import { expect, test, vi } from 'vitest'
import { every } from './every.ts'

const quiet = { log: { error: vi.fn() }, failed: 'it failed' }

test('runs at once and then repeatedly, one run at a time, until it is stopped', async () => {
  let under = 0
  let most = 0
  let runs = 0
  const loop = every(
    1,
    async () => {
      under += 1
      most = Math.max(most, under)
      await new Promise((resolve) => setImmediate(resolve))
      under -= 1
      runs += 1
    },
    quiet,
  )
  await loop.started
  expect(runs).toBe(1)
  await expect.poll(() => runs).toBeGreaterThan(3)
  await loop.stop()
  const last = runs
  expect([most, under]).toEqual([1, 0])
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(runs).toBe(last)
})

test('a failed run is logged, and the next one tries again', async () => {
  let runs = 0
  const log = { error: vi.fn() }
  const fault = new Error('no luck')
  const loop = every(
    1,
    async () => {
      runs += 1
      if (runs === 1) throw fault
    },
    { log, failed: 'it failed' },
  )
  await loop.started
  expect(log.error).toHaveBeenCalledExactlyOnceWith({ err: fault }, 'it failed')
  await expect.poll(() => runs).toBeGreaterThan(1)
  await loop.stop()
})

test('stopping waits for the current run, which can check whether it should end', async () => {
  let end: () => void = () => {}
  let asked: boolean | undefined
  const loop = every(
    60_000,
    async (isStopped) => {
      await new Promise<void>((resolve) => (end = resolve))
      asked = isStopped()
    },
    quiet,
  )
  const stopped = loop.stop()
  end()
  await stopped
  expect(asked).toBe(true)
})
