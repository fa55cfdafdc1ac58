import type { Evidence } from '@prospect/api-client'
import { api } from '../../ui/api/api.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { recordKey } from '../../ui/prospects/record-keys.ts'

export const evidenceQuery = (businessId: string) =>
  pagedQuery<Evidence>([...recordKey(businessId), 'evidence'], `/businesses/${businessId}/evidence`)

export const addEvidence = (businessId: string, body: unknown, idempotencyKey: string) =>
  api.post<Evidence>(`/businesses/${businessId}/evidence`, { body, idempotencyKey })
