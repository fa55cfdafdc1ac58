import { DAY_MS } from '../../../lib/clock.ts'
import { outcomes } from '../../../lib/interaction-outcome.ts'
import { readLimits } from '../records/scoring-record.ts'
import { labelOf, type Signal } from './signal.ts'

/* Signals of the interactions with the prospect. */

export const lastOutcome: Signal = {
  key: 'interactions.last_outcome',
  title: 'Last outcome',
  type: 'choice',
  choices: outcomes.map((value) => ({ value, label: labelOf(value) })),
  reads: 'interactions',
  datedBy: 'the last interaction',
  read: ({ interactions }) => interactions[0]?.outcome,
  datedAt: ({ interactions }) => interactions[0]?.at ?? null,
}

/** Builds a signal that counts the interactions of the last `days` days. For a record without interactions the value is 0, not unknown. */
function within(days: number): Signal {
  const windowMs = days * DAY_MS
  return {
    key: `interactions.in_${days}_days`,
    title: `Interactions in ${days} days`,
    type: 'number',
    reads: 'interactions',
    datedBy: null,
    read: ({ interactions }, now) => {
      let recent = 0
      for (const { at } of interactions) {
        if (at <= now - windowMs) break
        recent += 1
      }
      return recent
    },
    isPartial: ({ hasMoreInteractions, interactions }) =>
      hasMoreInteractions && interactions.length === readLimits.interactions,
    changesAt: ({ interactions }, now, { op, value }) => {
      if (typeof value !== 'number') return null
      // The interaction whose exit from the time window changes the decision.
      const crossing = interactions[op === 'at_least' ? value - 1 : value]
      if (crossing === undefined || crossing.at <= now - windowMs) return null
      return crossing.at + windowMs
    },
  }
}

export const recentInteractions: readonly Signal[] = [within(30), within(90), within(365)]
