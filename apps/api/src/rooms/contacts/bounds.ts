/*
 * Limits of extractions; `docs/limits.md` lists them. An enablement sets the first group, up to the ceiling; the others are fixed.
 */

/** Limits that an enablement may set: [default, ceiling]. */
export const policyBounds = {
  pages: [5, 10],
  candidates: [100, 200],
  extractionsPerDay: [100, 500],
} as const
export type BoundName = keyof typeof policyBounds
export const boundNames = Object.keys(policyBounds) as [BoundName, ...BoundName[]]

/** Days for which undecided candidates are stored. */
export const retentionChoices = [30, 90, 180] as const
export type RetentionDays = (typeof retentionChoices)[number]
export type ExtractionLimits = Readonly<Record<BoundName, number>> & { retentionDays: RetentionDays }

export const defaultLimits: ExtractionLimits = {
  pages: policyBounds.pages[0],
  candidates: policyBounds.candidates[0],
  extractionsPerDay: policyBounds.extractionsPerDay[0],
  retentionDays: 90,
}

export const readingBounds = {
  /** values after this number wait in quarantine */
  valuesPerPage: 50,
  pageMs: 2_000,
  threadMb: 256,
} as const

export const candidateBounds = { openOfBusiness: 200, sightingsOfCandidate: 20, contextLength: 160 } as const

export const runningBounds = { ofTenant: 2, ofAll: 4 } as const

export const enablementDays = 366
export const failuresShown = 20
/** Days in which a rejected value is not proposed again. */
export const rejectionDays = 365
/** Scans of one request. */
export const maxScans = 10
