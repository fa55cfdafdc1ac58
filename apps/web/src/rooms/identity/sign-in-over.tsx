import { Button, Text } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { useState } from 'react'
import { PageOverlay } from '../../ui/layout/page-overlay.tsx'
import { SignInSteps } from './sign-in-steps.tsx'
import { holdTitles } from './steps/hold-step.tsx'

type Props = {
  email: string
  /** A session that is there but lacks something since; null: none. */
  held: Session | null
  /** Takes the token of a session on the way; false: this is somebody else, and the page is left. */
  take: (session: Session) => boolean
  onSignedIn: (session: Session) => void
  onLeave: () => void
}

/** Over the page whose session lapsed: the page stays as it is, with everything typed, and goes on after the sign-in. */
export function SessionLapsed({ email, held: heldBefore, take, onSignedIn, onLeave }: Props) {
  const [held, setHeld] = useState(heldBefore)
  const hold = held?.hold ?? null
  return (
    <PageOverlay
      size={hold === 'enrolment' ? 'md' : 'sm'}
      title={hold === null ? 'Your session has ended' : holdTitles[hold]}
    >
      <Text size="sm">
        {hold === null
          ? 'Sign in again to continue. Nothing on this page is lost. Your pending changes are sent when you are back.'
          : 'Then you can continue. Nothing on this page is lost.'}
      </Text>
      <SignInSteps
        email={email}
        submitLabel="Sign in and continue"
        held={held}
        onSession={(session) => {
          if (!take(session)) return
          if (session.hold === null) onSignedIn(session)
          else setHeld(session)
        }}
        onLapsed={() => setHeld(null)}
        aside={
          <Button variant="subtle" color="gray" onClick={onLeave}>
            Leave this page
          </Button>
        }
      />
    </PageOverlay>
  )
}
