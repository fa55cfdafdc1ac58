import { Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { messageAbout } from '../api/api-problem.ts'
import { newKey } from '../api/idempotency.ts'
import { DraftHint } from '../forms/draft-hint.tsx'
import { inputLimits } from '../forms/input-limits.ts'
import { useDraft } from '../forms/use-draft.ts'
import { useIdempotencyKey } from '../forms/use-idempotency-key.ts'
import { useIsMounted } from '../forms/use-is-mounted.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props<Answer> = {
  /** What is typed is kept under this name until it is sent. */
  draftName: string
  title: string
  confirmLabel: string
  tone?: 'normal' | 'danger'
  /** What happens and what stays. */
  children: ReactNode
  description: string
  /** Said when there is none. */
  missing: string
  /** What else is asked, under the reason; with `isReady` false it says what it lacks, and nothing is sent. */
  more?: ReactNode
  isReady?: () => boolean
  /** Others may undo it, so a repeat does it anew instead of answering what the first one did (see `newKey`). */
  mayBeUndone?: boolean
  /** What else is sent: with another answer it is another attempt. */
  payload?: unknown
  send: (reason: string, idempotencyKey: string) => Promise<Answer>
  /** `isHere` is false for whoever has left the page meanwhile: they are taken nowhere. */
  sent: (answer: Answer, reason: string, isHere: boolean) => void
  close: () => void
  /** Opens the dialog again after Undo. */
  reopen: () => void
}

const parseReason = (value: unknown) => (typeof value === 'string' ? value : null)

/** Asks for a reason before something that stays with it, and waits for what the server answers. */
export function ReasonDialog<Answer>(props: Props<Answer>) {
  const { draftName, title, confirmLabel, tone = 'normal', children, description, missing, more, close } = props
  const draft = useDraft<string>(draftName, parseReason, { gone: close, returned: (back) => setReason(back) })
  const [reason, setReason] = useState(draft.restored?.value ?? '')
  const [isMissing, setMissing] = useState(false)
  const input = useRef<HTMLTextAreaElement>(null)
  const { keyFor, done } = useIdempotencyKey()
  const isHere = useIsMounted()
  const decide = useMutation({
    meta: { notDone: title.replace(/\?$/, ''), keepsText: true },
    mutationFn: () => {
      const key = props.mayBeUndone === true ? newKey() : keyFor({ draftName, reason, payload: props.payload })
      return props.send(reason, key)
    },
    onSuccess: (answer) => {
      done()
      draft.clear()
      props.sent(answer, reason, isHere())
    },
  })
  const beside = messageAbout(decide.error, 'reason')
  const confirm = () => {
    const isReady = props.isReady?.() ?? true
    if (reason.trim() === '') {
      setMissing(true)
      input.current?.focus()
    } else if (isReady) decide.mutate()
  }
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={confirmLabel}
      tone={tone}
      isBusy={decide.isPending}
      error={beside === undefined ? decide.error : null}
      onConfirm={confirm}
      onClose={close}
      onCancel={() => {
        draft.discard(props.reopen)
        close()
      }}
    >
      {children}
      <Textarea
        ref={input}
        label="Reason"
        description={
          <>
            {description}.
            <DraftHint draft={draft.restored} />
          </>
        }
        withAsterisk
        aria-required
        data-autofocus
        autosize
        minRows={2}
        maxLength={inputLimits.reason}
        mt="md"
        value={reason}
        readOnly={decide.isPending}
        error={isMissing ? missing : beside}
        onChange={(event) => {
          const { value } = event.currentTarget
          setReason(value)
          setMissing(false)
          if (value.trim() === '') draft.clear()
          else draft.keep(value)
        }}
      />
      {more}
    </ConfirmDialog>
  )
}
