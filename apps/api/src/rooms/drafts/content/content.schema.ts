import { z } from 'zod'
import { line, recordId, text } from '../../../http/text.ts'
import { SUGGESTION_LABEL } from '../../assist/assist.ts'
import { channels, purposes, recipientKinds } from '../drafts.table.ts'
import { limits } from '../limits.ts'

/** Text in NFC with line feeds: two spellings of the same letters have one hash. */
const plain = z
  .string()
  .normalize('NFC')
  .overwrite((value) => value.replace(/\r\n?/g, '\n'))

export const channelSchema = z.enum(channels).meta({ id: 'DraftChannel' })
export const purposeSchema = z.enum(purposes).meta({ id: 'DraftPurpose' })
export const recipientKindSchema = z.enum(recipientKinds)

/** `za`, `eu`, or another country: policies exist for each one separately. */
export const jurisdictionSchema = z.string().regex(/^[a-z]{2}$/, 'Choose the country whose law applies.')
export const languageSchema = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, 'Enter the language as a code, such as en, af or zu.')

export const plainText = text(limits.textLength, plain)
export const plainLine = (length: number) => line(length, plain)
export const reasonText = text(limits.reasonLength, plain)

/** Shown with every text that started as a suggestion, and with no other one. */
export const labelSchema = z
  .literal(SUGGESTION_LABEL)
  .nullable()
  .describe('Shown with every text that started as a suggestion')

export function labelOf(suggestionId: string | null): typeof SUGGESTION_LABEL | null {
  return suggestionId === null ? null : SUGGESTION_LABEL
}

export const recipientSchema = z.strictObject({
  kind: recipientKindSchema,
  value: plainLine(limits.recipientLength),
})

const citationSchema = z.strictObject({
  marker: z.int().min(1).max(limits.citations).describe('The number of `[^1]` in the text'),
  evidenceId: recordId,
  quote: text(limits.quoteLength, plain).nullish().describe('An exact quote from the observation'),
})

const acknowledgementSchema = z.strictObject({
  evidenceId: recordId,
  reason: reasonText.describe('Why this evidence is enough although its confidence is low'),
})

/** The content of a version, for which an approval is given. */
export const contentShape = {
  jurisdiction: jurisdictionSchema,
  channel: channelSchema,
  purpose: purposeSchema,
  language: languageSchema,
  recipient: recipientSchema,
  subject: plainLine(limits.subjectLength).nullish(),
  text: plainText,
  citations: z
    .array(citationSchema)
    .max(limits.citations)
    .default([])
    .refine(
      (all) => new Set(all.map(({ marker }) => marker)).size === all.length,
      'Each marker cites one observation.',
    ),
  noCitationReason: reasonText.nullish().describe('Why the text cites nothing'),
  acknowledgements: z
    .array(acknowledgementSchema)
    .max(limits.acknowledgements)
    .default([])
    .refine(
      (all) => new Set(all.map(({ evidenceId }) => evidenceId)).size === all.length,
      'Acknowledge each observation once.',
    ),
  templateId: recordId.nullish(),
}
const contentSchema = z.strictObject(contentShape)
export type WrittenContent = z.output<typeof contentSchema>
