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
  /** The password of this sign-in, while it is fresh. */
  justTyped: () => string | null
  /** The same session, further on; it may be held by the next thing. */
  onSession: (session: Session) => void
  onLapsed: () => void
  aside?: ReactNode
}

/** What the session still lacks before anything opens, one thing at a time. */
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
              Someone else set this password. Choose one only you know.
              {/* Who signed in by a passkey may have none: a reset made it void (docs/decisions/password-resets.md). */}
              {justTyped() === null && ' If it was reset, it no longer works: use the link that you received.'}
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
