/*
 * Limits of scans; `docs/limits.md` lists them. A policy sets the first group, up to its ceilings; the other limits are fixed. A MB is 1,000,000
 * bytes.
 */

/** Limits that a policy may set: [default, ceiling]. */
export const policyBounds = {
  scanMs: [30_000, 60_000],
  pageMs: [10_000, 15_000],
  wireBytesPerPage: [2_000_000, 2_000_000],
  wireBytesPerScan: [5_000_000, 5_000_000],
  decodedBytesPerPage: [2_000_000, 4_000_000],
  decodedBytesPerScan: [8_000_000, 16_000_000],
  redirectsPerPage: [5, 5],
  redirectsPerScan: [10, 10],
  pages: [5, 10],
  depth: [1, 2],
  links: [500, 2_000],
  fetchedPerDay: [200, 200],
  suppliedPerDay: [2_000, 2_000],
} as const

export type BoundName = keyof typeof policyBounds
export const boundNames = Object.keys(policyBounds) as [BoundName, ...BoundName[]]
export type Budgets = Readonly<Record<BoundName, number>>

export const defaultBudgets = Object.fromEntries(
  Object.entries(policyBounds).map(([name, [value]]) => [name, value]),
) as Budgets

/** Limits of parsing one page. */
export const parseBounds = { nodes: 200_000, nesting: 512, parseMs: 2_000, threadMb: 256 } as const

export const storedBounds = {
  suppliedBytes: 5_000_000,
  /** facts of one scan, as stored */
  factsBytes: 32 * 1024,
  urlLength: 500,
  titleLength: 200,
} as const

export const heldBounds = { bytes: 64_000_000, minutes: 15 } as const

/** Beginning of the visible text of a page, held beside its content. */
export const openingBounds = { length: 400, read: 1_000 } as const

export const FRESH_DAYS = 30
export const retentionBounds = { min: 30, default: 180, max: 730 } as const

/** Limits of scans that fetch pages. */
export const runningBounds = {
  ofTenant: 2,
  ofAll: 4,
  ofHost: 1,
  fetchedByAllPerDay: 2_000,
  hostIntervalMs: 1_000,
  /** total duration of a scan, including waits */
  wholeMs: 120_000,
  crawlDelayMs: 10_000,
  robotsBytes: 500 * 1024,
  robotsMs: 200,
  robotsHours: 24,
  robotsEntries: 1_000,
  cacheEntries: 10_000,
} as const
