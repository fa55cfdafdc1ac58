import { z } from 'zod'
import { recordId, text } from '../../../http/text.ts'
import { bands } from '../domains.table.ts'
import { candidateLimits } from './candidates.schema.ts'

/** Limits of rejecting the candidates of one domain together; `docs/limits.md` lists them. */
export const rejectionLimits = { atOnce: 50, counted: 5_000 } as const

export const rejectionPreviewQuery = z.strictObject({
  domain: z.string().min(1).max(candidateLimits.valueLength),
})

export const rejectionPreviewSchema = z
  .object({
    open: z
      .object({ low: z.int(), medium: z.int(), high: z.int() })
      .describe(`Open candidates of the domain by their confidence, of the newest ${rejectionLimits.counted}`),
    isMore: z.boolean().describe('More candidates are open than were counted'),
    through: z.string().nullable().describe('The newest of them. Send it with the rejection; null if none is open'),
  })
  .meta({ id: 'DomainRejectionPreview', description: 'What rejecting the candidates of one domain would reject.' })
export type RejectionPreview = z.infer<typeof rejectionPreviewSchema>

export const rejectDomainSchema = z.strictObject({
  through: recordId.describe('As previewed: this candidate names the domain, and newer ones are not rejected'),
  bands: z.array(z.enum(bands)).min(1).max(bands.length).describe('Confidences that are rejected'),
  reason: text(candidateLimits.reasonLength),
})
export type RejectDomain = z.output<typeof rejectDomainSchema>

export const domainRejectionSchema = z
  .object({
    rejected: z.int().describe(`At most ${rejectionLimits.atOnce}`),
    isMore: z.boolean().describe('Others are left: send the request again under another Idempotency-Key'),
  })
  .meta({ id: 'DomainRejection' })
export type DomainRejection = z.infer<typeof domainRejectionSchema>
