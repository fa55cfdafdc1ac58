import type { Session } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useSyncExternalStore } from 'react'
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
          const mark = { userId: session.user.id, tenantId: session.tenant.id }
          if (sessionSeam.isSame(mark)) queryClient.setQueryData(sessionKey, session)
          sessionSeam.signedInAgain(mark, session.csrfToken)
        }}
        onLeave={() => sessionSeam.startOver()}
      />
    </Suspense>
  )
}
