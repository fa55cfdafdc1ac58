import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { approveDraft, type Draft, rejectDraft } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { ReasonDialog } from '../../ui/dialogs/reason-dialog.tsx'
import { refreshDrafts } from './drafts.queries.ts'

type Props = { draft: Draft; decision: 'approve' | 'reject'; close: () => void; reopen: () => void }

/** Dialog to decide about the draft as shown. If it has changed, the server rejects the decision with the changes. */
export function DecisionDialog({ draft, decision, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const path = { draftId: draft.id }
  const { contentHash, snapshotHash } = draft
  const send = async (reason: string, key: string): Promise<unknown> =>
    decision === 'approve'
      ? dataOf(approveDraft({ path, body: { contentHash, snapshotHash, reason }, ...withKey(key) }))
      : dataOf(rejectDraft({ path, body: { reason }, ...withKey(key) }))
  return (
    <ReasonDialog
      draftName={`${decision}-draft-${draft.id}`}
      title={decision === 'approve' ? 'Approve this draft?' : 'Reject this draft?'}
      confirmLabel={decision === 'approve' ? 'Approve' : 'Reject'}
      tone={decision === 'approve' ? 'normal' : 'danger'}
      description="Stored with the draft and in the audit"
      missing="Enter a reason."
      send={send}
      sent={() => {
        void refreshDrafts(queryClient)
        notifications.show({ message: decision === 'approve' ? 'The draft is approved.' : 'The draft is rejected.' })
        close()
      }}
      close={close}
      reopen={reopen}
    >
      <Text size="sm">
        {decision === 'approve'
          ? 'The approval is for this text and what it relies on, for 7 days. Nothing is sent.'
          : 'The author can change the draft and request again.'}
      </Text>
    </ReasonDialog>
  )
}
