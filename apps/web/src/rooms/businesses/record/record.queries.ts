import type { ActorRef, AuditEvent, Business, BusinessInput, Page, PossibleDuplicate } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../ui/api.ts'

/** Who changed a business last, for words only; undefined when that cannot be told. */
export async function lastActor(businessId: string): Promise<ActorRef | undefined> {
  try {
    const page = await api.get<Page<AuditEvent>>(`/businesses/${businessId}/activity`, { query: { limit: 1 } })
    return page.items[0]?.actor
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
