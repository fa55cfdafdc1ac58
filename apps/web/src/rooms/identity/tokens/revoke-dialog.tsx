import { notifications } from '@mantine/notifications'
import { type AccessToken, revokeToken } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { dataOf } from '../../../ui/api/data-of.ts'
import { answersOf } from '../../../ui/api/query-keys.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { nameText } from '../../../ui/text/name-text.ts'

/** Asks before a token is revoked, and revokes it. */
export function RevokeDialog({ token, close }: { token: AccessToken; close: () => void }) {
  const queryClient = useQueryClient()
  const revoke = useMutation({
    meta: { notDone: 'Revoke access token' },
    mutationFn: () => dataOf(revokeToken({ path: { tokenId: token.id } })),
    onSuccess: () => {
      notifications.show({ message: `Access token ${nameText(token.name)} revoked` })
      close()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: answersOf('listTokens') }),
  })
  return (
    <ConfirmDialog
      title={`Revoke ${nameText(token.name)}?`}
      confirmLabel="Revoke"
      tone="danger"
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={close}
    >
      Programs that use this token are refused from their next request on. A revoked token cannot be used again.
    </ConfirmDialog>
  )
}
