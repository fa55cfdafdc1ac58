import { type PendingMove, usePendingMove } from '../../../ui/prospects/pending-moves.ts'
import { pipelineStateName } from '../../../ui/prospects/pipeline-words.ts'
import { nameText } from '../../../ui/text/name-text.ts'

/** Content of the notification about a pending move. It has an Undo button until the move is sent. */
export function MoveToast({ businessId, undo }: { businessId: string; undo: () => void }) {
  const move = usePendingMove(businessId)
  if (move === undefined) return null
  return (
    <>
      {nameText(move.name ?? '')}: moving to {pipelineStateName(move.to)}…{' '}
      {move.phase === 'waiting' && (
        <button type="button" className="pp-link" onClick={undo}>
          Undo
        </button>
      )}
    </>
  )
}

const titles = { refused: 'Not moved', unanswered: 'May not be moved', unsaved: 'Not saved' } as const

export function unsavedTitle({ phase, name }: Pick<PendingMove, 'phase' | 'name'>): string {
  const title = phase === 'waiting' || phase === 'sending' ? 'Moving' : titles[phase]
  return `${title}: ${nameText(name ?? 'a prospect')}`
}

type Props = { move: PendingMove; sendAgain: () => void; drop: () => void }

/** Content of the notification about a failed move: the reason, and the buttons to send it again or remove it. */
export function MoveUnsaved({ move, sendAgain, drop }: Props) {
  const name = pipelineStateName(move.to)
  if (move.phase === 'refused')
    return (
      <>
        Not moved to {name}. {move.words}
      </>
    )
  return (
    <>
      {move.phase === 'unsaved'
        ? `The move to ${name} was not saved.`
        : `The server did not answer about the move to ${name}.`}{' '}
      {move.words}{' '}
      <button type="button" className="pp-link" onClick={sendAgain}>
        Send again
      </button>{' '}
      <button type="button" className="pp-link" onClick={drop}>
        Discard this move
      </button>
    </>
  )
}
