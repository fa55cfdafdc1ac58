import { startOfDay } from '../../lib/calendar.ts'
import { type Business, type FactField, fold } from '../businesses/businesses.ts'
import { type IdentifierKind, normalizeIdentifier, provinceCodeOf } from '../normalization/normalization.ts'

/** One value that a record states. A business has several e-mails, so one field may state several. */
export type StatedFact = { field: FactField; value: string; region: string | null }

/** Everything that a record states, in the order in which it is shown. */
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
 * The form in which a claim and a fact are compared: identifiers normalized, other text without regard to case, accents and
 * spaces. Where an identifier cannot be normalized, its text decides.
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
 * Tells of each claim whether it agrees with this fact, which is normalized once. Of a field that may hold several values (e-mail, phone, domain) a claim for another value
 * says nothing against this one; of a field that holds one value it contradicts.
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

/** When something was, as far as it is known: the first and the last moment that it may have been. */
export type Span = { from: string; until: string }

/** Of a time, that moment; of a day in a zone, all of it; of neither, null. */
export function spanOf(at: string | null | undefined, on: string | null | undefined, timeZone: string): Span | null {
  if (on == null) return at == null ? null : { from: at, until: at }
  const day = Temporal.PlainDate.from(on)
  const next = startOfDay(day.add({ days: 1 }), timeZone)
  return { from: startOfDay(day, timeZone), until: new Date(Date.parse(next) - 1).toISOString() }
}

export type FactSupport = 'supported' | 'contradicted' | 'unsupported'

/** Contradiction is never outvoted: a fact that one source denies is shown so, however many affirm it. */
export function factSupport({ supporting, contradicting }: { supporting: number; contradicting: number }): FactSupport {
  if (contradicting > 0) return 'contradicted'
  return supporting > 0 ? 'supported' : 'unsupported'
}
