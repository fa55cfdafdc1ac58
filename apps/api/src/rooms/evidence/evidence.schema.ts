import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { pageOf } from '../../http/pagination.ts'
import { instant, line, recordId, text } from '../../http/text.ts'
import { businessParams, factFields } from '../businesses/businesses.ts'

/** The bounds of an observation, in one place; `docs/limits.md` shows them. */
export const limits = {
  valueLength: 500,
  observationLength: 5_000,
  sourceLength: 200,
  contextLength: 1_000,
  urlLength: 2_000,
  /** shown with each fact, newest first; the counts say how many there are */
  evidencePerFact: 5,
} as const

const evidenceFieldSchema = z.enum(factFields).meta({ id: 'EvidenceField' })
const confidenceSchema = z.enum(['low', 'medium', 'high'])

const webAddress = line(limits.urlLength).refine((value) => {
  const url = URL.parse(value)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}, 'Write an address that begins with http:// or https://. It is kept as text and never opened from here.')

export const addEvidenceSchema = z
  .strictObject({
    field: evidenceFieldSchema.nullish(),
    value: line(limits.valueLength).nullish(),
    observation: text(limits.observationLength).nullish(),
    sourceReference: line(limits.sourceLength).nullish(),
    sourceLabel: line(limits.sourceLength).nullish(),
    capturedAt: instant,
    observedAt: instant.nullish(),
    confidence: confidenceSchema,
    context: text(limits.contextLength).nullish(),
    url: webAddress.nullish(),
    supersedesId: recordId.nullish(),
  })
  .check((context) => {
    const { field, value, observation, sourceReference, sourceLabel, capturedAt, observedAt } = context.value
    const refuse = (path: string, code: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, params: { code }, input: context.value })
    if (field != null && value == null)
      refuse('value', 'required', 'Write the value that the source gives for this field.')
    if (field == null && value != null) refuse('field', 'required', 'Choose the field that this value is for.')
    if (field == null && value == null && observation == null)
      refuse('observation', 'required', 'Write what was observed, or choose a field and its value.')
    if (sourceReference == null && sourceLabel == null)
      refuse('sourceLabel', 'required', 'Say where this comes from: a reference or a label.')
    if (observedAt != null && observedAt > capturedAt)
      refuse('observedAt', 'after_capture', 'It cannot have been observed after it was captured.')
  })
export type AddEvidence = z.output<typeof addEvidenceSchema>

export const evidenceSchema = z
  .object({
    id: z.string(),
    businessId: z.string(),
    field: evidenceFieldSchema.nullable(),
    value: z.string().nullable(),
    observation: z.string().nullable(),
    sourceReference: z.string().nullable(),
    sourceLabel: z.string().nullable(),
    capturedAt: z.string(),
    observedAt: z.string().nullable(),
    confidence: confidenceSchema,
    context: z.string().nullable(),
    url: z.string().nullable(),
    supersedesId: z.string().nullable(),
    supersededById: z.string().nullable(),
    createdAt: z.string(),
    createdBy: actorRefSchema,
  })
  .meta({ id: 'Evidence' })
export type Evidence = z.infer<typeof evidenceSchema>

export const evidencePageSchema = pageOf(evidenceSchema).meta({ id: 'EvidencePage' })
export const evidenceParams = businessParams.extend({ evidenceId: recordId })

export const factSchema = z
  .object({
    field: evidenceFieldSchema,
    value: z.string(),
    standing: z.enum(['supported', 'contradicted', 'unsupported']),
    supporting: z.int(),
    contradicting: z.int(),
    newestCounted: z
      .int()
      .nullable()
      .describe(
        'Where there is more about the field than is weighed: of how many, the newest, all of this tells; else null',
      ),
    evidence: z.array(
      z.object({
        id: z.string(),
        value: z.string(),
        confidence: confidenceSchema,
        agrees: z.boolean(),
        observedAt: z.string().nullable(),
        capturedAt: z.string(),
        sourceReference: z.string().nullable(),
        sourceLabel: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Fact', description: 'A value of the record, and what the evidence says of it.' })
export type Fact = z.infer<typeof factSchema>

export const factsSchema = z.object({ items: z.array(factSchema) }).meta({ id: 'Facts' })
