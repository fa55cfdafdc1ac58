import { Alert, Button, PasswordInput, Stack } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { IconAlertCircle, IconClock } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { api } from '../../../ui/api.ts'
import { isProblem, messageAbout, sentenceOf } from '../../../ui/api-problem.ts'
import { waitWords } from '../sign-in.ts'
import { useWait } from '../use-wait.ts'
import { newPasswordProblem } from './new-password.ts'
import { NewPasswordInput } from './new-password-input.tsx'

type Errors = { current?: string; next?: string; form?: string; waitSeconds?: number }
type Props = {
  email: string
  submitLabel: string
  /** Within the sign-in a session that ended is an answer; during work it is signed in again over the page. */
  onLapsed?: () => void
  onChanged: (session: Session) => void
  aside?: ReactNode
}

export function ChangePasswordForm({ email, submitLabel, onLapsed, onChanged, aside }: Props) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [isSending, setIsSending] = useState(false)
  const wait = useWait(errors.waitSeconds)
  const currentInput = useRef<HTMLInputElement>(null)
  const nextInput = useRef<HTMLInputElement>(null)

  const refuse = (found: Errors) => {
    setErrors(found)
    const first = found.current !== undefined ? currentInput.current : nextInput.current
    first?.focus()
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending || wait > 0) return
    const missing = missingIn(current, next)
    if (Object.keys(missing).length > 0) return refuse(missing)
    setIsSending(true)
    setErrors({})
    try {
      const session = await api.post<Session>('/password', {
        body: { currentPassword: current, newPassword: next },
        rotates: true,
        ...(onLapsed === undefined ? {} : { onLapse: 'fail' }),
      })
      setCurrent('')
      setNext('')
      onChanged(session)
    } catch (error) {
      if (onLapsed !== undefined && isProblem(error, 'authentication_required')) return onLapsed()
      refuse(passwordErrors(error))
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
            {errors.waitSeconds !== undefined && ` Wait ${waitWords(errors.waitSeconds)}, then try again.`}
          </Alert>
        )}
        {/* So that a password manager knows whose password it keeps. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          ref={currentInput}
          label="Current password"
          autoComplete="current-password"
          value={current}
          error={errors.current}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the current password', tabIndex: 0 }}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <NewPasswordInput ref={nextInput} value={next} error={errors.next} onChange={setNext} />
        <Button type="submit" size="sm" loading={isSending} disabled={wait > 0}>
          {wait > 0 ? `Wait ${waitWords(wait)}` : submitLabel}
        </Button>
        {aside}
      </Stack>
    </form>
  )
}

function missingIn(current: string, next: string): Errors {
  const weak = newPasswordProblem(next)
  return {
    ...(current === '' ? { current: 'Enter the password that you have now.' } : {}),
    ...(weak === null ? {} : { next: weak }),
  }
}

function passwordErrors(error: unknown): Errors {
  if (!isProblem(error)) return { form: sentenceOf(error) }
  if (error.status === 429) return { form: 'Too many attempts.', waitSeconds: error.retryAfterSeconds ?? 60 }
  if (error.code === 'password_incorrect') return { current: 'This is not your current password.' }
  const weak = messageAbout(error, 'newPassword')
  return weak === undefined ? { form: sentenceOf(error) } : { next: weak }
}
