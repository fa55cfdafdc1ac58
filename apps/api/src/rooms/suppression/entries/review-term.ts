import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { getTenant } from '../../identity/identity.ts'
import { type Term, termAt } from './review-term.rules.ts'

/** The term that the tenant set for its entries, as of `at`; null: none, as every tenant begins. */
export async function reviewTermOf(db: Kysely<Database>, tenantId: string, at: string): Promise<Term | null> {
  const { suppressionReviewMonths } = await getTenant(db, tenantId)
  return suppressionReviewMonths === null ? null : termAt(suppressionReviewMonths, at)
}
