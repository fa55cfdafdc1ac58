/**
 * Outcomes of a decision about a value. `matched`: an entry matches it. `clear`: no entry does. `failed`: the query failed, which stopped the caller.
 */
const outcomes = ['matched', 'clear', 'failed'] as const
type GateOutcome = (typeof outcomes)[number]

const decisions: Record<GateOutcome, number> = { matched: 0, clear: 0, failed: 0 }

/** Adds to the counts of this process. */
export function countDecisions(more: Partial<Record<GateOutcome, number>>): void {
  for (const outcome of outcomes) decisions[outcome] += more[outcome] ?? 0
}

/**
 * Returns the number of values about which the gate decided since the start of the process, by outcome, over all tenants. It includes decisions of
 * changes that were rolled back, but not those of worker threads, such as the thread of a CSV preview.
 */
export function gateDecisions(): Readonly<Record<GateOutcome, number>> {
  return decisions
}
