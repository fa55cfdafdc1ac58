import { Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { messageAbout } from '../../ui/api-problem.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useIdempotencyKey } from '../../ui/idempotency.ts'
import { useDraft } from '../../ui/use-draft.ts'
import { refreshAll } from './matching.queries.ts'

type Props = {
  /** What is typed is kept under this name until it is sent. */
  draftName: string
  title: string
  confirmLabel: string
  description: string
  /** What happens and what stays. */
  children: ReactNode
  send: (reason: string, idempotencyKey: string) => Promise<unknown>
  sent: () => void
  close: () => void
}

const parseReason = (value: unknown) => (typeof value === 'string' ? value : null)
export const MAX_REASON = 1_000

/** A decision that wants a reason, and waits for what the server answers. */
export function ReasonDialog({ draftName, title, confirmLabel, description, children, send, sent, close }: Props) {
  const draft = useDraft<string>(draftName, parseReason)
  const [reason, setReason] = useState(draft.restored?.value ?? '')
  const [isMissing, setMissing] = useState(false)
  const input = useRef<HTMLTextAreaElement>(null)
  const { keyFor, done } = useIdempotencyKey()
  const queryClient = useQueryClient()
  const decide = useMutation({
    mutationFn: () => send(reason, keyFor({ title, reason })),
    onSuccess: () => {
      done()
      draft.clear()
      close()
      sent()
      return refreshAll(queryClient)
    },
  })
  const beside = messageAbout(decide.error, 'reason')
  return (
    <ConfirmDialog
      isOpen
      title={title}
      confirmLabel={confirmLabel}
      isBusy={decide.isPending}
      error={beside === undefined ? decide.error : null}
      onConfirm={() => {
        if (reason.trim() !== '') return decide.mutate()
        setMissing(true)
        input.current?.focus()
      }}
      onClose={close}
    >
      {children}
      <Textarea
        ref={input}
        label="Reason"
        description={description}
        withAsterisk
        aria-required
        data-autofocus
        autosize
        minRows={2}
        maxLength={MAX_REASON}
        mt="md"
        value={reason}
        error={isMissing ? 'Say why. The reason stays with the decision.' : beside}
        onChange={(event) => {
          const { value } = event.currentTarget
          setReason(value)
          setMissing(false)
          if (value.trim() === '') draft.clear()
          else draft.keep(value)
        }}
      />
    </ConfirmDialog>
  )
}
