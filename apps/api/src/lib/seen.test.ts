import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from './app-error.ts'
import { changedParts, fingerprintOfParts, requireSeen } from './seen.ts'

const thing = {
  code: 'candidate_changed',
  what: 'site',
  sentences: ['The name.', 'The pages.', 'The decision.'],
} as const

test('exactly the parts with another content are named', () => {
  const parts = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(parts, fc.nat(), fc.jsonValue(), (before, at, other) => {
      const changed = before.with(at % before.length, [other, 'changed'])
      expect(changedParts(fingerprintOfParts(before), fingerprintOfParts(changed))).toEqual([at % before.length])
      expect(changedParts(fingerprintOfParts(before), fingerprintOfParts([...before]))).toEqual([])
    }),
  )
})

test('a decision on another state is refused with a sentence for each changed part', () => {
  const [seen, now] = [fingerprintOfParts(['a', 1, null]), fingerprintOfParts(['a', 2, 'ann'])]
  expect(() => requireSeen(now, now, thing)).not.toThrow()
  const refused = (typed: string) => {
    try {
      requireSeen(typed, now, thing)
    } catch (error) {
      return error instanceof AppError ? [error.message, error.details.errors?.map(({ message }) => message)] : error
    }
  }
  expect(refused(seen)).toEqual([
    'Something changed after you opened this site. The pages. The decision.',
    ['The pages.', 'The decision.'],
  ])
  expect(refused('as-it-was')).toEqual(refused('x-y-z'))
  expect(refused('')).toEqual([
    'Something changed after you opened this site. The fingerprint belongs to another site.',
    ['The fingerprint belongs to another site.'],
  ])
})
