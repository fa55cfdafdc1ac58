import type { Interaction } from '@prospect/api-client'
import { api } from '../../ui/api/api.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { recordKey } from '../../ui/prospects/record-keys.ts'
import type { interactionBody } from './interaction-form-values.ts'

export const interactionsQuery = (businessId: string) =>
  pagedQuery<Interaction>([...recordKey(businessId), 'interactions'], `/businesses/${businessId}/interactions`)

export const addInteraction = (businessId: string, body: ReturnType<typeof interactionBody>, idempotencyKey: string) =>
  api.post<Interaction>(`/businesses/${businessId}/interactions`, { body, idempotencyKey })
