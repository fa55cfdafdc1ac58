import { Button } from '@mantine/core'
import type { Business, PipelineState, Transition } from '@prospect/api-client'
import { IconArrowRight } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useCan } from '../../ui/api/session.ts'
import { NotLoaded } from '../../ui/layout/not-loaded.tsx'
import { LoadMore } from '../../ui/lists/load-more.tsx'
import { Origin } from '../../ui/prospects/origin.tsx'
import { PipelineBadge } from '../../ui/prospects/pipeline-badge.tsx'
import { pipelineQuery } from '../../ui/prospects/pipeline-query.ts'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { useRecordForm } from '../../ui/rooms/record-page.ts'
import type { RecordForm } from '../../ui/rooms/record-parts.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { GivenReason } from '../../ui/text/given-reason.tsx'
import { Name } from '../../ui/text/name.tsx'
import { delayMove } from './delayed/delayed-moves.tsx'
import { useShownState } from './delayed/use-shown-state.ts'
import { MoveReasonForm } from './move-reason-form.tsx'
import { moveLabel, quickReasons } from './move-words.ts'
import { findMove, permittedMoves } from './permitted-moves.ts'
import classes from './pipeline.module.css'
import { transitionsQuery } from './transitions.queries.ts'

/** Form for the reason of a move to this state. */
export const moveForm: RecordForm<PipelineState> = { id: 'move', tab: 'pipeline' }

export function PipelineTab({ business }: { business: Business }) {
  return (
    <div className={classes.tab}>
      <Moves business={business} />
      <section aria-labelledby="moves-so-far">
        <h2 id="moves-so-far">Moves</h2>
        <History business={business} />
      </section>
    </div>
  )
}

function Moves({ business }: { business: Business }) {
  const [asking, setAsking] = useRecordForm(moveForm)
  const latestAsking = useRef(asking)
  useEffect(() => {
    latestAsking.current = asking
  }, [asking])
  const pipeline = useQuery(pipelineQuery)
  const canMove = useCan('pipeline.move')
  // Moves that are shown while the pointer is over them, so that a button under the pointer does not change when a colleague moves the prospect.
  const shown = useShownState(business)
  const [pointedAt, setPointedAt] = useState<typeof shown | null>(null)
  const offered = pointedAt ?? shown
  const queryClient = useQueryClient()
  const from = shown.state
  // If only a refresh failed, keep showing the tab, because it may contain a reason that is being typed.
  if (!pipeline.data) return <NotLoaded read={pipeline} lines={2} what="the pipeline" />

  const moves = permittedMoves(pipeline.data, offered.state, offered.stateBeforePause)
  const wanted = { businessId: business.id, name: business.name, from, version: business.version }
  const delay = (to: PipelineState): void => {
    setPointedAt(null)
    void delayMove(queryClient, { ...wanted, to }, quickReasons.record)
  }
  const ask = (to: PipelineState): void => {
    // The form replaces the buttons under the pointer, and a removed element gets no `pointerleave`.
    setPointedAt(null)
    setAsking(to)
  }
  const closeForm = (to: PipelineState) => {
    // Close the form only if it is still for this move. The header may have opened the form of another move.
    if (latestAsking.current === to) setAsking(undefined)
  }

  return (
    <section aria-labelledby="pipeline-now">
      <h2 id="pipeline-now" className={classes.now}>
        {shown.moving === undefined ? (
          <>
            In <PipelineBadge state={from} />
          </>
        ) : (
          `Moving to ${pipelineStateName(from)}…`
        )}
        {business.stateBeforePause !== null && (
          <small>before that in {pipelineStateName(business.stateBeforePause)}</small>
        )}
      </h2>
      {business.doNotContact !== null && (
        <p className={classes.hint}>Moving a prospect does not lift its do-not-contact mark.</p>
      )}
      {business.status !== 'active' && (
        <p className={classes.hint}>This record is {business.status}, so the prospect cannot move.</p>
      )}
      {!canMove && <p className={classes.hint}>Your role cannot move prospects.</p>}
      {canMove && business.status === 'active' && asking === undefined && (
        <div
          className={classes.moves}
          onPointerEnter={() => setPointedAt(shown)}
          onPointerLeave={() => setPointedAt(null)}
        >
          {moves.map(({ to, asks }) => (
            <Button
              key={to}
              variant="default"
              rightSection={<IconArrowRight size={14} aria-hidden />}
              onClick={() => (asks === null ? delay(to) : ask(to))}
            >
              {moveLabel(pipeline.data, offered.state, to)}
              {asks !== null && '…'}
            </Button>
          ))}
        </div>
      )}
      {/* The form remains open even if a colleague moved the prospect, so that the typed reason is kept. The server decides on the move. */}
      {asking !== undefined && canMove && (
        <MoveReasonForm
          key={asking}
          move={{ ...wanted, to: asking }}
          label={moveLabel(pipeline.data, from, asking)}
          asks={findMove(pipeline.data, from, asking)?.asks ?? 'required'}
          moved={() => closeForm(asking)}
          cancel={() => setAsking(undefined)}
          reopen={() => setAsking(asking)}
        />
      )}
    </section>
  )
}

function History({ business }: { business: Business }) {
  const list = useInfiniteQuery(transitionsQuery(business.id))
  if (!list.data) return <NotLoaded read={list} lines={3} what="the moves" />
  return (
    <>
      <ol className={classes.history} aria-label="Moves, newest first">
        {list.data.items.map((transition) => (
          <HistoryItem key={transition.id} transition={transition} shownOn={business.id} />
        ))}
        {!list.hasNextPage && (
          <li>
            <p className={classes.step}>
              <PipelineBadge state="new" />
            </p>
            <p className={classes.meta}>
              created by <Name of={business.createdBy.name} />, <DateTime at={business.createdAt} as="dateTime" />
            </p>
          </li>
        )}
      </ol>
      <LoadMore what="moves" {...list} data={list.data} />
    </>
  )
}

function HistoryItem({ transition, shownOn }: { transition: Transition; shownOn: string }) {
  return (
    <li>
      <p className={classes.step}>
        <PipelineBadge state={transition.from} />
        <IconArrowRight size={14} aria-label="to" />
        <PipelineBadge state={transition.to} />
      </p>
      {transition.reason !== null && (
        <p className={classes.why}>
          <GivenReason of={transition.reason} />
        </p>
      )}
      <p className={classes.meta}>
        <Name of={transition.actor.name} />, <DateTime at={transition.at} as="dateTime" />{' '}
        <Origin of={transition.businessId} on={shownOn} />
      </p>
    </li>
  )
}
