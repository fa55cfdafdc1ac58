import { Button, Modal, Stack, Text } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { SignInForm } from './sign-in-form.tsx'

type Props = { email: string; onSignedIn: (session: Session) => void; onLeave: () => void }

/** Over the page whose session lapsed: the page stays as it is, with everything typed, and goes on after the sign-in. */
export function SessionLapsed({ email, onSignedIn, onLeave }: Props) {
  return (
    <Modal
      opened
      // Escape or a stray click must not throw away what waits underneath; leaving is a choice with a name.
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size="sm"
      zIndex={1000}
      title="Your session has ended"
    >
      <Stack gap="md">
        <Text size="sm">
          Sign in again and go on. Nothing on this page is lost, and what you were saving is sent as soon as you are
          back.
        </Text>
        <SignInForm
          email={email}
          submitLabel="Sign in and go on"
          onSignedIn={onSignedIn}
          aside={
            <Button variant="subtle" color="gray" onClick={onLeave}>
              Leave this page instead
            </Button>
          }
        />
      </Stack>
    </Modal>
  )
}
