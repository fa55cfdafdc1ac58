import { test } from 'vitest'
import { pageOf } from './pages.rules.ts'

test('a page of a million slashes is read in one go', ({ expect }) => {
  expect(pageOf(`facebook.com${'/'.repeat(1_000_000)}x`)).toMatch(/x$/)
})
