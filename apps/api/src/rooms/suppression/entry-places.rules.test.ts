import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeIdentifier } from '../normalization/normalization.ts'
import { createEntryPlaces } from './entry-places.rules.ts'
import { type ContactValue, placeOf, placeOfNormalized, recordKeysOf } from './match-keys.rules.ts'

const place = fc.stringMatching(/^(?:[ab]{1,2}\.){0,4}[ab]{1,2}$/)

test('an entry reaches its own place and all hosts below it, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 4 }), place, (held, asked) => {
      const isReached = held.some((one) => asked === one || asked.endsWith(`.${one}`))
      expect(createEntryPlaces(new Set(held)).reach(asked)).toBe(isReached)
    }),
    { numRuns: 1_000 },
  )
})

test('the place of a normalized value is the place of its key', () => {
  const value = fc.oneof(
    fc.emailAddress(),
    fc.domain(),
    fc.stringMatching(/^\+27[1-8]\d{8}$/),
    fc.constantFrom(
      'x@jan.fastmail.com',
      'x@a.b.fastmail.com',
      'j.an@googlemail.com',
      'x@www.karoo.co.za',
      'www.www.karoo.co.za',
    ),
  )
  fc.assert(
    fc.property(fc.constantFrom<ContactValue['kind']>('email', 'phone', 'domain'), value, (kind, typed) => {
      const { normalized } = normalizeIdentifier(kind, typed)
      if (normalized === null) return
      expect(recordKeysOf({ kind, value: typed }).map(placeOf)).toEqual([placeOfNormalized(kind, normalized)])
    }),
    { numRuns: 1_000 },
  )
})
