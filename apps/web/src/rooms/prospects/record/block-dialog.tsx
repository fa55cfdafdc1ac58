import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Business } from '@prospect/api-client'
import { blockBusiness } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useSession } from '../../../ui/api/session.ts'
import { ReasonDialog } from '../../../ui/dialogs/reason-dialog.tsx'
import { recordKey, refreshRecord } from '../../../ui/prospects/record-keys.ts'
import type { OpenProps } from '../../../ui/rooms/record-parts.ts'
import { nameText } from '../../../ui/text/name-text.ts'

/** An immediate hard block. Waits for the server: what it answered is what is shown. */
export function BlockDialog({ business, close, reopen }: OpenProps) {
  const queryClient = useQueryClient()
  const { user } = useSession()
  return (
    <ReasonDialog
      draftName={`block-${business.id}`}
      title={`Mark ${nameText(business.name)} as do not contact?`}
      confirmLabel="Mark as do not contact"
      tone="danger"
      isUndoable
      description="Who asked for it, and how"
      missing="Say why. The reason stays with the record."
      send={(reason, key) =>
        dataOf(blockBusiness({ path: { businessId: business.id }, body: { reason }, ...withKey(key) }))
      }
      sent={(blocked, reason) => {
        queryClient.setQueryData(recordKey(business.id), blocked)
        void refreshRecord(queryClient, business.id)
        notifications.show({ message: blockedWords(blocked, reason, user.id) })
        close()
      }}
      close={close}
      reopen={reopen}
    >
      <Text size="sm">
        It takes effect at once and shows wherever the name does. The record can still be read, edited and moved; no
        state of the pipeline lifts the mark.
      </Text>
      <Text size="sm" mt="xs">
        It is for this record: another one that holds the same address or number is not marked by it. An entry under
        Suppression blocks an address or number wherever it stands.
      </Text>
      <Text size="sm" mt="xs" fw={500}>
        Only an administrator lifts it again, with a reason that stays in the audit log.
      </Text>
    </ReasonDialog>
  )
}

/** The first reason stands: whoever comes second is told that theirs was not written down. */
function blockedWords({ name, doNotContact }: Business, reason: string, userId: string): string {
  const isMine = doNotContact?.by.kind === 'user' && doNotContact.by.id === userId && doNotContact.reason === reason
  if (doNotContact === null || isMine) return `${nameText(name)} is marked as do not contact.`
  return `${nameText(name)} was marked as do not contact already, by ${nameText(doNotContact.by.name)}. Their reason stands; yours was not written down.`
}
