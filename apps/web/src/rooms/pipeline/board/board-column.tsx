import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { Button } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import type { BusinessSummary, Pipeline, PipelineState } from '@prospect/api-client'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type SyntheticEvent, useEffect, useMemo, useRef, useState } from 'react'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import type { Total } from '../../../ui/api/total.ts'
import { LoadingLines } from '../../../ui/layout/states.tsx'
import { withIndex } from '../../../ui/lists/virtual-range.ts'
import type { ProspectListQuery } from '../../../ui/prospects/list-keys.ts'
import { usePendingMoves } from '../../../ui/prospects/pending-moves.ts'
import { PipelineIcon } from '../../../ui/prospects/pipeline-badge.tsx'
import { pipelineStateName } from '../../../ui/prospects/pipeline-words.ts'
import { useProspectPages } from '../../../ui/prospects/use-prospect-pages.ts'
import { totalNumber } from '../../../ui/text/count-words.ts'
import { Name } from '../../../ui/text/name.tsx'
import { withMoves } from '../delayed/shown-rows.ts'
import { MoveReasonForm } from '../move-reason-form.tsx'
import { findMove, type PermittedMove, permittedMoves } from '../permitted-moves.ts'
import classes from './board.module.css'
import { BoardCard } from './board-card.tsx'
import type { Asking, Refusal } from './board-types.ts'
import { isCard } from './use-card-dragging.ts'

type BoardColumnProps = {
  state: PipelineState
  query: ProspectListQuery
  pipeline: Pipeline
  openId: string | null
  canMove: boolean
  /** State of the card that is being dragged. */
  dragged: PipelineState | null
  asking: Asking | null
  /** Id of the card whose reason form is open in another column. */
  awayId: string | null
  refusal: Refusal | null
  onMove: (row: BusinessSummary, to: PipelineState) => void
  onMoved: (asking: Asking) => void
  onCancel: (asking: Asking) => void
  /** Opens the reason form again after Undo. */
  onReopen: (asking: Asking) => void
  onDismiss: () => void
}

const noMoves: PermittedMove[] = []
const PAGE_OF_CARDS = 25

export function BoardColumn(props: BoardColumnProps) {
  const { state, pipeline, dragged, asking } = props
  const { list, see, loadMore, ...read } = useProspectPages({ ...props.query, state }, PAGE_OF_CARDS)
  const pending = usePendingMoves()
  const { rows, total } = useMemo(
    () => withMoves({ rows: read.rows, total: read.total }, state, pending),
    [read.rows, read.total, state, pending],
  )
  const moves = useMemo(() => permittedMoves(pipeline, state), [pipeline, state])
  const { element, isOver } = useDropColumn(state)
  const fits = dragged === null || dragged === state || findMove(pipeline, dragged, state) !== undefined
  const name = pipelineStateName(state)

  const { isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const { ref: endRef, entry } = useIntersection({ rootMargin: '300px' })
  useEffect(() => {
    if (entry?.isIntersecting === true) loadMore()
  }, [entry, loadMore])

  const scroller = useRef<HTMLDivElement>(null)
  const [held, setHeld] = useState<string | null>(null)
  const hold = ({ target }: SyntheticEvent) => {
    if (target instanceof Element) setHeld(target.closest('[data-card]')?.getAttribute('data-card') ?? null)
  }
  const keptIndex = rows.findIndex(({ id }) => id === held)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 84,
    gap: 6,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 6,
    // Keep the card rendered that has the focus or is being dragged, even if its column is scrolled far away from it.
    rangeExtractor: (range) => withIndex(range, keptIndex),
  })
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {}
  useEffect(() => see(startIndex, endIndex), [see, startIndex, endIndex])

  return (
    <section
      ref={element}
      className={classes.column}
      aria-label={name}
      data-column={state}
      data-over={(isOver && fits) || undefined}
      data-unfit={!fits || undefined}
    >
      <header className={classes.columnHead}>
        <PipelineIcon state={state} />
        <h2>{name}</h2>
        <ColumnTotal
          total={total}
          status={list.isPending || list.isPlaceholderData ? 'loading' : list.data === undefined ? 'failed' : 'ready'}
        />
      </header>
      <div ref={scroller} className={classes.cards} data-cards>
        {asking !== null && (
          <MoveReasonForm
            key={asking.row.id}
            move={{ ...moveOfCard(asking.row), to: state }}
            label="Move"
            asks={asking.asks}
            className={classes.reason}
            moved={() => props.onMoved(asking)}
            cancel={() => props.onCancel(asking)}
            reopen={() => props.onReopen(asking)}
          >
            <p className={classes.cardName}>
              <Name of={asking.row.name} />
            </p>
          </MoveReasonForm>
        )}
        {list.isPending && <LoadingLines lines={4} label={`Loading ${name}`} />}
        {list.isError && list.data === undefined && (
          <ColumnFailed text={sentenceOf(list.error)} retry={() => void list.refetch()} />
        )}
        {list.isSuccess && rows.length === 0 && asking === null && <p className={classes.none}>No prospects</p>}
        <ul
          aria-label={`${name}, cards`}
          data-stale={list.isPlaceholderData || undefined}
          style={{ height: virtualizer.getTotalSize() }}
          onFocus={hold}
          onPointerDown={hold}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            return row === undefined ? null : (
              <BoardCard
                key={row.id}
                row={row}
                index={index}
                start={start}
                many={total?.counts === 'matching_set' ? total.value : -1}
                measure={virtualizer.measureElement}
                moves={props.canMove ? moves : noMoves}
                isOpen={row.id === props.openId}
                isPanelOpen={props.openId !== null}
                isAway={row.id === props.awayId}
                canDrag={props.canMove}
                refusal={props.refusal?.businessId === row.id ? props.refusal.text : null}
                onMove={props.onMove}
                onDismiss={props.onDismiss}
              />
            )
          })}
        </ul>
        {isFetchNextPageError && <ColumnFailed text={sentenceOf(list.error)} retry={() => void fetchNextPage()} />}
        {isFetchingNextPage && <p className={classes.none}>Loading more</p>}
        <div ref={endRef} className={classes.end} />
      </div>
    </section>
  )
}

/** The move of a card, without its target. */
export const moveOfCard = ({ id, name, pipelineState, version }: BusinessSummary) => ({
  businessId: id,
  name,
  from: pipelineState,
  version,
})

/** Number of records in a column. It is never shown as 0 while it is unknown. */
function ColumnTotal({ total, status }: { total: Total | null | undefined; status: string }) {
  if (status === 'loading') return <span className={classes.total}>counting</span>
  if (status === 'failed') return <span className={classes.total}>not known</span>
  if (total === null || total === undefined || total.counts === 'page')
    return <span className={classes.total}>not counted</span>
  return <span className={classes.total}>{totalNumber(total)}</span>
}

function ColumnFailed({ text, retry }: { text: string; retry: () => void }) {
  return (
    <div className={classes.none} role="alert">
      <p>{text}</p>
      <Button variant="default" size="compact-sm" onClick={retry}>
        Try again
      </Button>
    </div>
  )
}

function useDropColumn(state: PipelineState) {
  const element = useRef<HTMLElement>(null)
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (element.current === null) return
    return dropTargetForElements({
      element: element.current,
      getData: () => ({ state }),
      canDrop: ({ source }) => isCard(source.data),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    })
  }, [state])
  return { element, isOver }
}
