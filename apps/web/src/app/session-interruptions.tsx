import { getSession, type Session, switchTenant } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { isProblem } from '../ui/api/api-problem.ts'
import { dataOf } from '../ui/api/data-of.ts'
import { outsideSession } from '../ui/api/gated-fetch.ts'
import { markOf, sessionKey, sessionQuery } from '../ui/api/session.ts'
import { sessionGate } from '../ui/api/session-gate.ts'
import { watchOwner } from '../ui/api/session-owner.ts'
import { lazyPart } from '../ui/lazy/lazy-part.tsx'

const SessionLapsed = lazyPart('session-lapsed', () =>
  import('../rooms/identity/sign-in-over.tsx').then((module) => module.SessionLapsed),
)
const SessionElsewhere = lazyPart('session-elsewhere', () =>
  import('../rooms/identity/session-elsewhere.tsx').then((module) => module.SessionElsewhere),
)
const StepUp = lazyPart('step-up', () => import('../rooms/identity/step-up.tsx').then((module) => module.StepUp))

/** What must not depend on the server when it is needed: what waits for it is what somebody typed. */
export const interruptionParts = [SessionLapsed, SessionElsewhere, StepUp]

/** The session as the server has it now, while something of it is asked for over the page. */
const sessionNowKey = ['session-now']

/**
 * When the session lapses during work, wants a proof first, or is another's by now: what is asked for stands over the page,
 * which stays as it is; then what was waiting goes on.
 */
export function SessionInterruptions() {
  const interruption = useSyncExternalStore(sessionGate.subscribe, () => sessionGate.interruption)
  const queryClient = useQueryClient()
  useEffect(
    () =>
      watchOwner(() => {
        if (sessionGate.isAnothers) sessionGate.raise('another')
        void queryClient.invalidateQueries({ queryKey: sessionNowKey })
      }),
    [queryClient],
  )
  return interruption === 'step_up' ? <StepUpOver /> : interruption !== null && <NotOurs key={interruption} />
}

function SignInOver({ held }: { held: Session | null }) {
  const queryClient = useQueryClient()
  const known = queryClient.getQueryData(sessionKey)
  return (
    <SessionLapsed
      email={known?.user.email ?? ''}
      held={held}
      take={takeToken}
      onSignedIn={(session) => {
        void backToTenant(session).then((current) => {
          const mark = markOf(current)
          queryClient.setQueryData(sessionGate.isSame(mark) ? sessionKey : sessionNowKey, current)
          sessionGate.goOn(mark, current.csrfToken)
        })
      }}
      onLeave={() => sessionGate.startOver()}
    />
  )
}

/** There is no session, it lacks something since, or it is another's: only the server knows. */
function NotOurs() {
  const queryClient = useQueryClient()
  const session = useQuery({
    queryKey: sessionNowKey,
    queryFn: readSessionNow,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const now = session.data ?? null
  const isOwn = now !== null && sessionGate.isSame(markOf(now))
  // Another tab has given it meanwhile, or signed in: nothing is left to ask for.
  const isFree = isOwn && now.hold === null
  useEffect(() => {
    if (isFree) takeBack(now)
  }, [isFree, now])
  if (session.isPending || isFree) return null
  const known = queryClient.getQueryData(sessionKey)
  if (now === null || isOwn || known === undefined) return <SignInOver held={now} />
  // Not `backToTenant`, which goes on where it is refused: here the page stays as it is, and says so.
  const changeBack = async () => {
    // As it is by now: another tab may have got it another token since.
    const { data: latest } = await session.refetch({ throwOnError: true })
    if (!latest || latest.user.id !== known.user.id || sessionGate.isSame(markOf(latest))) return
    sessionGate.borrowToken(latest.csrfToken)
    takeBack(await dataOf(switchTenant({ body: { tenantId: known.tenant.id }, ...outsideSession })))
  }
  return <SessionElsewhere page={known} now={now} goOn={() => sessionGate.startOver()} changeBack={changeBack} />
}

/** Null: there is none by now, also where there was one when the page first asked. */
async function readSessionNow(): Promise<Session | null> {
  try {
    return await dataOf(getSession(outsideSession))
  } catch (error) {
    if (isProblem(error) && error.status === 401) return null
    throw error
  }
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
      onLapsed={() => sessionGate.raise('sign_in')}
      onDecline={() => sessionGate.decline()}
    />
  )
}

function takeBack(session: Session): void {
  sessionGate.goOn(markOf(session), session.csrfToken)
}

/** The next step needs the token of the session that begins; somebody else's session ends this page. */
function takeToken(session: Session): boolean {
  const { mark } = sessionGate
  if (mark !== null && mark.userId !== session.user.id) {
    sessionGate.startOver()
    return false
  }
  sessionGate.remember(mark ?? markOf(session), session.csrfToken)
  return true
}

/** A fresh session may begin in another of the person's tenants than the one this page works in. */
async function backToTenant(session: Session): Promise<Session> {
  const { mark } = sessionGate
  const isElsewhere = mark !== null && mark.tenantId !== session.tenant.id
  if (!isElsewhere || !session.tenants.some(({ id }) => id === mark.tenantId)) return session
  const body = { tenantId: mark.tenantId }
  // Refused: the page says so, rather than going on in the wrong one.
  return dataOf(switchTenant({ body, ...outsideSession })).catch((error: unknown) => {
    if (!isProblem(error)) throw error
    return session
  })
}
