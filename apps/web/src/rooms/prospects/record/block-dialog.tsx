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

/** Dialog that marks a record as do not contact. The mark is shown only after the server has confirmed it. */
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
      missing="Enter a reason. It is stored with the record."
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
        This takes effect immediately and is shown wherever the name appears. The record can still be viewed, edited and
        moved; moving it does not lift the block.
      </Text>
      <Text size="sm" mt="xs">
        It covers this record only. To block an address or number everywhere, add it under Suppression.
      </Text>
      <Text size="sm" mt="xs" fw={500}>
        Only an administrator can lift the block, with a reason for the audit log.
      </Text>
    </ReasonDialog>
  )
}

/** Returns the message after marking. The first reason is kept, so a second person is told that their reason was not recorded. */
function blockedWords({ name, doNotContact }: Business, reason: string, userId: string): string {
  const isMine = doNotContact?.by.kind === 'user' && doNotContact.by.id === userId && doNotContact.reason === reason
  if (doNotContact === null || isMine) return `${nameText(name)} marked as do not contact`
  return `${nameText(doNotContact.by.name)} had already marked ${nameText(name)} as do not contact. Their reason is kept; yours was not saved.`
}
