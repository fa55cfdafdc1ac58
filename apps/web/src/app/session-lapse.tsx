import type { Session } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { api } from '../ui/api.ts'
import { sessionKey } from '../ui/session.ts'
import { sessionSeam } from '../ui/session-seam.ts'

const SessionLapsed = lazy(() =>
  import('../rooms/identity/sign-in-over.tsx').then((module) => ({ default: module.SessionLapsed })),
)

/** When the session lapses during work: sign in over the page, which stays as it is; then what was waiting goes on. */
export function SessionLapse() {
  const isLapsed = useSyncExternalStore(sessionSeam.subscribe, () => sessionSeam.isLapsed)
  const queryClient = useQueryClient()
  if (!isLapsed) return null
  const known = queryClient.getQueryData<Session>(sessionKey)
  return (
    <Suspense fallback={null}>
      <SessionLapsed
        email={known?.user.email ?? ''}
        onSignedIn={(session: Session) => {
          void backToTenant(session).then((current) => {
            const mark = { userId: current.user.id, tenantId: current.tenant.id }
            if (sessionSeam.isSame(mark)) queryClient.setQueryData(sessionKey, current)
            sessionSeam.signedInAgain(mark, current.csrfToken)
          })
        }}
        onLeave={() => sessionSeam.startOver()}
      />
    </Suspense>
  )
}

/** A fresh session may begin in another of the person's tenants than the one this page works in. */
async function backToTenant(session: Session): Promise<Session> {
  const { mark } = sessionSeam
  const isElsewhere = mark !== null && mark.userId === session.user.id && mark.tenantId !== session.tenant.id
  if (!isElsewhere || !session.tenants.some(({ id }) => id === mark.tenantId)) return session
  sessionSeam.remember(mark, session.csrfToken)
  const body = { tenantId: mark.tenantId }
  // Refused: the page starts over in the tenant of the new session, rather than going on in the wrong one.
  return api.post<Session>('/session/tenant', { body, onLapse: 'fail' }).catch(() => session)
}
