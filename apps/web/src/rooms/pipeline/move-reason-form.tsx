import { Button } from '@mantine/core'
import type { PipelineState } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { isProblem, isUnanswered } from '../../ui/api/api-problem.ts'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import { CancelButton } from '../../ui/forms/cancel-button.tsx'
import { refusedWith } from '../../ui/forms/save-failure.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { submitOnModEnter } from '../../ui/forms/submit-on-mod-enter.ts'
import { useIsMounted } from '../../ui/forms/use-is-mounted.ts'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { moveNow, type WantedMove } from './delayed/delayed-moves.tsx'
import { refusedMoveWords } from './move-words.ts'
import type { PermittedMove } from './permitted-moves.ts'
import classes from './pipeline.module.css'

type Props = {
  move: WantedMove
  /** Label of the button. */
  label: string
  /** 'required' if the move needs a reason. The form uses the value of its first render, because the new state is shown while the request runs. */
  asks: PermittedMove['asks']
  /** Reason that was typed before the form opened. */
  initialReason?: string
  /** Class of the form; by default that of a form on a page. */
  className?: string | undefined
  /** Shown before the field. */
  children?: ReactNode
  moved: () => void
  cancel: () => void
  reopen: () => void
}

const enterReason = 'Enter a reason. The reason is stored in the history.'
const noReason = ({ reason }: { reason: string }) => reason.trim() === ''

/**
 * Form for the reason of a move. The board, the tab and the dialog show it and share its draft. The move is sent without a delay, because Cancel in
 * the form replaces Undo. The form shows why a move was refused. If the form was closed before the response, a notification shows the refusal.
 */
export function MoveReasonForm({
  move,
  label,
  asks,
  initialReason = '',
  className = classes.reason,
  children,
  moved,
  cancel,
  reopen,
}: Props) {
  const queryClient = useQueryClient()
  const isMounted = useIsMounted()
  const [isRequired, setRequired] = useState(asks === 'required')
  // State at the time of the request. While the request runs, `move.from` already is the new state.
  const sentFrom = useRef<PipelineState>(move.from)
  const save = useSaveForm({
    initial: { reason: '' },
    validate: (values) => (isRequired ? missingReason(values, enterReason) : {}),
    // A colleague may move the prospect back before a retry. With the first key, the server would return the first result and would not move it again.
    isUndoable: true,
    send: ({ reason }, { key }) => {
      sentFrom.current = move.from
      return moveNow(queryClient, { ...move, key, reason: reason.trim() === '' ? null : reason }, isMounted)
    },
    onSaved: moved,
    isAction: true,
    explain: (error) => {
      if (isUnanswered(error)) return undefined
      if (isProblem(error, 'reason_required')) setRequired(true)
      return { failure: refusedWith(refusedMoveWords(error, sentFrom.current, move.to)) }
    },
    draft: { name: `move-${move.businessId}-${move.to}`, isBlank: noReason },
  })
  // The reason counts as typed here: it replaces an older draft and is stored as the draft until the move is saved.
  const typeInitial = useEffectEvent(() => {
    if (!noReason({ reason: initialReason })) save.set({ reason: initialReason })
  })
  useEffect(() => typeInitial(), [])
  return (
    <SaveForm
      save={save}
      className={className}
      aria-label={`Move ${nameText(move.name)} to ${pipelineStateName(move.to)}`}
      onKeyDown={(event) => {
        submitOnModEnter(event)
        if (event.key === 'Escape') {
          event.stopPropagation()
          cancel()
        }
      }}
      actions={
        <div className={classes.moves}>
          <Button type="submit" loading={save.isSaving}>
            {label}
          </Button>
          <CancelButton save={save} close={cancel} reopen={reopen} />
        </div>
      }
    >
      {children}
      <ReasonField
        form={save.form}
        restored={save.restored}
        label={isRequired ? 'Reason' : 'Reason (optional)'}
        description={
          isRequired
            ? 'Stored in the history'
            : 'The history shows this reason. If you leave it empty, the history shows “No reason given.”'
        }
        maxRows={6}
        data-first
        required={isRequired}
        aria-required={isRequired}
        withAsterisk={isRequired}
      />
    </SaveForm>
  )
}
