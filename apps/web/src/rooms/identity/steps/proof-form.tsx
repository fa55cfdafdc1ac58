import { Button, Stack, Text, TextInput } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { IconFingerprint } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isProblem } from '../../../ui/api/api-problem.ts'
import { refusedWith } from '../../../ui/forms/save-failure.tsx'
import { SaveForm } from '../../../ui/forms/save-form.tsx'
import { type FieldErrors, useSaveForm } from '../../../ui/forms/use-save-form.ts'
import { FormRefusal } from '../form-refusal.tsx'
import { askForPasskey, canUsePasskeys, passkeySentence } from '../passkeys.ts'
import { PasswordField } from '../password-field.tsx'
import { missingProof, proofOf, proofRefusal, prove, type Way } from '../proof.ts'
import { waitWords } from '../sign-in.ts'
import { useSecondsLeft } from '../use-wait.ts'

type Props = {
  ways: Way[]
  submitLabel: string
  onProven: (session: Session) => void
  /** Called when the session has ended. */
  onLapsed: () => void
  aside?: ReactNode
}

const labels: Record<Way, string> = {
  totp: 'Use app code',
  passkey: 'Use passkey',
  recovery_code: 'Use recovery code',
  password: 'Use password',
}

/** Form for one kind of proof, with buttons to switch to another. */
export function ProofForm({ ways, submitLabel, onProven, onLapsed, aside }: Props) {
  const [way, setWay] = useState<Way>(ways[0] ?? 'recovery_code')
  const button = useRef<HTMLButtonElement>(null)
  const save = useSaveForm({
    initial: { typed: '' },
    validate: ({ typed }): FieldErrors => {
      const missing = way === 'passkey' ? null : missingProof(way, typed)
      return missing === null ? {} : { typed: missing }
    },
    send: async ({ typed }) =>
      prove(way === 'passkey' ? { passkey: await askForPasskey('proof') } : proofOf(way, typed)),
    onSaved: onProven,
    explain: (error) => {
      if (isProblem(error, 'authentication_required')) {
        onLapsed()
        return 'handled'
      }
      const { message, waitSeconds } = isProblem(error) ? proofRefusal(way, error) : { message: passkeySentence(error) }
      if (waitSeconds !== undefined || way === 'passkey') return { failure: refusedWith(message, waitSeconds) }
      return { fields: { typed: message } }
    },
  })
  const { failure, isSaving } = save
  const wait = useSecondsLeft(failure?.waitSeconds)
  const form = save.formProps.ref

  useEffect(() => {
    const first = way === 'passkey' ? button.current : form.current?.querySelector<HTMLElement>('input')
    first?.focus()
  }, [way, form])

  const field = { 'data-autofocus': true, 'data-refused': true, ...save.form.getInputProps('typed') }
  return (
    <SaveForm
      save={save}
      failure={null}
      actions={
        <Stack gap="md" mt="md">
          <Button
            ref={button}
            data-autofocus={way === 'passkey' || undefined}
            type="submit"
            size="sm"
            fullWidth
            loading={isSaving}
            disabled={wait > 0}
            leftSection={way === 'passkey' ? <IconFingerprint size={17} stroke={1.7} aria-hidden /> : undefined}
          >
            {wait > 0 ? `Wait ${waitWords(wait)}` : way === 'passkey' ? labels.passkey : submitLabel}
          </Button>
          <Stack gap="3xs">
            {ways
              .filter((other) => other !== way)
              .map((other) => (
                <Button
                  key={other}
                  variant="subtle"
                  disabled={isSaving}
                  onClick={() => {
                    setWay(other)
                    save.reset()
                  }}
                >
                  {labels[other]}
                </Button>
              ))}
            {aside}
          </Stack>
        </Stack>
      }
    >
      <Stack gap="md">
        {failure?.waitSeconds !== undefined && <FormRefusal failure={failure} />}
        {way === 'totp' && (
          <TextInput
            label="Code from your authenticator app"
            description="Six digits, new every 30 seconds"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            {...field}
          />
        )}
        {way === 'recovery_code' && (
          <TextInput
            label="Recovery code"
            description="One of your ten saved codes. Each code works once"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={64}
            {...field}
          />
        )}
        {way === 'password' && <PasswordField label="Your password" {...field} />}
        {way === 'passkey' && (
          <>
            <Text size="sm" c="dimmed">
              Your device asks for your fingerprint, face, PIN or security key.
            </Text>
            {failure !== null && failure.waitSeconds === undefined && <FormRefusal failure={failure} />}
          </>
        )}
      </Stack>
    </SaveForm>
  )
}

/** Kinds of proof that are available to this session in this browser. */
export function waysOf({ secondFactor, stepUp }: Session, purpose: 'second_factor' | 'step_up'): Way[] {
  if (purpose === 'step_up' && stepUp.method === 'password') return ['password']
  const order: Way[] = ['totp', 'passkey', 'recovery_code']
  return order.filter(
    (way) => secondFactor.methods.some((method) => method === way) && (way !== 'passkey' || canUsePasskeys()),
  )
}
