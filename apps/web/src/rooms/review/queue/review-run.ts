/** A person's work through the queue: the dialogs of a record report to it. */
import { createContext, useContext } from 'react'
import type { Wanted } from '../review.queries.ts'

export type Decided = { businessId: string; name: string; words: string }

export type ReviewRun = {
  wanted: Wanted
  /** Notes a decision, so that it can be undone and the record is skipped, and opens the next prospect. */
  decided: (decided: Decided) => void
  /** Opens the next prospect that nobody else has claimed. Decides nothing. */
  next: () => void
  isSearching: boolean
  /** The dialog that the record opens with, because its key was pressed on the row; once. */
  takeIntent: () => string | null
}

export const ReviewRunContext = createContext<ReviewRun | null>(null)

/** null: the record is not open in the queue. */
export const useReviewRun = (): ReviewRun | null => useContext(ReviewRunContext)
