import { describe, expect, test } from 'vitest'
import { ApiProblem } from '../../ui/api/api-problem.ts'
import { missingIn, signInErrors, waitWords } from './sign-in.ts'

describe('a failed sign-in', () => {
  test('an unknown account and a wrong password give the same message', () => {
    const refused = new ApiProblem({ status: 401, code: 'invalid_credentials', detail: 'whatever the server says' })
    expect(signInErrors(refused)).toEqual({ form: 'The email address or password is wrong.' })
  })

  test('a limit shows the remaining wait', () => {
    expect(signInErrors(new ApiProblem({ status: 429, code: 'rate_limited' }, 75))).toEqual({
      form: 'Too many attempts to sign in.',
      waitSeconds: 75,
    })
    expect(waitWords(75)).toBe('1 minute 15 seconds')
    expect(waitWords(120)).toBe('2 minutes')
    expect(waitWords(0.2)).toBe('1 second')
  })

  test('field errors appear beside the field, others above the form', () => {
    const invalid = { status: 400, code: 'invalid_request', detail: 'Some values are not valid.' }
    expect(
      signInErrors(new ApiProblem({ ...invalid, errors: [{ path: 'email', code: 'too_big', message: 'Too long.' }] })),
    ).toEqual({ email: 'Too long.' })
    expect(signInErrors(new ApiProblem(invalid))).toEqual({ form: 'Some values are not valid.' })
  })

  test('blank fields are reported before anything is sent', () => {
    expect(Object.keys(missingIn({ email: ' ', password: '' }))).toEqual(['email', 'password'])
  })
})
