import { Button } from '@mantine/core'
import { ReasonField } from '../../../ui/dialogs/reason-field.tsx'
import { CancelButton } from '../../../ui/forms/cancel-button.tsx'
import { SaveForm } from '../../../ui/forms/save-form.tsx'
import { submitOnModEnter } from '../../../ui/forms/submit-on-mod-enter.ts'
import { useSaveForm } from '../../../ui/forms/use-save-form.ts'
import { pipelineStateName } from '../../../ui/prospects/pipeline-words.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { moveDraft } from '../move-draft.ts'
import classes from './board.module.css'
import type { Asking } from './board-types.ts'

type ReasonCardProps = {
  asking: Asking
  isBusy: boolean
  /** Rejects if the prospect was not moved. */
  onReason: (reason: string) => Promise<void>
  onCancel: () => void
  onReopen: () => void
}

/** Form for the reason of a move, at the position that the card will have. Esc cancels the move, Ctrl/Cmd-Enter makes it. */
export function ReasonCard({ asking, isBusy, onReason, onCancel, onReopen }: ReasonCardProps) {
  const { row, to, isRequired, refusal } = asking
  const save = useSaveForm({
    initial: { reason: '' },
    send: ({ reason }) => onReason(reason),
    onSaved: () => {},
    // The error is shown by `refusal`.
    explain: () => 'handled',
    draft: moveDraft(row.id, to),
  })
  const isMissing = isRequired && save.values.reason.trim() === ''
  return (
    <SaveForm
      save={save}
      className={classes.reason}
      aria-label={`Move ${nameText(row.name)} to ${pipelineStateName(to)}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          onCancel()
        } else submitOnModEnter(event)
      }}
      actions={
        <div className={classes.reasonActions}>
          <Button type="submit" size="compact-sm" disabled={isMissing} loading={isBusy}>
            Move
          </Button>
          <CancelButton save={save} close={onCancel} reopen={onReopen} size="compact-sm" variant="subtle" color="gray">
            Cancel move
          </CancelButton>
        </div>
      }
    >
      <p className={classes.cardName}>
        <Name of={row.name} />
      </p>
      <ReasonField
        form={save.form}
        restored={save.restored}
        size="xs"
        maxRows={6}
        label={`Reason for moving to ${pipelineStateName(to)}${isRequired ? '' : ' (optional)'}`}
        description="Stored in the history"
        data-first
        required={isRequired}
        aria-required={isRequired}
        withAsterisk={false}
        error={refusal}
      />
    </SaveForm>
  )
}
