import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { MatchSuggestion } from '@prospect/api-client'
import { rejectMatchSuggestion } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { ReasonDialog } from '../../ui/dialogs/reason-dialog.tsx'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import { decideOrRefresh } from './matching.queries.ts'

type Props = { suggestion: MatchSuggestion; rejected: () => void; close: () => void; reopen: () => void }

/** Dialog that rejects a suggestion: the records are different businesses. */
export function RejectDialog({ suggestion, rejected, close, reopen }: Props) {
  const queryClient = useQueryClient()
  return (
    <ReasonDialog
      draftName={`reject-${suggestion.id}`}
      title="Not a duplicate?"
      confirmLabel="Not a duplicate"
      description="How they differ"
      missing="Enter a reason. It is stored with the decision."
      send={(reason, key) =>
        decideOrRefresh(
          queryClient,
          dataOf(rejectMatchSuggestion({ path: { suggestionId: suggestion.id }, body: { reason }, ...withKey(key) })),
        )
      }
      sent={(_answer, _reason, isHere) => {
        notifications.show({
          message: 'Marked as not a duplicate. The pair is suggested again only if one of the records changes.',
        })
        close()
        if (isHere) rejected()
        void refreshRecords(queryClient)
      }}
      close={close}
      reopen={reopen}
    >
      <Text size="sm">Both records stay unchanged. The pair is suggested again only if one of them changes.</Text>
    </ReasonDialog>
  )
}
