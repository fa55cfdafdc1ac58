import { useRef } from 'react'
import { isProblem } from '../api/api-problem.ts'
import { newKey } from '../api/idempotency.ts'
import { serverNow } from '../api/server-clock.ts'

/**
 * One attempt to save a form. A retry with the same payload uses the same key and the same `at`. `loaded`: the part of the body that the first request
 * read from the server, as JSON.
 */
export type Attempt = { payload: string; key: string; at: string; loaded?: string }

/**
 * Returns the part of the body that is read from the server. `load` runs for the first request of an attempt; a retry sends the same part, because the
 * server refuses another body with the same key. `parse` returns null if a stored part does not fit; then `load` runs again.
 */
export type LoadOnce = <Part>(load: () => Promise<Part>, parse: (stored: unknown) => Part | null) => Promise<Part>

/** Stores the last attempt with its draft, which may outlive the form and the page. */
export type AttemptStore = { last: () => Attempt | null; keep: (attempt: Attempt) => void; forget: () => void }

/**
 * One idempotency key per payload of a form. A retry of the same payload, for example after a lost connection, uses the same key, so that the server
 * saves it once; an edited payload gets a new key.
 *
 * - `at` is the time of the first request. A body that contains the current time uses `at`, as otherwise each retry would have a different payload.
 * - Call `done()` after success.
 * - Call `refused(error)` after a failure. It drops a key that the server rejects, for example because the record created with it was erased. After an
 *   invalid request, which saved nothing, it drops the loaded part, so that a retry loads it again.
 * - A body that contains values of the server reads them with `loadOnce(attempt)`.
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
  const keep = (attempt: Attempt) => {
    last.current = attempt
    attempts?.keep(attempt)
  }
  const loadOnce =
    (attempt: Attempt): LoadOnce =>
    async (load, parse) => {
      const stored = attempt.loaded === undefined ? null : parse(JSON.parse(attempt.loaded))
      if (stored !== null) return stored
      const part = await load()
      keep({ ...attempt, loaded: JSON.stringify(part) })
      return part
    }
  return {
    attemptFor,
    loadOnce,
    keyFor: (payload: unknown) => attemptFor(payload).key,
    done: () => {
      last.current = null
    },
    refused: (error: unknown) => {
      if (isProblem(error, 'invalid_request') && last.current?.loaded !== undefined) {
        const { loaded: _, ...attempt } = last.current
        keep(attempt)
      }
      if (!isProblem(error, 'idempotency_key_reused')) return
      last.current = null
      attempts?.forget()
    },
  }
}
