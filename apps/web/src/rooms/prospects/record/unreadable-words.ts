import type { UnreadableValue } from '@prospect/api-client'

const notValid: Record<UnreadableValue['kind'], string> = {
  email: 'Not a valid email address.',
  phone: 'Not a valid phone number.',
  domain: 'Not a valid web domain.',
}

/**
 * Message about a contact value that is not valid. Returns null for a local number without a country, because the form has a separate hint for it.
 */
export function unreadableWords({ kind, uncertainty }: Pick<UnreadableValue, 'kind' | 'uncertainty'>): string | null {
  if (uncertainty === 'no_country_context') return null
  const why =
    uncertainty === 'public_suffix'
      ? 'This is only an ending that many web domains share, such as co.za.'
      : notValid[kind]
  return `${why} It will be saved as entered.`
}
