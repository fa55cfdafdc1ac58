import { Alert, Button, Group, Skeleton, Stack, TextInput } from '@mantine/core'
import type { Enrolment } from '@prospect/api-client'
import { confirmEnrolment } from '@prospect/api-client'
import { IconAlertCircle } from '@tabler/icons-react'
import { type FormEvent, useRef, useState } from 'react'
import { isProblem, sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { rotatingSession } from '../../../ui/api/gated-fetch.ts'
import { CopyButton } from '../../../ui/layout/copy-button.tsx'
import { lazyPart } from '../../../ui/lazy/lazy-part.tsx'
import { missingProof, proofRefusal } from '../proof.ts'
import classes from './enrolment.module.css'

const QrCode = lazyPart(
  'qr-code',
  () => import('./qr-code.tsx').then((module) => module.QrCode),
  <Skeleton width={168} height={168} />,
)

type Props = {
  begun: Enrolment
  /** The codes when they are new; null when the former ones stay valid. */
  onConfirmed: (recoveryCodes: string[] | null) => void
  cancel: () => void
  /** What is on its way must not be closed over. */
  onBusy?: (isBusy: boolean) => void
}

/** The secret of an authenticator app, as a picture and as text, and the first code as proof that the app has it. */
export function TotpEnrolment({ begun, onConfirmed, cancel, onBusy }: Props) {
  const [code, setCode] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isOver, setOver] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const refuse = (message: string) => {
    setRefusal(message)
    input.current?.focus()
    input.current?.select()
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    const missing = missingProof('totp', code)
    if (missing !== null) return refuse(missing)
    setIsSending(true)
    onBusy?.(true)
    setRefusal(null)
    try {
      const body = { code: code.replaceAll(/\s/g, '') }
      const answer = await dataOf(confirmEnrolment({ body, ...rotatingSession }))
      onConfirmed(answer.recoveryCodes)
    } catch (error) {
      if (isProblem(error, 'enrolment_expired')) setOver(true)
      else refuse(isProblem(error, 'second_factor_invalid') ? proofRefusal('totp', error).message : sentenceOf(error))
    } finally {
      setIsSending(false)
      onBusy?.(false)
    }
  }

  if (isOver) {
    return (
      <Stack gap="md">
        <Alert color="yellow" variant="outline" icon={<IconAlertCircle />} title="This took too long">
          The secret is no longer waiting to be confirmed. Remove the entry from your app and begin again.
        </Alert>
        <Button variant="default" onClick={cancel}>
          Back
        </Button>
      </Stack>
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <div className={classes.scan}>
          <QrCode
            text={begun.otpauthUri}
            label="QR code for your authenticator app. The same secret stands beside it as text."
          />
          <div className={classes.by}>
            <p>Scan this with your authenticator app, or type the secret into it:</p>
            <code className={classes.secret}>{begun.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
            <CopyButton text={begun.secret} label="Copy the secret" />
            <a href={begun.otpauthUri}>Open in an app on this device</a>
          </div>
        </div>
        <TextInput
          ref={input}
          label="Code that the app shows now"
          description="Six digits, new every 30 seconds"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          data-autofocus
          autoFocus
          value={code}
          error={refusal}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" disabled={isSending} onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" size="sm" loading={isSending}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
