import type { ReactNode } from 'react'
import { FormDialog } from './form-dialog.tsx'
import { missingReason, ReasonField } from './reason-field.tsx'

type Props<Answer> = {
  draftName: string
  title: string
  confirmLabel: string
  tone?: 'normal' | 'danger'
  /** What happens and what stays. */
  children: ReactNode
  description: string
  /** The error of a blank reason. */
  missing: string
  /** Others can undo it: a retry does it again instead of returning the stored answer. */
  isUndoable?: boolean
  send: (reason: string, idempotencyKey: string) => Promise<Answer>
  /** `isMounted` is false when the person left the page meanwhile. */
  sent: (answer: Answer, reason: string, isMounted: boolean) => void
  close: () => void
  /** Opens the dialog again after Undo. */
  reopen: () => void
}

/** Asks for a reason before an action, and waits for the answer of the server. With more fields, use `FormDialog` and `ReasonField`. */
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
      draft={{ name: draftName, isBlank: isBlankReason, gone: props.close }}
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
