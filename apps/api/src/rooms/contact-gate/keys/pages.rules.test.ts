import { test } from 'vitest'
import { pageOf } from './pages.rules.ts'

test('a page address of a million slashes is read in one pass', ({ expect }) => {
  expect(pageOf(`facebook.com${'/'.repeat(1_000_000)}x`)).toMatch(/x$/)
})
