import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { pageOf } from '../../../http/pagination.ts'
import { instant, line, recordId } from '../../../http/text.ts'
import { businessParams } from '../../businesses/businesses.ts'
import {
  channelSchema,
  jurisdictionSchema,
  purposeSchema,
  reasonText,
  recipientKindSchema,
  recipientSchema,
} from '../content/content.schema.ts'
import { basisKinds, channels } from '../drafts.table.ts'
import { limits } from '../limits.ts'

const kindSchema = z.enum(basisKinds).meta({ id: 'LegalBasisKind' })

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
    documentReference: line(limits.documentReferenceLength).nullish().describe('Where the proof is stored'),
    evidenceId: recordId.nullish(),
    from: instant,
    until: instant,
  })
  .check((context) => {
    const { documentReference, evidenceId, kind, purpose } = context.value
    const refuse = (path: string, code: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, params: { code }, input: context.value })
    if (documentReference == null && evidenceId == null)
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
    withdrawal: z.object({ at: z.string(), by: actorRefSchema, reason: z.string().nullable() }).nullable(),
    createdAt: z.string(),
    createdBy: actorRefSchema,
  })
  .meta({ id: 'LegalBasis' })
export type LegalBasis = z.infer<typeof basisSchema>

export const basisPageSchema = pageOf(basisSchema).meta({ id: 'LegalBasisPage' })
export const basisParams = businessParams.extend({ basisId: recordId })
export const withdrawBasisSchema = z.strictObject({ reason: reasonText })
