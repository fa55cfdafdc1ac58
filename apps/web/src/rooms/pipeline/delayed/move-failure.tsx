import { useQueryClient } from '@tanstack/react-query'
import type { PendingMove } from '../../../ui/prospects/pending-moves.ts'
import { dropMove, sendAgain } from './delayed-moves.tsx'
import { MoveUnsaved } from './move-toast.tsx'

/** Message on the card or record about a move that is not recorded. It remains until the person sends the move again or removes it. */
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
