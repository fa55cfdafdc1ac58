import type {
  AssistSuggestion,
  Business,
  CreateDraftData,
  Draft,
  DraftPolicy,
  EvidenceField,
} from '@prospect/api-client'
import { mergedFacts } from '../../ui/text/facts.ts'
import { fieldName } from '../../ui/text/field-names.ts'
import { phoneText } from '../../ui/text/format.ts'
import { jurisdictionOf } from './draft-words.ts'

type Body = CreateDraftData['body']
export type Citation = NonNullable<Body['citations']>[number]
type Acknowledgements = NonNullable<Body['acknowledgements']>

/** Content in the form of the API. */
export type DraftBody = Omit<
  Body,
  'businessId' | 'assigneeId' | 'templateId' | 'suggestionId' | 'citations' | 'acknowledgements'
> & {
  assigneeId: string
  citations: Citation[]
  acknowledgements: Acknowledgements
}

export type DraftValues = {
  title: string
  assigneeId: string
  jurisdiction: string
  channel: Draft['channel']
  purpose: Draft['purpose']
  language: string
  recipient: string
  subject: string
  text: string
  citations: Citation[]
  noCitationReason: string
  acknowledgements: Acknowledgements
}

const recipientKinds = { email: 'email', sms: 'phone', letter: 'address', call_script: 'phone' } as const

/** Merge fields with the evidence field that supports their value, or null if they show no fact of the record. */
type MergeField = DraftPolicy['requiredFields'][number]
const mergeFields = {
  ...Object.fromEntries(mergedFacts.map((fact) => [`business.${fact.replace('address.', '')}`, fact])),
  'person.firstName': null,
  'person.name': null,
  'sender.name': null,
  'sender.workspace': null,
  'sender.optOut': null,
} as Record<MergeField, EvidenceField | null>
const otherWords: Partial<Record<MergeField, string>> = {
  'person.firstName': 'First name of the person whom the recipient reaches',
  'person.name': 'Name of the person whom the recipient reaches',
  'sender.name': 'Name of the sender',
  'sender.workspace': 'Name of the workspace',
  'sender.optOut': 'Text to opt out',
}

/** Label of a merge field: the fact of the record that it shows, or the part of the person or the sender. */
export const mergeFieldName = (name: MergeField): string => otherWords[name] ?? fieldName(mergeFields[name] ?? name)

export const mergeFieldNames = Object.keys(mergeFields) as MergeField[]
/** Evidence fields that support merge fields. */
export const factsOfFields = mergedFacts

/** Recipients on the record for a channel. */
export function recipientsOf({ emails, phones, address }: Business, channel: Draft['channel']): string[] {
  const kind = recipientKinds[channel]
  if (kind === 'email') return emails.map(({ value }) => value)
  if (kind === 'phone') return phones.map(({ value }) => value)
  const { street, suburb, city, province, postalCode, country } = address
  const line = [street, suburb, city, province, postalCode, country].filter((part) => part !== null).join(', ')
  return line === '' ? [] : [line]
}

/** Options of recipients. A number is shown in groups; the value is as the record has it. */
export const recipientOptions = (recipients: readonly string[]) =>
  recipients.map((value) => ({ value, label: phoneText(value) }))

/** Returns the channel with a recipient of this channel: the current recipient, or the first of the record; blank if the record has none. */
export function channelOf(
  business: Business,
  channel: Draft['channel'],
  { channel: before, recipient }: Pick<DraftValues, 'channel' | 'recipient'>,
): Pick<DraftValues, 'channel' | 'recipient'> {
  const fitting = recipientsOf(business, channel)
  const isKept = recipientKinds[channel] === recipientKinds[before] || fitting.includes(recipient)
  return { channel, recipient: isKept ? recipient : (fitting[0] ?? '') }
}

/**
 * Inserts a piece of text at the caret, with spaces where it would touch a word. Returns the text and the caret behind the piece, so that a second
 * piece follows the first. `caret` null: at the end.
 */
