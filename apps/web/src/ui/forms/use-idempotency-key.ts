import { useRef } from 'react'
import { isProblem } from '../api/api-problem.ts'
import { newKey } from '../api/idempotency.ts'
import { serverNow } from '../api/server-clock.ts'

/** One attempt to save a form. A retry with the same payload uses the same key and the same `at`. */
export type Attempt = { payload: string; key: string; at: string }

/** Stores the last attempt with its draft, which may outlive the form and the page. */
export type AttemptStore = { last: () => Attempt | null; keep: (attempt: Attempt) => void; forget: () => void }

/**
 * One idempotency key per payload of a form. A retry of the same payload, for example after a lost connection, uses the same key, so that the server
 * saves it once; an edited payload gets a new key.
 *
 * - `at` is the time of the first request. A body that contains the current time uses `at`, as otherwise each retry would have a different payload.
 * - Call `done()` after success.
 * - Call `refused(error)` after a failure. It drops a key that the server rejects, for example because the record created with it was erased.
 *
 * With the `attempts` of a draft, the key is stored with the draft: the form may be closed and reopened in between.
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
