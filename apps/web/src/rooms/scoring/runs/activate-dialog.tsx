import { Checkbox } from '@mantine/core'
import { type ActiveScoring, activateScoringRun, type ScoringRun } from '@prospect/api-client'
import type { QueryClient } from '@tanstack/react-query'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { DecisionDialog } from '../../../ui/dialogs/decision-dialog.tsx'
import type { DialogProps } from '../../../ui/dialogs/use-dialog.tsx'
import type { FieldErrors } from '../../../ui/forms/use-save-form.ts'
import { refreshRecords } from '../../../ui/prospects/record-keys.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import { refreshScoring } from '../scoring.queries.ts'

type Props = DialogProps & {
  run: ScoringRun
  /** Active scores that the user has seen; null if there are none. */
  active: ActiveScoring['active']
}

/** Dialog to activate the scores of a run. For a run that was active before, this is the rollback. */
export function ActivateDialog({ run, active, ...dialog }: Props) {
  const isPartial = run.status === 'partial'
  const isRollback = run.supersededAt !== null
  const failed = formatNumber(run.counts?.failed ?? 0)
  return (
    <DecisionDialog
      title={isRollback ? `Roll back to version ${run.version}?` : `Activate the scores of version ${run.version}?`}
      label={isRollback ? 'Roll back' : 'Activate'}
      next={
        active === null
          ? 'Lists, records and exports will show these scores.'
          : `These scores replace the scores of version ${active.version} for everyone. The earlier scores are kept, so you can return to them. Open lists reload.`
      }
      reason="Stored with the activation"
      draftName={`scoring-activation-${run.id}`}
      isUndoable
      extra={{
        initial: { acceptPartial: false },
        validate: ({ acceptPartial }): FieldErrors =>
          isPartial && !acceptPartial
            ? { acceptPartial: 'Check the prospects that could not be scored, then select this box.' }
            : {},
        fields: ({ form }) =>
          isPartial && (
            <Checkbox
              label={`Activate without the ${failed} prospects that could not be scored`}
              {...form.getInputProps('acceptPartial', { type: 'checkbox' })}
            />
          ),
      }}
      send={({ reason, acceptPartial }, key) =>
        dataOf(
          activateScoringRun({
            path: { runId: run.id },
            body: { expectedActiveRunId: active?.runId ?? null, reason, ...(isPartial && { acceptPartial }) },
            ...withKey(key),
          }),
        )
      }
      done={`Scores now use version ${run.version}.`}
      refresh={refreshScores}
      {...dialog}
    />
  )
}

function refreshScores(queryClient: QueryClient): void {
  void refreshScoring(queryClient)
  void refreshRecords(queryClient)
}
