import { fold } from '../../businesses/businesses.thread.ts'
import { registrableDomain } from '../../normalization/normalization.ts'
import type { KnownFacts, RepeatedFact, Repeats } from './page-facts.ts'

/* Compares a page with the facts of its record. Pure. For a truncated page a missing fact is `not_known` instead of `no`. */

/** Digits at the end of a phone number that are compared, so that the form of the country code does not matter. */
const NATIONAL_DIGITS = 9

const numberInText = /\+?\(?\d(?:[\s().\-/\u00a0\u2010-\u2015]*\d){6,14}/g
const hostBehindAt = /@([\p{L}\d.-]+\.[\p{L}]{2,})/giu

export function repeatsOf(
  { names, registrationNumber, phones, domains, street }: KnownFacts,
  text: string,
  { isWhole }: { isWhole: boolean },
): Repeats {
  const words = wordsOf(text)
  const digits = text.replace(/\D+/g, ' ')
  const numbers = (text.match(numberInText) ?? []).map(digitsOf)
  const hosts = new Set([...text.matchAll(hostBehindAt)].map(([, host = '']) => host.toLowerCase()))
  const answer = (isKnown: boolean, isFound: () => boolean): Repeats[RepeatedFact] => {
    if (!isKnown) return 'not_known'
    return isFound() ? 'yes' : isWhole ? 'no' : 'not_known'
  }
  const spoken = names.map(wordsOf).filter((name) => name.trim() !== '')
  const registered = registrationNumber === null ? '' : registrationNumber.replace(/\D+/g, ' ').trim()
  const nationals = phones.map(nationalOf).filter((phone) => phone !== '')
  const streetWords = street === null ? '' : wordsOf(street)
  return {
    name: answer(spoken.length > 0, () => spoken.some((name) => words.includes(name))),
    registrationNumber: answer(
      registered !== '',
      () => digits.includes(registered) || numbers.includes(registered.replaceAll(' ', '')),
    ),
    phone: answer(nationals.length > 0, () => nationals.some((phone) => numbers.some((one) => one.endsWith(phone)))),
    mailDomain: answer(domains.length > 0, () =>
      [...hosts].some((host) => domains.includes(host) || domains.includes(registrableDomain(host) ?? '')),
    ),
    street: answer(streetWords.trim() !== '', () => words.includes(streetWords)),
  }
}

/** Returns only letters and digits, with each word between spaces, so that a word never matches inside another word. */
function wordsOf(text: string): string {
  return ` ${fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

function nationalOf(phone: string): string {
  return digitsOf(phone).slice(-NATIONAL_DIGITS)
}
