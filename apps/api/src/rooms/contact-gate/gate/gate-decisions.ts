/** The decision about a value: a live entry forbids it, none does, or the question failed and the caller stopped. */
const outcomes = ['matched', 'clear', 'failed'] as const
type GateOutcome = (typeof outcomes)[number]

const decisions: Record<GateOutcome, number> = { matched: 0, clear: 0, failed: 0 }

/** Adds to the counts of this process. */
export function countDecisions(more: Partial<Record<GateOutcome, number>>): void {
  for (const outcome of outcomes) decisions[outcome] += more[outcome] ?? 0
}

/**
 * Values that the gate decided about since the start, by outcome, over all tenants; also those of a change that was rolled back later.
 * Decisions in a worker thread, such as those of a CSV preview, are not included.
 */
export function gateDecisions(): Readonly<Record<GateOutcome, number>> {
  return decisions
}
