import { Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { InertBackground, ownPortal, useFocusBefore } from '../focus/inert-background.tsx'

/**
 * Full-page overlay for something that must be completed first. The page below stays with all typed text. Escape and clicks outside do not close it;
 * `children` contain an explicit button to leave.
 */
export function PageOverlay({
  title,
  size = 'sm',
  children,
}: {
  title: string
  size?: 'sm' | 'md'
  children: ReactNode
}) {
  const focusBefore = useFocusBefore()
  return (
    <Modal
      opened
      portalProps={ownPortal}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size={size}
      zIndex={1000}
      title={title}
    >
      <InertBackground returnTo={focusBefore}>
        <Stack gap="md">{children}</Stack>
      </InertBackground>
    </Modal>
  )
}
