import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Actor } from '../../../lib/actor.ts'
import type { Database } from '../../../store/database.ts'
import type { AuditEvent } from '../../audit/audit.ts'
import {
  type ContactValue,
  findHiddenValues,
  type GateReader,
  HIDDEN,
  hidesValuesFrom,
} from '../../contact-gate/contact-gate.ts'
import { findBlockedAbove } from '../businesses.queries.ts'
import type { Business } from '../businesses.schema.ts'

/** Returns true if the business or its survivor is do not contact. */
function isHeld({ doNotContact, survivorDoNotContact }: Business): boolean {
  return doNotContact !== null || survivorDoNotContact === true
}

/**
 * Returns the business as this actor may see it. If it is do not contact and the actor may not see its contact values, they are hidden. The block
 * itself is shown, but its reason is hidden too, because a reason can contain a contact value (docs/decisions/free-text-is-withheld-whole.md).
 */
export function forReader<B extends Business>(actor: Actor, business: B): B {
  if (!hidesValuesFrom(actor, { doNotContact: isHeld(business) })) return business
  const { emails, phones, domains, doNotContact } = business
  return {
    ...business,
    valuesHidden: true,
    doNotContact: doNotContact && { ...doNotContact, reason: HIDDEN },
    emails: emails.map(hide),
    phones: phones.map(hide),
    domains: domains.map(hide),
  }
}

/** Returns the identifier without its value and label. The label is hidden because it can name a person or repeat the number. */
function hide(identifier: Business['emails'][number]): Business['emails'][number] {
  const label = identifier.label === null ? null : HIDDEN
  return { ...identifier, value: HIDDEN, label, normalized: null, uncertainty: null }
}

/**
 * Returns a function: are contact values in text about a record hidden from this actor, when the text is shown on `business`? They are hidden if
 * `business`, the record itself, or a record between the two is do not contact. A record can still be blocked after its survivor's block was lifted.
 */
export async function hidesWrittenFor(
  db: Kysely<Database>,
  actor: Actor,
  business: Business,
  writtenFor: readonly string[],
): Promise<(businessId: string) => boolean> {
  const others = new Set(writtenFor).difference(new Set([business.id]))
  const isHidden = hidesValuesFrom(actor, { doNotContact: isHeld(business) })
  if (isHidden || !hidesValuesFrom(actor, { doNotContact: true })) return () => isHidden
  const hidden = await findBlockedAbove(db, actor.tenantId, others)
  return (businessId) => hidden.has(businessId)
}

/**
 * Returns true if text about several records, such as the reason of a merge, is hidden from this actor because one of the records or its survivor is
 * do not contact.
 */
export async function hidesWordsAbout(
  db: Kysely<Database>,
  actor: Actor,
  businessIds: readonly string[],
): Promise<boolean> {
  return (await findHiddenRecords(db, actor, businessIds)).size > 0
}

/** Returns those of these records about which words are hidden from this actor: `hidesWordsAbout` for each record of a page. */
export async function findHiddenRecords(
  db: Kysely<Database>,
  actor: Actor,
  businessIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!hidesValuesFrom(actor, { doNotContact: true })) return new Set()
  return findBlockedAbove(db, actor.tenantId, businessIds)
}

/** Returns a reason as this actor may see it; null stays null. */
export function reasonForReader<R extends string | null>(reason: R, { isHidden }: { isHidden: boolean }): R | string {
  return isHidden && reason !== null ? HIDDEN : reason
}

/**
 * Fields of audit events that contain contact values: fields of the business, those for which evidence states a value, and lengths of texts, which
 * say something about them.
 */
const contactFacts = [
  'emails',
  'phones',
  'domains',
  'value',
  'observation',
  'context',
  'url',
  'sourceReference',
  'sourceLabel',
  'characters',
  'summaryCharacters',
]

/** Fields of audit events that contain the id of the other record of a merge, or of the record from which a block was copied. */
const otherRecordFacts = ['merged', 'mergedInto', 'separated', 'carriedFrom']

/**
 * Name of the field with the reason of a lifted block. It is always hidden, because a merge may have copied the block from a record that is still do
 * not contact and that the event does not name.
 */
