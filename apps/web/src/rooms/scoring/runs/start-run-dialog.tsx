import { Radio, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { createScoringRun, type ScoringRun } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { ReasonDialog } from '../../../ui/dialogs/reason-dialog.tsx'
import classes from '../scoring.module.css'
import { refreshScoring } from '../scoring.queries.ts'

type Props = { ruleSetId: string; version: number; close: () => void; reopen: () => void }

/** Recalculates all prospects by an approved version. */
export function StartRunDialog({ ruleSetId, version, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [activate, setActivate] = useState<ScoringRun['activate']>('by_hand')
  return (
    <ReasonDialog
      draftName={`scoring-run-${ruleSetId}-${version}`}
      title={`Recalculate by version ${version}?`}
      confirmLabel="Recalculate"
      description="The reason stays with the run"
      missing="Enter a reason."
      payload={{ ruleSetId, version, activate }}
      send={(reason, key) =>
        dataOf(createScoringRun({ body: { ruleSetId, version, reason, activate }, ...withKey(key) }))
      }
      more={
        <Radio.Group
          label="Activation"
          mt="md"
          value={activate}
          onChange={(value) => setActivate(value === 'when_complete' ? 'when_complete' : 'by_hand')}
        >
          <div className={classes.choices}>
            <Radio
              value="by_hand"
              label="I look at the result first"
              description="The active scores stay until somebody activates the new ones."
            />
            <Radio
              value="when_complete"
              label="Activate when every prospect was scored"
              description="A run that could not score a prospect is not activated by itself. Asks you to confirm who you are."
            />
          </div>
        </Radio.Group>
      }
      sent={(run, _reason, isHere) => {
        void refreshScoring(queryClient)
        notifications.show({ message: 'The recalculation was requested.' })
        close()
        if (isHere) void navigate({ to: '/scoring/runs/$runId', params: { runId: run.id } })
      }}
      close={close}
      reopen={reopen}
    >
      <Text size="sm">
        A job scores every active prospect beside the active scores, which stay as they are meanwhile.
      </Text>
    </ReasonDialog>
  )
}
