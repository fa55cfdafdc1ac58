import { vi } from 'vitest'

/** Time after which a check has failed, as in `expect.poll`. Vitest's default of 1 s fails on a busy machine. */
const PATIENCE_MS = 30_000

/** Repeats a check until it throws no more. Errors: the last error of the check. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS })
}
