import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { sentenceOf } from '../api/api-problem.ts'
import { submitOnModEnter } from '../forms/submit-on-mod-enter.ts'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps = {
  title: string
  /** Text that explains the effects and whether they can be undone. */
  children: ReactNode
  /** Verb with object: "Block contact". */
  confirmLabel: string
  tone?: 'normal' | 'danger'
  isBusy?: boolean
  isDisabled?: boolean
  /** Error of the server, shown in the dialog, which stays open. */
  error?: unknown
  onConfirm: () => void
  onClose: () => void
  /** Called by the Cancel button instead of `onClose`. */
  onCancel?: () => void
}

/** Confirmation before an action that cannot be undone with a click. Ctrl/Cmd+Enter confirms, Escape closes. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, tone = 'normal', isBusy = false, isDisabled = false, error } = props
  const close = (): void => {
    if (!isBusy) props.onClose()
  }
  return (
    <Dialog onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy && !isDisabled) props.onConfirm()
        }}
        onKeyDown={submitOnModEnter}
      >
        {children}
        {error !== undefined && error !== null && (
          <p role="alert" className="pp-refusal">
            {sentenceOf(error)}
          </p>
        )}
        <Group justify="flex-end" gap="xs" mt="md">
          {/* If the dialog has no field, Cancel gets the focus. It is within the form, so Ctrl+Enter confirms. */}
          <Button variant="default" onClick={props.onCancel ?? close} disabled={isBusy} data-autofocus>
            Cancel
          </Button>
          <Button type="submit" {...(tone === 'danger' ? { color: 'red' } : {})} loading={isBusy} disabled={isDisabled}>
            {confirmLabel}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
