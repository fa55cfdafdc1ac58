import { hashParts } from './hash-text.rules.ts'
import type { MatchRecord, Name } from './match-record.ts'

/**
 * `WORDS`: number of distinctive words of a name that each make a key. `LETTERS`: number of leading letters that make a key even if the rest of the
 * name contains typing slips.
 */
const WORDS = 3
const LETTERS = 3

/**
 * Returns the blocking keys of a record. Two records are compared if they share a key. Each key covers a different way in which a business can be
 * written, so a slip in one value changes only the keys of that value. Keys are unique and the same on every machine.
 */
export function blockingKeys(record: MatchRecord): number[] {
  const keys: number[] = []
  const key = (kind: string, ...parts: (string | null)[]) => {
    const made = hashParts(kind, parts)
    if (!keys.includes(made)) keys.push(made)
  }
  const { place, names } = record
  const { number, street, city, box } = place
  for (const { digits } of record.phones) key('phone', digits)
  for (const { address, isRole, domain } of record.emails) if (!isRole || domain === null) key('email', address)
  for (const { label } of record.domains) key('domain', label)
  if (record.registration !== null) key('registration', record.registration)
  if (box !== null) key('box', box, city)
  const road = street.join(' ')
  if (number !== null && road !== '') key('building', number, road)
  for (const name of names) {
    key('name', sorted(name))
    const letters = name.joined.slice(0, LETTERS)
    if (number !== null) key('number', number, city, letters)
    if (road !== '') key('street', road, city, name.joined.slice(0, 2))
    for (const word of ownWords(name)) {
      key('word', word, city)
      key('skeleton', skeleton(word), city, number)
    }
  }
  return keys
}

function sorted({ words }: Name): string {
  return words
    .filter(({ kind }) => kind !== 'qualifier')
    .map(({ text }) => text)
    .sort()
    .join('')
}

function ownWords({ words }: Name): string[] {
  const own = words.filter(({ kind, text }) => kind === 'distinctive' && text.length > 2)
  return (own.length > 0 ? own : words.filter(({ kind }) => kind !== 'qualifier'))
    .slice(0, WORDS)
    .map(({ text }) => text)
}

const skeletons = new Map<string, string>()
const MOST_SKELETONS = 200_000

/** Returns the first letter of a word and its next 4 consonants, without repeats. Most typing slips do not change them. */
function skeleton(word: string): string {
  const known = skeletons.get(word)
  if (known !== undefined) return known
  if (skeletons.size >= MOST_SKELETONS) skeletons.clear()
  const made =
    word.charAt(0) +
    word
      .slice(1)
      .replace(/[aeiouy]/g, '')
      .replace(/(.)\1+/g, '$1')
      .slice(0, 4)
  skeletons.set(word, made)
  return made
}
