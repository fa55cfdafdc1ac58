import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { aboutBusiness, contactValue, freeText, hidesItsObject } from '../../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { recordId } from '../../../http/text.ts'
import { maxScans } from '../bounds.ts'
import { extractionStates, quarantineRules } from '../contacts.table.ts'
import { limitsSchema } from '../enablement/enablement.schema.ts'
import { excludedRules, protectedRules } from '../reading/found-values.ts'
import { extractionReasons } from '../reasons.ts'

export const extractionParams = z.object({ extractionId: recordId })

export const requestExtractionSchema = z.strictObject({
  businessId: recordId,
  scanIds: z
    .array(recordId)
    .min(1)
    .max(maxScans)
    .describe('Scans of the prospect whose content is still in memory: 15 minutes after they were read'),
})
export type RequestExtraction = z.output<typeof requestExtractionSchema>

export const listExtractionsQuery = z.strictObject({
  ...pageQuery,
  businessId: recordId.optional().describe('Extractions of this prospect and of those merged into it'),
})

export const reasonsSchema = z.array(z.enum(extractionReasons))
export const notReadSchema = z.array(z.object({ url: contactValue('domain'), reason: z.enum(extractionReasons) }))

const examplesSchema = z.partialRecord(z.enum(excludedRules), z.array(freeText()))

/** Counts of what became no candidate, as they are stored. */
export const storedCountsSchema = z.object({
  excluded: z.partialRecord(z.enum(excludedRules), z.int()),
  examples: examplesSchema.default({}),
  protected: z.partialRecord(z.enum(protectedRules), z.int()),
  suppressed: z.int(),
  rejectedBefore: z.int(),
  acceptedBefore: z.int(),
})
export type StoredCounts = z.infer<typeof storedCountsSchema>

export const extractionSchema = z
  .object({
    id: z.string(),
    businessId: aboutBusiness().describe('The record that it was made for, which may have been merged since'),
    scanIds: z.array(z.string()),
    state: z.enum(extractionStates),
    reasons: reasonsSchema.describe('Why it did not run, or is not whole; what was not read is unknown'),
    extractorVersion: z.int(),
    policyVersion: z.int(),
    limits: z.object({ applied: limitsSchema, reached: reasonsSchema }),
    notRead: hidesItsObject(notReadSchema),
    counts: z.object({
      open: z.int(),
      known: z.int().describe('Already on the record, or accepted before'),
      quarantined: z.int(),
      protected: z.int().describe('Not decoded: open the page to see them'),
      excluded: z.int(),
      suppressed: z.int().describe('Stored nowhere'),
      rejectedBefore: z.int().describe('Rejected within a year'),
      byRule: z.partialRecord(z.enum([...quarantineRules, ...excludedRules, ...protectedRules]), z.int()),
    }),
    examples: examplesSchema.describe(
      'Up to three excluded texts of each kind, masked so that they contain no contact value',
    ),
    undecided: z
      .object({ open: z.int(), known: z.int(), quarantined: z.int() })
      .describe('Present states of the candidates that it found; `counts` stay as they were classified'),
    requestedBy: actorRefSchema,
    requestedAt: z.string(),
    endedAt: z.string().nullable(),
    jobId: z.string().nullable(),
    emptiedAt: z.string().nullable(),
  })
  .meta({ id: 'Extraction', description: 'What one extraction found, what it left out, and what it did not read.' })
export type Extraction = z.infer<typeof extractionSchema>
export const extractionPageSchema = pageOf(extractionSchema).meta({ id: 'ExtractionList' })
