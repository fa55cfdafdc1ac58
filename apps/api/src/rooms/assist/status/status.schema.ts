import { z } from 'zod'
import { declaredList } from '../../../http/pagination.ts'

/** The items that must be recorded before assistance is enabled (specification, Phase 13 §1). */
export const statusKeys = [
  'provider',
  'tenant_scope',
  'purpose',
  'data_class',
  'redaction',
  'retention',
  'budgets',
  'approval',
  'enablement',
] as const
export type StatusKey = (typeof statusKeys)[number]

const statusItemSchema = z
  .object({
    key: z.enum(statusKeys),
    state: z.enum(['present', 'missing', 'expired']),
    detail: z.string(),
    since: z.string().nullable(),
    resolvableBy: z
      .enum(['administrator', 'manager', 'server_operator'])
      .describe('The least powerful role that can resolve it; server_operator: by ADAPTERS_FILE'),
    recordedIn: z.enum(['sources', 'assist']),
  })
  .meta({ id: 'AssistStatusItem' })
export type StatusItem = z.infer<typeof statusItemSchema>

export const assistStatusSchema = z
  .object({
    enabled: z.boolean(),
    items: declaredList(statusItemSchema),
    policyId: z.string().nullable().describe('The version that the items describe: the approved one, or the newest'),
    source: z.object({ id: z.string(), name: z.string() }).nullable(),
  })
  .meta({ id: 'AssistStatus', description: 'Assistance is off until every item is present.' })
export type AssistStatus = z.infer<typeof assistStatusSchema>
