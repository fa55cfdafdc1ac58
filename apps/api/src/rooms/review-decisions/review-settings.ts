import type { Kysely } from 'kysely'
import { requireVersion } from '../../http/conditional.ts'
import { actorKey } from '../../lib/actor.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import type { Database } from '../../store/database.ts'
import { findSettings, saveSettings } from './reviews.queries.ts'
import type { ReviewSettings } from './reviews.schema.ts'

/** Returns the review settings of the tenant. The version is 0 until they are first set. */
export async function getReviewSettings(db: Kysely<Database>, tenantId: string): Promise<ReviewSettings> {
  const row = await findSettings(db, { tenantId })
  return { version: row?.version ?? 0, termDays: row?.term_days ?? null, updatedAt: row?.updated_at ?? null }
}

/** Sets the review term, after which a decision becomes outdated. The follower applies it to earlier decisions. Errors: `version_conflict`. */
export async function changeReviewTerm(
  tx: Tx,
  version: number,
  termDays: number | null,
): Promise<ReviewSettings | Unchanged<ReviewSettings>> {
  const { tenantId } = tx.actor
  const current = await getReviewSettings(tx.db, tenantId)
  requireVersion(version, current.version)
  if (current.termDays === termDays) return unchanged(current)
  await saveSettings(tx.db, {
    tenant_id: tenantId,
    version: current.version + 1,
    term_days: termDays,
    is_applied: 0,
    updated_at: tx.at,
    updated_by: actorKey(tx.actor),
  })
  await tx.record({
    subject: { type: 'tenant', id: tenantId },
    before: { termDays: current.termDays },
    after: { termDays },
  })
  return { version: current.version + 1, termDays, updatedAt: tx.at }
}
