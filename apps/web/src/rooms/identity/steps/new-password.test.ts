import { expect, test } from 'vitest'
import { newPasswordProblem } from './new-password.ts'

test('only the length counts, and the message states how many characters are missing', () => {
  expect(newPasswordProblem('')).toBe('Choose a password.')
  expect(newPasswordProblem('eleven long')).toBe('Use at least 12 characters: 1 more.')
  expect(newPasswordProblem('twelve long.')).toBeNull()
  expect(newPasswordProblem('a'.repeat(256))).toBeNull()
  expect(newPasswordProblem('a'.repeat(257))).toBe('Use at most 256 characters.')
})

test('counts characters like the server: composed, and as whole code points', () => {
  // Eleven letters, one of them written as e with a combining accent: twelve code points, but eleven after composition.
  expect(newPasswordProblem('cafe\u0301 chante')).toBe('Use at least 12 characters: 1 more.')
  expect(newPasswordProblem('😀'.repeat(11))).toBe('Use at least 12 characters: 1 more.')
  expect(newPasswordProblem('😀'.repeat(12))).toBeNull()
})
