import { DecisionDialog } from '../../../ui/dialogs/decision-dialog.tsx'
import type { OpenProps } from '../../../ui/rooms/record-parts.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { useDecision } from './use-decision.ts'

/** Dialog to set the review back to unreviewed. */
export function ReopenDialog({ business, ...dialog }: OpenProps) {
  const decision = useDecision(business)
  return (
    <DecisionDialog
      title={`Reopen the review of ${nameText(business.name)}?`}
      label="Reopen"
      next="The prospect counts as not reviewed and returns to the queue. Its history shows the earlier reviews."
      reason="Stored with the review"
      draftName={`review-reopen-${business.id}`}
      send={({ reason }, key) => decision.send({ decision: 'reopen', reason }, key)}
      decided={() => {
        dialog.close()
        decision.saved('Reopened')
      }}
      {...dialog}
    />
  )
}
