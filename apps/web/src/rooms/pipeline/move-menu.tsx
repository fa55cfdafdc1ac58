import { Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Business, PipelineState } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { PipelineIcon } from '../../ui/prospects/pipeline-badge.tsx'
import { pipelineQuery } from '../../ui/prospects/pipeline-query.ts'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { useRecordPage } from '../../ui/rooms/record-page.ts'
import { useMove } from './move.ts'
import { notifyNotMoved } from './move-notices.ts'
import { movedWords, moveLabel, refusedMoveWords } from './move-words.ts'
import { permittedMoves } from './permitted-moves.ts'
import { moveForm } from './pipeline-tab.tsx'

/** The moves that the pipeline permits from here; one that asks for a reason does so on the pipeline tab. */
export function MoveMenuItems({ business }: { business: Business }) {
  const page = useRecordPage()
  const pipeline = useQuery(pipelineQuery)
  const move = useMove()
  // As it stood when the menu was opened: what is under the pointer does not turn into another move.
  const [{ pipelineState: from, stateBeforePause }] = useState(business)
  const items = useRef<HTMLDivElement>(null)
  // Its menu had nothing to give the focus to while they were on their way.
  useEffect(() => {
    const menu = items.current?.closest('[role="menu"]')
    if (!pipeline.isPending && menu === document.activeElement)
      menu?.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
  }, [pipeline.isPending])
  if (pipeline.isPending) return <Menu.Label>Loading moves</Menu.Label>
  if (!pipeline.data) return <Menu.Label>Could not load the moves. {sentenceOf(pipeline.error)}</Menu.Label>

  const moves = permittedMoves(pipeline.data, from, stateBeforePause)
  // Awaited, not called back: the menu is gone before the server answers, and nobody would be told.
  const go = async (to: PipelineState): Promise<void> => {
    try {
      await move.mutateAsync({ businessId: business.id, to })
      notifications.show({ message: movedWords(business.name, to) })
    } catch (error) {
      notifyNotMoved(business.name, error, refusedMoveWords(error, from, to))
    }
  }
  return (
    <div ref={items} role="presentation">
      {moves.length === 0 && <Menu.Label>From {pipelineStateName(from)} no moves available</Menu.Label>}
      {moves.map(({ to, asks }) => (
        <Menu.Item
          key={to}
          leftSection={<PipelineIcon state={to} />}
          disabled={move.isPending}
          onClick={() => (asks === null ? void go(to) : page.openForm(moveForm, to))}
        >
          {moveLabel(pipeline.data, from, to)}
          {asks !== null && '…'}
        </Menu.Item>
      ))}
    </div>
  )
}
