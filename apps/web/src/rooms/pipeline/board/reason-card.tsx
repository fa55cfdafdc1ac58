import { Button, Textarea } from '@mantine/core'
import { DraftHint } from '../../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { submitOnModEnter } from '../../../ui/forms/submit-on-mod-enter.ts'
import { pipelineStateName } from '../../../ui/prospects/pipeline-words.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { useMoveReason } from '../move-reason.ts'
import classes from './board.module.css'
import type { Asking } from './board-types.ts'

type ReasonCardProps = {
  asking: Asking
  isBusy: boolean
  onReason: (reason: string, moved: () => void) => void
  onCancel: () => void
  onReopen: () => void
}

/** Where the card would land: why it is moved there. Esc puts it back, Ctrl/Cmd-Enter moves it. */
export function ReasonCard({ asking, isBusy, onReason, onCancel, onReopen }: ReasonCardProps) {
  const { reason, restored, setReason, forget, discard } = useMoveReason(asking.row.id, asking.to)
  const isMissing = asking.isRequired && reason.trim() === ''
  const putBack = () => {
    if (!isBusy) discard(onReopen)
    onCancel()
  }
  return (
    <form
      className={classes.reason}
      aria-label={`Move ${nameText(asking.row.name)} to ${pipelineStateName(asking.to)}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isMissing && !isBusy) onReason(reason, forget)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          onCancel()
        } else submitOnModEnter(event)
      }}
    >
      <p className={classes.cardName}>
        <Name of={asking.row.name} />
      </p>
      <Textarea
        size="xs"
        autosize
        minRows={2}
        maxRows={6}
        // Asked for by the move itself, so the typing goes here.
        autoFocus
        label={`Reason for moving to ${pipelineStateName(asking.to)}${asking.isRequired ? '' : ', if there is one to give'}`}
        description={restored === null ? null : <DraftHint draft={restored} />}
        required={asking.isRequired}
        withAsterisk={false}
        maxLength={inputLimits.reason}
        value={reason}
        readOnly={isBusy}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={asking.refusal}
      />
      <div className={classes.reasonActions}>
        <Button type="submit" size="compact-sm" disabled={isMissing} loading={isBusy}>
          Move
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={putBack}>
          Put it back
        </Button>
      </div>
    </form>
  )
}
