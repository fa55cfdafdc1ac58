import { expect, test } from 'vitest'
import { followChanges, type SourceNews } from './change-source.ts'

type Source = Parameters<Parameters<typeof followChanges>[0]['open']>[1] & { cursor: string | null; isClosed: boolean }

function world(cursor: string | null = null) {
  const sources: Source[] = []
  const told: SourceNews[] = []
  let waiting: { run: () => void; ms: number } | null = null
  const stop = followChanges({
    cursor,
    open: (after, listener) => {
      const source = { ...listener, cursor: after, isClosed: false }
      sources.push(source)
      return {
        close: () => {
          source.isClosed = true
        },
      }
    },
    tell: (news) => told.push(news),
    wait: (run, ms) => {
      const one = { run, ms }
      waiting = one
      return () => {
        if (waiting === one) waiting = null
      }
    },
  })
  return {
    sources,
    told,
    stop,
    newest: () => sources.at(-1),
    pauseMs: () => waiting?.ms,
    pass: () => {
      const now = waiting
      waiting = null
      now?.run()
    },
  }
}

const item = { kind: 'business', id: 'b1', businessId: 'b1', version: 2 }

test('a lost stream is opened again at the last cursor, after growing pauses', () => {
  const w = world()
  expect(w.newest()?.cursor).toBe(null)
  w.newest()?.onEvent('start', '{}', '7')
  w.newest()?.onEvent('changes', JSON.stringify({ items: [item] }), '9')
  expect(w.told).toEqual([
    { type: 'live', cursor: '7' },
    { type: 'changes', items: [item], cursor: '9' },
  ])
  w.newest()?.onLoss()
  expect([w.told.at(-1), w.pauseMs()]).toEqual([{ type: 'lost' }, 1_000])
  w.pass()
  expect([w.sources.length, w.newest()?.cursor]).toEqual([2, '9'])
  w.newest()?.onLoss()
  expect(w.pauseMs()).toBe(2_000)
})

test('a silent connection counts as dead', () => {
  const w = world()
  w.newest()?.onEvent('heartbeat', '{}', '7')
  expect(w.pauseMs()).toBe(40_000)
  w.pass()
  expect([w.told.at(-1)?.type, w.sources[0]?.isClosed]).toEqual(['lost', true])
})

test('an expired cursor is reported, and a late event of a lost connection is ignored', () => {
  const w = world('3')
  const first = w.newest()
  first?.onEvent('reset', '{}', '900')
  expect(w.told).toEqual([{ type: 'reset', cursor: '900' }])
  first?.onLoss()
  first?.onEvent('changes', '{"items":[]}', '901')
  expect(w.told.map(({ type }) => type)).toEqual(['reset', 'lost'])
})

test('opens no connection after it was stopped', () => {
  const w = world()
  w.newest()?.onLoss()
  w.stop()
  w.pass()
  expect(w.sources).toHaveLength(1)
})
