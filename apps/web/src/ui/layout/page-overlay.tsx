import { Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { InertBackground, ownPortal, useFocusBefore } from '../focus/inert-background.tsx'

/**
 * What has to be dealt with before the page goes on, which stays beneath with everything typed: Escape or a stray click must not throw that
 * away, so that leaving is a choice with a name among the `children`.
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
