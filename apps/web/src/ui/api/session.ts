import { type Business, getSession, type Permission, type Session } from '@prospect/api-client'
import { getSessionOptions } from '@prospect/api-client/query'
import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { dataOf } from './data-of.ts'
import { outsideSession } from './gated-fetch.ts'
import { sessionGate } from './session-gate.ts'
import type { SessionMark } from './session-owner.ts'

export const sessionKey = getSessionOptions().queryKey

/** Whose session it is, and in which tenant. */
export const markOf = ({ user, tenant }: Session): SessionMark => ({ userId: user.id, tenantId: tenant.id })

type AdoptionListener = (session: Session) => void
const adoptionListeners = new Set<AdoptionListener>()

/** Calls `listener` with each session that this page adopts, before the page uses it. For the whole life of the page. */
export function onSessionAdopted(listener: AdoptionListener): void {
  adoptionListeners.add(listener)
}

/** Stores the CSRF token and the owner of this page from a session that the server returned. */
function adoptSession(session: Session): Session {
  for (const listener of adoptionListeners) listener(session)
  sessionGate.remember(markOf(session), session.csrfToken)
  return session
}

/** After an answer that brought another cookie: the session it carried, or the one that is asked for now. */
export function takeSession(queryClient: QueryClient, session: Session): void {
  queryClient.setQueryData(sessionKey, adoptSession(session))
}
export async function refreshSession(queryClient: QueryClient): Promise<void> {
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

/**
 * The session of this page. Fails with 401 `authentication_required` when there is none. One that is somebody else's by now, or of another
 * tenant, is not taken for the page's own: what is on screen is not of that one.
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

/** Only below the signed-in frame, where the session is already loaded. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}

/** A hint for what to offer; the server decides again on every call. */
export function useCan(permission: Permission): boolean {
  return useSession().permissions.includes(permission)
}

/** The same of one record: one that was merged, erased or is not active is read and no longer worked, whoever asks. */
export function useCanWork(permission: Permission, { status }: Pick<Business, 'status'>): boolean {
  return useCan(permission) && status === 'active'
}
