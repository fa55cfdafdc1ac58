/**
 * Public module of the contact hours room. It answers whether a person may be contacted at a time, from pinned calendars by country. Suppression
 * precedes it: a prospect that is do not contact has no contact hours.
 */
import { type ContactChannel, calendars } from './calendars.data.ts'
import { type ContactHours, contactHoursAt } from './hours.rules.ts'

export type { ContactChannel } from './calendars.data.ts'
export { type ContactHours, contactHoursSchema } from './contact-hours.schema.ts'
export { southAfrica as factsOfSouthAfrica } from './legal-facts.data.ts'

/** Returns the contact hours of a country at a time. `country`: ISO 3166 alpha-2 code. `at`: RFC 3339. */
export function readContactHours(asked: { country: string; channel: ContactChannel; at: string }): ContactHours {
  return contactHoursAt(calendars.get(asked.country), asked)
}

/** The calling codes of the countries with a calendar for calls. */
export const callingCodesWithHours: readonly string[] = [...calendars.values()].map(({ callingCode }) => callingCode)
