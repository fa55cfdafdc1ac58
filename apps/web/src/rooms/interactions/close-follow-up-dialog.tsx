import { notifications } from '@mantine/notifications'
import { closeFollowUp } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { recordKey, refreshRecord } from '../../ui/prospects/record-keys.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { formatDay } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'

/** Dialog that closes the open follow-up date of a record. (The next interaction closes it as well.) */
export function CloseFollowUpDialog({ business, close }: OpenProps) {
  const queryClient = useQueryClient()
  const send = useMutation({
    mutationFn: () => dataOf(closeFollowUp({ path: { businessId: business.id }, body: {} })),
    onSuccess: (changed) => {
      queryClient.setQueryData(recordKey(business.id), changed)
      void refreshRecord(queryClient, business.id)
      notifications.show({ message: `The follow-up of ${nameText(changed.name)} is closed.` })
      close()
    },
  })
  return (
    <ConfirmDialog
      title="Close follow-up?"
      confirmLabel="Close follow-up"
      isBusy={send.isPending}
      error={send.error}
      onConfirm={() => send.mutate()}
      onClose={close}
    >
      {business.followUpOn !== null && `It is noted for ${formatDay(business.followUpOn)}. `}
      The interaction keeps its date; the record is no longer due.
    </ConfirmDialog>
  )
}
