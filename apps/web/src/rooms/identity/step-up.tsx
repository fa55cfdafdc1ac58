import { Button, Modal, Stack, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import type { Session } from '@prospect/api-client'
import { InertBackground, ownPortal, useFocusBefore } from '../../ui/focus/inert-background.tsx'
import { ProofForm, waysOf } from './steps/proof-form.tsx'

type Props = { session: Session; onProven: (session: Session) => void; onLapsed: () => void; onDecline: () => void }

/** Dialog that requests fresh proof. The waiting action continues afterwards. */
export function StepUp({ session, onProven, onLapsed, onDecline }: Props) {
  const focusBefore = useFocusBefore()
  // Bubble phase: dialogs below handle Escape in the capture phase, and must do so while they are still inert.
  useWindowEvent('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) onDecline()
  })
  return (
    <Modal
      opened
      portalProps={ownPortal}
      onClose={onDecline}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="sm"
      zIndex={1000}
      title="Confirm that it is you"
      closeButtonProps={{ 'aria-label': 'Not now' }}
    >
      <InertBackground returnTo={focusBefore}>
        <Stack gap="md">
          <Text size="sm">Confirm your identity to continue. We won’t ask again for 15 minutes.</Text>
          <ProofForm
            ways={waysOf(session, 'step_up')}
            submitLabel="Confirm and continue"
            onProven={onProven}
            onLapsed={onLapsed}
            aside={
              <Button variant="subtle" color="gray" onClick={onDecline}>
                Not now
              </Button>
            }
          />
        </Stack>
      </InertBackground>
    </Modal>
  )
}
