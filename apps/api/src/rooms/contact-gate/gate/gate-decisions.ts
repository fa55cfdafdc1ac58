/** The decision about a value: an entry matched, none did, or the query failed and stopped the caller. */
const outcomes = ['matched', 'clear', 'failed'] as const
type GateOutcome = (typeof outcomes)[number]

const decisions: Record<GateOutcome, number> = { matched: 0, clear: 0, failed: 0 }

/** Adds to this process's counts. */
export function countDecisions(more: Partial<Record<GateOutcome, number>>): void {
  for (const outcome of outcomes) decisions[outcome] += more[outcome] ?? 0
}

/**
 * Returns the number of values that the gate decided about since the start, by outcome, over all tenants. It includes decisions of a change that was
 * rolled back later, but not those of a worker thread, such as a CSV preview.
 */
export function gateDecisions(): Readonly<Record<GateOutcome, number>> {
  return decisions
}
