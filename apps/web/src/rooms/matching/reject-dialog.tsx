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

/** Says that these are two businesses. */
export function RejectDialog({ suggestion, rejected, close, reopen }: Props) {
  const queryClient = useQueryClient()
  return (
    <ReasonDialog
      draftName={`reject-${suggestion.id}`}
      title="Reject this suggestion?"
      confirmLabel="Reject the suggestion"
      description="How they can be told apart"
      missing="Say why. The reason stays with the decision."
      send={(reason, key) =>
        decideOrRefresh(
          queryClient,
          dataOf(rejectMatchSuggestion({ path: { suggestionId: suggestion.id }, body: { reason }, ...withKey(key) })),
        )
      }
      sent={(_answer, _reason, isHere) => {
        notifications.show({ message: 'Rejected. The pair is not proposed again until one of the two changes.' })
        close()
        if (isHere) rejected()
        void refreshRecords(queryClient)
      }}
      close={close}
      reopen={reopen}
    >
      <Text size="sm">
        Both records stay as they are. The pair is not proposed again until what one of them says has changed.
      </Text>
    </ReasonDialog>
  )
}
