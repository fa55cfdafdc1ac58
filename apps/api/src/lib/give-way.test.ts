import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { createPauses } from './give-way.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test.runIf(existsSync('/proc/thread-self')).each([
  ['giveWay', 10],
  ['giveWayToAll', 15],
])('%s lowers the calling thread and not the main thread', async (name, priority) => {
  const script = `
    const { getPriority } = require('node:os')
    const { parentPort } = require('node:worker_threads')
    import(${JSON.stringify(new URL('./give-way.ts', import.meta.url).href)}).then((module) => {
      const self = Number(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1))
      const before = getPriority(process.pid)
      module[${JSON.stringify(name)}]()
      parentPort.postMessage({ own: getPriority(self), before, after: getPriority(process.pid) })
    })`
  const worker = new Worker(script, { eval: true })
  const [{ own, before, after }] = await once(worker, 'message')
  await worker.terminate()
  expect(own).toBe(priority)
  expect(after).toBe(before)
})

test('pauses at most once per millisecond, however often it is called', () => {
  const waits = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out')
  let now = 1_000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const pause = createPauses()
  for (; now < 1_010.5; now += 0.125) pause()
  expect(waits).toHaveBeenCalledTimes(10)
})
