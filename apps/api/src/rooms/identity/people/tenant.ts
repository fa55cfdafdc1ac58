import { isDeepStrictEqual } from 'node:util'
import { requireVersion } from '../../../http/conditional.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { getTenant, updateTenant } from '../identity.queries.ts'
import type { EditTenant, Tenant } from '../identity.schema.ts'
import type { Caller } from '../sessions/account-context.ts'

/** Changes the name, time zone, country, locale or review term of the session's tenant, or whether it accepts tokens. Errors: `version_conflict`. */
export async function editTenant(
  store: Store,
  { actor, client }: Caller,
  { version, edit }: { version: number; edit: EditTenant },
): Promise<Tenant> {
  const options = { permission: 'tenant.configure', action: 'tenant.configure' } as const
  const { value } = await change(store, actor, options, async (tx) => {
    const tenant = await getTenant(tx.db, actor.tenantId)
    requireVersion(version, tenant.version)
    const before = {
      name: tenant.name,
      timeZone: tenant.timeZone,
      country: tenant.country,
      locale: tenant.locale,
      suppressionReviewMonths: tenant.suppressionReviewMonths,
      tokensAllowed: tenant.tokensAllowed,
    }
    const { name = before.name, timeZone = before.timeZone, country = before.country } = edit
    const { locale = before.locale, suppressionReviewMonths = before.suppressionReviewMonths } = edit
    const { tokensAllowed = before.tokensAllowed } = edit
    const after = { name, timeZone, country, locale, suppressionReviewMonths, tokensAllowed }
    if (isDeepStrictEqual(before, after)) return unchanged(tenant)
    await updateTenant(tx.db, { id: tenant.id, ...after, at: tx.at })
    await tx.record({
      subject: { type: 'tenant', id: tenant.id },
      before,
      after: { ...client, ...after },
    })
    return getTenant(tx.db, actor.tenantId)
  })
  return value
}
