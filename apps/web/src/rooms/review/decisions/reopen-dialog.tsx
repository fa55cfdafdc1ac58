import { ReasonDialog } from '../../../ui/dialogs/reason-dialog.tsx'
import type { OpenProps } from '../../../ui/rooms/record-parts.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { useDecision } from './use-decision.ts'

/** Dialog to set the review back to unreviewed. */
export function ReopenDialog({ business, close, reopen }: OpenProps) {
  const decision = useDecision(business)
  return (
    <ReasonDialog
      draftName={`review-reopen-${business.id}`}
      title={`Reopen the review of ${nameText(business.name)}?`}
      confirmLabel="Reopen"
      description="Stored with the review"
      missing="Enter a reason."
      send={(reason, key) => decision.send({ decision: 'reopen', reason }, key)}
      sent={() => {
        close()
        decision.saved('Reopened')
      }}
      close={close}
      reopen={reopen}
    >
      It is unreviewed again and returns to the queue. Earlier reviews stay in its history.
    </ReasonDialog>
  )
}
