import { type FactField, isContactFact } from '../../businesses/businesses.pure.ts'
import type { ContactValue } from '../../contact-gate/contact-gate.ts'
import { valuesIn } from '../../normalization/normalization.ts'
import { CONTACTS_OF_ITEM } from '../bounds.ts'
import { type ExaminedClaim, examineClaims, type ReadClaim, type Sent } from '../suggestions/validate-answer.rules.ts'
import { indicatorIn } from './injection.rules.ts'
import { type Redacted, redact, redactWhole } from './redact.rules.ts'

/*
 * Pure rules that examine texts of other people or of a provider. Such a text can be written to slow the rules down, so they run in a thread with a
 * time limit.
 */

/** The texts of an observation that may be sent. */
export type EvidenceTexts = {
  hash: string
  field: FactField | null
  value: string | null
  observation: string | null
  sourceLabel: string | null
}

/** An observation as the rules read it. A part is null where the observation has none. */
export type ExaminedEvidence = {
  value: Redacted | null
  observation: Redacted | null
  sourceLabel: Redacted | null
  /** every contact value in it, for the gate; undefined if there are more than `CONTACTS_OF_ITEM` */
  contacts: ContactValue[] | undefined
  /** it looks like instructions for a model */
  isSuspected: boolean
}

/** The examined observations by the hash of their content. */
export type Examined = ReadonlyMap<string, ExaminedEvidence>

export type ExaminationOrder =
  | { kind: 'evidence'; evidence: readonly EvidenceTexts[] }
  | { kind: 'claims'; claims: readonly ReadClaim[]; sent: Sent }
export type Examination = { kind: 'evidence'; examined: Examined } | { kind: 'claims'; examined: ExaminedClaim[] }

export function examine(order: ExaminationOrder): Examination {
  if (order.kind === 'claims') return { kind: 'claims', examined: examineClaims(order.claims, order.sent) }
  return { kind: 'evidence', examined: new Map(order.evidence.map((one) => [one.hash, examineEvidence(one)])) }
}

function examineEvidence({ field, value, observation, sourceLabel }: EvidenceTexts): ExaminedEvidence {
  const kind = field !== null && isContactFact(field) ? field : undefined
  const texts = [value, observation, sourceLabel].filter((text) => text !== null)
  const own: ContactValue[] = kind === undefined || value === null ? [] : [{ kind, value }]
  const contacts = distinct([...own, ...texts.flatMap(contactsIn)])
  return {
    value: field === null || value === null ? null : kind === undefined ? redact(value) : redactWhole(kind),
    observation: observation === null ? null : redact(observation),
    sourceLabel: sourceLabel === null ? null : redact(sourceLabel),
    contacts: contacts.length > CONTACTS_OF_ITEM ? undefined : contacts,
    isSuspected: texts.some((text) => indicatorIn(text) !== undefined),
  }
}

function distinct(contacts: readonly ContactValue[]): ContactValue[] {
  return [...new Map(contacts.map((contact) => [`${contact.kind} ${contact.value}`, contact])).values()]
}

/** Hosts of any suffix too: an entry of suppression may name an internal one. */
function contactsIn(text: string): ContactValue[] {
  return valuesIn(text, { anySuffix: true }).map(({ kind, normalized }) => ({ kind, value: normalized }))
}
