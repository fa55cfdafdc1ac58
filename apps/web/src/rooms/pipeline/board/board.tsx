import type { BusinessSummary, PipelineState } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useActions } from '../../../ui/actions/actions.ts'
import { useCan } from '../../../ui/api/session.ts'
import { isFocusLost } from '../../../ui/focus/lost-focus.ts'
import { Failed, LoadingLines } from '../../../ui/layout/states.tsx'
import type { ProspectListQuery } from '../../../ui/prospects/list-keys.ts'
import { pipelineQuery } from '../../../ui/prospects/pipeline-query.ts'
import { type OpenQuickDialog, quickKeys } from '../../../ui/prospects/quick-keys.ts'
import { delayMove } from '../delayed/delayed-moves.tsx'
import { forbiddenMoveWords, quickReasons } from '../move-words.ts'
import { findMove } from '../permitted-moves.ts'
import classes from './board.module.css'
import { BoardColumn, moveOfCard } from './board-column.tsx'
import { focusCard, focusedCard, focusNeighbour, pressMove } from './board-focus.ts'
import type { Asking, Refusal } from './board-types.ts'
import { useCardDragging } from './use-card-dragging.ts'

type BoardProps = {
  /** Filters of the list, to which the board adds the state. */
  query: ProspectListQuery
  openId: string | null
  quick: OpenQuickDialog
}

/**
 * Board of the prospects by pipeline state. Cards are moved by dragging or from their menu. A move that the pipeline's table does not contain is
 * refused here; for all others the server decides.
 */
export function Board({ query, openId, quick }: BoardProps) {
  const pipeline = useQuery(pipelineQuery)
  const canMove = useCan('pipeline.move')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<Asking | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const element = useRef<HTMLDivElement>(null)

  const move = (row: BusinessSummary, to: PipelineState): void => {
    if (row.pipelineState === to || pipeline.data === undefined) return
    const permitted = findMove(pipeline.data, row.pipelineState, to)
    if (permitted === undefined) {
      setRefusal({ businessId: row.id, text: forbiddenMoveWords(row.pipelineState, to) })
      return
    }
    setRefusal(null)
    if (permitted.asks === null) {
      void delayMove(queryClient, { ...moveOfCard(row), to }, quickReasons.board)
      refocus(row.id, to)
    } else setAsking({ row, to, asks: permitted.asks })
  }
  const dragging = useCardDragging(canMove, move)

  // Moves the focus to a moved card in its new column, because the card is rendered there again. Does nothing if another element has the focus.
  // It must be faster than `FocusKeeper`, which after 150 ms moves a lost focus to the column that the card has left.
  const refocus = (businessId: string, state: PipelineState, tries = 10): void => {
    // Wait until the form or menu that had the focus is closed and the card is rendered.
    setTimeout(() => {
      if (!isFocusLost() || focusCard(element.current, businessId, state) || tries === 0) return
      refocus(businessId, state, tries - 1)
    }, 50)
  }

  const go = (direction: 'up' | 'down' | 'left' | 'right') => () => focusNeighbour(element.current, direction)
  const keys = [
    ['j', 'down', 'Next card'],
    ['k', 'up', 'Previous card'],
    ['ArrowDown', 'down', 'Next card'],
    ['ArrowUp', 'up', 'Previous card'],
    ['ArrowRight', 'right', 'Next column'],
    ['ArrowLeft', 'left', 'Previous column'],
  ] as const
  useActions('screen', [
    ...keys.map(([key, direction, label]) => ({
      id: `board-${key}`,
      label,
      group: 'Board',
      keys: key,
      inPalette: false,
      run: go(direction),
    })),
    {
      id: 'board-move',
      label: 'Move card',
      group: 'Board',
      keys: 'm',
      inPalette: false,
      permission: 'pipeline.move',
      run: pressMove,
    },
    ...quickKeys
      .filter(({ dialog }) => dialog !== 'move')
      .map(({ dialog, ...action }) => ({
        ...action,
        id: `board-${dialog}`,
        group: 'Board',
        inPalette: false,
        unavailable: openId !== null,
        run: () => {
          const id = focusedCard()
          if (id !== null) quick(id, dialog)
        },
      })),
    {
      id: 'board-edit',
      label: 'Edit prospect',
      group: 'Board',
      keys: 'e',
      inPalette: false,
      permission: 'businesses.write',
      unavailable: openId !== null,
      run: () => {
        const businessId = focusedCard()
        if (businessId === null) return
        void navigate({
          to: '/prospects/$businessId',
          params: { businessId },
          search: (current) => ({ ...current, tab: 'edit' }),
          state: { panel: true },
        })
      },
    },
  ])

  if (pipeline.isPending) return <LoadingLines lines={8} label="Loading the board" />
  if (pipeline.data === undefined) {
    return <Failed what="the board" error={pipeline.error} retry={() => void pipeline.refetch()} />
  }
  const { data } = pipeline
  const states = data.states.filter(({ enabled, count }) => enabled || count > 0)
  return (
    <section ref={element} className={classes.board} aria-label="Prospects by pipeline state">
      {states.map(({ state }) => (
        <BoardColumn
          key={state}
          state={state}
          query={query}
          pipeline={data}
          openId={openId}
          canMove={canMove}
          dragged={dragging}
          asking={asking?.to === state ? asking : null}
          awayId={asking === null || asking.to === state ? null : asking.row.id}
          refusal={refusal}
          onMove={move}
          onMoved={({ row, to }) => {
            setAsking((now) => (now?.row.id === row.id ? null : now))
            if (element.current !== null) refocus(row.id, to)
          }}
          onCancel={({ row }) => {
            setAsking(null)
            refocus(row.id, row.pipelineState)
          }}
          onReopen={setAsking}
          onDismiss={() => setRefusal(null)}
        />
      ))}
    </section>
  )
}
