import { afterEach, expect, test } from 'vitest'
import { verdict } from './report.ts'

const before = process.exitCode
afterEach(() => {
  process.exitCode = before
})

test('a missed target sets the exit code, and a target that is met afterwards does not reset it', () => {
  expect(verdict(true)).toBe('met')
  expect(process.exitCode).toBe(before)
  expect(verdict(false)).toBe('MISSED')
  verdict(true)
  expect(process.exitCode).toBe(1)
})
