import type { ActorRef, AuditEvent, Business, BusinessInput, Page, PossibleDuplicate } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../ui/api.ts'

/** So far back is looked for others who changed it, too. */
const LOOKED_AT = 50

/** Who did all that was done to a business since a moment, for words only; undefined when that was more than one, or cannot be told. */
export async function actorSince(businessId: string, since: string | null): Promise<ActorRef | undefined> {
  try {
    const path = `/businesses/${businessId}/activity`
    const { items } = await api.get<Page<AuditEvent>>(path, { query: { limit: LOOKED_AT } })
    const done = since === null ? items.slice(0, 1) : items.filter(({ at }) => at > since)
    const people = new Set(done.map(({ actor }) => (actor.kind === 'user' ? actor.id : actor.name)))
    return people.size === 1 ? done[0]?.actor : undefined
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

export const duplicatesQuery = (check: DuplicateCheck) =>
  queryOptions({
    queryKey: ['duplicate-check', check],
    queryFn: async ({ signal }) =>
      (await api.post<{ items: PossibleDuplicate[] }>('/businesses/duplicate-checks', { body: check, signal })).items,
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
