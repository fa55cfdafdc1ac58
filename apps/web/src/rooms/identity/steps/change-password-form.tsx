import { Button, PasswordInput, Stack } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { changePassword } from '@prospect/api-client'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { isProblem, messageAbout, sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { beginningSession, rotatingSession } from '../../../ui/api/gated-fetch.ts'
import { FormRefusal } from '../form-refusal.tsx'
import { waitWords } from '../sign-in.ts'
import { useSecondsLeft } from '../use-wait.ts'
import { newPasswordProblem } from './new-password.ts'
import { NewPasswordInput } from './new-password-input.tsx'

type Errors = { current?: string; next?: string; form?: string; waitSeconds?: number }
type Props = {
  email: string
  submitLabel: string
  /** What the person typed to sign in a moment ago: nobody asks for it twice. Null: not known, or too long ago. */
  justTyped?: () => string | null
  /** Within the sign-in a session that ended is an answer; during work it is signed in again over the page. */
  onLapsed?: () => void
  onChanged: (session: Session) => void
  aside?: ReactNode
}

export function ChangePasswordForm({ email, submitLabel, justTyped, onLapsed, onChanged, aside }: Props) {
  const [isAsked, setAsked] = useState(() => (justTyped?.() ?? null) === null)
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [isSending, setIsSending] = useState(false)
  const wait = useSecondsLeft(errors.waitSeconds)
  const currentInput = useRef<HTMLInputElement>(null)
  const nextInput = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // After the answer is drawn: a password that was not asked for may be asked for now.
    if (errors.current !== undefined) currentInput.current?.focus()
    else if (errors.next !== undefined || errors.form !== undefined) nextInput.current?.focus()
  }, [errors])

  const refuse = (found: Errors) => {
    if (found.current !== undefined) setAsked(true)
    setErrors(found)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending || wait > 0) return
    const known = isAsked ? current : (justTyped?.() ?? '')
    const missing = missingIn(known, next)
    if (Object.keys(missing).length > 0) return refuse(missing)
    setIsSending(true)
    setErrors({})
    try {
      const gate = onLapsed === undefined ? rotatingSession : beginningSession
      const session = await dataOf(changePassword({ body: { currentPassword: known, newPassword: next }, ...gate }))
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
        <FormRefusal refusal={errors} />
        {/* So that a password manager knows whose password it keeps. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        {isAsked && (
          <PasswordInput
            ref={currentInput}
            label="Current password"
            autoComplete="current-password"
            value={current}
            error={errors.current}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the current password', tabIndex: 0 }}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
        )}
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
