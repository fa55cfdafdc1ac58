import { Button, Stack } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { changePassword } from '@prospect/api-client'
import { type ReactNode, useState } from 'react'
import { isProblem, messageAbout, sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { beginningSession, rotatingSession } from '../../../ui/api/gated-fetch.ts'
import { SaveForm } from '../../../ui/forms/save-form.tsx'
import { type FieldErrors, useSaveForm } from '../../../ui/forms/use-save-form.ts'
import { FormRefusal, refusalOf } from '../form-refusal.tsx'
import { PasswordField } from '../password-field.tsx'
import { waitWords } from '../sign-in.ts'
import { useSecondsLeft } from '../use-wait.ts'
import { newPasswordProblem } from './new-password.ts'
import { NewPasswordInput } from './new-password-input.tsx'

type Props = {
  email: string
  submitLabel: string
  /** Returns the password of a sign-in moments ago, so that it need not be typed twice, or null if unknown or too old. */
  justTyped?: () => string | null
  /** Called during sign-in when the session has ended. Undefined on other pages, where the user signs in again over the page. */
  onLapsed?: () => void
  onChanged: (session: Session) => void
  aside?: ReactNode
}

export function ChangePasswordForm({ email, submitLabel, justTyped, onLapsed, onChanged, aside }: Props) {
  const [isAsked, setAsked] = useState(() => (justTyped?.() ?? null) === null)
  const knownOf = (current: string) => (isAsked ? current : (justTyped?.() ?? ''))
  /** Shows the field for the current password once the remembered one is missing or wrong. */
  const showCurrentIfNeeded = (errors: FieldErrors): FieldErrors => {
    if (errors.current !== undefined) setAsked(true)
    return errors
  }
  const save = useSaveForm({
    initial: { current: '', next: '' },
    validate: ({ current, next }) => showCurrentIfNeeded(missingIn(knownOf(current), next)),
    send: ({ current, next }) => {
      const gate = onLapsed === undefined ? rotatingSession : beginningSession
      return dataOf(changePassword({ body: { currentPassword: knownOf(current), newPassword: next }, ...gate }))
    },
    onSaved: (session) => {
      save.reset()
      onChanged(session)
    },
    explain: (error) => {
      if (onLapsed !== undefined && isProblem(error, 'authentication_required')) {
        onLapsed()
        return 'handled'
      }
      const refusal = refusalOf(passwordErrors(error))
      showCurrentIfNeeded(refusal.fields ?? {})
      return refusal
    },
  })
  const { form, failure } = save
  const wait = useSecondsLeft(failure?.waitSeconds)

  return (
    <SaveForm
      save={save}
      failure={null}
      actions={
        <Stack gap="md" mt="md">
          <Button type="submit" size="sm" loading={save.isSaving} disabled={wait > 0}>
            {wait > 0 ? `Wait ${waitWords(wait)}` : submitLabel}
          </Button>
          {aside}
        </Stack>
      }
    >
      <Stack gap="md">
        <FormRefusal failure={failure} />
        {/* User name for password managers. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        {isAsked && (
          <PasswordField
            label="Current password"
            showLabel="Show current password"
            {...form.getInputProps('current')}
          />
        )}
        <NewPasswordInput data-refused {...form.getInputProps('next')} />
      </Stack>
    </SaveForm>
  )
}

function missingIn(current: string, next: string): FieldErrors {
  const weak = newPasswordProblem(next)
  return {
    ...(current === '' ? { current: 'Enter your current password.' } : {}),
    ...(weak === null ? {} : { next: weak }),
  }
}

function passwordErrors(error: unknown): Parameters<typeof refusalOf>[0] {
  if (!isProblem(error)) return { form: sentenceOf(error) }
  if (error.status === 429) return { form: 'Too many attempts.', waitSeconds: error.retryAfterSeconds ?? 60 }
  if (error.code === 'password_incorrect') return { current: 'Wrong password.' }
  const weak = messageAbout(error, 'newPassword')
  return weak === undefined ? { form: sentenceOf(error) } : { next: weak }
}
