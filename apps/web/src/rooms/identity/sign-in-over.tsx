import { Button, Text } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { useState } from 'react'
import { PageOverlay } from '../../ui/layout/page-overlay.tsx'
import { SignInSteps } from './sign-in-steps.tsx'
import { holdTitles } from './steps/hold-step.tsx'

type Props = {
  email: string
  /** Existing session with a missing step, or null. */
  held: Session | null
  /** Adopts the token of an intermediate session. Returns false for another user, in which case the page is left. */
  take: (session: Session) => boolean
  onSignedIn: (session: Session) => void
  onLeave: () => void
}

/** Dialog over a page whose session has expired. The page stays with all typed text and continues after the sign-in. */
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
          ? 'Sign in again to continue. Nothing on this page is lost. Your pending changes are sent after you sign in.'
          : 'After the next step, you can continue. Nothing on this page is lost.'}
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
