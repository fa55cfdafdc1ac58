import { mailAddressesIn, numbersIn } from '../../contact-gate/contact-gate.ts'
import { hasKnownSuffix } from '../../normalization/normalization.ts'
import { isUnder } from './page-urls.rules.ts'

const MASK = '•••'

const address = /[^\s<>()[\]{}|,;]*[^\s<>()[\]{}|,;@＠]\s*(?:@|＠|[[({<]\s*(?:at|@)\s*[\])}>])\s*[^\s<>()[\]{}|,;]+/giu
const spelledAddress = /\S+ at \S+ dot \S+(?: dot \S+)*/gi
const number = /(?:\+|\()?\p{Nd}(?:[\s().\-/\u2010-\u2015]*\p{Nd}){6,}/gu
const host = /\b(?:https?:\/\/)?((?:[\p{L}\d-]+\.)+[\p{L}]{2,})\b/giu

/**
 * Masks contact values in a title: email addresses, numbers of seven digits or more, and hosts outside `domains`. If a value is still recognised
 * afterwards, the whole title is dropped.
 */
export function maskContactValues(text: string, domains: readonly string[]): string {
  const masked = text
    .replace(address, MASK)
    .replace(spelledAddress, MASK)
    .replace(number, MASK)
    .replace(host, (whole, name: string) =>
      hasKnownSuffix(name.toLowerCase()) && !isUnder(name.toLowerCase(), domains) ? MASK : whole,
    )
  return mailAddressesIn(masked).length > 0 || numbersIn(masked, null).length > 0 ? MASK : masked
}
