import { unique } from '../../../lib/unique.ts'
import { valuesIn } from '../../normalization/normalization.ts'

/** Returns the email addresses in a text, in normalized form. */
export function mailAddressesIn(text: string): string[] {
  return unique(valuesIn(text).flatMap(({ kind, normalized }) => (kind === 'email' ? [normalized] : [])))
}

/** Returns the phone numbers in a text, in normalized form. */
export function numbersIn(text: string, region: string | null): string[] {
  return unique(valuesIn(text, { region }).flatMap(({ kind, normalized }) => (kind === 'phone' ? [normalized] : [])))
}
