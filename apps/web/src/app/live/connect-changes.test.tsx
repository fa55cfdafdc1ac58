import { afterEach, expect, test, vi } from 'vitest'
import { liveChanges } from '../../ui/api/live-changes.ts'
import { connectChanges } from './connect-changes.ts'

const session = { userId: 'user-1', tenantId: 'tenant-1' }

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Fake shared worker. The page has no locks, as over plain HTTP. */
function stubWorker(start: () => void): { fail: () => void } {
  vi.stubGlobal('navigator', {})
  let worker: FakeWorker | undefined
  class FakeWorker {
    onerror?: () => void
    port = { postMessage: () => {}, close: () => {} }
    constructor() {
      start()
      worker = this
    }
  }
  vi.stubGlobal('SharedWorker', FakeWorker)
  return { fail: () => worker?.onerror?.() }
}

test('a window polls when its browser blocks workers', () => {
  stubWorker(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  const stop = connectChanges(session)
  expect(liveChanges.state).toBe('lost')
  stop()
  expect(liveChanges.state).toBe('connecting')
})

test('a window polls when the script of the worker does not load', () => {
  const { fail } = stubWorker(() => {})
  const stop = connectChanges(session)
  expect(liveChanges.state).toBe('connecting')
  fail()
  expect(liveChanges.state).toBe('lost')
  stop()
})
