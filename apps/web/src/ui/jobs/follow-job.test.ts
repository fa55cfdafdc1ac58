import type { JobEvent, JobEventPage } from '@prospect/api-client'
import { expect, test, vi } from 'vitest'
import { ApiProblem } from '../api/api-problem.ts'
import { createLiveChanges } from '../api/live-changes.ts'
import { type Followed, followJob, followLive } from './follow-job.ts'

function event(sequence: number, type: JobEvent['type'] = 'progress'): JobEvent {
  return { jobId: 'job', sequence, type, at: '2026-11-21T08:00:00.000Z', data: {} }
}

/** Fake server with the given events. The test controls its streams and timers. */
function world(...there: JobEvent[]) {
  const kept = [...there]
  const streams: { after: number; isOpen: boolean; open(): void; send(event: JobEvent): void; lose(): void }[] = []
  const timers = new Map<() => void, number>()
  const told: Followed[] = []
  let fails = false
  const read = async (after: number): Promise<JobEventPage> => {
    if (fails) throw new Error('unreachable')
    if (after > (kept.at(-1)?.sequence ?? 0)) throw new ApiProblem({ status: 409, code: 'cursor_ahead' })
    const items = kept.filter(({ sequence }) => sequence > after).slice(0, 3)
    const nextAfter = items.at(-1)?.sequence ?? after
    const isOver = kept.at(-1)?.type === 'succeeded' && nextAfter === kept.at(-1)?.sequence
    const first = items[0]?.sequence ?? after + 1
    const forgotten = first > after + 1 ? { from: after + 1, through: first - 1 } : null
    return { items, nextAfter, isOver, forgotten }
  }
  const stop = followJob({
    read,
    openStream: (after, listener) => {
      const stream = { after, isOpen: true, open: listener.onOpen, send: listener.onEvent, lose: listener.onLoss }
      streams.push(stream)
      return {
        close: () => {
          stream.isOpen = false
        },
      }
    },
    isAnswering: async () => !fails,
    onChange: (followed) => told.push(followed),
    wait: (run, ms) => {
      timers.set(run, ms)
      return () => timers.delete(run)
    },
  })
  return {
    kept,
    streams,
    stop,
    add: (...events: JobEvent[]) => kept.push(...events),
    fail: (now: boolean) => {
      fails = now
    },
    now: () => told.at(-1),
    sequences: () => told.at(-1)?.events.map(({ sequence }) => sequence),
    /** Runs the shortest waiting timer, or the one of `ms`, and everything that follows from it. */
    pass: async (ms?: number) => {
      const [next] = [...timers].filter(([, after]) => ms === undefined || after === ms).sort((a, b) => a[1] - b[1])
      if (next !== undefined) {
        timers.delete(next[0])
        next[0]()
      }
      await settle()
    },
    waits: () => [...timers.values()].sort((a, b) => a - b),
  }
}

const settle = () => vi.waitFor(() => Promise.resolve()).then(() => new Promise((resolve) => setTimeout(resolve)))

test('reads the existing events page by page, then continues with the stream', async () => {
  const w = world(event(1), event(2), event(3), event(4), event(5))
  await settle()
  expect(w.sequences()).toEqual([1, 2, 3, 4, 5])
  expect(w.streams.map(({ after }) => after)).toEqual([5])
  w.streams[0]?.open()
  expect(w.now()?.state).toBe('live')
  w.streams[0]?.send(event(6))
  w.streams[0]?.send(event(6))
  w.streams[0]?.send(event(7, 'succeeded'))
  expect(w.sequences()).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(w.now()?.state).toBe('over')
  expect([w.streams[0]?.isOpen, w.waits()]).toEqual([false, []])
})

test('a lost stream is reported, polling continues without a gap, and the stream takes over again', async () => {
  const w = world(event(1), event(2))
  await settle()
  w.streams[0]?.open()
  w.streams[0]?.lose()
  expect(w.now()?.state).toBe('polling')
  w.add(event(3))
  await settle()
  await w.pass(2_000)
  expect(w.sequences()).toEqual([1, 2, 3])
  w.add(event(4))
  await w.pass(10_000)
  expect(w.streams.map(({ after }) => after)).toEqual([2, 3])
  expect(w.now()?.state).toBe('polling')
  w.streams[1]?.open()
  expect(w.now()?.state).toBe('live')
  w.streams[1]?.send(event(4))
  expect(w.sequences()).toEqual([1, 2, 3, 4])
  // Events of the lost stream are ignored.
  w.streams[0]?.send(event(9))
  expect(w.sequences()).toEqual([1, 2, 3, 4])
})

