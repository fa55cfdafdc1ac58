import { Alert, Button, Checkbox, Stack, Text, Title } from '@mantine/core'
import { type CheckedLink, checkLink, useLink as redeemLink } from '@prospect/api-client'
import { IconAlertCircle, IconLinkOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { isProblem, messageAbout, sentenceOf } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { outsideSession } from '../../ui/api/gated-fetch.ts'
import { takeSession } from '../../ui/api/session.ts'
import { sessionGate } from '../../ui/api/session-gate.ts'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { type FieldErrors, useSaveForm } from '../../ui/forms/use-save-form.ts'
import { LoadingLines } from '../../ui/layout/states.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { companySignInQuery } from './accounts.queries.ts'
import { goAndLink } from './company/company-sign-in.ts'
import { FormRefusal, refusalOf } from './form-refusal.tsx'
import { inJoinedTenant } from './joined-tenant.ts'
import { PasswordField } from './password-field.tsx'
import classes from './sign-in.module.css'
import { signIn, waitWords } from './sign-in.ts'
import { newPasswordProblem } from './steps/new-password.ts'
import { NewPasswordInput } from './steps/new-password-input.tsx'
import { useSecondsLeft } from './use-wait.ts'

/** Page of a one-time link: an invitation or a password reset. */
export function WelcomeScreen() {
  const [token] = useState(() => window.location.hash.slice(1))
  const link = useQuery({
    queryKey: ['one-time-link', token],
    queryFn: () => dataOf(checkLink({ body: { token }, ...outsideSession })),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  // True if the link was used or withdrawn after the page loaded.
  const [isOver, setOver] = useState(false)
  const isInvalid = isOver || token === '' || isProblem(link.error, 'link_invalid', 'invalid_request')
  const title = isInvalid ? 'This link does not work' : titleOf(link.data)
  return (
    <main className={classes.screen}>
      <title>{`${title} · Prospect Platform`}</title>
      <div className={classes.card}>
        <header>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <Title order={1} mt="sm">
            {title}
          </Title>
          {link.data && !isInvalid && <Lead link={link.data} />}
        </header>
        {isInvalid ? (
          <InvalidLink />
        ) : link.isError ? (
          <Alert color="red" variant="outline" icon={<IconAlertCircle />}>
            <Stack gap="sm" align="flex-start">
              {isProblem(link.error) && link.error.status === 429
                ? `Too many attempts. Wait ${waitWords(link.error.retryAfterSeconds ?? 60)}, then try again.`
                : sentenceOf(link.error)}
              <Button variant="default" onClick={() => void link.refetch()}>
                Try again
              </Button>
            </Stack>
          </Alert>
        ) : link.data ? (
          <PasswordForm token={token} link={link.data} over={() => setOver(true)} />
        ) : (
          <LoadingLines lines={4} label="Checking the link" />
        )}
      </div>
    </main>
  )
}

function titleOf(link: CheckedLink | undefined): string {
  if (link === undefined) return 'One moment'
  if (link.purpose === 'password_reset') return 'Choose a new password'
  return `Welcome to ${nameText(link.tenantName)}`
}

function Lead({ link }: { link: CheckedLink }) {
  return (
    <Text size="sm" c="dimmed" mt="2xs">
      {link.needs === 'own_password'
        ? `${nameText(link.name)}, you already have an account. Enter its password to join as ${link.email}.`
        : link.purpose === 'invitation'
          ? `${nameText(link.name)}, choose a password. You sign in as ${link.email}.`
          : `For ${link.email}. All earlier sessions ended.`}
    </Text>
  )
}

function InvalidLink() {
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="outline" icon={<IconLinkOff />}>
        The link was already used, has expired, or was not copied completely. Each link works once. Ask your
        administrator for a new link.
      </Alert>
      <Link to="/sign-in" search={{}} className={classes.other}>
        Go to sign-in
      </Link>
    </Stack>
  )
}

function PasswordForm({ token, link, over }: { token: string; link: CheckedLink; over: () => void }) {
  const router = useRouter()
  const queryClient = useQueryClient()
  const isNew = link.needs === 'new_password'
  const company = useQuery({ ...companySignInQuery, enabled: link.purpose === 'invitation' }).data?.name ?? null
  const [isLinking, setLinking] = useState(false)
  const save = useSaveForm({
    initial: { password: '' },
    validate: ({ password }): FieldErrors => {
      const missing = isNew ? newPasswordProblem(password) : password === '' ? 'Enter your password.' : null
      return missing === null ? {} : { password: missing }
    },
    send: ({ password }) => dataOf(redeemLink({ body: { token, password }, ...outsideSession })),
    // The link is used up now. If signing in fails, the sign-in page shows the reason.
    onSaved: (_answer, { password }) =>
      signIn({ email: link.email, password }).then(
        async (session) => {
          queryClient.clear()
          sessionGate.forget()
          takeSession(queryClient, session)
          // The sign-in page requests the missing step and continues to the same workspace.
          if (session.hold !== null)
            return router.navigate({ to: '/sign-in', search: { joined: link.tenantName }, replace: true })
          const joined = await inJoinedTenant(session, link.tenantName)
          sessionGate.forget()
          takeSession(queryClient, joined)
          // If the provider cannot be reached now, the person can link the account on the Security page.
          if (isLinking) await goAndLink('/').catch(() => router.history.replace('/profile/security'))
          else router.history.replace('/')
        },
        () => router.history.replace('/sign-in'),
      ),
    explain: (error) => {
      if (!isProblem(error, 'link_invalid')) return refusalOf(linkErrors(error))
      over()
      return 'handled'
    },
  })
  const { form, failure } = save
  const wait = useSecondsLeft(failure?.waitSeconds)
  const label = isNew ? 'Set password and sign in' : 'Join and sign in'
  return (
    <SaveForm
      save={save}
      failure={null}
      actions={
        <Button type="submit" size="sm" fullWidth mt="md" loading={save.isSaving} disabled={wait > 0}>
          {wait > 0 ? `Wait ${waitWords(wait)}` : label}
        </Button>
      }
    >
      <Stack gap="md">
        <FormRefusal failure={failure} />
        <input type="text" name="username" autoComplete="username" value={link.email} readOnly hidden />
        {isNew ? (
          <NewPasswordInput label="Password" data-refused {...form.getInputProps('password')} />
        ) : (
          <PasswordField label="Your password" data-refused {...form.getInputProps('password')} />
        )}
        {company !== null && (
          <Checkbox
            label={`Then link ${company}, to sign in with it`}
            checked={isLinking}
            onChange={(event) => setLinking(event.currentTarget.checked)}
          />
        )}
      </Stack>
    </SaveForm>
  )
}

function linkErrors(error: unknown): Parameters<typeof refusalOf>[0] {
  if (!isProblem(error)) return { form: sentenceOf(error) }
  if (error.status === 429) return { form: 'Too many attempts.', waitSeconds: error.retryAfterSeconds ?? 60 }
  if (error.code === 'password_incorrect') return { password: 'Wrong password.' }
  const about = messageAbout(error, 'password')
  return about === undefined ? { form: sentenceOf(error) } : { password: about }
}
