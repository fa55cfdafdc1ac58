import { Button, Textarea } from '@mantine/core'
import type { Business, PipelineState, Transition } from '@prospect/api-client'
import { IconArrowRight } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type FormEvent, useContext, useEffect, useRef, useState } from 'react'
import { useCan } from '../../ui/api/session.ts'
import { AutofocusContext } from '../../ui/focus/autofocus-context.ts'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { submitOnModEnter } from '../../ui/forms/submit-on-mod-enter.ts'
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
import { useMove } from './move.ts'
import { notifyNotMoved } from './move-notices.ts'
import { useMoveReason } from './move-reason.ts'
import { moveLabel, refusedMoveWords } from './move-words.ts'
import { findMove, type PermittedMove, permittedMoves } from './permitted-moves.ts'
import classes from './pipeline.module.css'
import { transitionsQuery } from './transitions.queries.ts'

/** Asks the reason of a move to this state. */
export const moveForm: RecordForm<PipelineState> = { id: 'move', tab: 'pipeline' }

export function PipelineTab({ business }: { business: Business }) {
  return (
    <div className={classes.tab}>
      <Moves business={business} />
      <section aria-labelledby="moves-so-far">
        <h2 id="moves-so-far">Moves so far</h2>
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
  const move = useMove()
  const canMove = useCan('pipeline.move')
  const place = useRef<HTMLElement>(null)
  // While the pointer rests on them: what is under it does not turn into another move because a colleague made this one.
  const [pointedAt, setPointedAt] = useState<Business | null>(null)
  const offered = pointedAt ?? business
  const from = business.pipelineState
  // Not where a refresh failed: a reason that is being typed stands below.
  if (!pipeline.data) return <NotLoaded read={pipeline} lines={2} what="the pipeline" />

  const moves = permittedMoves(pipeline.data, offered.pipelineState, offered.stateBeforePause)
  // Awaited, not called back: what becomes of it is told also to who has gone on to another part of the record by then.
  const go = async (to: PipelineState, reason?: string, saved?: () => void): Promise<void> => {
    setPointedAt(null)
    try {
      await move.mutateAsync({ businessId: business.id, to, ...(reason === undefined ? {} : { reason }) })
      saved?.()
      // Meanwhile the header may have opened the form of another move.
      if (latestAsking.current === to) setAsking(undefined)
    } catch (error) {
      if (place.current === null) notifyNotMoved(business.name, error, refusedMoveWords(error, from, to))
    }
  }
  // While a move is under way `from` already shows where it goes.
  const refusal =
    move.isError && move.variables.businessId === business.id
      ? refusedMoveWords(move.error, from, move.variables.to)
      : null

  return (
    <section ref={place} aria-labelledby="pipeline-now">
      <h2 id="pipeline-now" className={classes.now}>
        In <PipelineBadge state={from} />
        {business.stateBeforePause !== null && (
          <small>before that in {pipelineStateName(business.stateBeforePause)}</small>
        )}
      </h2>
      {business.doNotContact !== null && (
        <p className={classes.hint}>Moving keeps the record straight. It never lifts do not contact.</p>
      )}
      {business.status !== 'active' && (
        <p className={classes.hint}>This record is {business.status}, so it does not move.</p>
      )}
      {!canMove && <p className={classes.hint}>Your role here does not move prospects.</p>}
      {canMove && business.status === 'active' && asking === undefined && (
        <div
          className={classes.moves}
          onPointerEnter={() => setPointedAt(business)}
          onPointerLeave={() => setPointedAt(null)}
        >
          {moves.map(({ to, asks }) => (
            <Button
              key={to}
              variant="default"
              loading={move.isPending && move.variables.to === to}
              disabled={move.isPending}
              rightSection={<IconArrowRight size={14} aria-hidden />}
              onClick={() => (asks === null ? void go(to) : setAsking(to))}
            >
              {moveLabel(pipeline.data, offered.pipelineState, to)}
              {asks !== null && '…'}
            </Button>
          ))}
        </div>
      )}
      {/* Also where a colleague has moved it meanwhile: the reason that is being typed stays, and the server judges the move. */}
      {asking !== undefined && canMove && (
        <ReasonForm
          key={asking}
          businessId={business.id}
          to={asking}
          label={moveLabel(pipeline.data, from, asking)}
          asks={findMove(pipeline.data, from, asking)?.asks ?? 'required'}
          isBusy={move.isPending}
          submit={(reason, saved) => void go(asking, reason, saved)}
          cancel={() => setAsking(undefined)}
          reopen={() => setAsking(asking)}
        />
      )}
      <div role="alert">{refusal !== null && <p className={classes.refusal}>{refusal}</p>}</div>
    </section>
  )
}

type ReasonFormProps = {
  businessId: string
  to: PipelineState
  label: string
  /** As it is when the form opens: while it is sent, the prospect stands where it goes already. */
  asks: PermittedMove['asks']
  isBusy: boolean
  submit: (reason: string | undefined, saved: () => void) => void
  cancel: () => void
  reopen: () => void
}

function ReasonForm({ businessId, to, label, asks, isBusy, submit, cancel, reopen }: ReasonFormProps) {
  const { reason, restored, setReason, forget, discard } = useMoveReason(businessId, to)
  const [isRequired] = useState(asks === 'required')
  const [error, setError] = useState<string | null>(null)
  const input = useRef<HTMLTextAreaElement>(null)
  const takesFocus = useContext(AutofocusContext)
  useEffect(() => {
    if (takesFocus()) input.current?.focus()
  }, [takesFocus])
  const discardAndCancel = () => {
    if (!isBusy) discard(reopen)
    cancel()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (reason.trim() !== '') return submit(reason, forget)
    if (!isRequired) return submit(undefined, forget)
    setError('Say why. The reason stays in the history.')
    input.current?.focus()
  }
  return (
    <form
      className={classes.reason}
      onSubmit={onSubmit}
      noValidate
      onKeyDown={(event) => {
        submitOnModEnter(event)
        if (event.key === 'Escape') {
          event.stopPropagation()
          cancel()
        }
      }}
    >
      <Textarea
        ref={input}
        label={isRequired ? 'Reason' : 'Reason, if there is one to give'}
        description={
          <>
            Stays in the history of this prospect.
            <DraftHint draft={restored} />
          </>
        }
        autosize
        minRows={2}
        required={isRequired}
        maxLength={inputLimits.reason}
        value={reason}
        readOnly={isBusy}
        error={error}
        onChange={(event) => {
          setReason(event.currentTarget.value)
          setError(null)
        }}
      />
      <div className={classes.moves}>
        <Button type="submit" loading={isBusy}>
          {label}
        </Button>
        <Button variant="default" onClick={discardAndCancel}>
          Cancel
        </Button>
      </div>
    </form>
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
