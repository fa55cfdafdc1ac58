import type { HeldRow } from '../../store/held-rows.ts'
import { entryKey, entryKeysFor } from '../contact-gate/contact-gate.ts'
import type { HeldValue } from '../held.ts'
import { countryOfPhone, type FoundValue, isAbroad, valuesIn } from '../normalization/normalization.ts'

/*
 * A collection about a value is handed to one person. Its rows can contain email addresses and phone numbers of other people, which are replaced. Names
 * and free texts are not: the file says so.
 */

/** Text that replaces an email address or a phone number of somebody else. */
export const OTHER_VALUE = '[another address or number]'

/** Returns a function that replaces, in a text, every email address and phone number except the value itself and those at it. */
export function redactorOf({ kind, normalized }: HeldValue): (text: string) => string {
  const key = entryKey(kind, normalized, 'exact')
  const isOwn = (one: FoundValue) => entryKeysFor(entryKey(one.kind, one.normalized, 'exact')).includes(key)
  const regions = regionsOf({ kind, normalized })
  return (text) => {
    const found = regions.flatMap((region) => valuesIn(text, { region }))
    const own = found.filter(isOwn)
    // A value can have several readings, for example a number with and without the digits beside it.
    const others = found.filter((one) => one.kind !== 'domain' && !own.some((mine) => overlap(mine, one)))
    if (others.length === 0) return text
    let shown = ''
    let end = 0
    for (const { from, to } of others.toSorted((a, b) => a.from - b.from)) {
      if (from >= end) shown += text.slice(end, from) + OTHER_VALUE
      end = Math.max(end, to)
    }
    return shown + text.slice(end)
  }
}

/** Returns the countries whose local numbers are read in texts: South Africa, and the country of the value. */
export function regionsOf({ kind, normalized }: HeldValue): (string | null)[] {
  const country = kind === 'phone' ? countryOfPhone(normalized) : null
  return country === null || !isAbroad(country) ? [null] : [null, country]
}

const overlap = (a: FoundValue, b: FoundValue) => a.from < b.to && b.from < a.to

/** Matches a text without a contact value: an id, a time, a day, a hash, a number or a code. */
const plain = /^(?:[0-9a-f-]{32,64}|\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|[a-z_]{1,40}|-?\d{1,5})$/

/** True if a text can contain a contact value. */
export function canContainValue(text: string): boolean {
  return text !== '' && !plain.test(text)
}

/** Applies the redactor to every text of a row, also within parsed JSON. */
export function redactRow(row: HeldRow, redact: (text: string) => string): HeldRow {
  return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, redactCell(cell, redact)]))
}

function redactCell(cell: unknown, redact: (text: string) => string): unknown {
  if (typeof cell === 'string') return canContainValue(cell) ? redact(cell) : cell
  if (Array.isArray(cell)) return cell.map((one) => redactCell(one, redact))
  if (typeof cell !== 'object' || cell === null) return cell
  return Object.fromEntries(Object.entries(cell).map(([name, one]) => [name, redactCell(one, redact)]))
}
