import type { MatchSuggestion } from '@prospect/api-client'
import { rejectMatchSuggestion } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import { decideOrRefresh } from './matching.queries.ts'

type Props = DialogProps & { suggestion: MatchSuggestion; rejected: () => void }

/** Dialog that rejects a suggestion: the records are different businesses. */
export function RejectDialog({ suggestion, rejected, ...dialog }: Props) {
  const queryClient = useQueryClient()
  return (
    <DecisionDialog
      title="Not a duplicate?"
      label="Not a duplicate"
      next="Both records stay unchanged. The pair is suggested again only if one of the records changes."
      reason="How they differ"
      missing="Enter a reason. The reason is stored with the decision."
      draftName={`reject-${suggestion.id}`}
      send={({ reason }, key) =>
        decideOrRefresh(
          queryClient,
          dataOf(rejectMatchSuggestion({ path: { suggestionId: suggestion.id }, body: { reason }, ...withKey(key) })),
        )
      }
      done="Marked as not a duplicate. The pair is suggested again only if one of the records changes."
      decided={(_, isHere) => {
        dialog.close()
        if (isHere) rejected()
      }}
      refresh={refreshRecords}
      {...dialog}
    />
  )
}
