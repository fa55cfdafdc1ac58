import { expect, test } from 'vitest'
import { unreadableWords } from './unreadable-words.ts'

test('names the kind of an invalid value and states that it is saved as entered', () => {
  expect(unreadableWords({ kind: 'email', uncertainty: 'not_an_email_address' })).toBe(
    'Not a valid email address. It will be saved as entered.',
  )
  for (const uncertainty of ['not_a_phone_number', 'invalid_phone_number'] as const)
    expect(unreadableWords({ kind: 'phone', uncertainty })).toBe(
      'Not a valid phone number. It will be saved as entered.',
    )
  expect(unreadableWords({ kind: 'domain', uncertainty: 'not_a_domain' })).toBe(
    'Not a valid web domain. It will be saved as entered.',
  )
  expect(unreadableWords({ kind: 'domain', uncertainty: 'public_suffix' })).toMatch(/many web domains share/)
})

test('a local number without a country is not called invalid', () => {
  expect(unreadableWords({ kind: 'phone', uncertainty: 'no_country_context' })).toBeNull()
})
