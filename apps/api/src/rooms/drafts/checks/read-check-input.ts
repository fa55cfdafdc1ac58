import { sha256 } from '../../../lib/hashing.ts'
import { mapValues } from '../../../lib/map-values.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { currentSuggestion } from '../../assist/assist.ts'
import {
  type Business,
  type FactField,
  facts,
  familyOf,
  getBusiness,
  isContactFact,
  storedValueOf,
} from '../../businesses/businesses.ts'
import { type ContactValue, type GateReader, gate, keyHasher, recordKeysOf } from '../../contact-gate/contact-gate.ts'
import { getTenant } from '../../identity/identity.ts'
import { findPersonReached, firstNameOf, reachesBlockedPerson } from '../../people/people.ts'
import { findRegistryStanding } from '../../registry/registry.ts'
import { type DraftContent, findRecipient, type Recipient } from '../content/content.rules.ts'
import { type FieldValues, mergeFields, renderText } from '../content/merge-fields.rules.ts'
import { contactValuesOf } from '../content/recipient-gate.ts'
import { countCaps } from '../copies/copies.queries.ts'
import { selectActiveBases } from '../legal-bases/legal-bases.queries.ts'
import { limits } from '../limits.ts'
import { findPolicyInForce } from '../policies/policies.queries.ts'
import { findUserName, selectCitedEvidence, selectClaims } from './check-input.queries.ts'
import { type CheckInput, coveringBasis, type SeenSuggestion, usedFields } from './checks.rules.ts'
import { SNAPSHOT_RULES, type Snapshot } from './snapshot.rules.ts'

/** One consistent view: a store's reader within one turn, or a transaction. The state of a suggestion depends on `adapters`. */
export type CheckReader = GateReader & { adapters: LoadedAdapters }

/** The store and the loaded adapters: the reads of this room take both. */
export type DraftContext = { store: Store; adapters: LoadedAdapters }

export function readerOf({ store, adapters }: DraftContext): CheckReader {
  return { db: store.reader, keys: store.keys, adapters }
}

export function readerIn({ db, keys }: Tx, adapters: LoadedAdapters): CheckReader {
  return { db, keys, adapters }
}

export type Subject = {
  tenantId: string
  /** whose caps count */
  personId: string
  businessId: string
  assigneeId: string
  content: DraftContent
  /** the suggestion as which the text started */
  suggestionId: string | null
  now: string
  boundBasis: string | null
}

/** The input of the checks, the rendered text and the snapshot. */
export type Reading = {
  business: Business
  family: readonly string[]
  input: Omit<CheckInput, 'approval'>
  rendered: { subject: string | null; text: string }
  snapshot: Snapshot
  recipientKey: string
}

/**
 * Reads the input of the checks in one consistent view. Fails closed: an error of the gate is thrown. Errors: `not_found` (the business).
 */
export async function readCheckInput(reader: CheckReader, subject: Subject): Promise<Reading> {
  const { db } = reader
  const { tenantId, businessId, content: written, now, boundBasis } = subject
  const business = await getBusiness(db, tenantId, businessId)
  const family = await familyOf(db, tenantId, businessId)
  const { isOnRecord, ...recipient } = findRecipient(business, written.recipient)
  const content = { ...written, recipient }
  const { jurisdiction, channel, purpose } = content
  const policy = await findPolicyInForce(db, { tenantId, jurisdiction, channel })
  const values = await readValues(reader, subject, business, { recipient, optOut: policy?.optOutText ?? null })
  const ids = [...content.citations, ...content.acknowledgements].map(({ evidenceId }) => evidenceId)
  const evidence = await selectCitedEvidence(db, { tenantId, family, ids })
  const fields = fieldsOf(content, evidence)
  const claims = await selectClaims(db, { tenantId, family, fields })
  const bases = await selectActiveBases(db, { tenantId, family, purpose, jurisdiction })
  const rendered = {
    subject: content.subject === null ? null : renderText(content.subject, values).text,
    text: renderText(content.text, values).text,
  }
  const recipientKey = recipientKeyOf(reader, tenantId, content)
  const caps = await countCaps(db, {
    tenantId,
    personId: subject.personId,
    recipientKey,
    now,
    most: policy?.caps ?? {
      recipient: limits.copiesToRecipient,
      person: limits.copiesOfPerson,
      tenant: limits.copiesOfTenant,
    },
  })
  const input = {
    now,
    business: {
      status: business.status,
      isBlocked: business.doNotContact !== null || business.survivorDoNotContact === true,
    },
    content,
    isOnRecord,
    values,
    evidence,
    claims,
    policy,
    bases,
    boundBasis,
    suggestion: await readSuggestion(reader, subject, family),
    registry: await readRegistry(reader, {
      tenantId,
      businessId,
      family,
      content,
      days: policy?.registryDays ?? null,
      now,
    }),
    caps,
    // The last read: no other value is read after the answer of the gate.
    gate: await askGate(reader, subject, content, rendered),
  }
  return { business, family, input, rendered, snapshot: snapshotOf(input), recipientKey }
}

