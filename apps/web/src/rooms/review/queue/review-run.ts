/** State of a user's pass through the review queue. Dialogs of a record report to it. */
import { createContext, useContext } from 'react'
import type { Wanted } from '../review.queries.ts'

export type Decided = { businessId: string; name: string; words: string }

export type ReviewRun = {
  wanted: Wanted
  /** Records a decision for undo, skips the record from now on, and opens the next prospect. */
  decided: (decided: Decided) => void
  /** Opens the next prospect that nobody else has claimed, without a decision. */
  next: () => void
  isSearching: boolean
  /** Returns, once, the dialog to open with the record, because its shortcut was pressed on the row. */
  takeIntent: () => string | null
}

export const ReviewRunContext = createContext<ReviewRun | null>(null)

/** The current review run, or null if the record is not open in the queue. */
export const useReviewRun = (): ReviewRun | null => useContext(ReviewRunContext)
