import { requireVersion } from '../../http/conditional.ts'
import { actorKey } from '../../lib/actor.ts'
import type { Tx } from '../../store/change/change.ts'
import type { Db } from '../../store/database.ts'
import { findRegistration } from './registry.queries.ts'
import { registrationStatus } from './registry.rules.ts'
import type { Registration, RegistrationInput } from './registry.schema.ts'

/** Returns the registration of the organisation with the registry; version 0 if none was entered. */
export async function getRegistration(db: Db, tenantId: string, now: string): Promise<Registration> {
  const row = await findRegistration(db, tenantId)
  const held = { number: row?.number ?? null, validUntil: row?.valid_until ?? null }
  return { ...held, status: registrationStatus(held, now), version: row?.version ?? 0 }
}

/** Stores the registration. Errors: `version_conflict`. */
export async function setRegistration(
  tx: Tx,
  expected: number,
  { number, validUntil }: RegistrationInput,
): Promise<{ version: number }> {
  const { tenantId } = tx.actor
  const former = await findRegistration(tx.db, tenantId)
  requireVersion(expected, former?.version ?? 0)
  const version = (former?.version ?? 0) + 1
  const row = { version, number, valid_until: validUntil, updated_at: tx.at, updated_by: actorKey(tx.actor) }
  await tx.db
    .insertInto('registry_registrations')
    .values({ tenant_id: tenantId, ...row })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute()
  await tx.record({
    subject: { type: 'registry_registration', id: tenantId },
    before: former === undefined ? null : { number: former.number, validUntil: former.valid_until },
    after: { number, validUntil },
  })
  return { version }
}
