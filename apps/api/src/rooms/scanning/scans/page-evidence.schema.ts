import { z } from 'zod'
import { recordId } from '../../../http/text.ts'
import { addEvidenceSchema } from '../../evidence/evidence.ts'
import { policyBounds } from '../bounds.ts'
import { repeatedFacts } from '../pages/page-facts.ts'

const [, maxPages] = policyBounds.pages

export const addPageEvidenceSchema = z.strictObject({
  scanId: recordId,
  page: z
    .int()
    .min(0)
    .max(maxPages - 1)
    .describe('Position of the page in the scan, from 0'),
  repeats: z
    .array(z.enum(repeatedFacts))
    .min(1, 'Choose at least one fact.')
    .max(repeatedFacts.length)
    .refine((facts) => new Set(facts).size === facts.length, 'Name each fact once.')
    .describe('Facts of the prospect that the page shows or does not show; a fact that is `not_known` is refused'),
  confidence: addEvidenceSchema.shape.confidence,
})
export type AddPageEvidence = z.output<typeof addPageEvidenceSchema>
