import { z } from 'zod'
import { text } from '../../http/text.ts'
import { mapValues } from '../../lib/map-values.ts'
import { auditEventSchema } from '../audit/audit.ts'
import { businessSchema } from '../businesses/businesses.ts'
import { erasedCounts } from '../facts.ts'

const MAX_REASON_LENGTH = 1_000

export const eraseBusinessSchema = z.strictObject({
  reason: text(MAX_REASON_LENGTH).describe('Legal ground or reason. It stays in the audit, so do not name a person'),
  suppress: z
    .boolean()
    .default(false)
    .describe(
      'Keeps the addresses, numbers and domains suppressed by their hashes, even if the record was not blocked',
    ),
})
export type EraseBusiness = z.output<typeof eraseBusinessSchema>

export const erasePersonSchema = eraseBusinessSchema.extend({
  suppress: z
    .boolean()
    .default(false)
    .describe('Keeps the addresses and numbers suppressed by their hashes, even if the person was not do not contact'),
})
export type ErasePerson = z.output<typeof erasePersonSchema>

const erasedSchema = z
  .object({
    records: z.int().describe('The record itself and those merged into it'),
    ...mapValues(erasedCounts, (description) => z.int().describe(description)),
    suggestions: z.int(),
    merges: z.int().describe('Merges whose snapshot and choices were erased; they can no longer be reversed'),
    auditEvents: z.int().describe('Events whose content was erased; the events themselves remain'),
    tombstones: z.int().describe('Addresses, numbers and domains that stay suppressed by their hashes'),
  })
  .meta({ id: 'ErasedCounts' })

export const erasedBusinessSchema = z
  .object({
    business: businessSchema,
    erased: erasedSchema,
    event: auditEventSchema.describe('The audit event of this erasure, as it was read back.'),
  })
  .meta({ id: 'ErasedBusiness' })
export type ErasedBusiness = z.infer<typeof erasedBusinessSchema>
