import { hostOfAddress, nameOfAddress } from '../../normalization/normalization.ts'
import { placeholderDomain, placeholderLocal, reservedDomain, trackingLocal } from './value-words.data.ts'

/** Examples of each kind of excluded text in one extraction, and their length. */
export const exampleBounds = { ofRule: 3, length: 60 } as const

/** Digits that an example of a number shows. */
const SHOWN_DIGITS = 3

/**
 * Returns an excluded text as an example for a person. An address shows only its parts that are nobody's: names and domains of forms, documentation and
 * mailing programs. Of other texts the first digits and the first letter of each word are shown, so that the example contains no contact value.
 */
export function excludedExample(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim().slice(0, exampleBounds.length).toWellFormed()
  if (!plain.includes('@')) return maskedText(plain)
  const [local, host] = [nameOfAddress(plain), hostOfAddress(plain)]
  const isLocalShown = placeholderLocal.test(local.toLowerCase()) || trackingLocal.test(local.toLowerCase())
  const isHostShown = placeholderDomain.test(host.toLowerCase()) || reservedDomain.test(host.toLowerCase())
  return `${isLocalShown ? local : maskedText(local)}@${isHostShown ? host : maskedText(host)}`
}

function maskedText(text: string): string {
  let digits = 0
  return text.replace(/\p{Nd}|(?<=\p{L})\p{L}+/gu, (part) => {
    if (!/\p{Nd}/u.test(part)) return '•'.repeat(Math.min(part.length, 3))
    digits += 1
    return digits > SHOWN_DIGITS ? '•' : part
  })
}