export function insertPiece(text: string, piece: string, caret: number | null): { text: string; caret: number } {
  const at = Math.min(caret ?? text.length, text.length)
  const [before, after] = [text.slice(0, at), text.slice(at)]
  const start = `${before}${before === '' || /\s$/.test(before) ? '' : ' '}${piece}`
  return { text: `${start}${after === '' || /^[\s.,;:!?]/.test(after) ? '' : ' '}${after}`, caret: start.length }
}

/** All recipients on the record, with their kinds. */
export function recipientsOfRecord(business: Business): { kind: 'email' | 'phone' | 'address'; value: string }[] {
  return (['email', 'sms', 'letter'] as const).flatMap((channel) =>
    recipientsOf(business, channel).map((value) => ({ kind: recipientKinds[channel], value })),
  )
}

/** Maximum number of citations per version (`limits.citations` of the API). */
const MOST_CITATIONS = 40

/** Text of a suggestion: one claim per line, with markers for the observations that it quotes. */
export function textOfSuggestion({
  claims,
}: Pick<AssistSuggestion, 'claims'>): Pick<DraftValues, 'text' | 'citations'> {
  const citations: Citation[] = []
  const lines = claims.map((claim) => {
    const markers = claim.citations.slice(0, MOST_CITATIONS - citations.length).map(({ evidenceId, quotes }) => {
      const marker = citations.length + 1
      citations.push({ marker, evidenceId, quote: quotes[0] ?? null })
      return ` [^${marker}]`
    })
    return `${claim.text}${markers.join('')}`
  })
  return { text: lines.join('\n'), citations }
}

type Start = { business: Business; draft: Draft | null; suggestion: AssistSuggestion | null; userId: string }

export function initialValues({ business, draft, suggestion, userId }: Start): DraftValues {
  const started = suggestion === null ? { text: '', citations: [] } : textOfSuggestion(suggestion)
  return {
    title: draft?.title ?? '',
    assigneeId: draft?.assignee.id ?? userId,
    jurisdiction: draft?.jurisdiction ?? jurisdictionOf(business.address.country),
    channel: draft?.channel ?? 'email',
    purpose: draft?.purpose ?? 'introduction',
    language: draft?.language ?? 'en',
    recipient: draft?.recipient.value ?? recipientsOf(business, 'email')[0] ?? '',
    subject: draft?.subject ?? '',
    text: draft?.text ?? started.text,
    citations: draft?.citations.map(({ evidenceHash: _hash, ...citation }) => citation) ?? started.citations,
    noCitationReason: draft?.noCitationReason ?? '',
    acknowledgements: draft?.acknowledgements ?? [],
  }
}

/** Request body. Omits citations whose marker was deleted from the text, and acknowledgements without a reason. */
export function bodyOf(values: DraftValues): DraftBody {
  const { recipient, subject, noCitationReason, channel, ...rest } = values
  return {
    ...rest,
    channel,
    recipient: { kind: recipientKinds[channel], value: recipient },
    subject: channel === 'email' && subject.trim() !== '' ? subject : null,
    noCitationReason: noCitationReason.trim() === '' ? null : noCitationReason,
    citations: values.citations.filter(({ marker }) => `${values.subject} ${values.text}`.includes(`[^${marker}]`)),
    acknowledgements: values.acknowledgements.filter(({ reason }) => reason.trim() !== ''),
  }
}

/** Lines that show citations: their markers with the quotes. */
export function citationLines(citations: DraftValues['citations']): string[] {
  return citations.map(({ marker, quote }) => (quote ? `[^${marker}] “${quote}”` : `[^${marker}]`))
}

/** True if the text cites the observation or shows the field that it supports. */
export function isUsed({ id, field }: { id: string; field: string | null }, values: DraftValues): boolean {
  if (values.citations.some(({ evidenceId }) => evidenceId === id)) return true
  const written = `${values.subject} ${values.text}`
  return field !== null && mergeFieldNames.some((name) => mergeFields[name] === field && shows(written, name))
}

function shows(text: string, name: string): boolean {
  return text.includes(`{{${name}}}`) || text.includes(`{{${name}|`)
}
