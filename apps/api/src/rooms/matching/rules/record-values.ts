import {
  isDescriptiveWord,
  isFreeMailDomain,
  isRoleMailbox,
  readAddress,
  readBusinessName,
  registrableDomain,
} from '../../normalization/normalization.ts'
import { hashText } from './hash-text.rules.ts'
import type { MatchInput, Place, Word } from './match-record.ts'

/**
 * What a business says, read for itself: nothing in it depends on any other record, so that one thread can read what another keeps.
 * Texts, numbers and lists of them alone, which go between threads as JSON.
 */
export type RecordValues = {
  id: string
  /** a number for everything that was typed */
  facts: number
  names: readonly NameValues[]
  phones: readonly { digits: string; international: string | null }[]
  /** `domain` is null for free mail */
  emails: readonly { address: string; domain: string | null; isRole: boolean }[]
  /** registrable domains, also those of the mailboxes */
  domains: readonly string[]
  registration: string | null
  place: Place
  /** a number for number, street and town, and one for the place without its street: a slip in its name is not another place */
  building: number | null
  whereabouts: number | null
}
type NameValues = { words: readonly string[]; legalForm: string | null }

export function valuesOf(input: MatchInput): RecordValues {
  const { phones, emails, domains } = identifiersOf(input)
  const place = placeOf(input)
  return {
    id: input.id,
    facts: factsOf(input),
    names: namesOf(input),
    phones,
    emails,
    domains,
    registration: registrationOf(input.registrationNumber),
    place,
    building: buildingOf(place),
    whereabouts: whereabouts(place),
  }
}

const roman = /^(?:i{1,3}|iv|v|vi{1,3}|ix|xi{0,3}|xiv|xv|xx)$/

export function kindOf(word: string): Word['kind'] {
  if (/^\d/.test(word) || roman.test(word)) return 'number'
  return isDescriptiveWord(word) ? 'descriptive' : 'distinctive'
}

/** The name of a domain without its ending: `karoo` of `karoo.co.za`. */
export function labelOf(domain: string): string {
  return domain.split('.')[0] ?? domain
}

function namesOf({ name, tradingName }: MatchInput): NameValues[] {
  const { words, legalForm, tradingAs } = readBusinessName(name)
  const found: NameValues[] = [{ words, legalForm }]
  if (tradingAs !== null) found.push({ words: tradingAs, legalForm: null })
  if (tradingName !== null) found.push({ words: readBusinessName(tradingName).words, legalForm: null })
  if (found.length === 1) return found
  const first = words.join(' ')
  return found.filter((other, at) => at === 0 || other.words.join(' ') !== first)
}

type Identifiers = {
  phones: RecordValues['phones'][number][]
  emails: RecordValues['emails'][number][]
  domains: string[]
}

/** Each value once. */
function identifiersOf({ identifiers }: MatchInput): Identifiers {
  const found: Identifiers = { phones: [], emails: [], domains: [] }
  for (const { kind, original, normalized } of identifiers) {
    if (kind === 'phone') {
      const digits = (normalized ?? original).replace(/\D/g, '').replace(/^0+/, '').slice(-9)
      if (digits.length < 6) continue
      if (found.phones.some((other) => other.international === normalized && other.digits === digits)) continue
      found.phones.push({ digits, international: normalized })
    } else if (normalized === null) continue
    else if (kind === 'domain') addDomain(found.domains, domainOf(normalized))
    else {
      const at = normalized.lastIndexOf('@')
      const domain = domainOf(normalized.slice(at + 1))
      addDomain(found.domains, domain)
      if (found.emails.some(({ address }) => address === normalized)) continue
      found.emails.push({ address: normalized, domain, isRole: isRoleMailbox(normalized.slice(0, at)) })
    }
  }
  return found
}

function addDomain(domains: string[], domain: string | null): void {
  if (domain !== null && !domains.includes(domain)) domains.push(domain)
}

/** The registrable domain, or null where everybody can have a mailbox. */
function domainOf(host: string): string | null {
  return isFreeMailDomain(host) ? null : (registrableDomain(host) ?? host)
}

function placeOf(input: MatchInput): Place {
  const { number, street, unit, box, complex, suburb, city, province, postalCode, doubts } = readAddress(input)
  return { number, street, unit, box, complex, suburb, city, province, postalCode, doubts }
}

function factsOf(input: MatchInput): number {
  const { name, tradingName, registrationNumber, street, suburb, city, province, postalCode, identifiers } = input
  const facts = [name, tradingName, registrationNumber, street, suburb, city, province, postalCode]
  return hashText(JSON.stringify([...facts, ...identifiers.flatMap(({ kind, original }) => [kind, original])]))
}

function registrationOf(typed: string | null): string | null {
  const digits = typed?.replace(/\D/g, '') ?? ''
  return digits.length < 6 ? null : digits
}

function buildingOf({ number, street, box, city }: Place): number | null {
  if (box !== null && street.length === 0) return hashText(`box|${box}|${city ?? ''}`)
  return number === null || street.length === 0 ? null : hashText(`${number}|${street.join(' ')}|${city ?? ''}`)
}

function whereabouts({ number, box, city }: Place): number | null {
  return number === null && box === null ? null : hashText(`${number ?? ''}|${box ?? ''}|${city ?? ''}`)
}
