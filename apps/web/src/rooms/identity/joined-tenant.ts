import { type Session, switchTenant } from '@prospect/api-client'
import { dataOf } from '../../ui/api/data-of.ts'
import { outsideSession } from '../../ui/api/gated-fetch.ts'

/**
 * Switches a new session to the workspace whose link was used. Otherwise a sign-in starts in the oldest membership. The link contains only the
 * workspace's name, so if two have the same name, the user must switch.
 */
export async function inJoinedTenant(session: Session, tenantName: string): Promise<Session> {
  const [joined, ...others] = session.tenants.filter(({ name }) => name === tenantName)
  if (joined === undefined || others.length > 0 || joined.id === session.tenant.id) return session
  return dataOf(switchTenant({ body: { tenantId: joined.id }, ...outsideSession })).catch(() => session)
}
