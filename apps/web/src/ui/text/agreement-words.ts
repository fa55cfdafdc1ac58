import type { Fact } from '@prospect/api-client'

type Claim = Fact['evidence'][number]
type Agreement = Pick<Claim, 'agreement' | 'agreementReason'>

/** What a value lacks that the other has, or why two values cannot be compared. */
const reasonWords: Record<NonNullable<Claim['agreementReason']>, string> = {
  legal_form_missing: 'without the legal form',
  legal_form_shortened: 'with a shortened legal form',
  article_missing: 'without “the”',
  small_word_missing: 'without a word such as “and”',
  trade_word_missing: 'without the word for the trade',
  place_missing: 'without the place',
  qualifier_missing: 'without the part in brackets',
  trading_name_missing: 'without the trading name',
  registered_name_missing: 'without the registered name',
  initial: 'with an initial',
  word_form: 'with a word in another form',
  translation: 'with a translated word',
  form_number_missing: 'without the last two digits',
  century_missing: 'without the century',
  leading_zeros_missing: 'without leading zeros',
  prefix_missing: 'without the letters',
  less_specific: 'less specific',
  house_number_missing: 'without the house number',
  house_number_shortened: 'without the letter of the house number',
  number_range: 'one number of a range',
  street_kind_missing: 'without the kind of street',
  direction_missing: 'without the direction',
  title_missing: 'without the title',
  unit_missing: 'without the unit',
  box_missing: 'without the box',
  complex_missing: 'without the building',
  extension_missing: 'without the extension',
  within_metropolis: 'a part of the same city',
  abbreviation: 'abbreviated',
  code_shortened: 'a shorter code',
  country_missing: 'without the country code',
  area_code_missing: 'without the area code',
  same_mailbox: 'delivered to the same mailbox',
  subdomain_missing: 'without the subdomain',
  text_shortened: 'a part of the text',
  no_value: 'no value',
  too_long: 'too long',
  unreadable: 'unreadable',
  ambiguous: 'ambiguous',
  similar_spelling: 'a similar spelling',
  word_order: 'the same words in another order',
  further_words: 'with further words',
  other_trading_name: 'with another trading name',
  code_and_words: 'a code and words',
  other_part: 'another part of the address',
  page_missing: 'without the page',
}

/** Describes how a claim agrees with a value: 'agrees', 'agrees, one of the two without the legal form', 'contradicts', 'not comparable: a similar spelling'. */
export function agreementWords({ agreement, agreementReason }: Agreement): string {
  const reason = agreementReason === null ? '' : reasonWords[agreementReason]
  switch (agreement) {
    case 'same':
      return 'agrees'
    case 'compatible':
      return `agrees, one of the two ${reason}`
    case 'different':
      return 'contradicts'
    case 'unknown':
      return `not comparable: ${reason}`
  }
}
