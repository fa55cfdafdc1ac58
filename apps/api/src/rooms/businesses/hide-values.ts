import type { Actor } from '../../lib/actor.ts'
import type { AuditEvent } from '../audit/audit.ts'
import { HIDDEN, hidesValuesFrom } from '../suppression/suppression.ts'
import type { Business } from './businesses.schema.ts'

/** By its own block, or by that of the record that it was merged into: blocks go to the survivor, so its root knows of all of them. */
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

function hide(identifier: Business['emails'][number]): Business['emails'][number] {
  return { ...identifier, value: HIDDEN, normalized: null, uncertainty: null }
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

/** The same for what happened to such a business: the event stays, the values in it do not. */
export function eventForReader(actor: Actor, business: Business, event: AuditEvent): AuditEvent {
  if (!hidesValuesFrom(actor, { doNotContact: isHeld(business) })) return event
  return { ...event, before: withoutValues(event.before), after: withoutValues(event.after) }
}

function withoutValues(facts: AuditEvent['before']): AuditEvent['before'] {
  if (facts === null) return null
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, contactFacts.includes(name) && value != null ? HIDDEN : value]),
  )
}
