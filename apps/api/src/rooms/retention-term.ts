import type { Config } from '../config.ts'
import type { Store } from '../store/store.ts'

/** Data with one retention period, which a room declares and enforces (`Room.retention`). */
export type Retention = {
  /** unique among all rooms, such as 'export_files' */
  key: string
  /** what is stored, as a plural: 'Files of exports' */
  data: string
  /** the period of this workspace; a function if a person or the configuration sets it */
  term: RetentionTerm | ((context: RetentionContext) => Promise<RetentionTerm>)
  /** where the period begins, and who sets it, as sentences */
  begins: string
  /** what is deleted at the end and what remains, as sentences */
  ends: string
  /** names of the upkeep tasks that enforce the period */
  tasks?: readonly string[]
}

/**
 * A period. `per_item`: each item has its own. `erasure`: until the prospect is erased. `removal`: until a person removes the item. `always`: never
 * deleted. `not_stored`: the workspace stores none.
 */
export type RetentionTerm =
  | { kind: 'time'; value: number; unit: RetentionUnit }
  | { kind: Exclude<RetentionKind, 'time'>; value: null; unit: null }
export const retentionKinds = ['time', 'per_item', 'erasure', 'removal', 'always', 'not_stored'] as const
export type RetentionKind = (typeof retentionKinds)[number]
export const retentionUnits = ['minute', 'hour', 'day'] as const
export type RetentionUnit = (typeof retentionUnits)[number]

/** Values from which a period is read. */
export type RetentionContext = { store: Store; config: Config; tenantId: string; at: string }

export const termOf = (value: number, unit: RetentionUnit): RetentionTerm => ({ kind: 'time', value, unit })
export const termWithoutTime = (kind: Exclude<RetentionKind, 'time'>): RetentionTerm => ({
  kind,
  value: null,
  unit: null,
})
/** null: nothing is stored. */
export const daysOrNone = (days: number | null): RetentionTerm =>
  days === null ? termWithoutTime('not_stored') : termOf(days, 'day')
