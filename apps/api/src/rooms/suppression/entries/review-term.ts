import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { getTenant } from '../../identity/identity.ts'
import { type Term, termAt } from './review-term.rules.ts'

/** Returns the tenant's review term as of `at`; null if it has none, which is the default. */
export async function reviewTermOf(db: Kysely<Database>, tenantId: string, at: string): Promise<Term | null> {
  const { suppressionReviewMonths } = await getTenant(db, tenantId)
  return suppressionReviewMonths === null ? null : termAt(suppressionReviewMonths, at)
}
