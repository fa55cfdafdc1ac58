import { Alert, Button, Stack, TextInput } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { IconClock, IconFingerprint } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { isProblem } from '../../ui/api/api-problem.ts'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { FormRefusal, refusalOf } from './form-refusal.tsx'
import { askForPasskey, canUsePasskeys, passkeySentence } from './passkeys.ts'
import { PasswordField } from './password-field.tsx'
import { missingIn, signIn, signInErrors, signInWithPasskey, waitWords } from './sign-in.ts'
import { useSecondsLeft } from './use-wait.ts'

type Props = {
  email: string
  submitLabel: string
  /** Reason why the sign-in is requested, if the user did not start it. */
  notice?: string
  /** Called after success. `password` is the typed password, or null after a passkey. */
  onSignedIn: (session: Session, password: string | null) => void
  /** Alternative action beside the button. */
  aside?: ReactNode
}

/** Form for email and password, or a passkey instead. After an error the focus moves to the field to correct, and the typed text stays. */
export function SignInForm({ email, submitLabel, notice, onSignedIn, aside }: Props) {
  const [isAskingPasskey, setAskingPasskey] = useState(false)
  const save = useSaveForm({
    initial: { email, password: '' },
    validate: (values) => refusalOf(missingIn(values)).fields ?? {},
    send: (values) => signIn({ email: values.email.trim(), password: values.password }),
    onSaved: (session, { password }) => onSignedIn(session, password),
    explain: (error) => refusalOf(signInErrors(error)),
  })
  const { form, failure, isSaving } = save
  const wait = useSecondsLeft(failure?.waitSeconds)

  const signInByPasskey = async () => {
    setAskingPasskey(true)
    save.clearRefusal()
    try {
      onSignedIn(await signInWithPasskey(await askForPasskey('sign_in')), null)
    } catch (error) {
      if (!isProblem(error)) save.refuse(refusalOf({ form: passkeySentence(error) }))
      else if (error.code === 'invalid_credentials') save.refuse(refusalOf({ form: 'This passkey was not accepted.' }))
      else save.refuse(refusalOf(signInErrors(error)))
    } finally {
      setAskingPasskey(false)
    }
  }

  return (
    <SaveForm
      save={save}
      failure={null}
      actions={
        <Stack gap="md" mt="md">
          <Button type="submit" size="sm" fullWidth loading={isSaving} disabled={wait > 0 || isAskingPasskey}>
            {wait > 0 ? `Wait ${waitWords(wait)}` : submitLabel}
          </Button>
          {canUsePasskeys() && (
            <Button
              variant="default"
              size="sm"
              fullWidth
              loading={isAskingPasskey}
              disabled={wait > 0 || isSaving}
              leftSection={<IconFingerprint size={17} stroke={1.7} aria-hidden />}
              onClick={() => void signInByPasskey()}
            >
              Sign in with a passkey
            </Button>
          )}
          {aside}
        </Stack>
      }
    >
      <Stack gap="md">
        {notice !== undefined && failure === null && (
          <Alert color="yellow" variant="outline" icon={<IconClock />}>
            {notice}
          </Alert>
        )}
        <FormRefusal failure={failure} afterWait="sign in again" />
        <TextInput
          label="Email address"
          type="email"
          name="email"
          autoComplete="username"
          autoFocus={email === ''}
          {...form.getInputProps('email')}
        />
        <PasswordField
          label="Password"
          name="password"
          autoFocus={email !== ''}
          data-refused
          {...(email !== '' && { 'data-autofocus': true })}
          {...form.getInputProps('password')}
        />
      </Stack>
    </SaveForm>
  )
}
