import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { sentenceOf } from '../api/api-problem.ts'
import { submitOnModEnter } from '../forms/submit-on-mod-enter.ts'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps = {
  title: string
  /** What will happen, what stays, whether it can be undone. */
  children: ReactNode
  /** A verb with its object: "Block contact". */
  confirmLabel: string
  tone?: 'normal' | 'danger'
  isBusy?: boolean
  isDisabled?: boolean
  /** What the server refused; the dialog stays open with it. */
  error?: unknown
  onConfirm: () => void
  onClose: () => void
  /** The Cancel button, where it does more than close. */
  onCancel?: () => void
}

/** Asks before something that is not undone with a click. Ctrl/Cmd-Enter confirms, Esc leaves. */
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
          {/* Where nothing is asked for: within the form, so that Ctrl-Enter confirms. */}
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
