import { actorKey } from '../../lib/actor.ts'
import { notFound } from '../../lib/app-error.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import type { Origin } from './create-token.ts'
import { findShownToken } from './tokens.queries.ts'

/**
 * Revokes a token of the person who makes this change, or with `tokens.manage` one of another member. Takes effect for the next request. Revoking a
 * token that is revoked changes nothing. Errors: `not_found` (a token of another person or tenant).
 */
export async function revokeToken(
  tx: Tx,
  userId: string,
  { id, origin }: { id: string; origin: Origin },
): Promise<undefined | Unchanged<undefined>> {
  const { tenantId, permissions } = tx.actor
  const filter = permissions.has('tokens.manage') ? { tenantId, id } : { tenantId, userId, id }
  const token = await findShownToken(tx.db, filter, Date.parse(tx.at))
  if (token === undefined) throw notFound()
  if (token.revokedAt !== null) return unchanged(undefined)
  await tx.db
    .updateTable('access_tokens')
    .set({ revoked_at: tx.at, revoked_by: actorKey(tx.actor) })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
  await tx.record({
    subject: { type: 'token', id },
    before: { status: token.status },
    after: { ...origin, status: 'revoked', person: token.person.id },
  })
  return undefined
}
