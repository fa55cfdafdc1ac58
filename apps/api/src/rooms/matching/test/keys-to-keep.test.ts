import { expect, test } from 'vitest'
import { keptKeysOf, keysOf } from '../rules/match-keys.rules.ts'
import { valuesOf } from '../rules/record-values.ts'
import { createKeysToKeep } from '../run/keys-to-keep.ts'
import type { KeptRow } from '../run/match-inputs.stream.ts'

const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

/** Test records. There are more than the initial capacity, and every third one has a second key. */
const records = Array.from({ length: 200 }, (_, n) =>
  valuesOf({
    id: idOf(n),
    name: `Karoo Windpumps ${n}`,
    tradingName: null,
    registrationNumber: null,
    street: n % 3 === 0 ? `${n + 1} Voortrekker Road` : null,
    suburb: null,
    city: null,
    province: null,
    postalCode: null,
    country: null,
    identifiers: [],
  }),
)

function told(kept: readonly KeptRow[]): string[] {
  const keys = createKeysToKeep()
  for (const record of records) keys.add(record)
  keys.leaveOut(kept.slice(0, 1))
  keys.leaveOut(kept.slice(1))
  return [...keys.messages()].flatMap((message): string[] => JSON.parse(message.keys))
}

function expected(of: typeof records): string[] {
  return of
    .flatMap((values) => keysOf(keptKeysOf(values)).map((key) => ({ key, id: values.id })))
    .sort((a, b) => a.key - b.key || (a.id < b.id ? -1 : 1))
    .map(({ key, id }) => id + key)
}

test('returns all keys of records that no check has written, in key order', () => {
  expect(told([])).toEqual(expected(records))
})

test('leaves out exactly the records stored with the same facts by the current rules', () => {
  const factsOf = (n: number) => records[n]?.facts ?? 0
  const left = told([
    [idOf(2), factsOf(2), true],
    [idOf(3), factsOf(3), false],
    [idOf(4), factsOf(4) + 1, true],
    [idOf(199), factsOf(199), true],
    // a stored row whose record no longer exists
    [idOf(5).replace('7000', '7001'), factsOf(5), true],
  ])
  expect(left).toEqual(expected(records.filter(({ id }) => id !== idOf(2) && id !== idOf(199))))
})
