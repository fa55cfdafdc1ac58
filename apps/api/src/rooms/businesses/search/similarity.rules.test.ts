import { expect, test } from 'vitest'
import { similarityTo } from './similarity.rules.ts'

test('a name is rated by the words that were typed', () => {
  const rate = similarityTo('Karoo Grlil')
  expect(rate('Karoo Grill (Pty) Ltd')).toBeGreaterThan(0.65)
  expect(rate('Karoo Windpumps')).toBe(0)
  expect(similarityTo('aaaa')('aaaa')).toBe(1)
  expect(similarityTo('aaaa')('a')).toBe(0)
})

test('repeated characters, and those that become longer when they are folded, are rated in a few milliseconds', () => {
  const hostile = ['a'.repeat(200), '㌖'.repeat(200), 'ﷺ'.repeat(200), 'ab'.repeat(100)]
  const start = performance.now()
  for (const typed of hostile) {
    const rate = similarityTo(typed)
    expect(rate(typed)).toBe(1)
  }
  expect(performance.now() - start).toBeLessThan(400)
})
