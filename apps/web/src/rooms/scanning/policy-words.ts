import type { ScanPolicy } from '@prospect/api-client'
import { numberText } from '../../ui/text/typed-number.ts'

export type BoundName = keyof ScanPolicy['bounds']

/** `lowest`, `default` and `ceiling` as the API counts: pages, milliseconds, bytes. `unit` is what a person types and reads. */
type BoundWords = { label: string; lowest: number; default: number; ceiling: number; unit?: Unit }

type Unit = { name: 'seconds' | 'MB'; size: number; decimals: number }
const seconds: Unit = { name: 'seconds', size: 1_000, decimals: 3 }
const megabytes: Unit = { name: 'MB', size: 1_000_000, decimals: 6 }
const pieces = { name: null, size: 1, decimals: 0 } as const

/** Limits that a policy can set. A test compares the ceilings with the API's own document. */
export const boundWords: Readonly<Record<BoundName, BoundWords>> = {
  pages: { label: 'Pages per scan', lowest: 1, default: 5, ceiling: 10 },
  depth: { label: 'Links from the start page', lowest: 0, default: 1, ceiling: 2 },
  links: { label: 'Links to examine per page', lowest: 0, default: 500, ceiling: 2_000 },
  scanMs: { label: 'Time per scan', lowest: 1_000, default: 30_000, ceiling: 60_000, unit: seconds },
  pageMs: { label: 'Time per page', lowest: 1_000, default: 10_000, ceiling: 15_000, unit: seconds },
  wireBytesPerPage: {
    label: 'Received data per page',
    lowest: 1,
    default: 2_000_000,
    ceiling: 2_000_000,
    unit: megabytes,
  },
  wireBytesPerScan: {
    label: 'Received data per scan',
    lowest: 1,
    default: 5_000_000,
    ceiling: 5_000_000,
    unit: megabytes,
  },
  decodedBytesPerPage: {
    label: 'Decompressed data per page',
    lowest: 1,
    default: 2_000_000,
    ceiling: 4_000_000,
    unit: megabytes,
  },
  decodedBytesPerScan: {
    label: 'Decompressed data per scan',
    lowest: 1,
    default: 8_000_000,
    ceiling: 16_000_000,
    unit: megabytes,
  },
  redirectsPerPage: { label: 'Redirects per page', lowest: 0, default: 5, ceiling: 5 },
  redirectsPerScan: { label: 'Redirects per scan', lowest: 0, default: 10, ceiling: 10 },
  fetchedPerDay: { label: 'Fetched scans per day', lowest: 1, default: 200, ceiling: 200 },
  suppliedPerDay: { label: 'Added pages per day', lowest: 1, default: 2_000, ceiling: 2_000 },
}

/** Label with the unit, such as 'Time per scan (seconds)'. */
export function boundLabel(name: BoundName): string {
  const { label, unit } = boundWords[name]
  return unit === undefined ? label : `${label} (${unit.name})`
}

/** Value of the API in the unit of the form. */
export const inUnit = (name: BoundName, value: number): number => value / (boundWords[name].unit ?? pieces).size

/** Value of the form in the unit of the API, which takes whole numbers. */
export const fromUnit = (name: BoundName, value: number): number =>
  Math.round(value * (boundWords[name].unit ?? pieces).size)

/** Range of a field, in its unit. */
export function boundRange(name: BoundName): { min: number; max: number; decimals: number } {
  const { lowest, ceiling, unit } = boundWords[name]
  return { min: inUnit(name, lowest), max: inUnit(name, ceiling), decimals: (unit ?? pieces).decimals }
}

/** Formats as '30 seconds', '2 MB' or '5'. */
export function boundText(name: BoundName, value: number): string {
  const { unit } = boundWords[name]
  const number = numberText(inUnit(name, value))
  return unit === undefined ? number : `${number} ${unit.name}`
}

export const boundNames = Object.keys(boundWords) as BoundName[]

export const retention = { min: 30, default: 180, max: 730 } as const

export const policyStateWords: Readonly<Record<ScanPolicy['state'], string>> = {
  pending: 'Waiting for approval',
  current: 'Applies now',
  superseded: 'Replaced',
}
