import type { Session } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { api } from '../ui/api.ts'
import { isProblem } from '../ui/api-problem.ts'
import { sessionKey, sessionQuery } from '../ui/session.ts'
import { sessionSeam } from '../ui/session-seam.ts'

const SessionLapsed = lazy(() =>
  import('../rooms/identity/sign-in-over.tsx').then((module) => ({ default: module.SessionLapsed })),
)
const StepUp = lazy(() => import('../rooms/identity/step-up.tsx').then((module) => ({ default: module.StepUp })))

/**
 * When the session lapses during work, or wants a proof first: what is asked for stands over the page, which stays as it
 * is; then what was waiting goes on.
 */
export function SessionInterruptions() {
  const interruption = useSyncExternalStore(sessionSeam.subscribe, () => sessionSeam.interruption)
  return (
    <Suspense fallback={null}>
      {interruption === 'sign_in' && <SignInOver held={null} />}
      {interruption === 'hold' && <HoldOver />}
      {interruption === 'step_up' && <StepUpOver />}
    </Suspense>
  )
}

function SignInOver({ held }: { held: Session | null }) {
  const queryClient = useQueryClient()
  const known = queryClient.getQueryData<Session>(sessionKey)
  return (
    <SessionLapsed
      email={known?.user.email ?? ''}
      held={held}
      take={takeToken}
      onSignedIn={(session) => {
        void backToTenant(session).then((current) => {
          const mark = { userId: current.user.id, tenantId: current.tenant.id }
          if (sessionSeam.isSame(mark)) queryClient.setQueryData(sessionKey, current)
          sessionSeam.goOn(mark, current.csrfToken)
        })
      }}
      onLeave={() => sessionSeam.startOver()}
    />
  )
}

/** The session is there but lacks something since: only the server knows what. */
function HoldOver() {
  const session = useQuery({
    queryKey: ['held-session'],
    queryFn: () => api.get<Session>('/session', { onLapse: 'fail' }),
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
  const isFree = session.data?.hold === null
  // Another tab has given it meanwhile: nothing is left to ask for.
  useEffect(() => {
    if (session.data?.hold === null) takeBack(session.data)
  }, [session.data])
  if (session.isPending || isFree) return null
  return <SignInOver held={session.data ?? null} />
}

function StepUpOver() {
  const queryClient = useQueryClient()
  const session = useQuery(sessionQuery)
  if (session.data === undefined) return null
  return (
    <StepUp
      session={session.data}
      onProven={(proven) => {
        queryClient.setQueryData(sessionKey, proven)
        takeBack(proven)
      }}
      onLapsed={() => sessionSeam.raise('sign_in')}
      onDecline={() => sessionSeam.decline()}
    />
  )
}

function takeBack({ user, tenant, csrfToken }: Session): void {
  sessionSeam.goOn({ userId: user.id, tenantId: tenant.id }, csrfToken)
}

/** The next step needs the token of the session that begins; somebody else's session ends this page. */
function takeToken(session: Session): boolean {
  const { mark } = sessionSeam
  if (mark !== null && mark.userId !== session.user.id) {
    sessionSeam.startOver()
    return false
  }
  sessionSeam.remember(mark ?? { userId: session.user.id, tenantId: session.tenant.id }, session.csrfToken)
  return true
}

/** A fresh session may begin in another of the person's tenants than the one this page works in. */
async function backToTenant(session: Session): Promise<Session> {
  const { mark } = sessionSeam
  const isElsewhere = mark !== null && mark.tenantId !== session.tenant.id
  if (!isElsewhere || !session.tenants.some(({ id }) => id === mark.tenantId)) return session
  const body = { tenantId: mark.tenantId }
  // Refused: the page starts over in the tenant of the new session, rather than going on in the wrong one.
  return api.post<Session>('/session/tenant', { body, onLapse: 'fail' }).catch((error: unknown) => {
    if (!isProblem(error)) throw error
    return session
  })
}
