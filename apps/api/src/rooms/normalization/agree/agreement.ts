/** Version of the rules and lists of comparisons. Increment it with every change that can give two values another answer. */
export const AGREEMENT_VERSION = 'agree-1'

/** Fields whose values are compared: the fact fields of a record, any whole number, and free text. */
export type ComparedField =
  | 'name'
  | 'tradingName'
  | 'registrationNumber'
  | 'industry'
  | 'email'
  | 'phone'
  | 'domain'
  | 'address.street'
  | 'address.suburb'
  | 'address.city'
  | 'address.province'
  | 'address.postalCode'
  | 'address.country'
  | 'wholeNumber'
  | 'text'

/** Reasons why one of two values that agree contains less than the other. */
const missingParts = [
  'legal_form_missing',
  'legal_form_shortened',
  'article_missing',
  'small_word_missing',
  'trade_word_missing',
  'place_missing',
  'qualifier_missing',
  'trading_name_missing',
  'registered_name_missing',
  'initial',
  'word_form',
  'translation',
  'form_number_missing',
  'century_missing',
  'leading_zeros_missing',
  'prefix_missing',
  'less_specific',
  'house_number_missing',
  'house_number_shortened',
  'number_range',
  'street_kind_missing',
  'direction_missing',
  'title_missing',
  'unit_missing',
  'box_missing',
  'complex_missing',
  'extension_missing',
  'within_metropolis',
  'abbreviation',
  'code_shortened',
  'country_missing',
  'area_code_missing',
  'same_mailbox',
  'subdomain_missing',
  'text_shortened',
] as const

/** Reasons why two values cannot be compared. */
const doubts = [
  'no_value',
  'too_long',
  'unreadable',
  'ambiguous',
  'similar_spelling',
  'word_order',
  'further_words',
  'other_trading_name',
  'code_and_words',
  'other_part',
  'page_missing',
] as const

export const agreementReasons = [...missingParts, ...doubts] as const
type MissingPart = (typeof missingParts)[number]
type Doubt = (typeof doubts)[number]

/**
 * How two values of one field relate. `compatible`: one of them contains less, and `reason` names what it lacks. `unknown`: nobody can tell from the
 * texts, and `reason` says why.
 */
export type Agreement =
  | { answer: 'same' | 'different'; reason: null }
  | { answer: 'compatible'; reason: MissingPart }
  | { answer: 'unknown'; reason: Doubt }

export const same: Agreement = { answer: 'same', reason: null }
export const different: Agreement = { answer: 'different', reason: null }

export function compatible(reason: MissingPart): Agreement {
  return { answer: 'compatible', reason }
}

export function unknown(reason: Doubt): Agreement {
  return { answer: 'unknown', reason }
}

/** Weakest answer first. */
const strengths = ['different', 'unknown', 'compatible', 'same'] as const

/** Returns the agreement that states more. Of two equal answers it returns the first. */
export function stronger(one: Agreement, other: Agreement): Agreement {
  return strengths.indexOf(other.answer) > strengths.indexOf(one.answer) ? other : one
}

/** Returns the weakest of the agreements of the parts of a value, and `same` without parts. */
export function together(parts: readonly Agreement[]): Agreement {
  return parts.reduce(
    (weakest, part) => (strengths.indexOf(part.answer) < strengths.indexOf(weakest.answer) ? part : weakest),
    same,
  )
}

/** Prepared value of a field, and the comparison of two of them. `read` returns null for a text that states no value of the field. */
export type FieldRule<Read> = {
  read: (value: string, region: string | null) => Read | null
  compare: (one: Read, other: Read) => Agreement
}
