import { type ActorRef, type Business, getSession, type Permission, type Session } from '@prospect/api-client'
import { getSessionOptions } from '@prospect/api-client/query'
import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { dataOf } from './data-of.ts'
import { outsideSession } from './gated-fetch.ts'
import { sessionGate } from './session-gate.ts'
import type { SessionMark } from './session-owner.ts'

export const sessionKey = getSessionOptions().queryKey

/** User and tenant of a session. */
export const markOf = ({ user, tenant }: Session): SessionMark => ({ userId: user.id, tenantId: tenant.id })

type AdoptionListener = (session: Session) => void
const adoptionListeners = new Set<AdoptionListener>()

/** Calls `listener` with each session that this page adopts, before the page uses it. There is no way to unsubscribe. */
export function onSessionAdopted(listener: AdoptionListener): void {
  adoptionListeners.add(listener)
}

/** Stores the CSRF token and the owner of this page from a session that the server returned. */
function adoptSession(session: Session): Session {
  for (const listener of adoptionListeners) listener(session)
  sessionGate.remember(markOf(session), session.csrfToken)
  return session
}

/** Adopt the new session after a response that set another cookie: from that response, or by reading it now. */
export function takeSession(queryClient: QueryClient, session: Session): void {
  queryClient.setQueryData(sessionKey, adoptSession(session))
}
export async function refreshSession(queryClient: QueryClient): Promise<void> {
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

/**
 * The session of this page. Fails with 401 `authentication_required` if there is none. A session of another user or tenant is not adopted, as the
 * screen shows data of the first one.
 */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal, client }) => {
    const session = await dataOf(getSession({ signal, ...outsideSession }))
    const known = client.getQueryData(sessionKey)
    if (known === undefined || sessionGate.isSame(markOf(session))) return adoptSession(session)
    sessionGate.raise('another')
    return known
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/** Session of the signed-in user. Call it only below the signed-in frame, which has loaded the session. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}

/** True if the user of the session took the step, such as proposing a version. Another person must then decide about it. */
export function useIsOwn(author: ActorRef | null): boolean {
  const { user } = useSession()
  return author?.kind === 'user' && author.id === user.id
}

/** True if the session has the permission. Use it to offer actions; the server checks again on every call. */
export function useCan(permission: Permission): boolean {
  return useSession().permissions.includes(permission)
}

/** True if the user has the permission and the record is active. Merged, erased and inactive records are read-only. */
export function useCanWork(permission: Permission, { status }: Pick<Business, 'status'>): boolean {
  return useCan(permission) && status === 'active'
}
