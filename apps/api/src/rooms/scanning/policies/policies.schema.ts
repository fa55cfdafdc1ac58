import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { freeText } from '../../../http/hidden-fields.ts'
import { pageOf } from '../../../http/pagination.ts'
import { recordId, text } from '../../../http/text.ts'
import { type BoundName, boundNames, policyBounds, retentionBounds } from '../bounds.ts'
import { budgetsSchema } from '../scans/scans.schema.ts'

const REASON_LENGTH = 1_000
/** Minimum of each bound; a bound that is not listed has the minimum 1. A scan always reads its start page, so the bounds for other pages may be 0. */
const lowest: Partial<Record<BoundName, number>> = {
  depth: 0,
  redirectsPerPage: 0,
  redirectsPerScan: 0,
  links: 0,
  scanMs: 1_000,
  pageMs: 1_000,
}

const boundsSchema = z.strictObject(
  Object.fromEntries(
    boundNames.map((name) => [
      name,
      z
        .int()
        .min(lowest[name] ?? 1)
        .max(policyBounds[name][1])
        .optional(),
    ]),
  ) as Record<BoundName, z.ZodOptional<z.ZodInt>>,
)

export const policyParams = z.object({ policyId: recordId })

export const createPolicySchema = z.strictObject({
  basedOn: z.int().min(0).nullish().describe('The version whose bounds stay where none is given; the current one'),
  bounds: boundsSchema.describe('Each up to its ceiling, which no policy passes'),
  retentionDays: z.int().min(retentionBounds.min).max(retentionBounds.max),
})
export type CreatePolicy = z.output<typeof createPolicySchema>

export const approvePolicySchema = z.strictObject({ reason: text(REASON_LENGTH) })

export const scanPolicySchema = z
  .object({
    id: z.string(),
    version: z.int(),
    basedOn: z.int(),
    state: z.enum(['pending', 'current', 'superseded']),
    bounds: budgetsSchema,
    retentionDays: z.int(),
    createdAt: z.string(),
    createdBy: actorRefSchema,
    approval: z.object({ at: z.string(), by: actorRefSchema, reason: freeText() }).nullable(),
  })
  .meta({
    id: 'ScanPolicy',
    description: 'Bounds of scans; a version is never edited, and counts once another person has approved it.',
  })
export type ScanPolicy = z.infer<typeof scanPolicySchema>
export const scanPolicyPageSchema = pageOf(scanPolicySchema).meta({ id: 'ScanPolicyList' })
