import { type FactField, fold } from '../businesses/businesses.thread.ts'
import { type IdentifierKind, normalizeIdentifier, provinceCodeOf } from '../normalization/normalization.ts'

/** One value of a record. A field such as email can have several values. */
export type StatedFact = { field: FactField; value: string; region: string | null }

/** Fields whose values are contact values, with their kind. */
export const identifierKinds: Partial<Record<FactField, IdentifierKind>> = {
  email: 'email',
  phone: 'phone',
  domain: 'domain',
}

/**
 * Returns the form in which claims and facts are compared. Identifiers are normalized; other text is compared without regard to case, accents and
 * spaces. An identifier that cannot be normalized is compared as text.
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
 * Returns a function that compares claims with this fact; the fact is normalized once. A different claim is unrelated if the field can have several
 * values (email, phone, domain). If the field has only one value, a different claim contradicts it.
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

/** Returns how the evidence supports a fact. One contradicting claim outweighs any number of supporting ones. */
export function factSupport({ supporting, contradicting }: { supporting: number; contradicting: number }): FactSupport {
  if (contradicting > 0) return 'contradicted'
  return supporting > 0 ? 'supported' : 'unsupported'
}
