import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { IconAlertCircle, IconClock, IconFingerprint } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { isProblem } from '../../../ui/api/api-problem.ts'
import { askForPasskey, canUsePasskeys, passkeySentence } from '../passkeys.ts'
import { missingProof, type ProofRefusal, proofOf, proofRefusal, prove, type Way } from '../proof.ts'
import { waitWords } from '../sign-in.ts'
import { useSecondsLeft } from '../use-wait.ts'

type Props = {
  ways: Way[]
  submitLabel: string
  onProven: (session: Session) => void
  /** The session ended meanwhile. */
  onLapsed: () => void
  aside?: ReactNode
}

const labels: Record<Way, string> = {
  totp: 'Use a code from your app',
  passkey: 'Use a passkey',
  recovery_code: 'Use a recovery code',
  password: 'Use your password',
}

/** One way to show who one is, with the others in reach. What was typed is taken back only when it was refused. */
export function ProofForm({ ways, submitLabel, onProven, onLapsed, aside }: Props) {
  const [way, setWay] = useState<Way>(ways[0] ?? 'recovery_code')
  const [typed, setTyped] = useState('')
  const [refusal, setRefusal] = useState<ProofRefusal | null>(null)
  const [isSending, setIsSending] = useState(false)
  const wait = useSecondsLeft(refusal?.waitSeconds)
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    const first = way === 'passkey' ? button.current : input.current
    first?.focus()
  }, [way])

  const refuse = (found: ProofRefusal) => {
    setRefusal(found)
    input.current?.focus()
    input.current?.select()
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending || wait > 0) return
    const missing = way === 'passkey' ? null : missingProof(way, typed)
    if (missing !== null) return refuse({ message: missing })
    setIsSending(true)
    setRefusal(null)
    try {
      const proof = way === 'passkey' ? { passkey: await askForPasskey('proof') } : proofOf(way, typed)
      onProven(await prove(proof))
    } catch (error) {
      if (isProblem(error, 'authentication_required')) return onLapsed()
      refuse(isProblem(error) ? proofRefusal(way, error) : { message: passkeySentence(error) })
    } finally {
      setIsSending(false)
    }
  }

  const isLimited = refusal?.waitSeconds !== undefined
  const beside = isLimited ? undefined : refusal?.message
  const field = {
    'data-autofocus': true,
    value: typed,
    error: beside,
    onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {isLimited && (
          <Alert color="yellow" variant="outline" icon={<IconClock />}>
            {refusal?.message} Wait {waitWords(refusal?.waitSeconds ?? 1)}, then try again.
          </Alert>
        )}
        {way === 'totp' && (
          <TextInput
            ref={input}
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
            ref={input}
            label="Recovery code"
            description="One of the ten that you kept; each works once"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={64}
            {...field}
          />
        )}
        {way === 'password' && (
          <PasswordInput
            ref={input}
            label="Your password"
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
            {...field}
          />
        )}
        {way === 'passkey' && (
          <>
            <Text size="sm" c="dimmed">
              Your device asks for your fingerprint, face, PIN or security key.
            </Text>
            {beside !== undefined && (
              <Alert color="red" variant="outline" icon={<IconAlertCircle />}>
                {beside}
              </Alert>
            )}
          </>
        )}
        <Button
          ref={button}
          data-autofocus={way === 'passkey' || undefined}
          type="submit"
          size="sm"
          fullWidth
          loading={isSending}
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
                disabled={isSending}
                onClick={() => {
                  setWay(other)
                  setTyped('')
                  setRefusal(null)
                }}
              >
                {labels[other]}
              </Button>
            ))}
          {aside}
        </Stack>
      </Stack>
    </form>
  )
}

/** The ways a session has here and now. */
export function waysOf({ secondFactor, stepUp }: Session, purpose: 'second_factor' | 'step_up'): Way[] {
  if (purpose === 'step_up' && stepUp.method === 'password') return ['password']
  const order: Way[] = ['totp', 'passkey', 'recovery_code']
  return order.filter(
    (way) => secondFactor.methods.some((method) => method === way) && (way !== 'passkey' || canUsePasskeys()),
  )
}