test('a silent stream continues while the service responds and counts as lost when it does not', async () => {
  const w = world(event(1))
  await settle()
  w.streams[0]?.open()
  expect(w.waits()).toEqual([30_000])
  await w.pass(30_000)
  expect([w.now()?.state, w.waits()]).toEqual(['live', [30_000]])
  w.streams[0]?.send(event(2))
  expect([w.sequences(), w.waits()]).toEqual([[1, 2], [30_000]])
  w.fail(true)
  await w.pass(30_000)
  expect(w.now()).toMatchObject({ state: 'polling', error: expect.any(Error) })
  expect([w.streams[0]?.isOpen, w.waits()]).toEqual([false, [5_000, 10_000]])
})

test('polling alone follows a job to its end', async () => {
  const w = world(event(1))
  await settle()
  w.streams[0]?.lose()
  await settle()
  for (let sequence = 2; sequence <= 5; sequence++) {
    w.add(event(sequence, sequence === 5 ? 'succeeded' : 'progress'))
    await w.pass(2_000)
  }
  expect(w.sequences()).toEqual([1, 2, 3, 4, 5])
  expect([w.now()?.state, w.waits()]).toEqual(['over', []])
})

test('a gap in the stream is filled by polling', async () => {
  const w = world(event(1))
  await settle()
  w.streams[0]?.open()
  w.add(event(2), event(3))
  w.streams[0]?.send(event(3))
  await settle()
  await w.pass(2_000)
  expect(w.sequences()).toEqual([1, 2, 3])
})

test('while the server does not respond, the seen events are reported and polling slows down', async () => {
  const w = world(event(1))
  await settle()
  w.fail(true)
  w.streams[0]?.lose()
  await settle()
  expect(w.now()).toMatchObject({ state: 'polling', error: expect.any(Error), events: [event(1)] })
  expect(w.waits()).toEqual([5_000, 10_000])
  w.fail(false)
  await w.pass(5_000)
  expect(w.now()?.error).toBeNull()
})

test('after a restore, the events are read again from the first', async () => {
  const w = world(event(1), event(2), event(3))
  await settle()
  w.kept.splice(0, 3, event(1), event(2, 'succeeded'))
  w.streams[0]?.lose()
  await settle()
  expect(w.now()).toMatchObject({ events: [], error: null })
  await w.pass(2_000)
  expect(w.now()).toMatchObject({ events: [event(1), event(2, 'succeeded')], state: 'over' })
})

test('stopping ends the stream and all timers', async () => {
  const w = world(event(1))
  await settle()
  w.stop()
  expect([w.streams[0]?.isOpen, w.waits()]).toEqual([false, []])
})

test('a job whose events were deleted is over immediately, with the number of deleted events', async () => {
  const w = world(event(7, 'succeeded'))
  await settle()
  expect(w.now()).toMatchObject({ state: 'over', forgotten: 6, events: [{ sequence: 7 }] })
})

/** A fake stream of changes, and a job with readable events. */
function liveWorld(...there: JobEvent[]) {
  const changes = createLiveChanges()
  const taken: number[] = []
  const told: string[] = []
  let giveUp = () => {}
  const open = followLive('job', {
    changes,
    read: async (after) => {
      const items = there.filter(({ sequence }) => sequence > after).slice(0, 2)
      return { items, nextAfter: items.at(-1)?.sequence ?? after, isOver: false, forgotten: null }
    },
    wait: (run) => {
      giveUp = run
      return () => {
        giveUp = () => {}
      }
    },
  })
  const stream = open(1, {
    onOpen: () => told.push('open'),
    onEvent: ({ sequence }) => taken.push(sequence),
    onLoss: () => told.push('lost'),
  })
  const say = (version: number, id = 'job') =>
    changes.publish({ type: 'changes', items: [{ kind: 'job', id, businessId: null, version }] })
  return { changes, taken, told, there, stream, say, giveUp: () => giveUp() }
}

test('the stream of changes reports new events of a job, which are read in order', async () => {
  const w = liveWorld(event(1), event(2), event(3), event(4))
  w.changes.publish({ type: 'state', state: 'live' })
  await settle()
  expect([w.told, w.taken]).toEqual([['open'], [2, 3, 4]])
  w.there.push(event(5))
  w.say(5, 'another')
  await settle()
  expect(w.taken).toEqual([2, 3, 4])
  w.say(5)
  w.say(4)
  await settle()
  expect(w.taken).toEqual([2, 3, 4, 5])
})

test('a job is polled if the stream of changes is lost, or does not open in time', async () => {
  const w = liveWorld(event(1))
  w.giveUp()
  w.changes.publish({ type: 'state', state: 'lost' })
  expect(w.told).toEqual(['lost', 'lost'])
})
