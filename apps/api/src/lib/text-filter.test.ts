import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTextFilter, hashesOf } from './text-filter.ts'

test('added texts are always found, even in a filter that was sized for far fewer', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 200 }), fc.nat({ max: 10 }), (texts, expected) => {
      const filter = createTextFilter(expected)
      for (const text of texts) filter.add(hashesOf(text))
      expect(texts.every((text) => filter.mayHold(hashesOf(text)))).toBe(true)
    }),
  )
})

test('few texts that were not added are found', () => {
  const filter = createTextFilter(50_000)
  for (let at = 0; at < 50_000; at++) filter.add(hashesOf(`info@held-${at}.co.za`))
  const wrong = Array.from({ length: 20_000 }, (_, at) => hashesOf(`info@free-${at}.co.za`)).filter(filter.mayHold)
  expect(wrong.length).toBeLessThan(200)
})
