import { Alert, Stack, Text } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { IconKey } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Hold } from '../account-types.ts'
import { ChangePasswordForm } from './change-password-form.tsx'
import { ForcedEnrolment } from './forced-enrolment.tsx'
import { ProofForm, waysOf } from './proof-form.tsx'

export const holdTitles: Record<Hold, string> = {
  second_factor: 'One more step',
  password_change: 'Choose your own password',
  enrolment: 'Set up a second factor',
}

type Props = {
  session: Session
  hold: Hold
  /** Returns the password of this sign-in for a few minutes. */
  justTyped: () => string | null
  /** Called with the next state of the session, which may require another step. */
  onSession: (session: Session) => void
  onLapsed: () => void
  aside?: ReactNode
}

/** The current missing step of a session. */
export function HoldStep({ session, hold, justTyped, onSession, onLapsed, aside }: Props) {
  switch (hold) {
    case 'second_factor':
      return (
        <ProofForm
          ways={waysOf(session, 'second_factor')}
          submitLabel="Continue"
          onProven={onSession}
          onLapsed={onLapsed}
          aside={aside}
        />
      )
    case 'password_change':
      return (
        <Stack gap="md">
          <Alert color="accent" variant="outline" icon={<IconKey />}>
            <Text size="sm">
              Someone else set this password. Choose a password that only you know.
              {/* After a passkey sign-in the account may have no password, because a reset invalidated it (docs/decisions/password-resets.md). */}
              {justTyped() === null && ' If your password was reset, use the link that you received.'}
            </Text>
          </Alert>
          <ChangePasswordForm
            email={session.user.email}
            submitLabel="Change password"
            justTyped={justTyped}
            onLapsed={onLapsed}
            onChanged={onSession}
            aside={aside}
          />
        </Stack>
      )
    case 'enrolment':
      return <ForcedEnrolment email={session.user.email} onEnrolled={onSession} onLapsed={onLapsed} aside={aside} />
  }
}
