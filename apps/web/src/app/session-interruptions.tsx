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

/** Dialogs that are loaded in advance, because they are needed when the session has ended, and calls with typed text wait for them. */
export const interruptionParts = [SessionLapsed, SessionElsewhere, StepUp]

/** Query key of the session as the server has it now, while an interruption is shown. */
const sessionNowKey = ['session-now']

/**
 * Shows a dialog over the page when the session has expired, needs fresh proof, or belongs to another user or workspace. The page stays, and waiting
 * calls continue afterwards.
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
  return interruption === 'step_up' ? <StepUpOver /> : interruption !== null && <UnusableSession key={interruption} />
}

function SignInOver({ held }: { held: Session | null }) {
  const queryClient = useQueryClient()
  const known = queryClient.getQueryData(sessionKey)
  return (
    <SessionLapsed
      email={known?.user.email ?? ''}
      held={held}
      take={adoptToken}
      onSignedIn={(session) => {
        void switchBackToTenant(session).then((current) => {
          const mark = markOf(current)
          queryClient.setQueryData(sessionGate.isSame(mark) ? sessionKey : sessionNowKey, current)
          sessionGate.goOn(mark, current.csrfToken)
        })
      }}
      onLeave={() => sessionGate.startOver()}
    />
  )
}

/** The page's session is missing, incomplete or replaced. Reads the current session to decide which dialog to show. */
function UnusableSession() {
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
  // The session is usable again, for example because the user signed in in another tab: close the dialog.
  const isFree = isOwn && now.hold === null
  useEffect(() => {
    if (isFree) resume(now)
  }, [isFree, now])
  if (session.isPending || isFree) return null
  const known = queryClient.getQueryData(sessionKey)
  if (now === null || isOwn || known === undefined) return <SignInOver held={now} />
  // Not `switchBackToTenant`, which ignores a refusal. Here the page must stay and show the error.
  const changeBack = async () => {
    // Read the session again: another tab may have received a newer token.
    const { data: latest } = await session.refetch({ throwOnError: true })
    if (!latest || latest.user.id !== known.user.id || sessionGate.isSame(markOf(latest))) return
    sessionGate.borrowToken(latest.csrfToken)
    resume(await dataOf(switchTenant({ body: { tenantId: known.tenant.id }, ...outsideSession })))
  }
  return <SessionElsewhere page={known} now={now} goOn={() => sessionGate.startOver()} changeBack={changeBack} />
}

/** Current session, or null if there is none, even if the page started with one. */
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
        resume(proven)
      }}
      onLapsed={() => sessionGate.raise('sign_in')}
      onDecline={() => sessionGate.decline()}
    />
  )
}

function resume(session: Session): void {
  sessionGate.goOn(markOf(session), session.csrfToken)
}

/** Adopts the token of a new session for the following steps. A session of another user reloads the page. */
function adoptToken(session: Session): boolean {
  const { mark } = sessionGate
  if (mark !== null && mark.userId !== session.user.id) {
    sessionGate.startOver()
    return false
  }
  sessionGate.remember(mark ?? markOf(session), session.csrfToken)
  return true
}

/** A new session may start in another tenant of the user; switch to the tenant of this page. */
async function switchBackToTenant(session: Session): Promise<Session> {
  const { mark } = sessionGate
  const isElsewhere = mark !== null && mark.tenantId !== session.tenant.id
  if (!isElsewhere || !session.tenants.some(({ id }) => id === mark.tenantId)) return session
  const body = { tenantId: mark.tenantId }
  // The switch was refused: return the session as is, so that the page explains it instead of continuing in the wrong tenant.
  return dataOf(switchTenant({ body, ...outsideSession })).catch((error: unknown) => {
    if (!isProblem(error)) throw error
    return session
  })
}
