import { z } from 'zod'

/** Values of the review filter. `due` selects unreviewed records, outdated ones, and deferred ones whose date has been reached. */
export const reviewFilterValues = ['due', 'unreviewed', 'verified', 'rejected', 'outdated', 'deferred'] as const
export type ReviewFilter = (typeof reviewFilterValues)[number]

export const reviewStates = ['unreviewed', 'verified', 'rejected', 'outdated', 'deferred'] as const
export type ReviewState = (typeof reviewStates)[number]

export const reviewSummarySchema = z
  .object({
    state: z.enum(reviewStates),
    isDue: z.boolean().describe('Unreviewed, outdated, or deferred to a date that is reached'),
    decidedAt: z.string().nullable(),
    dueFrom: z.string().nullable().describe('When it becomes due by itself'),
  })
  .meta({ id: 'ReviewSummary' })
export type ReviewSummary = z.infer<typeof reviewSummarySchema>
