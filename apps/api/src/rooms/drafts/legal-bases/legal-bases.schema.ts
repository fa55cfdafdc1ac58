import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { pageOf } from '../../../http/pagination.ts'
import { day, instant, line, recordId, text } from '../../../http/text.ts'
import { businessParams } from '../../businesses/businesses.ts'
import {
  channelSchema,
  jurisdictionSchema,
  languageSchema,
  purposeSchema,
  reasonText,
  recipientKindSchema,
  recipientSchema,
} from '../content/content.schema.ts'
import { type BasisKind, basisForms, basisKinds, channels } from '../drafts.table.ts'
import { limits } from '../limits.ts'

const kindSchema = z.enum(basisKinds).meta({ id: 'LegalBasisKind' })

/** Forms that a person can state. */
const statedForms = ['written', 'electronic', 'telephone', 'existing_customer'] as const
type StatedForm = (typeof statedForms)[number]

const given: readonly StatedForm[] = ['written', 'electronic', 'telephone']
/** Forms of each kind. A kind without a form is not something that the prospect gave. */
const formsOfKind: Record<BasisKind, readonly StatedForm[]> = {
  consent: given,
  asked_by_them: given,
  contract: given,
  existing_customer: ['existing_customer'],
  legitimate_interest: [],
  consent_asked_once: [],
}

export const addBasisSchema = z
  .strictObject({
    kind: kindSchema,
    channels: z
      .array(channelSchema)
      .min(1)
      .max(channels.length)
      .refine((all) => new Set(all).size === all.length, 'Name each channel once.'),
    purpose: purposeSchema,
    jurisdiction: jurisdictionSchema,
    recipient: recipientSchema.nullish().describe('Absent: every recipient of the record'),
    form: z.enum(statedForms).nullish().describe('How they gave it; absent for a kind that has no form'),
    language: languageSchema.nullish().describe('The language in which they gave it; required for a consent'),
    agreedTo: text(limits.agreedToLength)
      .nullish()
      .describe('What exactly they consented to, in the words that they saw or heard; required for a consent'),
    recordingReference: line(limits.documentReferenceLength)
      .nullish()
      .describe(
        'Where the recording of the call is stored, outside of this product; required for the form `telephone`',
      ),
    sale: z
      .strictObject({ what: line(limits.saleLength), on: day })
      .nullish()
      .describe('What an existing customer bought, and when; required for the form `existing_customer`'),
    documentReference: line(limits.documentReferenceLength).nullish().describe('Where the proof is stored'),
    evidenceId: recordId.nullish(),
    from: instant,
    until: instant,
  })
  .check((context) => {
    const { documentReference, evidenceId, kind, purpose, form, recordingReference, sale } = context.value
    const refuse = (path: string, code: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, params: { code }, input: context.value })
    const forms = formsOfKind[kind]
    if (form == null && forms.length > 0) refuse('form', 'required', 'Choose how they gave it.')
    if (form != null && !forms.includes(form))
      refuse('form', 'not_allowed', 'This kind of legal basis does not have this form.')
    if (kind === 'consent' && context.value.language == null)
      refuse('language', 'required', 'Enter the language in which they consented.')
    if (kind === 'consent' && context.value.agreedTo == null)
      refuse('agreedTo', 'required', 'Enter what exactly they consented to.')
    if (form === 'telephone' && recordingReference == null)
      refuse('recordingReference', 'required', 'Enter where the recording of the call is stored.')
    if (form !== 'telephone' && recordingReference != null)
      refuse('recordingReference', 'not_allowed', 'Only a legal basis by telephone has a recording.')
    if (form === 'existing_customer' && sale == null) refuse('sale', 'required', 'Enter what they bought, and when.')
    if (form !== 'existing_customer' && sale != null)
      refuse('sale', 'not_allowed', 'Only the legal basis of an existing customer has a sale.')
    if (form !== 'telephone' && documentReference == null && evidenceId == null)
      refuse('documentReference', 'required', 'Enter where the proof is: a document or an observation.')
    if (kind === 'consent_asked_once' && purpose !== 'consent_request')
      refuse('purpose', 'not_allowed', 'This legal basis is only for a request for consent.')
  })
export type AddBasis = z.output<typeof addBasisSchema>

export const basisSchema = z
  .object({
    id: z.string(),
    businessId: z.string(),
    kind: kindSchema,
    form: z
      .enum(basisForms)
      .meta({ id: 'LegalBasisForm' })
      .describe('How they gave it; none: the kind has no form; unknown: it was added before forms were recorded'),
    language: z.string().nullable(),
    agreedTo: z.string().nullable().describe('What exactly they consented to'),
    recordingReference: z
      .string()
      .nullable()
      .describe('Where the recording of the call is stored, outside of this product'),
    sale: z
      .object({ what: z.string(), on: z.string() })
      .nullable()
      .describe('What an existing customer bought, and when'),
    channels: z.array(channelSchema),
    purpose: purposeSchema,
    jurisdiction: z.string(),
    recipient: z
      .object({ kind: recipientKindSchema, value: z.string() })
      .nullable()
      .describe('null: every recipient of the record'),
    documentReference: z.string().nullable(),
    evidenceId: z.string().nullable(),
    from: z.string(),
    until: z.string(),
    objectedAt: z
      .string()
      .nullable()
      .describe(
        'Time of the objection that ended it: the prospect was marked do not contact after it was added; null: none',
      ),
    withdrawal: z.object({ at: z.string(), by: actorRefSchema, reason: z.string().nullable() }).nullable(),
    createdAt: z.string(),
    createdBy: actorRefSchema,
  })
  .meta({ id: 'LegalBasis' })
export type LegalBasis = z.infer<typeof basisSchema>

export const basisPageSchema = pageOf(basisSchema).meta({ id: 'LegalBasisPage' })
export const basisParams = businessParams.extend({ basisId: recordId })
export const withdrawBasisSchema = z.strictObject({ reason: reasonText })
