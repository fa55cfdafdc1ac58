import { endOfDay, startOfDay } from '../../lib/calendar.ts'
import type { Business, FactField } from '../businesses/businesses.ts'
import type { StatedFact } from './claims.rules.ts'

/** Returns all values of a record, in the order in which screens show them. */
export function statedFacts(business: Business): StatedFact[] {
  const { name, tradingName, registrationNumber, industry, address } = business
  const single: [FactField, string | null][] = [
    ['name', name],
    ['tradingName', tradingName],
    ['registrationNumber', registrationNumber],
    ['industry', industry],
  ]
  const several: [FactField, Business['emails']][] = [
    ['email', business.emails],
    ['phone', business.phones],
    ['domain', business.domains],
  ]
  const parts: [FactField, string | null][] = [
    ['address.street', address.street],
    ['address.suburb', address.suburb],
    ['address.city', address.city],
    ['address.province', address.province],
    ['address.postalCode', address.postalCode],
    ['address.country', address.country],
  ]
  const one = ([field, value]: [FactField, string | null]) => (value === null ? [] : [{ field, value, region: null }])
  return [
    ...single.flatMap(one),
    ...several.flatMap(([field, values]) => values.map(({ value, region = null }) => ({ field, value, region }))),
    ...parts.flatMap(one),
  ]
}

/** The first and the last possible time of an event whose exact time may be unknown. */
export type Span = { from: string; until: string }

/** Returns the span of a time, or of a whole day in a time zone; null if neither is given. */
export function spanOf(at: string | null | undefined, on: string | null | undefined, timeZone: string): Span | null {
  if (on == null) return at == null ? null : { from: at, until: at }
  const day = Temporal.PlainDate.from(on)
  return { from: startOfDay(day, timeZone), until: new Date(Date.parse(endOfDay(day, timeZone)) - 1).toISOString() }
}
