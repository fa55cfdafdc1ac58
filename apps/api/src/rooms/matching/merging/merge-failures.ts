import { AppError, type ErrorCode } from '../../../lib/app-error.ts'
import { storeErrorKind } from '../../../store/engine/store-errors.ts'

const FAILURE_LENGTH = 500

/**
 * Returns the reason of a failure without any text of the records, because attempts are never deleted but records can be erased. A refusal is reduced
 * to its code, since its message can name the records. Errors thrown by this service and database errors are stored with their message, which
 * contains ids at most. Any other error is reduced to its kind, because its message can quote content.
 */
export function failureOf(error: unknown): string {
  if (error instanceof AppError) return error.code
  if (!(error instanceof Error)) return 'unknown'
  const isOurs = error.constructor === Error || storeErrorKind(error) !== undefined
  return isOurs ? error.message.slice(0, FAILURE_LENGTH) : error.name
}

const refusals: Partial<Record<ErrorCode, string>> = {
  business_not_active: 'One of the two records was no longer active.',
  conflicts_unresolved: 'The records were in different pipeline states, and nobody chose the state to keep.',
  invalid_request: 'A chosen value did not belong to these two records.',
  merge_not_reversible: 'This merge could no longer be undone.',
  not_found: 'One of the two records did not exist.',
  pair_changed: 'One of the two records changed in the meantime.',
  suggestion_not_open: 'The suggestion was already decided or no longer open.',
  too_large: 'The two records had more entries than a merge allows.',
  unavailable: 'The data could not be stored.',
}

/** Returns the sentence that screens show for a stored failure. */
export function failureWords(failure: string | null): string | null {
  const [, words] = Object.entries(refusals).find(([code]) => code === failure) ?? []
  return words ?? failure
}
