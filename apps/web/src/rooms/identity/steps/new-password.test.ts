import { expect, test } from 'vitest'
import { newPasswordProblem } from './new-password.ts'

test('length is what counts, and the sentence says how much is missing', () => {
  expect(newPasswordProblem('')).toBe('Choose a password.')
  expect(newPasswordProblem('eleven long')).toBe('Use at least 12 characters: 1 more.')
  expect(newPasswordProblem('twelve long.')).toBeNull()
  expect(newPasswordProblem('a'.repeat(256))).toBeNull()
  expect(newPasswordProblem('a'.repeat(257))).toBe('Use at most 256 characters.')
})

test('characters are counted as the server counts them: composed, and whole beyond the basic plane', () => {
  // Eleven letters, one of them written as e and an accent: twelve code points, eleven characters.
  expect(newPasswordProblem('cafe\u0301 chante')).toBe('Use at least 12 characters: 1 more.')
  expect(newPasswordProblem('😀'.repeat(11))).toBe('Use at least 12 characters: 1 more.')
  expect(newPasswordProblem('😀'.repeat(12))).toBeNull()
})
