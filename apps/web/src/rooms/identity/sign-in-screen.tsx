import { Button, Text, Title } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { sessionKey, takeSession } from '../../ui/api/session.ts'
import { sessionGate } from '../../ui/api/session-gate.ts'
import { CompanySignInButton } from './company/company-sign-in-button.tsx'
import { inJoinedTenant } from './joined-tenant.ts'
import classes from './sign-in.module.css'
import { SignInSteps } from './sign-in-steps.tsx'
import { holdTitles } from './steps/hold-step.tsx'
import { useSignOut } from './use-sign-out.ts'

const route = getRouteApi('/sign-in')

export function SignInScreen() {
  const { next, joined } = route.useSearch()
  const router = useRouter()
  const queryClient = useQueryClient()
  const { signOut, isSigningOut } = useSignOut()
  // A reload during the steps continues with the current step.
  const [incomplete, setIncomplete] = useState(() => queryClient.getQueryData(sessionKey) ?? null)
  const hold = incomplete?.hold ?? null
  const title = hold === null ? 'Sign in to Prospect Platform' : holdTitles[hold]
  const heading = useRef<HTMLHeadingElement>(null)

  // Announce the title of a new step by focusing it, unless a field has the focus.
  useEffect(() => {
    if (hold !== null && document.activeElement === document.body) heading.current?.focus()
  }, [hold])

  const adopt = async (session: Session) => {
    // Data that another user loaded in this tab must not be shown to this one.
    queryClient.clear()
    sessionGate.forget()
    takeSession(queryClient, session)
    if (session.hold !== null) return setIncomplete(session)
    if (joined !== undefined) {
      const there = await inJoinedTenant(session, joined)
      sessionGate.forget()
      takeSession(queryClient, there)
    }
    router.history.replace(next ?? '/')
  }

  return (
    <main className={classes.screen}>
      <title>{`${hold === null ? 'Sign in' : title} · Prospect Platform`}</title>
      <div className={classes.card} data-wide={hold === 'enrolment' || undefined}>
        <header>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <Title ref={heading} tabIndex={-1} order={1} mt="sm">
            {title}
          </Title>
          <Text size="sm" c="dimmed" mt="2xs">
            {incomplete !== null && hold !== null
              ? `You are signing in as ${incomplete.user.email}.`
              : next === undefined
                ? 'Sign in to continue.'
                : 'After you sign in, the requested page opens.'}
          </Text>
        </header>
        <SignInSteps
          email=""
          submitLabel="Sign in"
          held={incomplete}
          onSession={(session) => void adopt(session)}
          onLapsed={() => setIncomplete(null)}
          aside={
            hold === null ? (
              <CompanySignInButton next={next} />
            ) : (
              <Button variant="subtle" color="gray" loading={isSigningOut} onClick={() => signOut()}>
                Sign in as someone else
              </Button>
            )
          }
        />
        {hold === null ? (
          <Text size="xs" c="dimmed">
            No account, or forgot your password? Ask an administrator of your workspace.
          </Text>
        ) : (
          hold === 'second_factor' && (
            <Text size="xs" c="dimmed">
              Lost your phone and recovery codes? An administrator of your workspace can reset your second factor.
            </Text>
          )
        )}
      </div>
    </main>
  )
}
