import { Radio, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { createScoringRun, type ScoringRun } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../../ui/dialogs/reason-field.tsx'
import type { DialogProps } from '../../../ui/dialogs/use-dialog.tsx'
import { oneOf } from '../../../ui/forms/draft-fields.ts'
import classes from '../scoring.module.css'
import { refreshScoring } from '../scoring.queries.ts'

type Props = DialogProps & { ruleSetId: string; version: number }

const byHand: ScoringRun['activate'] = 'by_hand'

/** Dialog to recalculate all prospects with an approved version. */
export function StartRunDialog({ ruleSetId, version, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <FormDialog
      title={`Recalculate by version ${version}?`}
      submitLabel="Recalculate"
      what={`Recalculate by version ${version}`}
      isAction
      initial={{ reason: '', activate: byHand }}
      validate={(values) => missingReason(values, 'Enter a reason.')}
      send={({ reason, activate }, { key }) =>
        dataOf(createScoringRun({ body: { ruleSetId, version, reason, activate }, ...withKey(key) }))
      }
      onSaved={(run, _values, { isMounted }) => {
        void refreshScoring(queryClient)
        notifications.show({ message: 'Recalculation requested' })
        close()
        if (isMounted()) void navigate({ to: '/scoring/runs/$runId', params: { runId: run.id } })
      }}
      draft={{
        name: `scoring-run-${ruleSetId}-${version}`,
        guards: { activate: oneOf(['by_hand', 'when_complete']) },
        isBlank: ({ reason }) => reason.trim() === '',
      }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <Text size="sm">A job scores all active prospects. The active scores do not change while the job runs.</Text>
          <ReasonField form={form} restored={restored} description="Stored with the run" data-autofocus />
          <Radio.Group label="Activation" {...form.getInputProps('activate')}>
            <div className={classes.choices}>
              <Radio
                value="by_hand"
                label="Manually"
                description="Lists use the active scores until someone activates the new scores."
              />
              <Radio
                value="when_complete"
                label="When all prospects are scored"
                description="If some prospects cannot be scored, the new scores are not activated automatically. You must confirm your identity."
              />
            </div>
          </Radio.Group>
        </>
      )}
    </FormDialog>
  )
}
