import { expect, test } from 'vitest'
import { BLOCKED, bandCode, bandId, eligibilities, NO_BAND, NOT_SCORED, UNKNOWN_BAND } from './score-codes.ts'

const bands = [{ id: 'high' }, { id: 'low' }]

test('a band has the code of its place, and the unknown priority has a code of its own', () => {
  for (const code of [0, 1, UNKNOWN_BAND]) expect(bandCode(bands, bandId(bands, code) ?? '')).toBe(code)
  expect([bandId(bands, NO_BAND), bandId(bands, 2), bandCode(bands, 'middle')]).toEqual([null, null, undefined])
})

test('stored codes of eligibility never change', () => {
  expect([...eligibilities, BLOCKED, NOT_SCORED]).toEqual(['eligible', 'unknown', 'ineligible', 'blocked', 3, 4])
})
