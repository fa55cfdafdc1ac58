import type { Business } from '@prospect/api-client'
import { usePendingMove } from '../../../ui/prospects/pending-moves.ts'
import classes from '../pipeline.module.css'
import { MoveFailure } from './move-failure.tsx'

/** Message about a move that is not recorded, above all tabs of a record. */
export function MoveNotice({ business }: { business: Business }) {
  const move = usePendingMove(business.id)
  if (move === undefined || move.phase === 'waiting' || move.phase === 'sending') return null
  return (
    <section className={classes.failed} aria-label="Move that is not recorded">
      <p>
        <MoveFailure move={move} />
      </p>
    </section>
  )
}
