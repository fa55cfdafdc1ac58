import { useRef } from 'react'
import type { Attempt, AttemptStore } from '../forms/use-draft.ts'
import { serverNow } from '../text/server-clock.ts'
import { isProblem } from './api-problem.ts'

/**
 * For one try alone, of what others may undo: to block, to suppress, to move. Sent again it is done anew, which changes nothing where it
 * stands already; under the same key the answer would be that of the first time, whatever a colleague has done since.
 *
 * Works without a secure context too, where crypto.randomUUID is missing.
 */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * One key per attempt of a form: the same payload sent again (after a lost connection, say) carries the same key, so
 * that the server writes it once; an edited payload is another attempt and gets a new one. `at` is when it was first sent: a body that
 * has a moment in it takes this one, or each retry would be another body under the same key. `done()` after success.
 *
 * `refused()`: where the key itself is refused (what was made with it is erased, say), the next try is another attempt.
 *
 * With the `attempts` of a draft the key lives as long as the draft does: the form may be left, and opened again, in between.
 */
export function useIdempotencyKey(attempts?: AttemptStore) {
  const last = useRef<Attempt | null>(null)
  const attemptFor = (payload: unknown): Attempt => {
    const text = JSON.stringify(payload)
    const known = [last.current, attempts?.last() ?? null].find((attempt) => attempt?.payload === text)
    last.current = known ?? { payload: text, key: newKey(), at: serverNow().toISOString() }
    if (known === undefined) attempts?.keep(last.current)
    return last.current
  }
  return {
    attemptFor,
    keyFor: (payload: unknown) => attemptFor(payload).key,
    done: () => {
      last.current = null
    },
    refused: (error: unknown) => {
      if (!isProblem(error, 'idempotency_key_reused')) return
      last.current = null
      attempts?.forget()
    },
  }
}
