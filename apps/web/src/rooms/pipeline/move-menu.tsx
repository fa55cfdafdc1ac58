import { Button, Menu } from '@mantine/core'
import type { Business, PipelineState } from '@prospect/api-client'
import { IconArrowRight, IconChevronDown, IconMessage2 } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { PipelineIcon } from '../../ui/prospects/pipeline-badge.tsx'
import { pipelineQuery } from '../../ui/prospects/pipeline-query.ts'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { useRecordPage } from '../../ui/rooms/record-page.ts'
import { delayMove } from './delayed/delayed-moves.tsx'
import { useShownState } from './delayed/use-shown-state.ts'
import { moveLabel, quickReasons } from './move-words.ts'
import { nextMove, type PermittedMove, permittedMoves } from './permitted-moves.ts'
import classes from './pipeline.module.css'
import { moveForm } from './pipeline-tab.tsx'

/** Returns the function that makes a move from the record. If the move needs a reason, it opens the reason form in the pipeline tab. */
function useGo(business: Business, from: PipelineState) {
  const page = useRecordPage()
  const queryClient = useQueryClient()
  const { id, name, version } = business
  return ({ to, asks }: PermittedMove): void => {
    if (asks === null) void delayMove(queryClient, { businessId: id, name, from, to, version }, quickReasons.record)
    else page.openForm(moveForm, to)
  }
}

/** Button for the next move of the record, with a menu of all permitted moves. */
export function MoveControl({ business, isFirst }: { business: Business; isFirst: boolean }) {
  const variant = isFirst ? 'filled' : 'default'
  const pipeline = useQuery(pipelineQuery)
  const { state, stateBeforePause } = useShownState(business)
  const go = useGo(business, state)
  const next = pipeline.data && nextMove(permittedMoves(pipeline.data, state, stateBeforePause))
  return (
    <div className={classes.control}>
      {pipeline.data && next && (
        <Button variant={variant} leftSection={<IconArrowRight size={14} aria-hidden />} onClick={() => go(next)}>
          {moveLabel(pipeline.data, state, next.to)}
          {next.asks !== null && '…'}
        </Button>
      )}
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          {next ? (
            <Button variant={variant} px="xs" aria-label="Other moves">
              <IconChevronDown size={14} aria-hidden />
            </Button>
          ) : (
            <Button variant={variant} rightSection={<IconChevronDown size={14} aria-hidden />}>
              Move
            </Button>
          )}
        </Menu.Target>
        <Menu.Dropdown>
          <MoveMenuItems business={business} />
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

function MoveMenuItems({ business }: { business: Business }) {
  const pipeline = useQuery(pipelineQuery)
  const shown = useShownState(business)
  // Keep the state at the time when the menu was opened, so that an item under the pointer does not change into another move.
  const [{ state: from, stateBeforePause }] = useState(shown)
  const go = useGo(business, from)
  const { openDialog } = useRecordPage()
  const items = useRef<HTMLDivElement>(null)
  // Focus the first item when the moves are loaded, because the menu could not focus an item while it was empty.
  useEffect(() => {
    const menu = items.current?.closest('[role="menu"]')
    if (!pipeline.isPending && menu === document.activeElement)
      menu?.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
  }, [pipeline.isPending])
  if (pipeline.isPending) return <Menu.Label>Loading moves</Menu.Label>
  if (!pipeline.data) return <Menu.Label>Could not load the moves. {sentenceOf(pipeline.error)}</Menu.Label>

  const moves = permittedMoves(pipeline.data, from, stateBeforePause)
  return (
    <div ref={items} role="presentation">
      {moves.length === 0 && <Menu.Label>No moves are available from {pipelineStateName(from)}</Menu.Label>}
      {moves.map((move) => (
        <Menu.Item key={move.to} leftSection={<PipelineIcon state={move.to} />} onClick={() => go(move)}>
          {moveLabel(pipeline.data, from, move.to)}
          {move.asks !== null && '…'}
        </Menu.Item>
      ))}
      {moves.some(({ asks }) => asks === null) && (
        <Menu.Item leftSection={<IconMessage2 size={14} aria-hidden />} onClick={() => openDialog('move')}>
          Move with a reason…
        </Menu.Item>
      )}
    </div>
  )
}