const LIFTED_REASON = 'reason'

/** Names of facts that are hashes of values, with which a reader could test guesses. They are always hidden, as `hashOfValues` says. */
const hashFacts = /hash|sha256|fingerprint|digest/i

/** Returns the ids of other records that the reason of an event can be about. */
function othersIn({ before, after }: AuditEvent): string[] {
  const named = otherRecordFacts.flatMap((fact) => [before?.[fact], after?.[fact]])
  return named.filter((id) => typeof id === 'string')
}

/** Fields of audit events whose texts are contact values, each with the kind as which the gate reads it. */
const typedFacts = { emails: 'email', phones: 'phone', domains: 'domain', value: 'domain', url: 'domain' } as const

const identifierSchema = z.array(z.object({ value: z.string(), region: z.string().nullish() }))

/** Returns the contact values in an event. The record may have lost them since, so that an entry for one does not mark it. */
function contactsIn({ before, after }: AuditEvent): ContactValue[] {
  return Object.entries(typedFacts).flatMap(([name, kind]) =>
    [before?.[name], after?.[name]].flatMap((stated): ContactValue[] => {
      if (typeof stated === 'string') return [{ kind, value: stated }]
      const identifiers = identifierSchema.safeParse(stated)
      return identifiers.success
        ? identifiers.data.map(({ value, region }) => ({ kind, value, region: region ?? null }))
        : []
    }),
  )
}

/**
 * Returns audit events as this actor may see them. For events of a do-not-contact business, or of one merged into it, reason and values are hidden.
 * The values of an event are hidden too if an entry matches one of them. The reason of a merge is hidden if either record is blocked.
 */
export async function eventsForReader(
  asker: GateReader,
  actor: Actor,
  business: Business,
  events: readonly AuditEvent[],
): Promise<AuditEvent[]> {
  const happenedTo = (event: AuditEvent) => event.businessId ?? business.id
  const about = events.flatMap((event) => [happenedTo(event), ...othersIn(event)])
  const isHidden = await hidesWrittenFor(asker.db, actor, business, about)
  const contacts = events.flatMap((event) => contactsIn(event).map((value) => ({ ...value, event })))
  const found = await findHiddenValues(asker, actor, contacts)
  const suppressed = new Set(contacts.flatMap(({ event }, at) => (found.has(at) ? [event] : [])))
  const seesNone = hidesValuesFrom(actor, { doNotContact: true })
  return events.map((event) => {
    const { before, after, reason } = event
    const isOwnHidden = isHidden(happenedTo(event))
    const hidesValues = isOwnHidden || suppressed.has(event)
    const hidden = (name: string) =>
      (hidesValues && contactFacts.includes(name)) || (seesNone && (name === LIFTED_REASON || hashFacts.test(name)))
    return {
      ...event,
      before: without(hidden, before),
      after: without(hidden, after),
      reason: reasonForReader(reason, { isHidden: isOwnHidden || othersIn(event).some(isHidden) }),
    }
  })
}

/** Returns the records that an event is about, those that its merge or block names included. */
export function recordsOfEvent(event: AuditEvent): string[] {
  return [...(event.businessId === null ? [] : [event.businessId]), ...othersIn(event)]
}

/**
 * Returns an event for a file that leaves the platform. Fields with contact values and with hashes of values are hidden from every reader. `hidesReason`
 * also hides the reason, because a record of the event is do not contact. Texts in other fields are unchanged.
 */
export function eventWithoutValues(event: AuditEvent, { hidesReason }: { hidesReason: boolean }): AuditEvent {
  const isHidden = (name: string) => contactFacts.includes(name) || name === LIFTED_REASON || hashFacts.test(name)
  return {
    ...event,
    before: without(isHidden, event.before),
    after: without(isHidden, event.after),
    reason: reasonForReader(event.reason, { isHidden: hidesReason }),
  }
}

function without(isHidden: (name: string) => boolean, facts: AuditEvent['before']): AuditEvent['before'] {
  if (facts === null) return facts
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, isHidden(name) && value != null ? HIDDEN : value]),
  )
}
