import { Text, Title } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { adoptSession, sessionKey } from '../../ui/session.ts'
import classes from './sign-in.module.css'
import { SignInForm } from './sign-in-form.tsx'

const route = getRouteApi('/sign-in')

export function SignInScreen() {
  const { next } = route.useSearch()
  const router = useRouter()
  const queryClient = useQueryClient()

  const arrive = (session: Session) => {
    // What another person loaded in this tab must not be shown to this one.
    queryClient.clear()
    queryClient.setQueryData(sessionKey, adoptSession(session))
    router.history.replace(next ?? '/')
  }

  return (
    <main className={classes.screen}>
      <title>Sign in · Prospect Platform</title>
      <div className={classes.card}>
        <header>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <Title order={1} mt="sm">
            Sign in to Prospect Platform
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            {next === undefined
              ? 'Your prospects are where you left them.'
              : 'Then you go on to the page you asked for.'}
          </Text>
        </header>
        <SignInForm email="" submitLabel="Sign in" onSignedIn={arrive} />
        <Text size="xs" c="dimmed">
          No account, or a password that is lost? Ask the administrator of your tenant.
        </Text>
      </div>
    </main>
  )
}
