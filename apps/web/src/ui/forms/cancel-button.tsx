import { Button, type ButtonProps } from '@mantine/core'
import type { SaveForm } from './use-save-form.ts'

type Props = ButtonProps & {
  save: Pick<SaveForm<Record<string, unknown>>, 'discard' | 'isSaving'>
  /** Closes the form. */
  close: () => void
  /** Opens the form again after Undo. */
  reopen?: () => void
  'data-autofocus'?: boolean
}

/**
 * Button that leaves a form: it deletes the draft, with Undo, and closes the form. A form that is left in another way, such as Escape or a link,
 * keeps its draft.
 */
export function CancelButton({ save, close, reopen = () => {}, children = 'Cancel', ...props }: Props) {
  return (
    <Button
      variant="default"
      {...props}
      onClick={() => {
        save.discard(reopen)
        close()
      }}
    >
      {children}
    </Button>
  )
}
