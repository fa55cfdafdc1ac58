import { Alert, Button, Stack, Text } from '@mantine/core'
import type { Enrolment, Session } from '@prospect/api-client'
import { beginEnrolment, getSession } from '@prospect/api-client'
import { IconAlertCircle, IconDeviceMobile, IconFingerprint } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { isProblem, sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { outsideSession } from '../../../ui/api/gated-fetch.ts'
import { canUsePasskeys } from '../passkeys.ts'
import { AddPasskey } from './add-passkey.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpEnrolment } from './totp-enrolment.tsx'

type Step =
  | { name: 'choose' }
  | { name: 'totp'; begun: Enrolment }
  | { name: 'passkey' }
  | { name: 'codes'; codes: string[] }
type Props = { email: string; onEnrolled: (session: Session) => void; onLapsed: () => void; aside?: ReactNode }

/** Requires a second factor before anything else. The recovery codes are shown before the session continues. */
export function ForcedEnrolment({ email, onEnrolled, onLapsed, aside }: Props) {
  const [step, setStep] = useState<Step>({ name: 'choose' })
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setIsBusy] = useState(false)

  const attempt = async (work: () => Promise<void>) => {
    setIsBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      if (isProblem(error, 'authentication_required')) return onLapsed()
      setFailure(error)
    } finally {
      setIsBusy(false)
    }
  }
  const finish = () => attempt(async () => onEnrolled(await dataOf(getSession(outsideSession))))
  const enrolled = (codes: string[] | null) => (codes === null ? void finish() : setStep({ name: 'codes', codes }))
  const back = () => setStep({ name: 'choose' })

  return (
    <Stack gap="md">
      {failure !== null && (
        <Alert color="red" variant="outline" icon={<IconAlertCircle />}>
          {sentenceOf(failure)}
        </Alert>
      )}
      {step.name === 'choose' && (
        <>
          <Text size="sm">Administrators need a second factor. To continue, set up a second factor.</Text>
          <Button
            size="sm"
            loading={isBusy}
            leftSection={<IconDeviceMobile size={17} stroke={1.7} aria-hidden />}
            onClick={() =>
              attempt(async () => setStep({ name: 'totp', begun: await dataOf(beginEnrolment({ body: {} })) }))
            }
          >
            Set up authenticator app
          </Button>
          {canUsePasskeys() && (
            <Button
              size="sm"
              variant="default"
              disabled={isBusy}
              leftSection={<IconFingerprint size={17} stroke={1.7} aria-hidden />}
              onClick={() => setStep({ name: 'passkey' })}
            >
              Create passkey
            </Button>
          )}
          {aside}
        </>
      )}
      {step.name === 'totp' && <TotpEnrolment begun={step.begun} onConfirmed={enrolled} cancel={back} />}
      {step.name === 'passkey' && <AddPasskey onAdded={enrolled} cancel={back} />}
      {step.name === 'codes' && (
        <RecoveryCodes codes={step.codes} email={email} doneLabel="Continue" onDone={() => void finish()} />
      )}
    </Stack>
  )
}
