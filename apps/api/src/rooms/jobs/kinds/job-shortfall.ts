import type { JsonValue } from '../../../lib/json.ts'

/** States in which a job that succeeded can leave its request without a complete answer. */
export const shortfallStates = ['deferred', 'unavailable', 'blocked', 'incomplete', 'unknown', 'failed'] as const
type ShortfallState = (typeof shortfallStates)[number]

/** Why the request of a job that succeeded has no complete answer. `reason`: a code of the room. */
export type JobShortfall = { state: ShortfallState; reason: string | null }

/**
 * Returns the shortfall that these two fields of a result state; null for a state that is a complete answer. `reasons`: one code or several, of which
 * the first is returned.
 */
export function shortfallOf(state: JsonValue | undefined, reasons: JsonValue | undefined): JobShortfall | null {
  const known = shortfallStates.find((one) => one === state)
  if (known === undefined) return null
  const [reason] = Array.isArray(reasons) ? reasons : [reasons]
  return { state: known, reason: typeof reason === 'string' ? reason : null }
}
