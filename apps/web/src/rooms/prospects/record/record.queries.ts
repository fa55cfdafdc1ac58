import {
  type ActorRef,
  type CheckDuplicatesData,
  type CheckSuppressionsData,
  checkDuplicates,
  checkSuppressions,
  listActivity,
} from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../../../ui/api/data-of.ts'
import { answersOf } from '../../../ui/api/query-keys.ts'

export type Changers = ActorRef | 'several' | undefined

/** Maximum number of audit events that are searched for other people's changes. */
const LOOKED_AT = 50

/**
 * Returns who changed the record itself since a time, not counting notes and other children: one person, 'several', or undefined if unknown. The
 * result is used for messages only.
 */
export async function changersSince(businessId: string, since: string | null): Promise<Changers> {
  try {
    const { items } = await dataOf(listActivity({ path: { businessId }, query: { limit: LOOKED_AT } }))
    const changes = items.filter(({ subject, at }) => subject.type === 'business' && (since === null || at > since))
    const done = since === null ? changes.slice(0, 1) : changes
    const people = new Set(done.map(({ actor }) => (actor.kind === 'user' ? actor.id : actor.name)))
    return people.size > 1 ? 'several' : done[0]?.actor
  } catch {
    return undefined
  }
}

export type SuppressionCheck = CheckSuppressionsData['body']

/** Reads whether values are on the do-not-contact list. They are sent in the body, so no address of the app or the API contains them. */
export const suppressedQuery = (body: SuppressionCheck) =>
  queryOptions({
    queryKey: [{ ...answersOf('checkSuppressions')[0], tags: ['suppression'], body }] as const,
    queryFn: ({ signal }) => dataOf(checkSuppressions({ body, signal })),
    staleTime: 30_000,
    retry: false,
  })

export type DuplicateCheck = CheckDuplicatesData['body']

export const duplicatesQuery = (body: DuplicateCheck) =>
  queryOptions({
    queryKey: [{ ...answersOf('checkDuplicates')[0], body }] as const,
    queryFn: ({ signal }) => dataOf(checkDuplicates({ body, signal })),
    staleTime: 30_000,
    retry: false,
  })
