import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { NotLoaded } from '../../ui/layout/not-loaded.tsx'
import { PipelineIcon } from '../../ui/prospects/pipeline-badge.tsx'
import { pipelineQuery } from '../../ui/prospects/pipeline-query.ts'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { delayMove } from './delayed/delayed-moves.tsx'
import { useShownState } from './delayed/use-shown-state.ts'
import { MoveReasonForm } from './move-reason-form.tsx'
import { moveLabel } from './move-words.ts'
import { type PermittedMove, permittedMoves } from './permitted-moves.ts'
import classes from './pipeline.module.css'

/** Dialog with the permitted moves of a prospect, for the record and for lists. It contains the reason form of a move that needs a reason. */
export function MoveDialog({ business, close, reopen }: OpenProps) {
  const pipeline = useQuery(pipelineQuery)
  const queryClient = useQueryClient()
  const shown = useShownState(business)
  const [{ state: from, stateBeforePause }] = useState(shown)
  const [asking, setAsking] = useState<PermittedMove | null>(null)
  const { id, name, version } = business
  const list = useRef<HTMLDivElement>(null)
  const hasMoves = pipeline.data !== undefined
  // The dialog had nothing else to give the focus to while they were loading.
  useEffect(() => {
    if (hasMoves) list.current?.querySelector('button')?.focus()
  }, [hasMoves])

  const go = (chosen: PermittedMove): void => {
    if (chosen.asks === null) {
      void delayMove(queryClient, { businessId: id, name, from, to: chosen.to, version })
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
          {moves.length === 0 && <p>From {pipelineStateName(from)} no moves available.</p>}
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
        </div>
      ) : (
        <MoveReasonForm
          move={{ businessId: id, name, from, to: asking.to, version }}
          label={moveLabel(pipeline.data, from, asking.to)}
          asks={asking.asks}
          moved={close}
          cancel={close}
          reopen={reopen}
        />
      )}
    </Dialog>
  )
}
