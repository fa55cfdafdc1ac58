import { eligibilities, NO_BAND, NOT_SCORED, UNKNOWN_BAND, UNKNOWN_PRIORITY } from '../../../lib/score-codes.ts'
import type { Band } from '../rules/content.ts'

const STEP = 5

type Counted = { id: string; name: string; count: number }[]

/** Number of records by eligibility, priority and score. */
export type Distribution = {
  total: number
  eligibility: Record<'eligible' | 'unknown' | 'ineligible' | 'blocked' | 'notScored', number>
  /** number of records by band, best band first, then unknown */
  priority: Counted
  reachable: Counted
  /** number of records by lowest score, in steps of 5 points */
  scores: { from: number; to: number; count: number }[]
}

/** The number of records that have one combination of eligibility, priority, reachable band and lowest score. */
export type Cell = { eligibility: number; priority: number; reachable: number; low: number; count: number }

/** Adds up the counts per result of stored counts, of a sample or of a preview. */
export function distributionOf(cells: Iterable<Cell>, bands: readonly Band[]): Distribution {
  const eligibility = [0, 0, 0, 0, 0]
  const priority = bands.map(() => 0)
  const reachable = bands.map(() => 0)
  const scores = Array.from({ length: 100 / STEP }, () => 0)
  let total = 0
  let unknown = 0
  for (const { count, ...cell } of cells) {
    total += count
    eligibility[cell.eligibility] = (eligibility[cell.eligibility] ?? 0) + count
    if (cell.priority === UNKNOWN_BAND) unknown += count
    else if (cell.priority !== NO_BAND) priority[cell.priority] = (priority[cell.priority] ?? 0) + count
    if (cell.reachable !== NO_BAND) reachable[cell.reachable] = (reachable[cell.reachable] ?? 0) + count
    if (cell.low < 0) continue
    const step = Math.min(scores.length - 1, Math.floor(cell.low / STEP))
    scores[step] = (scores[step] ?? 0) + count
  }
  const ofBands = (counts: readonly number[]) => bands.map(({ id, name }, at) => ({ id, name, count: counts[at] ?? 0 }))
  const at = (name: (typeof eligibilities)[number]) => eligibility[eligibilities.indexOf(name)] ?? 0
  return {
    total,
    eligibility: {
      eligible: at('eligible'),
      unknown: at('unknown'),
      ineligible: at('ineligible'),
      blocked: at('blocked'),
      notScored: eligibility[NOT_SCORED] ?? 0,
    },
    priority: [...ofBands(priority), { id: UNKNOWN_PRIORITY, name: 'Unknown', count: unknown }],
    reachable: ofBands(reachable),
    scores: scores.map((count, step) => ({
      from: step * STEP,
      to: step === scores.length - 1 ? 100 : (step + 1) * STEP - 1,
      count,
    })),
  }
}

/** Returns a counter: `add` counts one result, `cells` returns the number of records per result. */
export function createCells(): { add(result: Omit<Cell, 'count'>): void; cells(): Cell[] } {
  const counted = new Map<string, Cell>()
  return {
    add: ({ eligibility, priority, reachable, low }) => {
      const key = `${eligibility} ${priority} ${reachable} ${low}`
      const known = counted.get(key)
      if (known === undefined) counted.set(key, { eligibility, priority, reachable, low, count: 1 })
      else known.count += 1
    },
    cells: () => [...counted.values()],
  }
}
