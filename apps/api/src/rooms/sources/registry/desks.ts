import type { Kysely } from 'kysely'
import { requireVersion } from '../../../http/conditional.ts'
import { actorKey } from '../../../lib/actor.ts'
import { namesNothing } from '../../../lib/app-error.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Database } from '../../../store/database.ts'
import { isMember } from '../../identity/identity.ts'
import type { Desks, PutDesks } from '../sources.schema.ts'
import { desks } from '../sources.table.ts'
import { findDeskSet, replaceDesks, selectDesks } from './registry.queries.ts'

/** Returns the members who may approve for each desk (product, legal, security). The version is 0 before the first designation. */
export async function readDesks(db: Kysely<Database>, tenantId: string): Promise<Desks> {
  const set = await findDeskSet(db, tenantId)
  const members = await selectDesks(db, tenantId)
  const at = (desk: (typeof desks)[number]) =>
    members
      .filter((one) => one.desk === desk)
      .map(({ id, name, status, account_status }) => ({
        id,
        name,
        isActive: status === 'active' && account_status === 'active',
      }))
  return {
    version: set?.version ?? 0,
    product: at('product'),
    legal: at('legal'),
    security: at('security'),
    updatedAt: set?.updated_at ?? null,
  }
}

/**
 * Designates the members who may approve for each of the three desks. Errors: `version_conflict`, `not_found` for a person who is not an active
 * member.
 */
export async function designate(tx: Tx, expected: number, input: PutDesks): Promise<{ version: number }> {
  const { tenantId } = tx.actor
  const before = await readDesks(tx.db, tenantId)
  requireVersion(expected, before.version)
  const members = desks.flatMap((desk) => input[desk].map((userId) => ({ desk, userId })))
  for (const { desk, userId } of members)
    if (!(await isMember(tx.db, tenantId, userId)))
      throw namesNothing(desk, 'This person is not an active member of this workspace.')
  const set = { tenant_id: tenantId, version: expected + 1, updated_at: tx.at, updated_by: actorKey(tx.actor) }
  await replaceDesks(tx.db, set, members)
  const idsOf = (people: readonly { id: string }[]) => people.map(({ id }) => id)
  await tx.record({
    subject: { type: 'tenant', id: tenantId },
    before: { product: idsOf(before.product), legal: idsOf(before.legal), security: idsOf(before.security) },
    after: input,
  })
  return { version: set.version }
}
