import { startOfDay } from '../../lib/calendar.ts'
import { type Business, type FactField, fold } from '../businesses/businesses.ts'
import { type IdentifierKind, normalizeIdentifier, provinceCodeOf } from '../normalization/normalization.ts'

/** One value of a record. A field such as email may have several. */
export type StatedFact = { field: FactField; value: string; region: string | null }

/** All values of a record in display order. */
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

/** The fields whose values are contact values. */
export const identifierKinds: Partial<Record<FactField, IdentifierKind>> = {
  email: 'email',
  phone: 'phone',
  domain: 'domain',
}

/**
 * The form for comparing claims and facts: identifiers normalized, other text without case, accents and spaces. An identifier that cannot be normalized is
 * compared as text.
 */
function comparable(field: FactField, value: string, region: string | null): string {
  const kind = identifierKinds[field]
  if (kind !== undefined)
    return normalizeIdentifier(kind, value, region).normalized ?? fold(value).replace(/[\s().-]/g, '')
  if (field === 'address.province') {
    const code = provinceCodeOf(value)
    if (code !== null && code !== 'other') return code
  }
  return fold(value)
}

export type Claim = { field: FactField; value: string }

/**
 * Returns a function that compares claims with this fact, which is normalized once. For a field with several values (email, phone, domain) a different claim
 * is unrelated; for a field with one value it contradicts.
 */
export function agreementWith(fact: StatedFact): (claim: Claim) => 'agrees' | 'disagrees' | 'unrelated' {
  const { field, region } = fact
  const stated = comparable(field, fact.value, region)
  const otherwise = identifierKinds[field] === undefined ? 'disagrees' : 'unrelated'
  return (claim) => {
    if (field !== claim.field) return 'unrelated'
    return comparable(field, claim.value, region) === stated ? 'agrees' : otherwise
  }
}

/** The first and the last possible moment of an event. */
export type Span = { from: string; until: string }

/** For a time, that moment; for a day in a zone, all of it; for neither, null. */
export function spanOf(at: string | null | undefined, on: string | null | undefined, timeZone: string): Span | null {
  if (on == null) return at == null ? null : { from: at, until: at }
  const day = Temporal.PlainDate.from(on)
  const next = startOfDay(day.add({ days: 1 }), timeZone)
  return { from: startOfDay(day, timeZone), until: new Date(Date.parse(next) - 1).toISOString() }
}

export type FactSupport = 'supported' | 'contradicted' | 'unsupported'

/** A contradiction is never outvoted: a fact that one source denies is marked so, regardless of how many confirm it. */
export function factSupport({ supporting, contradicting }: { supporting: number; contradicting: number }): FactSupport {
  if (contradicting > 0) return 'contradicted'
  return supporting > 0 ? 'supported' : 'unsupported'
}
