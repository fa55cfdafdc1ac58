import { registrableDomain } from './domain-parts.rules.ts'
import { wordsForNone, wordsOfFakeAddresses } from './placeholders.data.ts'
import { foldText, withAsciiDigits, withoutUnseen } from './text-folding.rules.ts'

/* Texts and addresses that stand where there is no value. Pure. */

/** A longer text says more than that there is no value. */
const MAX_LENGTH = 40

/**
 * Returns true if a contact field says that there is no value: a word such as `n/a`, `none` or `geen`, signs alone such as `-`, zeros alone or `xxx`.
 * Such a text is not stored as a contact value.
 */
export function saysNone(text: string): boolean {
  const typed = withoutUnseen(text).trim()
  if (typed.length > MAX_LENGTH) return false
  if (/^[\p{P}\s+=~]*$/u.test(typed)) return true
  const word = withAsciiDigits(foldText(typed)).replace(/[\p{P}\s]/gu, '')
  return wordsForNone.has(word) || /^0+$/.test(word) || /^x+$/.test(word)
}

/**
 * Returns true for a normalized address that people enter where a form requires one, such as `none@none.com`. Two records that have it are not
 * duplicates for that reason.
 */
export function isFakeAddress(address: string): boolean {
  const at = address.lastIndexOf('@')
  const [label = ''] = (registrableDomain(address.slice(at + 1)) ?? '').split('.')
  return wordsOfFakeAddresses.has(address.slice(0, Math.max(0, at))) && wordsOfFakeAddresses.has(label)
}
