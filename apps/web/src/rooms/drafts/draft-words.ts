import type { Draft, DraftCause, DraftCheck, DraftPolicy, LegalBasisForm, LegalBasisKind } from '@prospect/api-client'
import { countryName } from '../../ui/text/countries.ts'

/** Recipient, subject and text of a version as one text, for comparing versions. */
export function wholeOf({ recipient, subject, text }: Pick<Draft, 'recipient' | 'subject' | 'text'>): string {
  return `To: ${recipient.value}\n${subject === null ? '' : `Subject: ${subject}\n`}\n${text}`
}

export const stateWords: Record<Draft['state'], string> = {
  writing: 'Being written',
  in_review: 'In review',
  approved: 'Approved',
  needs_review: 'Needs review',
  closed: 'Closed',
}
export const channelWords: Record<Draft['channel'], string> = {
  email: 'Email',
  sms: 'SMS',
  letter: 'Letter',
  call_script: 'Call script',
}
export const purposeWords: Record<Draft['purpose'], string> = {
  introduction: 'Introduction',
  follow_up: 'Follow-up',
  answer: 'Answer',
  consent_request: 'Request for consent',
}
export const basisWords: Record<LegalBasisKind, string> = {
  consent: 'Consent',
  existing_customer: 'Existing customer',
  asked_by_them: 'They asked for it',
  contract: 'Contract',
  legitimate_interest: 'Legitimate interest',
  consent_asked_once: 'One request for consent is allowed',
}
export const formWords: Record<LegalBasisForm, string> = {
  written: 'In writing',
  electronic: 'Electronically',
  telephone: 'By telephone',
  existing_customer: 'As a customer',
  none: 'Has no form',
  unknown: 'Form unknown',
}
export const policyStateWords: Record<DraftPolicy['state'], string> = {
  proposed: 'Proposed',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  superseded: 'Replaced',
  expired: 'Expired',
}
export const checkNames: Record<DraftCheck['key'], string> = {
  scope: 'Prospect',
  recipient: 'Recipient',
  registry: 'Registry',
  suppression: 'Do-not-contact list',
  legal_basis: 'Legal basis',
  policy: 'Policy',
  merge_fields: 'Fields in the text',
  citations: 'Citations',
  evidence: 'Evidence',
  freshness: 'Age of the evidence',
  uncertainty: 'Uncertain facts',
  ai_origin: 'AI origin',
  content: 'Content',
  caps: 'Copies',
  approval: 'Approval',
}
export const resultWords: Record<DraftCheck['result'], string> = {
  pass: 'Passes',
  fail: 'Fails',
  unknown: 'Unknown',
  not_applicable: 'Does not apply',
}

const causeSentences: Record<DraftCause['code'], string> = {
  evidence: 'The evidence changed',
  field: 'A value in the text changed',
  recipient: 'The recipient changed on the record',
  legal_basis: 'The legal basis ended or changed',
  policy: 'The policy changed',
  suggestion: 'The AI suggestion behind the text is no longer approved',
  scope: 'The prospect is not active',
  merge: 'The prospect was merged into another one',
  suppression: 'The prospect, the recipient or a value in the text is marked do not contact',
  freshness: 'The evidence is too old',
  uncertainty: 'The evidence became uncertain',
  citations: 'A source of the text is no longer valid',
  merge_fields: 'A field in the text is empty',
  content: 'The text lacks an item that the policy requires',
  expired: 'The approval expired',
  restored: 'The data was restored from a backup',
}

/** Describes why an approval ended: "The evidence changed: name." */
export function causeSentence({ code, subject }: Pick<DraftCause, 'code' | 'subject'>): string {
  const isNamed = (code === 'evidence' || code === 'field') && !/^[0-9a-f-]{36}$/.test(subject)
  return `${causeSentences[code]}${isNamed ? `: ${subject}` : ''}.`
}

/** Country codes of the European Union. */
const inUnion = new Set('at be bg cy cz de dk ee es fi fr gr hr hu ie it lt lu lv mt nl pl pt ro se si sk'.split(' '))

/** Default jurisdiction for the country of a prospect; empty if the country is unknown. */
export function jurisdictionOf(country: string | null): string {
  const code = country?.trim().toLowerCase() ?? ''
  if (code === 'south africa') return 'za'
  if (!/^[a-z]{2}$/.test(code)) return ''
  return inUnion.has(code) ? 'eu' : code
}

/** Country or union whose law applies: 'za' becomes 'South Africa'. */
export const lawName = (jurisdiction: string): string =>
  jurisdiction === 'eu' ? 'European Union' : countryName(jurisdiction.toUpperCase())

export const policyTitle = ({
  jurisdiction,
  channel,
  version,
}: Pick<DraftPolicy, 'jurisdiction' | 'channel' | 'version'>): string =>
  `${lawName(jurisdiction)}, ${channelWords[channel].toLowerCase()}, version ${version}`

export const optionsOf = <Value extends string>(words: Record<Value, string>): { value: Value; label: string }[] =>
  (Object.keys(words) as Value[]).map((value) => ({ value, label: words[value] }))
