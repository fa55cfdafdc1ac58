import type { ScanPolicy } from '@prospect/api-client'

export type BoundName = keyof ScanPolicy['bounds']

type BoundWords = { label: string; lowest: number; default: number; ceiling: number }

/** Limits that a policy can set. A test compares the ceilings with the API's own document. */
export const boundWords: Readonly<Record<BoundName, BoundWords>> = {
  pages: { label: 'Pages per scan', lowest: 1, default: 5, ceiling: 10 },
  depth: { label: 'Links from the start page', lowest: 0, default: 1, ceiling: 2 },
  links: { label: 'Links to examine per page', lowest: 0, default: 500, ceiling: 2_000 },
  scanMs: { label: 'Time per scan (ms)', lowest: 1_000, default: 30_000, ceiling: 60_000 },
  pageMs: { label: 'Time per page (ms)', lowest: 1_000, default: 10_000, ceiling: 15_000 },
  wireBytesPerPage: { label: 'Received bytes per page', lowest: 1, default: 2_000_000, ceiling: 2_000_000 },
  wireBytesPerScan: { label: 'Received bytes per scan', lowest: 1, default: 5_000_000, ceiling: 5_000_000 },
  decodedBytesPerPage: { label: 'Decompressed bytes per page', lowest: 1, default: 2_000_000, ceiling: 4_000_000 },
  decodedBytesPerScan: { label: 'Decompressed bytes per scan', lowest: 1, default: 8_000_000, ceiling: 16_000_000 },
  redirectsPerPage: { label: 'Redirects per page', lowest: 0, default: 5, ceiling: 5 },
  redirectsPerScan: { label: 'Redirects per scan', lowest: 0, default: 10, ceiling: 10 },
  fetchedPerDay: { label: 'Fetched scans per day', lowest: 1, default: 200, ceiling: 200 },
  suppliedPerDay: { label: 'Added pages per day', lowest: 1, default: 2_000, ceiling: 2_000 },
}

export const boundNames = Object.keys(boundWords) as BoundName[]

export const retention = { min: 30, default: 180, max: 730 } as const

export const policyStateWords: Readonly<Record<ScanPolicy['state'], string>> = {
  pending: 'Waiting for approval',
  current: 'Applies now',
  superseded: 'Replaced',
}
