import { setTimeout as wait } from 'node:timers/promises'
import { AppError, type ErrorCode } from '../../../lib/app-error.ts'

/**
 * Interval in milliseconds: a refusal is sent at a multiple of it after the attempt arrived. Recording a failure takes a millisecond longer for a
 * known account than for an unknown one. After rounding up, this difference is not measurable (`bench/sign-in.ts`).
 */
const REFUSAL_BEAT_MS = 50
const refusals: ReadonlySet<ErrorCode> = new Set(['invalid_credentials', 'company_sign_in_refused'])

/** Runs an attempt to sign in or to link a company account, and sends a refusal at the next multiple of the interval. */
export async function refusingOnTheBeat<T>(attempt: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof AppError && refusals.has(error.code)) {
      await wait(REFUSAL_BEAT_MS - ((performance.now() - startedAt) % REFUSAL_BEAT_MS))
    }
    throw error
  }
}
