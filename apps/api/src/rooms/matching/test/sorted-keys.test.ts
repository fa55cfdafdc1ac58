import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectKeys, keyAt } from '../run/sorted-keys.ts'

const MOST = 2 ** 52 - 1
/** Generates keys. Some are shared by many records, others are at the limits of a half or of a part. */
const key = fc.oneof(
  fc.nat({ max: MOST }),
  fc.constantFrom(0, 1, 2 ** 26 - 1, 2 ** 26, 2 ** 48 - 1, 2 ** 48, 2 ** 51, MOST - 1, MOST),
)

test('returns keys in order, each with its owners in order', () => {
  const lists = fc.array(fc.array(key, { maxLength: 6 }), { maxLength: 300 })
  fc.assert(
    fc.property(lists, (keys) => {
      const collected = collectKeys()
      for (const [owner, own] of keys.entries()) collected.add(own, owner)
      const expected = keys
        .flatMap((own, owner) => own.map((one) => [one, owner] as const))
        .sort(([a, one], [b, other]) => a - b || one - other)
      expect(collected.length()).toBe(expected.length)
      const read: [number, number][] = []
      for (const part of collected.inOrder())
        for (let at = 0; at < part.length; at++) read.push([keyAt(part, at), part.owners[at] ?? -1])
      expect(read).toEqual(expected)
    }),
  )
})

test('refuses a key of 52 bits or more', () => {
  expect(() => collectKeys().add([2 ** 52], 0)).toThrow('below 2^52')
})
