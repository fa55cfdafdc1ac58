import { NO_RANK, NO_SCORE } from '../../../lib/score-codes.ts'
import type { StoredResult } from '../scores/stored-result.ts'

/** The scores of a whole tenant in memory, in the order of record ids. A score takes some 110 bytes, most of them for the id. */
export type PackedScores = {
  add(id: string, result: StoredResult): void
  size(): number
  id(at: number): string
  get(at: number): StoredResult
  /** Returns the indexes in the order of lists: eligibility, highest score, larger tie-break number, id. */
  inOrder(): Uint32Array
  /** Returns the indexes of scores that have a deadline, earliest deadline first. */
  byDeadline(): Uint32Array
}

const NEVER = 0

export function createPackedScores(expected: number): PackedScores {
  const ids: string[] = []
  let capacity = Math.max(1_024, expected)
  let small = new Int8Array(capacity * 6)
  let ties = new Float64Array(capacity)
  let holds = new Float64Array(capacity)

  function grow(): void {
    capacity *= 2
    const [olderSmall, olderTies, olderHolds] = [small, ties, holds]
    small = new Int8Array(capacity * 6)
    small.set(olderSmall)
    ties = new Float64Array(capacity)
    ties.set(olderTies)
    holds = new Float64Array(capacity)
    holds.set(olderHolds)
  }

  const at = (place: number, column: number): number => small[place * 6 + column] ?? 0
  const rankOf = (place: number): number => (at(place, 1) === NO_SCORE ? NO_RANK : 100 - at(place, 1))

  return {
    add(id, { eligibility, low, high, priority, reachable, completeness, tie, holds_until }) {
      const place = ids.length
      if (place === capacity) grow()
      ids.push(id)
      small.set([eligibility, low, high, priority, reachable, completeness], place * 6)
      ties[place] = tie
      holds[place] = holds_until ?? NEVER
    },
    size: () => ids.length,
    id: (place) => ids[place] ?? '',
    get: (place) => ({
      eligibility: at(place, 0),
      low: at(place, 1),
      high: at(place, 2),
      priority: at(place, 3),
      reachable: at(place, 4),
      completeness: at(place, 5),
      tie: ties[place] ?? 0,
      holds_until: holds[place] === NEVER ? null : (holds[place] ?? null),
    }),
    // Indexes ascend with ids, so among equal scores the smaller index has the smaller id.
    inOrder: () =>
      places(ids.length).sort(
        (a, b) => at(a, 0) - at(b, 0) || rankOf(a) - rankOf(b) || (ties[b] ?? 0) - (ties[a] ?? 0) || a - b,
      ),
    byDeadline: () =>
      places(ids.length)
        .filter((place) => holds[place] !== NEVER)
        .sort((a, b) => (holds[a] ?? 0) - (holds[b] ?? 0) || a - b),
  }
}

function places(size: number): Uint32Array {
  return Uint32Array.from({ length: size }, (_, place) => place)
}
