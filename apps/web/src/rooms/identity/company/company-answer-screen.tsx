import { Alert, Stack, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { linkCompanyIdentity, type Session, signInWithCompany } from '@prospect/api-client'
import { IconAlertCircle } from '@tabler/icons-react'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { beginningSession } from '../../../ui/api/gated-fetch.ts'
import { sessionQuery, takeSession } from '../../../ui/api/session.ts'
import { sessionGate } from '../../../ui/api/session-gate.ts'
import { LoadingLines } from '../../../ui/layout/states.tsx'
import classes from '../sign-in.module.css'
import { type CompanyAnswer, forgetAnswer, type Intent, readAnswer, readIntent } from './company-sign-in.ts'

/** Page to which the browser returns from the company's provider. It sends the answer to the server once, and continues. */
export function CompanyAnswerScreen() {
  const router = useRouter()
  const queryClient = useQueryClient()
  const [answer] = useState(readAnswer)
  const [intent] = useState(readIntent)
  const done = useQuery({
    queryKey: ['company-answer'],
    queryFn: () => sendAnswer(queryClient, answer, intent),
    enabled: answer !== null,
    // The answer is valid once, so a failed query must not be repeated either.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const isLink = intent.what === 'link'

  useEffect(() => {
    if (done.data === undefined) return
    if (done.data === 'linked') {
      notifications.show({ message: 'Company account linked. All your other sessions ended.' })
      router.history.replace(intent.next)
      return
    }
    queryClient.clear()
    sessionGate.forget()
    takeSession(queryClient, done.data)
    // The sign-in page requests a missing step and continues to the same page.
    if (done.data.hold !== null) void router.navigate({ to: '/sign-in', search: { next: intent.next }, replace: true })
    else router.history.replace(intent.next)
  }, [done.data, intent, queryClient, router])

  const failure =
    answer === null ? 'There is nothing to do on this page.' : done.isError ? sentenceOf(done.error) : null
  const title = isLink ? 'Linking your company account' : 'Signing you in'
  return (
    <main className={classes.screen}>
      <title>{`${title} · Prospect Platform`}</title>
      <div className={classes.card}>
        <header>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <Title order={1} mt="sm">
            {failure === null ? title : isLink ? 'Account not linked' : 'Not signed in'}
          </Title>
        </header>
        {failure === null ? (
          <LoadingLines lines={2} label={title} />
        ) : (
          <Stack gap="md">
            <Alert color="red" variant="outline" icon={<IconAlertCircle />}>
              {failure}
            </Alert>
            {isLink ? (
              <Link to="/profile/security" className={classes.other}>
                Back to Security
              </Link>
            ) : (
              <Link to="/sign-in" search={intent.next === '/' ? {} : { next: intent.next }} className={classes.other}>
                Back to sign-in
              </Link>
            )}
          </Stack>
        )}
      </div>
    </main>
  )
}

async function sendAnswer(
  queryClient: QueryClient,
  answer: CompanyAnswer | null,
  { what }: Intent,
): Promise<Session | 'linked'> {
  if (answer === null) throw new Error('There is no answer to send.')
  forgetAnswer()
  if (what === 'sign_in') return dataOf(signInWithCompany({ body: answer, ...beginningSession }))
  await queryClient.ensureQueryData(sessionQuery)
  await dataOf(linkCompanyIdentity({ body: answer }))
  return 'linked'
}
