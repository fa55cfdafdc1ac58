import { Checkbox, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type ActiveScoring, activateScoringRun, type ScoringRun } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { ReasonDialog } from '../../../ui/dialogs/reason-dialog.tsx'
import { refreshRecords } from '../../../ui/prospects/record-keys.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import { refreshScoring } from '../scoring.queries.ts'

type Props = {
  run: ScoringRun
  /** The active scores that the person saw; null: none. */
  active: ActiveScoring['active']
  close: () => void
  reopen: () => void
}

/** Makes the scores of a run the ones that everybody sees; of a run that was active before, this is the rollback. */
export function ActivateDialog({ run, active, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const [acceptPartial, setAccepted] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const isPartial = run.status === 'partial'
  const isRollback = run.supersededAt !== null
  const expectedActiveRunId = active?.runId ?? null
  const failed = formatNumber(run.counts?.failed ?? 0)
  return (
    <ReasonDialog
      draftName={`scoring-activation-${run.id}`}
      title={isRollback ? `Roll back to version ${run.version}?` : `Activate the scores of version ${run.version}?`}
      confirmLabel={isRollback ? 'Roll back' : 'Activate'}
      description="The reason stays with the activation"
      missing="Enter a reason."
      mayBeUndone
      payload={{ runId: run.id, expectedActiveRunId, acceptPartial }}
      isReady={() => {
        const isReady = !isPartial || acceptPartial
        setMissing(!isReady)
        return isReady
      }}
      more={
        isPartial && (
          <Checkbox
            mt="md"
            label={`Activate without the ${failed} prospects that could not be scored`}
            checked={acceptPartial}
            error={isMissing ? 'Look at the failures, then accept them here.' : undefined}
            onChange={(event) => {
              setAccepted(event.currentTarget.checked)
              setMissing(false)
            }}
          />
        )
      }
      send={(reason, key) =>
        dataOf(
          activateScoringRun({
            path: { runId: run.id },
            body: { expectedActiveRunId, reason, ...(isPartial && { acceptPartial }) },
            ...withKey(key),
          }),
        )
      }
      sent={() => {
        void refreshScoring(queryClient)
        void refreshRecords(queryClient)
        notifications.show({ message: `Scores now use version ${run.version}.` })
        close()
      }}
      close={close}
      reopen={reopen}
    >
      <Text size="sm">
        {active === null
          ? 'Lists, records and exports show these scores from then on.'
          : `Everybody sees these scores instead of those of version ${active.version}, which stay stored for the way back. Open lists are loaded again.`}
      </Text>
    </ReasonDialog>
  )
}
