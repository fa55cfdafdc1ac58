import { AppError } from '../../../lib/app-error.ts'
import { problemsOf } from '../rules/content.rules.ts'
import type { Content } from '../rules/content.ts'

const MAX_ERRORS = 100

/** Throws if the content cannot be evaluated. Errors: `invalid_request` with the path of each problem. */
export function requireEvaluable(content: Content): void {
  const problems = problemsOf(content)
  if (problems.length === 0) return
  const errors = problems.slice(0, MAX_ERRORS)
  throw new AppError('invalid_request', `Correct the rules first. ${errors.map(({ message }) => message).join(' ')}`, {
    errors,
  })
}
