import { useQueryClient } from '@tanstack/react-query'
import type { PendingMove } from '../../../ui/prospects/pending-moves.ts'
import { dropMove, sendAgain } from './delayed-moves.tsx'
import { MoveUnsaved } from './move-toast.tsx'

/** On the card and the record: a move that is not recorded, until a person sends it again or drops it. */
export function MoveFailure({ move }: { move: PendingMove }) {
  const queryClient = useQueryClient()
  return (
    <>
      <MoveUnsaved
        move={move}
        sendAgain={() => sendAgain(queryClient, move.businessId)}
        drop={() => dropMove(move.businessId)}
      />
      {move.phase === 'refused' && (
        <>
          {' '}
          <button type="button" className="pp-link" onClick={() => dropMove(move.businessId)}>
            Dismiss
          </button>
        </>
      )}
    </>
  )
}
