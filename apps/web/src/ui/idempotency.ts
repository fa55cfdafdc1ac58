import { useRef } from 'react'

/** Works without a secure context too, where crypto.randomUUID is missing. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * One key per attempt of a form: the same payload sent again (after a lost connection, say) carries the same key, so
 * that the server writes it once; an edited payload is another attempt and gets a new one. `done()` after success.
 */
export function useIdempotencyKey(): { keyFor: (payload: unknown) => string; done: () => void } {
  const attempt = useRef<{ payload: string; key: string } | null>(null)
  return {
    keyFor(payload) {
      const text = JSON.stringify(payload)
      if (attempt.current?.payload !== text) attempt.current = { payload: text, key: newKey() }
      return attempt.current.key
    },
    done() {
      attempt.current = null
    },
  }
}
