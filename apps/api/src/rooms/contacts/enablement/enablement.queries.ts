import type { Db } from '../../../store/database.ts'
import { failuresShown } from '../bounds.ts'
import type { EnablementTable } from '../contacts.table.ts'

export async function insertEnablement(db: Db, row: EnablementTable): Promise<void> {
  await db.insertInto('contact_enablements').values(row).execute()
}

/** Returns the newest row; undefined if extraction was never enabled. */
export function findEnablementRow(db: Db, tenantId: string): Promise<EnablementTable | undefined> {
  return db
    .selectFrom('contact_enablements')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns failed extractions, newest first. */
export async function selectFailures(
  db: Db,
  tenantId: string,
): Promise<{ extractionId: string; at: string; reasons: string }[]> {
  const rows = await db
    .selectFrom('extraction_results')
    .select(['extraction_id', 'ended_at', 'reasons'])
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'failed')
    .orderBy('extraction_id', 'desc')
    .limit(failuresShown)
    .execute()
  return rows.map(({ extraction_id, ended_at, reasons }) => ({
    extractionId: extraction_id,
    at: ended_at ?? '',
    reasons,
  }))
}
