import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../../store/database.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import { findOutcomeOf } from './bulk.queries.ts'
import type { Done } from './bulk-outcome.rules.ts'

export const readValues = jsonColumn(z.record(z.string(), z.unknown()))

/** Returns the values that a bulk changed in a record; undefined if it changed none. */
export async function doneOf(
  db: Kysely<Database>,
  tenantId: string,
  bulkId: string,
  businessId: string,
): Promise<Done | undefined> {
  const row = await findOutcomeOf(db, tenantId, bulkId, businessId)
  if (row === undefined || row.before === null || row.after === null) return undefined
  return { before: readValues(row.before), after: readValues(row.after) }
}
