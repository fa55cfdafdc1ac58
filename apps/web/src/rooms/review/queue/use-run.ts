import { notifications } from '@mantine/notifications'
import { addReview, claimNextReview, openReview } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { type Action, useActions } from '../../../ui/actions/actions.ts'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { newKey } from '../../../ui/api/idempotency.ts'
import { showUndo } from '../../../ui/forms/undo-notice.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { refreshReviewed, type Wanted } from '../review.queries.ts'
import type { Decided, ReviewRun } from './review-run.ts'

/** Limit of the API for skipped records per request. */
const MAX_SKIPPED = 200

/** A user's pass through the queue: next, skip, and undo of the last decision. Skipping is not a decision. */
export function useRun(
  wanted: Wanted,
  openId: string | null,
): ReviewRun & { openWith: (id: string, dialog: string) => void } {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const skipped = useRef<string[]>([])
  const intent = useRef<string | null>(null)
  const [last, setLast] = useState<Decided | null>(null)
  const open = (businessId: string) =>
    void navigate({
      to: '/review/$businessId',
      params: { businessId },
      search: ({ tab: _, ...rest }) => rest,
      replace: openId !== null,
    })

  const search = useMutation({
    meta: { notDone: 'Open the next prospect' },
    mutationFn: () => {
      if (openId !== null) skipped.current = [...skipped.current.filter((id) => id !== openId), openId]
      const skip = skipped.current.slice(-MAX_SKIPPED)
      return dataOf(claimNextReview({ body: { ...wanted, skip }, ...withKey(newKey()) }))
    },
    onSuccess: ({ business }) => {
      if (business !== null) return open(business.id)
      notifications.show({ message: 'Other people have all remaining prospects of this queue open. Try again later.' })
      void navigate({ to: '/review', search: ({ tab: _, ...rest }) => rest, replace: true })
    },
  })
  const undo = useMutation({
    meta: { notDone: 'Undo the decision' },
    mutationFn: async ({ businessId }: Decided) => {
      const path = { businessId }
      const { fingerprint } = await dataOf(openReview({ path, body: {} }))
      const body = { decision: 'reopen' as const, reason: 'Undone in the queue.', fingerprint }
      return dataOf(addReview({ path, body, ...withKey(newKey()) }))
    },
    onSuccess: (_, { businessId, name }) => {
      skipped.current = skipped.current.filter((id) => id !== businessId)
      setLast(null)
      void refreshReviewed(queryClient, businessId)
      notifications.show({ message: `Undone: the review of ${nameText(name)} is open again.` })
      open(businessId)
    },
  })
  const group = 'Review queue'
  const actions: Action[] = [
    {
      id: 'review.next',
      label: openId === null ? 'Start with the next prospect' : 'Skip to the next prospect',
      group,
      keys: 's',
      permission: 'review.decide',
      isBusy: search.isPending,
      run: () => !search.isPending && search.mutate(),
    },
    {
      id: 'review.undo',
      label: 'Undo the last decision',
      group,
      keys: 'u',
      permission: 'review.decide',
      unavailable: last === null ? 'You have made no decision here that you can undo.' : undo.isPending,
      run: () => last !== null && undo.mutate(last),
    },
  ]
  useActions('screen', actions)
  return {
    wanted,
    isSearching: search.isPending,
    next: () => search.mutate(),
    decided: (decided) => {
      setLast(decided)
      showUndo('review-decided', `${decided.words}: ${nameText(decided.name)}.`, () => undo.mutate(decided))
      search.mutate()
    },
    takeIntent: () => {
      const dialog = intent.current
      intent.current = null
      return dialog
    },
    openWith: (id, dialog) => {
      intent.current = dialog
      open(id)
    },
  }
}
