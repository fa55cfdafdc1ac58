import { Alert, Button, Group, Skeleton, Stack, TextInput } from '@mantine/core'
import type { Enrolment } from '@prospect/api-client'
import { confirmEnrolment } from '@prospect/api-client'
import { IconAlertCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { isProblem, sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { rotatingSession } from '../../../ui/api/gated-fetch.ts'
import { SaveForm } from '../../../ui/forms/save-form.tsx'
import { type FieldErrors, useSaveForm } from '../../../ui/forms/use-save-form.ts'
import { CopyButton } from '../../../ui/layout/copy-button.tsx'
import { lazyPart } from '../../../ui/lazy/lazy-part.tsx'
import { missingProof, proofRefusal } from '../proof.ts'
import classes from './enrolment.module.css'
import { useBusy } from './use-busy.ts'

const QrCode = lazyPart(
  'qr-code',
  () => import('./qr-code.tsx').then((module) => module.QrCode),
  <Skeleton width={168} height={168} />,
)

type Props = {
  begun: Enrolment
  /** Receives the recovery codes if new ones were created, or null if the previous ones stay valid. */
  onConfirmed: (recoveryCodes: string[] | null) => void
  cancel: () => void
  /** Reports a pending request, during which a surrounding dialog must not close. */
  onBusy?: (isBusy: boolean) => void
}

/** Secret of an authenticator app as QR code and text, and a field for the first code, which proves that the app has it. */
export function TotpEnrolment({ begun, onConfirmed, cancel, onBusy }: Props) {
  const [isOver, setOver] = useState(false)
  const save = useSaveForm({
    initial: { code: '' },
    validate: ({ code }): FieldErrors => {
      const missing = missingProof('totp', code)
      return missing === null ? {} : { code: missing }
    },
    send: ({ code }) => dataOf(confirmEnrolment({ body: { code: code.replaceAll(/\s/g, '') }, ...rotatingSession })),
    onSaved: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
    explain: (error) => {
      if (isProblem(error, 'enrolment_expired')) {
        setOver(true)
        return 'handled'
      }
      const isWrong = isProblem(error, 'second_factor_invalid')
      return { fields: { code: isWrong ? proofRefusal('totp', error).message : sentenceOf(error) } }
    },
  })
  useBusy(save.isSaving, onBusy)

  if (isOver) {
    return (
      <Stack gap="md">
        <Alert color="yellow" variant="outline" icon={<IconAlertCircle />} title="This took too long">
          The secret has expired. Remove the entry from your app, then start again.
        </Alert>
        <Button variant="default" onClick={cancel}>
          Back
        </Button>
      </Stack>
    )
  }

  return (
    <SaveForm
      save={save}
      actions={
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" size="sm" disabled={save.isSaving} onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" size="sm" loading={save.isSaving}>
            Confirm
          </Button>
        </Group>
      }
    >
      <Stack gap="md">
        <div className={classes.scan}>
          <QrCode
            text={begun.otpauthUri}
            label="QR code for your authenticator app. The same secret is shown as text."
          />
          <div className={classes.by}>
            <p>Scan this with your authenticator app, or type the secret into it:</p>
            <code className={classes.secret}>{begun.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
            <CopyButton text={begun.secret} label="Copy secret" />
            <a href={begun.otpauthUri}>Open in an app on this device</a>
          </div>
        </div>
        <TextInput
          label="Code from the app"
          description="Six digits, new every 30 seconds"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          data-autofocus
          data-refused
          autoFocus
          {...save.form.getInputProps('code')}
        />
      </Stack>
    </SaveForm>
  )
}
