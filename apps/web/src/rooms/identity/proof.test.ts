import { expect, test } from 'vitest'
import { ApiProblem } from '../../ui/api/api-problem.ts'
import { missingProof, proofOf, proofRefusal } from './proof.ts'

test('a code is sent as six digits, with or without spaces', () => {
  expect(proofOf('totp', ' 123 456 ')).toEqual({ code: '123456' })
  expect(missingProof('totp', '123 456')).toBeNull()
  expect(missingProof('totp', '12345')).toBe('Enter the six digits of the code.')
  expect(missingProof('totp', '12345a')).toBe('Enter the six digits of the code.')
})

test('a password is sent as typed, including spaces; a recovery code is trimmed', () => {
  expect(proofOf('password', ' two words ')).toEqual({ password: ' two words ' })
  expect(proofOf('recovery_code', ' ABCD-EFGH ')).toEqual({ recoveryCode: 'ABCD-EFGH' })
  expect([missingProof('password', 'two words'), missingProof('recovery_code', ' ')]).toEqual([
    null,
    'Enter one of your recovery codes.',
  ])
})

test('an error depends on the proof, a limit shows the wait, and anything else is the message of the server', () => {
  const invalid = new ApiProblem({ status: 422, code: 'second_factor_invalid', detail: 'whatever' })
  expect(proofRefusal('password', invalid)).toEqual({ message: 'Wrong password.' })
  expect(proofRefusal('totp', invalid).message).toContain('already used or expired')
  expect(proofRefusal('totp', new ApiProblem({ status: 429, code: 'rate_limited' }, 8))).toEqual({
    message: 'Too many attempts.',
    waitSeconds: 8,
  })
  expect(proofRefusal('totp', new ApiProblem({ status: 503, code: 'unavailable', detail: 'Later.' })).message).toBe(
    'Later.',
  )
})
