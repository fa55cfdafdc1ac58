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

const day = z.iso.date('Write a day such as 2026-11-21.')

const webAddress = line(limits.urlLength).refine((value) => {
  const url = URL.parse(value)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}, 'Write an address that begins with http:// or https://. It is kept as text and never opened from here.')

const ONE_OF_TWO = 'Send the time, or the day where only that is known.'

export const addEvidenceSchema = z
  .strictObject({
    field: evidenceFieldSchema.nullish(),
    value: line(limits.valueLength).nullish(),
    observation: text(limits.observationLength).nullish(),
    sourceReference: line(limits.sourceLength).nullish(),
    sourceLabel: line(limits.sourceLength).nullish(),
    capturedAt: instant.nullish(),
    capturedOn: day.nullish().describe('In place of the time where only the day is known, in the zone of the tenant'),
    observedAt: instant.nullish(),
    observedOn: day.nullish().describe('In place of the time where only the day is known, in the zone of the tenant'),
    confidence: confidenceSchema,
    context: text(limits.contextLength).nullish(),
    url: webAddress.nullish(),
    supersedesId: recordId.nullish(),
  })
  .check((context) => {
    const { field, value, observation, sourceReference, sourceLabel } = context.value
    const { capturedAt, capturedOn, observedAt, observedOn } = context.value
    const refuse = (path: string, code: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, params: { code }, input: context.value })
    if (field != null && value == null)
      refuse('value', 'required', 'Write the value that the source gives for this field.')
    if (field == null && value != null) refuse('field', 'required', 'Choose the field that this value is for.')
    if (field == null && value == null && observation == null)
      refuse('observation', 'required', 'Write what was observed, or choose a field and its value.')
    if (sourceReference == null && sourceLabel == null)
      refuse('sourceLabel', 'required', 'Say where this comes from: a reference or a label.')
    if (capturedAt == null && capturedOn == null)
      refuse('capturedAt', 'required', 'Say when this was taken down: the time, or the day where only that is known.')
    if (capturedAt != null && capturedOn != null) refuse('capturedOn', 'one_of_two', ONE_OF_TWO)
    if (observedAt != null && observedOn != null) refuse('observedOn', 'one_of_two', ONE_OF_TWO)
  })
export type AddEvidence = z.output<typeof addEvidenceSchema>

const DAY_ALONE = 'Where only the day is known, this day; else null'
const times = {
  capturedAt: z
    .string()
    .describe('Where only the day is known, the moment at which it began in the zone of the tenant'),
  capturedOn: z.string().nullable().describe(DAY_ALONE),
  observedAt: z.string().nullable().describe('As capturedAt; null: not known'),
  observedOn: z.string().nullable().describe(DAY_ALONE),
}

export const evidenceSchema = z
  .object({
    id: z.string(),
    businessId: z.string(),
    field: evidenceFieldSchema.nullable(),
    value: z.string().nullable(),
    observation: z.string().nullable(),
    sourceReference: z.string().nullable(),
    sourceLabel: z.string().nullable(),
    ...times,
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
        ...times,
        sourceReference: z.string().nullable(),
        sourceLabel: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Fact', description: 'A value of the record, and what the evidence says of it.' })
export type Fact = z.infer<typeof factSchema>

export const factsSchema = z.object({ items: z.array(factSchema) }).meta({ id: 'Facts' })
