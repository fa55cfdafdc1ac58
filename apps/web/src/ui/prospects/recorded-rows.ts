/**
 * Rows of files that became records or observations, stored in this browser per user and tenant. Only ids and row references are stored; names are
 * read from the records.
 */
import { useCallback } from 'react'
import { useSession } from '../api/session.ts'
import { storedNow, useStored } from '../forms/use-stored.ts'

export type RecordedRow = { reference: string; businessId: string; isNew: boolean }

/** Maximum number of stored rows; the newest are kept. */
const MOST_ROWS = 1_000

export function useRecordedRows(): { rows: readonly RecordedRow[]; add: (row: RecordedRow) => void } {
  const { user, tenant } = useSession()
  const key = `prospect-recorded-rows:${user.id}:${tenant.id}`
  const [rows, store] = useStored(key, parseRows)
  // Read the stored rows again: another row may have been added while this one was saved.
  const add = useCallback((row: RecordedRow) => store(withRow(storedNow(key, parseRows), row)), [key, store])
  return { rows, add }
}

/** Puts a row first. Each pair of row and record is stored once. */
export function withRow(rows: readonly RecordedRow[], added: RecordedRow): RecordedRow[] {
  const others = rows.filter(
    ({ reference, businessId }) => reference !== added.reference || businessId !== added.businessId,
  )
  return [added, ...others].slice(0, MOST_ROWS)
}

function parseRows(kept: unknown): RecordedRow[] {
  return Array.isArray(kept) ? kept.filter(isRow) : []
}

function isRow(value: unknown): value is RecordedRow {
  if (typeof value !== 'object' || value === null) return false
  const { reference, businessId, isNew } = value as Record<string, unknown>
  return typeof reference === 'string' && typeof businessId === 'string' && typeof isNew === 'boolean'
}
