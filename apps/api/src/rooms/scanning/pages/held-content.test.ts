import { expect, test } from 'vitest'
import { createHeldContent, type HeldPage } from './held-content.ts'

const page = (bytes: number): HeldPage => ({
  position: 0,
  url: 'https://karoo.co.za/',
  role: 'start',
  format: 'html',
  contentType: 'text/html',
  body: new Uint8Array(bytes),
  isCut: false,
  observedAt: '2026-11-25T10:00:00.000Z',
  opening: null,
})

test('content is held for 15 minutes, for its own workspace', () => {
  let now = 0
  const held = createHeldContent(() => now, 100)
  held.hold('home', 'one', [page(10)])
  expect(held.pagesOf('home', 'one')).toHaveLength(1)
  expect(held.pagesOf('other', 'one')).toEqual([])
  now = 15 * 60_000
  expect([held.pagesOf('home', 'one'), held.bytes()]).toEqual([[], 0])
})

test('past the bound of bytes the oldest is released first, and a page that alone is larger is not held', () => {
  const held = createHeldContent(() => 0, 100)
  for (const id of ['one', 'two', 'three']) held.hold('home', id, [page(40)])
  expect(['one', 'two', 'three'].map((id) => held.pagesOf('home', id).length)).toEqual([0, 1, 1])
  held.hold('home', 'four', [page(101)])
  expect([held.pagesOf('home', 'four').length, held.bytes()]).toEqual([0, 80])
  held.releaseScans(['two', 'unknown'])
  expect(held.bytes()).toBe(40)
})
