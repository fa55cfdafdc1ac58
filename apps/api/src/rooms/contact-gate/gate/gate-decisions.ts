/** How the gate decided about a value: a live entry forbids it, none does, or it could not be said and the caller stopped. */
const outcomes = ['matched', 'clear', 'failed'] as const
type GateOutcome = (typeof outcomes)[number]

const decisions: Record<GateOutcome, number> = { matched: 0, clear: 0, failed: 0 }

/** Adds to the counts of this process. */
export function countDecisions(more: Partial<Record<GateOutcome, number>>): void {
  for (const outcome of outcomes) decisions[outcome] += more[outcome] ?? 0
}

/**
 * Values that the gate was asked about since the start, by what came out; of no tenant, and none of the values. Those of a change count
 * when it is durable, a failure whenever it happens. A thread with a gate of its own, as a CSV preview has one, counts for itself and
 * is not in it.
 */
export function gateDecisions(): Readonly<Record<GateOutcome, number>> {
  return decisions
}
