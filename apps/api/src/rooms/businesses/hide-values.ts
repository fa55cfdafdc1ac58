import type { Kysely } from 'kysely'
import type { Actor } from '../../lib/actor.ts'
import type { Database } from '../../store/database.ts'
import type { AuditEvent } from '../audit/audit.ts'
import { HIDDEN, hidesValuesFrom } from '../suppression/suppression.ts'
import { isBlockedAbove } from './businesses.queries.ts'
import type { Business } from './businesses.schema.ts'

/** By its own block, or by that of the record that it was merged into. */
function isHeld({ doNotContact, survivorDoNotContact }: Business): boolean {
  return doNotContact !== null || survivorDoNotContact === true
}

/** The business as this person may see it: without its contact values where it is do not contact and they are not for them. */
export function forReader<B extends Business>(actor: Actor, business: B): B {
  if (!hidesValuesFrom(actor, { doNotContact: isHeld(business) })) return business
  const { emails, phones, domains } = business
  return {
    ...business,
    valuesHidden: true,
    emails: emails.map(hide),
    phones: phones.map(hide),
    domains: domains.map(hide),
  }
}

/** A label may say who is meant, or the number once more. */
function hide(identifier: Business['emails'][number]): Business['emails'][number] {
  const label = identifier.label === null ? null : HIDDEN
  return { ...identifier, value: HIDDEN, label, normalized: null, uncertainty: null }
}

/**
 * Whether contact values in what was written for one of these records are not for this person, where it is read on `business`: by the
 * block of that one, and by the record's own or one of a record between the two, which stand when the survivor alone is freed.
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
  const hidden = new Set<string>()
  for (const id of others) if (await isBlockedAbove(db, actor.tenantId, id)) hidden.add(id)
  return (businessId) => hidden.has(businessId)
}

/** Facts of an audit event that hold contact values: those of the business, and what evidence says of one. */
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
]

/** The same for what happened to such a business, or to one that was merged into it: the event stays, the values in it do not. */
export async function eventsForReader(
  db: Kysely<Database>,
  actor: Actor,
  business: Business,
  events: readonly AuditEvent[],
): Promise<AuditEvent[]> {
  const happenedTo = (event: AuditEvent) => event.businessId ?? business.id
  const isHidden = await hidesWrittenFor(db, actor, business, events.map(happenedTo))
  return events.map((event) =>
    isHidden(happenedTo(event))
      ? { ...event, before: withoutValues(event.before), after: withoutValues(event.after) }
      : event,
  )
}

function withoutValues(facts: AuditEvent['before']): AuditEvent['before'] {
  if (facts === null) return null
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, contactFacts.includes(name) && value != null ? HIDDEN : value]),
  )
}
