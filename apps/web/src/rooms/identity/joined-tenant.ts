import { type Session, switchTenant } from '@prospect/api-client'
import { dataOf } from '../../ui/api/data-of.ts'
import { outsideSession } from '../../ui/api/gated-fetch.ts'

/**
 * Whoever was welcomed to a tenant begins there, where they belong to others too: a sign-in begins in the one of longest standing. The link tells the
 * tenant by its name alone, so two of one name are left to the person.
 */
export async function inJoinedTenant(session: Session, tenantName: string): Promise<Session> {
  const [joined, ...others] = session.tenants.filter(({ name }) => name === tenantName)
  if (joined === undefined || others.length > 0 || joined.id === session.tenant.id) return session
  return dataOf(switchTenant({ body: { tenantId: joined.id }, ...outsideSession })).catch(() => session)
}
