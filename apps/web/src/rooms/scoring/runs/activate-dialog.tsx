import { Checkbox, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type ActiveScoring, activateScoringRun, type ScoringRun } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../../ui/dialogs/reason-field.tsx'
import { refreshRecords } from '../../../ui/prospects/record-keys.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import { refreshScoring } from '../scoring.queries.ts'

type Props = {
  run: ScoringRun
  /** Active scores that the user has seen; null if there are none. */
  active: ActiveScoring['active']
  close: () => void
  reopen: () => void
}

/** Dialog to activate the scores of a run. For a run that was active before, this is the rollback. */
export function ActivateDialog({ run, active, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const isPartial = run.status === 'partial'
  const isRollback = run.supersededAt !== null
  const expectedActiveRunId = active?.runId ?? null
  const failed = formatNumber(run.counts?.failed ?? 0)
  const title = isRollback ? `Roll back to version ${run.version}?` : `Activate the scores of version ${run.version}?`
  return (
    <FormDialog
      title={title}
      submitLabel={isRollback ? 'Roll back' : 'Activate'}
      what={title.replace('?', '')}
      isAction
      isUndoable
      initial={{ reason: '', acceptPartial: false }}
      validate={(values) => ({
        ...missingReason(values, 'Enter a reason.'),
        ...(isPartial && !values.acceptPartial && { acceptPartial: 'Check the failures, then accept them here.' }),
      })}
      send={({ reason, acceptPartial }, { key }) =>
        dataOf(
          activateScoringRun({
            path: { runId: run.id },
            body: { expectedActiveRunId, reason, ...(isPartial && { acceptPartial }) },
            ...withKey(key),
          }),
        )
      }
      onSaved={() => {
        void refreshScoring(queryClient)
        void refreshRecords(queryClient)
        notifications.show({ message: `Scores now use version ${run.version}.` })
        close()
      }}
      draft={{
        name: `scoring-activation-${run.id}`,
        isBlank: ({ reason }) => reason.trim() === '',
      }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <Text size="sm">
            {active === null
              ? 'Lists, records and exports will show these scores.'
              : `These scores replace those of version ${active.version} for everyone. The earlier scores are kept for a rollback. Open lists reload.`}
          </Text>
          <ReasonField form={form} restored={restored} description="Stored with the activation" data-autofocus />
          {isPartial && (
            <Checkbox
              label={`Activate without the ${failed} prospects that could not be scored`}
              {...form.getInputProps('acceptPartial', { type: 'checkbox' })}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
