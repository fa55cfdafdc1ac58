/** Converts the counts of a distribution to table rows. */
import type { ScoringDistribution, ScoringPreviewResult } from '@prospect/api-client'

export type CountRow = { id: string; label: string; before: number | null; after: number }

const eligibilityLabels = {
  eligible: 'Eligible',
  unknown: 'Unknown',
  ineligible: 'Ineligible',
  blocked: 'Do not contact',
  notScored: 'Not scored',
} as const

/** Counts by band, best first. Bands that exist only in the previous rules come last. */
export function priorityRows(before: ScoringDistribution | null, after: ScoringDistribution): CountRow[] {
  const beforeOf = (id: string) => before?.priority.find((band) => band.id === id)?.count ?? 0
  const known = new Set(after.priority.map(({ id }) => id))
  const gone = before?.priority.filter(({ id }) => !known.has(id)) ?? []
  return [
    ...after.priority.map(({ id, name, count }) => ({
      id,
      label: name,
      before: before === null ? null : beforeOf(id),
      after: count,
    })),
    ...gone.map(({ id, name, count }) => ({ id, label: name, before: count, after: 0 })),
  ]
}

export function eligibilityRows(before: ScoringDistribution | null, after: ScoringDistribution): CountRow[] {
  return (Object.keys(eligibilityLabels) as (keyof typeof eligibilityLabels)[]).map((id) => ({
    id,
    label: eligibilityLabels[id],
    before: before?.eligibility[id] ?? null,
    after: after.eligibility[id],
  }))
}

const cellLabels: Readonly<Record<string, string>> = {
  eligible: 'Eligible',
  ineligible: 'Ineligible',
  unknown: 'Unknown',
  blocked: 'Do not contact',
  none: 'Do not contact',
  not_scored: 'Not scored',
}

/** Name of a row or column of a matrix: a band or an eligibility. */
export function cellName(of: 'priority' | 'eligibility', id: string, result: ScoringPreviewResult): string {
  const bands = of === 'priority' ? [...result.after.priority, ...(result.before?.priority ?? [])] : []
  return bands.find((band) => band.id === id)?.name ?? cellLabels[id] ?? id
}

export type MatrixRow = { id: string; counts: { id: string; count: number }[] }

/** Rows and columns of a matrix, with the columns that are not all zero. */
export function matrixRows({ cells, counts }: ScoringPreviewResult['priority']): MatrixRow[] {
  const columns = cells.flatMap((id, at) => (counts.some((row) => (row[at] ?? 0) > 0) ? [{ id, at }] : []))
  return cells.map((id, at) => ({
    id,
    counts: columns.map((column) => ({ id: column.id, count: counts[at]?.[column.at] ?? 0 })),
  }))
}

/** Number of prospects whose priority or eligibility changes. */
export const changedIn = ({ counts }: ScoringPreviewResult['priority']): number =>
  counts.flatMap((row, from) => row.filter((_, to) => to !== from)).reduce((sum, count) => sum + count, 0)