async function readValues(
  { db }: CheckReader,
  { tenantId, assigneeId }: Subject,
  business: Business,
  { recipient, optOut }: { recipient: Recipient; optOut: string | null },
): Promise<FieldValues> {
  const { name: workspace } = await getTenant(db, tenantId)
  const person = await findPersonReached(db, tenantId, business.id, contactValuesOf(recipient))
  return {
    ...mapValues(mergeFields, (fact) => (fact === null ? null : firstValueOf(business, fact))),
    'person.firstName': person === undefined ? null : firstNameOf(person.name),
    'person.name': person?.name ?? null,
    'sender.name': await findUserName(db, assigneeId),
    'sender.workspace': workspace,
    'sender.optOut': optOut,
  }
}

/** Returns the value of a fact as text; of several contact values the first. */
function firstValueOf(business: Business, fact: FactField): string | null {
  const value = isContactFact(fact) ? business[facts[fact].list][0]?.value : storedValueOf(business, fact)
  return value == null ? null : String(value)
}

/** Returns how recent the last registry round with the recipient is; null if the policy requires none, or for a postal address. */
async function readRegistry(
  { db }: CheckReader,
  {
    tenantId,
    businessId,
    family,
    content: { recipient },
    days,
    now,
  }: Pick<Subject, 'tenantId' | 'businessId' | 'content' | 'now'> & { family: readonly string[]; days: number | null },
): Promise<CheckInput['registry']> {
  const { kind } = recipient
  if (days === null || kind === 'address') return null
  return { kind, ...(await findRegistryStanding(db, { tenantId, businessId, family, kind, now, days })) }
}

/** The suggestion as it stands now; one of another prospect is missing. */
async function readSuggestion(
  { db, adapters }: CheckReader,
  { tenantId, suggestionId: id, now: at }: Subject,
  family: readonly string[],
): Promise<SeenSuggestion | null> {
  if (id === null) return null
  const found = await currentSuggestion(db, tenantId, id, { at, adapters })
  if (found === undefined || !family.includes(found.businessId))
    return { id, state: 'missing', provider: null, policy: null }
  const { state, providerVersion: provider, policyVersion } = found
  return { id, state, provider, policy: policyVersion === null ? null : String(policyVersion) }
}

/** The facts that the text shows, and those that cited observations are about. */
function fieldsOf(content: DraftContent, evidence: CheckInput['evidence']): Set<FactField> {
  const fields = new Set<FactField>()
  for (const field of usedFields(content)) {
    const fact = mergeFields[field]
    if (fact !== null) fields.add(fact)
  }
  for (const { evidenceId } of content.citations) {
    const field = evidence.get(evidenceId)?.field ?? null
    if (field !== null) fields.add(field)
  }
  return fields
}

/** Returns the keyed hash by which caps count a recipient: one hash for all spellings of a mailbox or number. */
function recipientKeyOf({ keys }: CheckReader, tenantId: string, { recipient }: DraftContent): string {
  const { kind, normalized } = recipient
  const key = kind === 'address' ? `a:${normalized}` : (recordKeysOf({ kind, value: normalized })[0] ?? normalized)
  return keyHasher(keys, tenantId)(key)
}

/** The final deny gate: the recipient, also as a value of a blocked person, and every address, number and host in the text that people would copy. */
async function askGate(
  reader: CheckReader,
  { tenantId, businessId }: Pick<Subject, 'tenantId' | 'businessId'>,
  { recipient }: DraftContent,
  rendered: { subject: string | null; text: string },
): Promise<CheckInput['gate']> {
  const own = contactValuesOf(recipient)
  // The gate finds addresses, numbers and hosts in a text that is given as a domain. The text is asked about as a whole, because a line can end within a
  // value.
  const parts = [
    { part: 'subject', value: rendered.subject ?? '' },
    { part: 'text', value: rendered.text },
  ] as const
  const asked = parts.filter(({ value }) => value.trim() !== '')
  const isOfBlocked = await reachesBlockedPerson(reader.db, tenantId, businessId, own)
  const inText = asked.map(({ value }): ContactValue => ({ kind: 'domain', value }))
  const matches = await gate(reader, tenantId, [...own, ...inText])
  const [place] = matches.flatMap(({ index, text }) => {
    const found = asked[index - own.length]
    return found === undefined ? [] : [{ part: found.part, line: lineOf(found.value, text) }]
  })
  return { recipient: isOfBlocked || matches.some(({ index }) => index < own.length), text: place ?? null }
}

/** Returns the number of the line in which a part of a text begins; null if the text does not contain it in this form. */
function lineOf(text: string, part: string): number | null {
  const at = part === '' ? -1 : text.indexOf(part)
  return at === -1 ? null : text.slice(0, at).split('\n').length
}

function snapshotOf(input: Omit<CheckInput, 'approval'>): Snapshot {
  const { content, evidence, claims, values, policy, isOnRecord, suggestion } = input
  return {
    rules: SNAPSHOT_RULES,
    evidence: Object.fromEntries(
      [...evidence.values()].map(({ id, hash, isSuperseded }) => [id, { hash, isSuperseded }]),
    ),
    claims: Object.fromEntries([...claims].map(([field, found]) => [field, found.map(({ id }) => id)])),
    values: Object.fromEntries(usedFields(content).map((field) => [field, sha256(values[field] ?? '')])),
    recipient: { hash: sha256(content.recipient.normalized), isOnRecord },
    legalBasis: coveringBasis(input)?.id ?? null,
    policy: policy?.name ?? null,
    suggestion,
  }
}
