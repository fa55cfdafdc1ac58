import type { ReactNode } from 'react'
import { FormDialog } from './form-dialog.tsx'
import { missingReason, ReasonField } from './reason-field.tsx'

type Props<Answer> = {
  draftName: string
  title: string
  confirmLabel: string
  tone?: 'normal' | 'danger'
  /** Text that explains what changes and what does not. */
  children: ReactNode
  description: string
  /** Error message for a blank reason. */
  missing: string
  /** True if other users can undo the change: a retry then repeats the change instead of returning the stored response. */
  isUndoable?: boolean
  send: (reason: string, idempotencyKey: string) => Promise<Answer>
  /** Called after success. `isMounted` is false if the user has left the page. */
  sent: (answer: Answer, reason: string, isMounted: boolean) => void
  close: () => void
  /** Called to open the dialog again after Undo. */
  reopen: () => void
}

/** Dialog that requires a reason before an action, and stays open until the server responds. For more fields, use `FormDialog` and `ReasonField`. */
export function ReasonDialog<Answer>(props: Props<Answer>) {
  const { draftName, title, confirmLabel, tone = 'normal', children, description, missing, send, sent } = props
  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      tone={tone}
      what={title.replace(/\?$/, '')}
      isAction
      initial={blank}
      validate={(values) => missingReason(values, missing)}
      isUndoable={props.isUndoable === true}
      send={({ reason }, { key }) => send(reason, key)}
      onSaved={(answer, { reason }, { isMounted }) => sent(answer, reason, isMounted())}
      draft={{ name: draftName, isBlank: isBlankReason }}
      close={props.close}
      reopen={props.reopen}
    >
      {({ form, restored }) => (
        <>
          <div>{children}</div>
          <ReasonField form={form} restored={restored} description={description} data-autofocus />
        </>
      )}
    </FormDialog>
  )
}

const blank = { reason: '' }

const isBlankReason = ({ reason }: { reason: string }) => reason.trim() === ''
