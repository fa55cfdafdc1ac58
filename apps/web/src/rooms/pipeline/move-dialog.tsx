import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { NotLoaded } from '../../ui/layout/not-loaded.tsx'
import { PipelineIcon } from '../../ui/prospects/pipeline-badge.tsx'
import { pipelineQuery } from '../../ui/prospects/pipeline-query.ts'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { delayMove } from './delayed/delayed-moves.tsx'
import { useShownState } from './delayed/use-shown-state.ts'
import { MoveReasonForm } from './move-reason-form.tsx'
import { moveLabel, quickReasons } from './move-words.ts'
import { type PermittedMove, permittedMoves } from './permitted-moves.ts'
import classes from './pipeline.module.css'

/**
 * Dialog with the permitted moves of a prospect, for the record and for lists, and a field for the reason. It contains the reason form of a move that
 * needs a reason.
 */
export function MoveDialog({ business, close, reopen }: OpenProps) {
  const pipeline = useQuery(pipelineQuery)
  const queryClient = useQueryClient()
  const shown = useShownState(business)
  const [{ state: from, stateBeforePause }] = useState(shown)
  const [asking, setAsking] = useState<PermittedMove | null>(null)
  const [reason, setReason] = useState('')
  const { id, name, version } = business
  const list = useRef<HTMLDivElement>(null)
  const hasMoves = pipeline.data !== undefined
  // The dialog had nothing else to give the focus to while they were loading.
  useEffect(() => {
    if (hasMoves) list.current?.querySelector('button')?.focus()
  }, [hasMoves])

  const go = (chosen: PermittedMove): void => {
    if (chosen.asks === null) {
      const move = { businessId: id, name, from, to: chosen.to, version }
      void delayMove(queryClient, move, reason.trim() === '' ? quickReasons.dialog : reason)
      close()
    } else setAsking(chosen)
  }
  const moves = pipeline.data === undefined ? [] : permittedMoves(pipeline.data, from, stateBeforePause)
  return (
    <Dialog title={`Move ${nameText(name)}`} onClose={close}>
      {pipeline.data === undefined ? (
        <NotLoaded read={pipeline} lines={3} what="the moves" />
      ) : asking === null ? (
        <div ref={list} className={classes.dialogMoves}>
          {moves.length === 0 && <p>No moves are available from {pipelineStateName(from)}.</p>}
          {moves.map((one, index) => (
            <Button
              key={one.to}
              variant="default"
              justify="start"
              data-autofocus={index === 0 || undefined}
              leftSection={<PipelineIcon state={one.to} />}
              onClick={() => go(one)}
            >
              {moveLabel(pipeline.data, from, one.to)}
              {one.asks !== null && '…'}
            </Button>
          ))}
          {moves.length > 0 && (
            <TextInput
              label="Reason (optional)"
              description="Type the reason before you choose the move. The history shows the reason."
              maxLength={inputLimits.reason}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                // Without this, the browser clicks the button that has the focus by then.
                event.preventDefault()
                list.current?.querySelector('button')?.focus()
              }}
            />
          )}
        </div>
      ) : (
        <MoveReasonForm
          move={{ businessId: id, name, from, to: asking.to, version }}
          label={moveLabel(pipeline.data, from, asking.to)}
          asks={asking.asks}
          initialReason={reason}
          moved={close}
          cancel={close}
          reopen={reopen}
        />
      )}
    </Dialog>
  )
}
