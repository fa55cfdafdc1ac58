import { Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Business } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageAbout } from '../../../ui/api-problem.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useIdempotencyKey } from '../../../ui/idempotency.ts'
import { nameText } from '../../../ui/name-text.ts'
import { recordKey, refreshRecord } from '../../../ui/record-keys.ts'
import { useDraft } from '../../../ui/use-draft.ts'
import { blockBusiness } from './record.queries.ts'

type Props = { business: Business; isOpen: boolean; close: () => void }

/** An immediate hard block. Waits for the server: what it answered is what is shown. */
export function BlockDialog({ business, isOpen, close }: Props) {
  const draft = useDraft<string>(`block-${business.id}`, (value) => (typeof value === 'string' ? value : null))
  const [reason, setReason] = useState(draft.restored?.value ?? '')
  const [missing, setMissing] = useState(false)
  const input = useRef<HTMLTextAreaElement>(null)
  const { keyFor, done } = useIdempotencyKey()
  const queryClient = useQueryClient()

  const block = useMutation({
    mutationFn: () => blockBusiness(business.id, reason, keyFor({ id: business.id, reason })),
    onSuccess: (blocked) => {
      done()
      draft.clear()
      setReason('')
      queryClient.setQueryData(recordKey(business.id), blocked)
      void refreshRecord(queryClient, business.id)
      notifications.show({ message: `${nameText(blocked.name)} is marked as do not contact.` })
      close()
    },
  })
  const about = messageAbout(block.error, 'reason')

  const confirm = () => {
    if (reason.trim() !== '') return block.mutate()
    setMissing(true)
    input.current?.focus()
  }

  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Mark ${nameText(business.name)} as do not contact?`}
      confirmLabel="Mark as do not contact"
      tone="danger"
      isBusy={block.isPending}
      error={about === undefined ? block.error : null}
      onConfirm={confirm}
      onClose={() => {
        block.reset()
        setMissing(false)
        close()
      }}
    >
      <Text size="sm">
        It takes effect at once and shows wherever the name does. The record can still be read, edited and moved; no
        state of the pipeline lifts the mark.
      </Text>
      <Text size="sm" mt="xs" fw={500}>
        Only an administrator lifts it again, with a reason that stays in the audit log.
      </Text>
      <Textarea
        ref={input}
        label="Reason"
        description="Who asked for it, and how"
        withAsterisk
        aria-required
        data-autofocus
        autosize
        minRows={2}
        mt="md"
        value={reason}
        error={missing ? 'Say why. The reason stays with the record.' : about}
        onChange={(event) => {
          setReason(event.currentTarget.value)
          draft.keep(event.currentTarget.value)
          setMissing(false)
        }}
      />
    </ConfirmDialog>
  )
}
