import { Modal, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useDialogSlot } from './dialog-slot.tsx'

type DialogProps = {
  title: ReactNode
  onClose: () => void
  children: ReactNode
  /** False if the dialog closes only through a button in its content. */
  withCloseButton?: boolean
} & Pick<ModalProps, 'size' | 'closeOnClickOutside' | 'closeOnEscape'>

/** A dialog over the page. Render it in a `DialogSlot`. */
export function Dialog({ title, onClose, children, withCloseButton = true, ...options }: DialogProps) {
  useDialogSlot(onClose, options)
  return (
    <>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title>{title}</Modal.Title>
          {withCloseButton && <Modal.CloseButton aria-label="Close" />}
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </>
  )
}
