import { notifications } from '@mantine/notifications'
import { type AddReviewData, addReview, type Business } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isProblem, sentenceOf } from '../../../ui/api/api-problem.ts'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { refusedWith } from '../../../ui/forms/save-failure.tsx'
import type { Refusal } from '../../../ui/forms/use-save-form.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { useReviewRun } from '../queue/review-run.ts'
import { openingQuery, refreshReviewed } from '../review.queries.ts'

type Body = AddReviewData['body']
/** Body of a decision without the fingerprint, which opening the record returns. */
export type Decision = Body extends infer One ? (One extends Body ? Omit<One, 'fingerprint'> : never) : never

/** Opens a record for review and sends a decision about the opened version. */
export function useDecision(business: Business) {
  const run = useReviewRun()
  const queryClient = useQueryClient()
  const query = openingQuery(business.id, run?.wanted ?? null)
  const opening = useQuery(query)
  return {
    opening,
    /** Sends a decision. Rejects if the record cannot be opened. */
    send: async (decision: Decision, key: string) => {
      const { fingerprint } = opening.data ?? (await queryClient.fetchQuery(query))
      const body = { ...decision, fingerprint } as Body
      return dataOf(addReview({ path: { businessId: business.id }, body, ...withKey(key) }))
    },
    /** Error of a decision about an outdated record: the record is read and opened again, and the form stays. */
    explain: (error: unknown): Refusal | undefined => {
      if (!isProblem(error, 'review_outdated')) return undefined
      void refreshReviewed(queryClient, business.id)
      const changes = error.errors.map(({ message }) => message)
      return { failure: refusedWith([sentenceOf(error), ...changes].join(' ')) }
    },
    saved: (words: string) => {
      void refreshReviewed(queryClient, business.id)
      if (run === null) notifications.show({ message: `${words}: ${nameText(business.name)}` })
      else run.decided({ businessId: business.id, name: business.name, words })
    },
  }
}
