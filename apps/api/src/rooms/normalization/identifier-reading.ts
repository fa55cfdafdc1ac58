export type IdentifierKind = 'email' | 'phone' | 'domain'

/** Reasons why a value has no normalized form. They are reported to the user, and the value is never guessed (specification, Phase 6 §2). */
export const uncertainties = [
  'no_country_context',
  'not_a_phone_number',
  'invalid_phone_number',
  'not_an_email_address',
  /** only in rows that `identifiers-6` or older rules wrote, and in results of `normalizeForBlock` */
  'not_a_domain',
  'public_suffix',
  'unknown_suffix',
  'malformed',
  'single_label',
  'localhost',
  'ip_literal',
] as const
export type Uncertainty = (typeof uncertainties)[number]

export type Normalized = { normalized: string; uncertainty: null } | { normalized: null; uncertainty: Uncertainty }

/** A normalized value with results that are not stored: the candidates of an ambiguous value, and the extension of a phone number. */
export type Reading = Normalized & { candidates: readonly string[]; extension: string | null }
