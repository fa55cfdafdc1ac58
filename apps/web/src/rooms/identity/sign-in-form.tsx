import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { IconAlertCircle, IconClock } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { missingIn, type SignInErrors, signIn, signInErrors, waitWords } from './sign-in.ts'

type Props = {
  email: string
  submitLabel: string
  onSignedIn: (session: Session) => void
  /** Beside the button: another way out. */
  aside?: ReactNode
}

/**
 * E-mail and password. After a refusal the focus goes to where the person has something to do, and what they typed stays.
 */
export function SignInForm({ email: knownEmail, submitLabel, onSignedIn, aside }: Props) {
  const [email, setEmail] = useState(knownEmail)
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<SignInErrors>({})
  const [isSending, setIsSending] = useState(false)
  const wait = useWait(errors.waitSeconds)
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
    if (isSending || wait > 0) return
    const missing = missingIn({ email, password })
    if (Object.keys(missing).length > 0) return refuse(missing)
    setIsSending(true)
    setErrors({})
    try {
      onSignedIn(await signIn({ email: email.trim(), password }))
    } catch (error) {
      refuse(signInErrors(error))
    } finally {
      setIsSending(false)
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {errors.form !== undefined && (
          <Alert
            color={errors.waitSeconds === undefined ? 'red' : 'yellow'}
            variant="outline"
            icon={errors.waitSeconds === undefined ? <IconAlertCircle /> : <IconClock />}
          >
            {errors.form}
            {errors.waitSeconds !== undefined && ` Wait ${waitWords(errors.waitSeconds)}, then sign in again.`}
          </Alert>
        )}
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
        <Button type="submit" size="sm" fullWidth loading={isSending} disabled={wait > 0}>
          {wait > 0 ? `Wait ${waitWords(wait)}` : submitLabel}
        </Button>
        {aside}
      </Stack>
    </form>
  )
}

/** Seconds left, counted against the clock so that a sleeping laptop does not wait longer than it must. */
function useWait(seconds: number | undefined): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (seconds === undefined) return setLeft(0)
    const until = Date.now() + seconds * 1000
    const tick = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}
