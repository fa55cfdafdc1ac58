import { z } from 'zod'
import { recordId } from '../../../http/text.ts'
import { budgetsSchema } from '../scans/scans.schema.ts'
import { pageAddress } from '../supplied/supplied.schema.ts'

export const planScanSchema = z.strictObject({ businessId: recordId, url: pageAddress })

export const requestScanSchema = z.strictObject({
  businessId: recordId,
  url: pageAddress.describe('The start page, at a host of the record'),
  bypassCache: z.boolean().default(false).describe('Fetch although a scan of this page is fresh'),
})
export type RequestScan = z.output<typeof requestScanSchema>

const conditionKeys = [
  'adapter_not_loaded',
  'terms_expired',
  'source_not_enabled',
  'circuit_open',
  'daily_limit',
  'do_not_contact',
] as const

const conditionSchema = z
  .object({
    key: z.enum(conditionKeys),
    isMet: z.boolean(),
    since: z.string().nullable(),
    resolvedBy: z.string().describe('The permission, or the words for who can resolve it'),
  })
  .meta({ id: 'ScanCondition', description: 'What a fetch needs. One that is unmet prevents it.' })
export type Condition = z.infer<typeof conditionSchema>

export const scanPlanSchema = z
  .object({
    url: z.string(),
    pages: z.array(z.string()).describe('What is known to be requested: robots.txt and the start page'),
    maxPages: z.int().describe('With contact and about pages that are found'),
    budgets: budgetsSchema,
    conditions: z.array(conditionSchema),
    canFetch: z.boolean(),
  })
  .meta({ id: 'ScanPlan', description: 'What a fetch would request. Nothing was sent.' })
export type ScanPlan = z.infer<typeof scanPlanSchema>

export const scanningStatusSchema = z
  .object({
    canFetch: z.boolean(),
    conditions: z.array(conditionSchema),
    running: z.int(),
    usedToday: z.object({ tenant: z.int(), max: z.int() }),
    policyVersion: z.int(),
  })
  .meta({ id: 'ScanningStatus', description: 'Whether pages can be fetched, and what prevents it.' })
export type ScanningStatus = z.infer<typeof scanningStatusSchema>
