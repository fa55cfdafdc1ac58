import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { ActionIcon, Menu } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import type { BusinessSummary, PipelineState } from '@prospect/api-client'
import { IconArrowRight, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo, useEffect, useRef, useState } from 'react'
import { useChangedRows } from '../../../ui/lists/changed-rows.ts'
import { DoNotContactMark } from '../../../ui/prospects/do-not-contact-mark.tsx'
import { isUnderWay, usePendingMove } from '../../../ui/prospects/pending-moves.ts'
import { PipelineIcon } from '../../../ui/prospects/pipeline-badge.tsx'
import { pipelineStateName } from '../../../ui/prospects/pipeline-words.ts'
import { PriorityText, ScoreText } from '../../../ui/prospects/score-cells.tsx'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { formatWeekday } from '../../../ui/text/format.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { MoveFailure } from '../delayed/move-failure.tsx'
import type { PermittedMove } from '../permitted-moves.ts'
import classes from './board.module.css'
import { dragDataOf } from './use-card-dragging.ts'

type BoardCardProps = {
  row: BusinessSummary
  /** Index of the card in its column, and number of cards in the column; -1 if the number is unknown. */
  index: number
  many: number
  /** Distance of the card from the top of the column, in pixels. */
  start: number
  measure: (element: HTMLElement | null) => void
  moves: PermittedMove[]
  isOpen: boolean
  isPanelOpen: boolean
  isAway: boolean
  canDrag: boolean
  refusal: string | null
  onMove: (row: BusinessSummary, to: PipelineState) => void
  onDismiss: () => void
}

export const BoardCard = memo(function BoardCard(props: BoardCardProps) {
  const { row, moves, refusal } = props
  const { element, isDragged } = useDraggableCard(row, props.canDrag)
  const pending = usePendingMove(row.id)
  const isChanged = useChangedRows().has(row.id)
  const facts = [row.industry, row.city].filter((text) => text !== null)
  return (
    <li
      ref={useMergedRef(element, props.measure)}
      className={classes.card}
      style={{ transform: `translateY(${props.start}px)` }}
      data-card={row.id}
      data-index={props.index}
      aria-posinset={props.index + 1}
      aria-setsize={props.many}
      data-dragged={isDragged || props.isAway || undefined}
      data-changed={isChanged || undefined}
      aria-current={props.isOpen ? 'true' : undefined}
    >
      <div className={classes.cardHead}>
        <Link
          to="/prospects/$businessId"
          params={{ businessId: row.id }}
          search={({ tab: _, ...rest }) => rest}
          state={{ panel: true }}
          replace={props.isPanelOpen}
          preload={false}
          className={classes.cardName}
          draggable={false}
        >
          <Name of={row.name} />
        </Link>
        {moves.length > 0 && <MoveMenu {...props} />}
      </div>
      {row.doNotContact && <DoNotContactMark />}
      {facts.length > 0 && <p className={classes.facts}>{facts.map(nameText).join(' · ')}</p>}
      {row.score.priority !== null && (
        <p className={classes.facts}>
          <PriorityText score={row.score} />, score <ScoreText score={row.score} />
        </p>
      )}
      {row.followUpOn !== null && <p className={classes.facts}>Follow-up {formatWeekday(row.followUpOn)}</p>}
      <p className={classes.last}>
        <span>
          <Name of={row.assignee?.name ?? 'Unassigned'} />
        </span>
        <DateTime at={row.updatedAt} />
      </p>
      {isUnderWay(pending) && <p className={classes.facts}>Moving to {pipelineStateName(pending.to)}…</p>}
      {pending !== undefined && !isUnderWay(pending) && (
        <p className={classes.refusal}>
          <span>
            <MoveFailure move={pending} />
          </span>
        </p>
      )}
      {refusal !== null && (
        <div role="alert" className={classes.refusal}>
          <span>{refusal}</span>
          <ActionIcon size={24} color="red" aria-label="Dismiss" onClick={props.onDismiss}>
            <IconX size={14} />
          </ActionIcon>
        </div>
      )}
    </li>
  )
})

function MoveMenu({ row, moves, onMove }: BoardCardProps) {
  const button = useRef<HTMLButtonElement>(null)
  const isChosen = useRef(false)
  const isOpening = useRef(false)
  // Move the focus to the menu as soon as it is rendered. Mantine moves it later, so an Enter pressed right after `m` would go to the card.
  const focusAtOnce = (item: HTMLElement | null): void => {
    if (isOpening.current) item?.focus({ preventScroll: true })
    isOpening.current = false
  }
  return (
    <Menu
      position="bottom-end"
      width={200}
      transitionProps={{ duration: 0 }}
      // The focus is returned in `onClose`. After a choice it belongs to the reason form, or to the card in its new column.
      returnFocus={false}
      onOpen={() => {
        isChosen.current = false
        isOpening.current = true
      }}
      onClose={() => {
        // Do this after Mantine's menu, which returns the focus to the element that had it while the menu opened: the first item.
        if (!isChosen.current) queueMicrotask(() => button.current?.focus())
      }}
    >
      <Menu.Target>
        <ActionIcon ref={button} size={24} className={classes.move} aria-label={`Move ${nameText(row.name)}`} data-move>
          <IconArrowRight size={15} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Move to</Menu.Label>
        {moves.map(({ to, asks }, index) => (
          <Menu.Item
            key={to}
            data-autofocus={index === 0 || undefined}
            ref={index === 0 ? focusAtOnce : null}
            leftSection={<PipelineIcon state={to} />}
            onClick={() => {
              isChosen.current = true
              onMove(row, to)
            }}
          >
            {pipelineStateName(to)}
            {asks === 'required' && <span className={classes.needs}> with a reason</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function useDraggableCard(row: BusinessSummary, isOn: boolean) {
  const element = useRef<HTMLLIElement>(null)
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    if (!isOn || element.current === null) return
    return draggable({
      element: element.current,
      getInitialData: () => dragDataOf(row),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    })
  }, [row, isOn])
  return { element, isDragged }
}
