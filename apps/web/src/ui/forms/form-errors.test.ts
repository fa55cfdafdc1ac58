import { expect, test } from 'vitest'
import { ApiProblem } from '../api/api-problem.ts'
import { formErrors } from './form-errors.ts'

const refusal = (...errors: [path: string, message: string][]) =>
  new ApiProblem({
    status: 400,
    code: 'invalid_request',
    detail: 'The request is not valid.',
    errors: errors.map(([path, message]) => ({ path, code: 'x', message })),
  })
const hasField = (path: string) => ['reason', 'participants'].includes(path)

test('messages are grouped by field, and errors inside a list belong to the list', () => {
  const problem = refusal(
    ['reason', 'Too short.'],
    ['reason', 'No full stop.'],
    ['participants.2', 'Too long.'],
    ['participants.5', 'Too long.'],
  )
  expect(formErrors(problem, hasField)).toEqual({
    fields: { reason: 'Too short. No full stop.', participants: 'Too long.' },
    general: [],
  })
})

test('an error about a field that the form lacks uses its name in words, never its path', () => {
  const problem = refusal(['registrationNumber', 'Not one.'], ['emails.0.value', 'Too long.'], ['', 'Not both.'])
  expect(formErrors(problem, hasField)).toEqual({
    fields: {},
    general: ['Registration number: Not one.', 'Emails: Too long.', 'Not both.'],
  })
})

test('a form can name its own paths', () => {
  const lines = (path: string) => `Line ${Number(path.split('.')[1]) + 1}`
  expect(formErrors(refusal(['lines.4', 'Too long.']), hasField, lines).general).toEqual(['Line 5: Too long.'])
})

test('an error without fields shows the message of the server', () => {
  expect(formErrors(refusal(), hasField)).toEqual({ fields: {}, general: ['The request is not valid.'] })
})
