import { expect, test } from 'vitest'
import type { FollowChanges, SourceNews } from './change-source.ts'
import { shareChanges } from './share-changes.ts'

/** Fake browser: its locks, its channels, and the streams that its windows open. */
function browser() {
  const queue: (() => Promise<void>)[] = []
  let isHeld = false
  const next = (): void => {
    const run = isHeld ? undefined : queue.shift()
    if (run === undefined) return
    isHeld = true
    void run().then(() => {
      isHeld = false
      next()
    })
  }
  const channels = new Set<BroadcastChannel>()
  const streams: { cursor: string | null; isOpen: boolean; send: Parameters<FollowChanges['open']>[1] }[] = []

  function openWindow() {
    const told: SourceNews[] = []
    let silence = () => {}
    const channel = {
      onmessage: null as BroadcastChannel['onmessage'],
      postMessage: (data: unknown) => {
        for (const other of channels)
          if (other !== (channel as unknown)) other.onmessage?.call(other, new MessageEvent('message', { data }))
      },
      close: () => channels.delete(channel as unknown as BroadcastChannel),
    }
    channels.add(channel as unknown as BroadcastChannel)
    const locks = {
      request: (_name: string, { signal }: LockOptions, run: LockGrantedCallback<void>) =>
        new Promise<void>((resolve, reject) => {
          const wanted = () => Promise.resolve(run(null)).then(resolve)
          queue.push(wanted)
          signal?.addEventListener('abort', () => {
            const at = queue.indexOf(wanted)
            if (at >= 0) queue.splice(at, 1)
            reject(new DOMException('aborted', 'AbortError'))
          })
          next()
        }),
    } as Pick<LockManager, 'request'>
    const close = shareChanges({
      name: 'session',
      tell: (news) => told.push(news),
      locks,
      channel,
      open: (cursor, send) => {
        const stream = { cursor, isOpen: true, send }
        streams.push(stream)
        return {
          close: () => {
            stream.isOpen = false
          },
        }
      },
      wait: (run) => {
        silence = run
        return () => {
          silence = () => {}
        }
      },
    })
    return { told, close, silence: () => silence() }
  }
  return { openWindow, streams }
}

const items = [{ kind: 'business', id: 'b1', businessId: 'b1', version: 2 }]

test('many windows share one stream, and each receives every change', () => {
  const { openWindow, streams } = browser()
  const windows = Array.from({ length: 200 }, openWindow)
  expect(streams).toHaveLength(1)
  streams[0]?.send.onEvent('start', '{}', '4')
  streams[0]?.send.onEvent('changes', JSON.stringify({ items }), '5')
  for (const { told } of windows)
    expect(told).toEqual([
      { type: 'live', cursor: '4' },
      { type: 'changes', items, cursor: '5' },
    ])
})

test('when the window with the stream is closed, another one continues at the last cursor', async () => {
  const { openWindow, streams } = browser()
  const [first, second] = [openWindow(), openWindow()]
  streams[0]?.send.onEvent('changes', JSON.stringify({ items }), '5')
  first.close()
  await expect
    .poll(() => streams.map(({ cursor, isOpen }) => [cursor, isOpen]))
    .toEqual([
      [null, false],
      ['5', true],
    ])
  streams[1]?.send.onEvent('changes', JSON.stringify({ items }), '6')
  expect(second.told.map((news) => news.type === 'changes' && news.cursor)).toEqual(['5', '6'])
  expect(first.told).toHaveLength(1)
})

test('a window that opens later immediately knows that the stream is live', () => {
  const { openWindow, streams } = browser()
  openWindow()
  streams[0]?.send.onEvent('changes', JSON.stringify({ items }), '5')
  expect(openWindow().told).toEqual([{ type: 'live', cursor: '5' }])
})

test('a window that receives nothing from the leading window reports the stream as lost', () => {
  const { openWindow } = browser()
  openWindow()
  const second = openWindow()
  second.silence()
  expect(second.told).toEqual([{ type: 'lost' }])
})
