import { type FactField, fold } from '../businesses/businesses.thread.ts'
import { type IdentifierKind, normalizeIdentifier, provinceCodeOf } from '../normalization/normalization.ts'

/** One value of a record. A field such as email may have several. */
export type StatedFact = { field: FactField; value: string; region: string | null }

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

export type FactSupport = 'supported' | 'contradicted' | 'unsupported'

/** A contradiction is never outvoted: a fact that one source denies is marked so, regardless of how many confirm it. */
export function factSupport({ supporting, contradicting }: { supporting: number; contradicting: number }): FactSupport {
  if (contradicting > 0) return 'contradicted'
  return supporting > 0 ? 'supported' : 'unsupported'
}
