import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { IconClock, IconFingerprint } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { isProblem } from '../../ui/api/api-problem.ts'
import { FormRefusal } from './form-refusal.tsx'
import { askForPasskey, canUsePasskeys, passkeySentence } from './passkeys.ts'
import { missingIn, type SignInErrors, signIn, signInErrors, signInWithPasskey, waitWords } from './sign-in.ts'
import { useSecondsLeft } from './use-wait.ts'

type Props = {
  email: string
  submitLabel: string
  /** Why the person is asked, when it was not their wish. */
  notice?: string
  /** `password`: as it was typed, when it was; null after a passkey. */
  onSignedIn: (session: Session, password: string | null) => void
  /** Beside the button: another way out. */
  aside?: ReactNode
}

/**
 * E-mail and password, or a passkey instead of both. After a refusal the focus goes to where the person has something to do, and what they typed stays.
 */
export function SignInForm({ email: knownEmail, submitLabel, notice, onSignedIn, aside }: Props) {
  const [email, setEmail] = useState(knownEmail)
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<SignInErrors>({})
  const [sending, setSending] = useState<'password' | 'passkey' | null>(null)
  const wait = useSecondsLeft(errors.waitSeconds)
  const emailInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)

  const refuse = (found: SignInErrors) => {
    setErrors(found)
    const first = found.email !== undefined ? emailInput.current : passwordInput.current
    first?.focus()
    first?.select()
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (sending !== null || wait > 0) return
    const missing = missingIn({ email, password })
    if (Object.keys(missing).length > 0) return refuse(missing)
    setSending('password')
    setErrors({})
    try {
      onSignedIn(await signIn({ email: email.trim(), password }), password)
    } catch (error) {
      refuse(signInErrors(error))
    } finally {
      setSending(null)
    }
  }

  const signInByPasskey = async () => {
    setSending('passkey')
    setErrors({})
    try {
      onSignedIn(await signInWithPasskey(await askForPasskey('sign_in')), null)
    } catch (error) {
      if (!isProblem(error)) setErrors({ form: passkeySentence(error) })
      else if (error.code === 'invalid_credentials') setErrors({ form: 'This passkey was not accepted.' })
      else setErrors(signInErrors(error))
    } finally {
      setSending(null)
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {notice !== undefined && errors.form === undefined && (
          <Alert color="yellow" variant="outline" icon={<IconClock />}>
            {notice}
          </Alert>
        )}
        <FormRefusal refusal={errors} afterWait="sign in again" />
        <TextInput
          ref={emailInput}
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          autoFocus={knownEmail === ''}
          value={email}
          error={errors.email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          ref={passwordInput}
          label="Password"
          name="password"
          autoComplete="current-password"
          autoFocus={knownEmail !== ''}
          {...(knownEmail === '' ? {} : { 'data-autofocus': true })}
          value={password}
          error={errors.password}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button
          type="submit"
          size="sm"
          fullWidth
          loading={sending === 'password'}
          disabled={wait > 0 || sending === 'passkey'}
        >
          {wait > 0 ? `Wait ${waitWords(wait)}` : submitLabel}
        </Button>
        {canUsePasskeys() && (
          <Button
            variant="default"
            size="sm"
            fullWidth
            loading={sending === 'passkey'}
            disabled={wait > 0 || sending === 'password'}
            leftSection={<IconFingerprint size={17} stroke={1.7} aria-hidden />}
            onClick={() => void signInByPasskey()}
          >
            Sign in with a passkey
          </Button>
        )}
        {aside}
      </Stack>
    </form>
  )
}
