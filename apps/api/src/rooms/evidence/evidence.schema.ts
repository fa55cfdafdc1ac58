import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { pageOf } from '../../http/pagination.ts'
import { day, instant, line, recordId, text } from '../../http/text.ts'
import { businessLimits, businessParams, factFields, placeDoubtSchema } from '../businesses/businesses.ts'
import { agreementReasons } from '../normalization/normalization.ts'

/** Limits of an observation; `docs/limits.md` lists them. */
export const limits = {
  valueLength: 500,
  observationLength: 5_000,
  sourceLength: 200,
  contextLength: 1_000,
  urlLength: 2_000,
  /** number of observations shown with each fact, newest first; the counts include all observations */
  evidencePerFact: 5,
} as const

const evidenceFieldSchema = z.enum(factFields).meta({ id: 'EvidenceField' })
const confidenceSchema = z.enum(['low', 'medium', 'high'])

const webAddress = line(limits.urlLength).refine((value) => {
  const url = URL.parse(value)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}, 'Enter an address that begins with http:// or https://. It is stored as text and never opened by the server.')

const rawStateSchema = z
  .enum(['none', 'kept', 'deleted', 'failed'])
  .nullable()
  .describe('The raw text of its source record; null: it has none')

const ONE_OF_TWO = 'Send the time, or the day if only the day is known.'

export const addEvidenceSchema = z
  .strictObject({
    field: evidenceFieldSchema.nullish(),
    value: line(limits.valueLength).nullish(),
    observation: text(limits.observationLength).nullish(),
    sourceReference: line(limits.sourceLength).nullish(),
    sourceLabel: line(limits.sourceLength).nullish(),
    capturedAt: instant.nullish(),
    capturedOn: day
      .nullish()
      .describe('Instead of the time if only the day is known, in the time zone of the workspace'),
    observedAt: instant.nullish(),
    observedOn: day
      .nullish()
      .describe('Instead of the time if only the day is known, in the time zone of the workspace'),
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
      refuse('value', 'required', 'Enter the value that the source gives for this field.')
    if (field == null && value != null) refuse('field', 'required', 'Choose the field of this value.')
    if (field == null && value == null && observation == null)
      refuse('observation', 'required', 'Enter an observation, or choose a field and its value.')
    if (sourceReference == null && sourceLabel == null)
      refuse('sourceLabel', 'required', 'Enter the source: a reference or a label.')
    if (capturedAt == null && capturedOn == null)
      refuse('capturedAt', 'required', 'Enter the capture time, or the day if only the day is known.')
    if (capturedAt != null && capturedOn != null) refuse('capturedOn', 'one_of_two', ONE_OF_TWO)
    if (observedAt != null && observedOn != null) refuse('observedOn', 'one_of_two', ONE_OF_TWO)
  })
export type AddEvidence = z.output<typeof addEvidenceSchema>

const DAY_ALONE = 'The day if only the day is known; else null'
const times = {
  capturedAt: z
    .string()
    .describe('If only the day is known, the moment at which it began in the time zone of the workspace'),
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
    sourceRecordId: z.string().nullable().describe('The source record that it was selected from'),
    rawState: rawStateSchema,
    createdAt: z.string(),
    createdBy: actorRefSchema,
  })
  .meta({ id: 'Evidence' })
export type Evidence = z.infer<typeof evidenceSchema>

export const evidencePageSchema = pageOf(evidenceSchema).meta({ id: 'EvidencePage' })
export const evidenceParams = businessParams.extend({ evidenceId: recordId })

/** How the value of a claim agrees with the value of the record. */
export const agreementFields = {
  agreement: z
    .enum(['same', 'compatible', 'different', 'unknown'])
    .describe('compatible: one of the two values contains less; unknown: they cannot be compared'),
  agreementReason: z
    .enum(agreementReasons)
    .nullable()
    .describe('What one of the values lacks, or why they cannot be compared; null: same or different'),
}

export const factSchema = z
  .object({
    field: evidenceFieldSchema,
    value: z.string(),
    standing: z.enum(['supported', 'contradicted', 'unsupported']),
    doubts: z
      .array(placeDoubtSchema)
      .describe('Why this part of the address has two readings or contradicts another part'),
    supporting: z.int(),
    contradicting: z.int(),
    undecided: z
      .int()
      .describe('Claims that cannot be compared with the value; they neither support nor contradict it'),
    newestCounted: z
      .int()
      .nullable()
      .describe(
        'If the field has more evidence than is evaluated: the number of newest claims evaluated here; else null',
      ),
    evidence: z.array(
      z.object({
        id: z.string(),
        value: z.string(),
        confidence: confidenceSchema,
        ...agreementFields,
        ...times,
        sourceReference: z.string().nullable(),
        sourceLabel: z.string().nullable(),
        rawState: rawStateSchema,
      }),
    ),
  })
  .meta({ id: 'Fact', description: 'A value of the record with its evidence.' })
export type Fact = z.infer<typeof factSchema>

/** Each field once, and a contact field once for each of its values. */
const MAX_FACTS = factFields.length + 3 * businessLimits.identifiersOfAKind

export const factsSchema = z.object({ items: z.array(factSchema).max(MAX_FACTS) }).meta({ id: 'Facts' })
