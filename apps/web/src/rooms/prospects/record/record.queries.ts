import type {
  ActorRef,
  AuditEvent,
  Business,
  BusinessInput,
  CheckDuplicatesResponse,
  Page,
  PossibleDuplicate,
} from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../ui/api/api.ts'
import { duplicateChecksKey } from '../../../ui/prospects/record-keys.ts'

export type Changers = ActorRef | 'several' | undefined

/** So far back is looked for others who changed it, too. */
const LOOKED_AT = 50

/**
 * Who changed the record itself since a moment (not who wrote a note of it): one person, 'several', or undefined where that cannot be
 * told. For words only.
 */
export async function changersSince(businessId: string, since: string | null): Promise<Changers> {
  try {
    const path = `/businesses/${businessId}/activity`
    const { items } = await api.get<Page<AuditEvent>>(path, { query: { limit: LOOKED_AT } })
    const changes = items.filter(({ subject, at }) => subject.type === 'business' && (since === null || at > since))
    const done = since === null ? changes.slice(0, 1) : changes
    const people = new Set(done.map(({ actor }) => (actor.kind === 'user' ? actor.id : actor.name)))
    return people.size > 1 ? 'several' : done[0]?.actor
  } catch {
    return undefined
  }
}

export type DuplicateCheck = {
  name?: string
  emails: string[]
  phones: { value: string; region?: string }[]
  domains: string[]
}

export const duplicatesQuery = (check: Partial<DuplicateCheck>) =>
  queryOptions({
    queryKey: [...duplicateChecksKey, check],
    queryFn: ({ signal }) => api.post<CheckDuplicatesResponse>('/businesses/duplicate-checks', { body: check, signal }),
    staleTime: 30_000,
    retry: false,
  })

export type CreatedBusiness = Business & { possibleDuplicates: PossibleDuplicate[] }

export const createBusiness = (body: BusinessInput, idempotencyKey: string) =>
  api.post<CreatedBusiness>('/businesses', { body, idempotencyKey })

/** Where a new record's values come from, as its first evidence. */
export const addFirstEvidence = (businessId: string, body: unknown, idempotencyKey: string) =>
  api.post(`/businesses/${businessId}/evidence`, { body, idempotencyKey })

export const editBusiness = (businessId: string, version: number, body: Partial<BusinessInput>) =>
  api.patch<Business>(`/businesses/${businessId}`, { body, ifMatch: version })

export const blockBusiness = (businessId: string, reason: string, idempotencyKey: string) =>
  api.post<Business>(`/businesses/${businessId}/do-not-contact`, { body: { reason }, idempotencyKey })
