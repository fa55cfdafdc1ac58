import { log2Thousandths } from './exact-arithmetic.rules.ts'
import { hashText } from './hash-text.rules.ts'
import { lettersWithSlips } from './letters.rules.ts'
import type {
  Building,
  ComparedAddress,
  Domain,
  Email,
  MatchInput,
  MatchRecord,
  Name,
  Phone,
  Shared,
  Word,
} from './match-record.ts'
import { configuration } from './matching-configuration.data.ts'
import { inDigits, kindOf, labelOf, nameWordsIn, type RecordValues, valuesOf, wordsIn } from './record-values.ts'

/**
 * Number of records of a tenant and, for each common word, the number of names that contain it. The score of a pair depends on these counts and on
 * the two records, and on nothing else.
 */
export type Frequencies = { records: number; words: ReadonlyMap<string, number> }

/**
 * Reads records into the form for comparison and counts how many records share each value. Equal values become the same object. Weights are computed
 * after all records are read, because a widely shared value weighs less.
 */
export type RecordReader = {
  read(input: MatchInput): MatchRecord
  /** Adds a record whose values are already parsed. */
  keep(values: RecordValues): MatchRecord
  /** Computes the weights. Call it after all records are added and before the first comparison. */
  settle(frequencies: Frequencies): void
  /** Returns the words that occur in enough of the added names to lose weight. */
  commonWords(): Frequencies
}

const NONE: readonly never[] = []
/** Maximum length of the texts that V8 interns when it parses JSON. Equal ones are the same object already, so they are not added to `texts`. */
const SHORT = 10

export function createRecordReader(): RecordReader {
  const words = new Map<string, Word>()
  /** Names by legal form, then by canonical name. A single map would need a combined text as key for each name. */
  const names = new Map<string | null, Map<string, Name>>()
  const phones = new Map<string, Phone>()
  const emails = new Map<string, Email>()
  const domains = new Map<string, Domain>()
  const buildings = new Map<number, Building>()
  const streets = new Map<string, readonly string[]>()
  const texts = new Map<string, string>()
  let records = 0

  const once = <K, V>(values: Map<K, V>, key: K, make: () => V): V => {
    const known = values.get(key)
    if (known !== undefined) return known
    const made = make()
    values.set(key, made)
    return made
  }
  const text = (value: string | null) =>
    value === null || value.length <= SHORT ? value : once(texts, value, () => value)

  function wordOf(written: string): Word {
    const word = inDigits(written)
    return once(words, word, () => {
      const kind = kindOf(word)
      const text = kind === 'qualifier' ? word.slice(1) : word
      return { text, letters: lettersWithSlips(text), kind, weight: baseWeight(kind), names: 0 }
    })
  }

  function nameOf({ canonical, legalForm }: RecordValues['names'][number]): Name {
    const ofForm = once(names, legalForm, () => new Map<string, Name>())
    return once(ofForm, canonical, () => {
      const words = nameWordsIn(canonical).map(wordOf)
      let joined = ''
      for (const { kind, text } of words) if (kind !== 'qualifier') joined += text
      return { records: 0, places: 0, loss: 0, seen: null, canonical, words, joined, legalForm }
    })
  }

  function domainOf(name: string): Domain {
    return once(domains, name, () => ({ records: 0, places: 0, loss: 0, seen: null, name, label: labelOf(name) }))
  }

  function emailOf({ address, domain, isRole }: RecordValues['emails'][number]): Email {
    return once(emails, address, () => {
      const own = domain === null ? null : domainOf(domain)
      return { records: 0, places: 0, loss: 0, seen: null, address, domain: own, isRole }
    })
  }

  function phoneOf({ digits, international }: RecordValues['phones'][number]): Phone {
    return once(phones, international ?? `?${digits}`, () => {
      return { records: 0, places: 0, loss: 0, seen: null, digits, international }
    })
  }

  function placeOf(read: RecordValues['place']): ComparedAddress {
    const street = read.street === '' ? NONE : once(streets, read.street, () => wordsIn(read.street))
    return {
      number: text(read.number),
      street,
      unit: text(read.unit),
      box: text(read.box),
      complex: text(read.complex),
      suburb: text(read.suburb),
      city: text(read.city),
      provinces: read.provinces,
      region: text(read.region),
      postalCode: text(read.postalCode),
      country: read.country,
      doubts: read.doubts.length === 0 ? NONE : read.doubts,
    }
  }

  function keep(values: RecordValues): MatchRecord {
    records += 1
    const { id, facts, registration, building } = values
    const record: MatchRecord = {
      id,
      facts,
      names: values.names.map(nameOf),
      phones: values.phones.map(phoneOf),
      emails: values.emails.map(emailOf),
      domains: values.domains.map(domainOf),
      registration,
      place: placeOf(values.place),
      building: building === null ? null : once(buildings, building, nobody),
    }
    count(record, values.whereabouts)
    return record
  }

  return {
    read: (input) => keep(valuesOf(input)),
    keep,
    commonWords: () => {
      const least = Math.max(records, configuration.wordSmallestTenant) / configuration.wordCommonRate
      const common = [...words.values()].filter((word) => word.names > least && isWeighed(word))
      return { records, words: new Map(common.map((word) => [word.text, word.names])) }
    },
    settle: (frequencies) => {
      for (const word of words.values()) word.weight = weightIn(word, frequencies)
      const { lossMost } = configuration
      for (const ofForm of names.values()) settleAll(ofForm.values(), lossMost.name)
      settleAll(phones.values(), lossMost.phone)
      settleAll(emails.values(), lossMost.email)
      settleAll(domains.values(), lossMost.domain)
      for (const building of buildings.values()) {
        const names = configuration.lossPerDoubledNames * log2Thousandths(Math.max(1, building.places / 2))
        building.loss = Math.min(lossMost.place, Math.floor(names / 1_000))
        building.seen = null
      }
    },
  }
}

/**
 * Returns an uncounted value. It is an object literal, because V8 stores more properties outside the object if they are copied from another object.
 */
function nobody(): Shared {
  return { records: 0, places: 0, loss: 0, seen: null }
}

/** Adds the record to the counts of each of its values. */
function count(record: MatchRecord, where: number | null): void {
  for (const name of record.names) {
    countAt(name, where)
    for (const word of name.words) word.names += 1
  }
  for (const phone of record.phones) countAt(phone, where)
  for (const email of record.emails) countAt(email, where)
  for (const domain of record.domains) countAt(domain, where)
  if (record.building !== null) countAt(record.building, hashText(ownWordOf(record.names)))
}

/** Returns the word of a name that distinguishes it from the other businesses in its building. */
function ownWordOf([name]: readonly Name[]): string {
  const words = name?.words ?? []
  return (words.find(({ kind }) => kind === 'distinctive') ?? words[0])?.text ?? ''
}

function countAt(shared: Shared, where: number | null): void {
  if (shared.records >= configuration.countedSharing) return
  shared.records += 1
  if (where === null || shared.seen === where) return
  if (shared.seen === null) shared.seen = where
  else if (typeof shared.seen === 'number') shared.seen = [shared.seen, where]
  else if (shared.seen.includes(where)) return
  else shared.seen.push(where)
  shared.places += 1
}

/**
 * Computes the loss of each shared value. The loss grows with the number of places that share it. A value shared by two records has none, because the
 * comparison of the two already considers their places.
 */
function settleAll(values: Iterable<Shared>, most: number): void {
  for (const value of values) {
    if (value.records > 2) {
      const places = configuration.lossPerDoubledPlaces * log2Thousandths(Math.max(1, value.places))
      const records = configuration.lossPerDoubledRecords * log2Thousandths(Math.max(1, value.records / 2))
      value.loss = Math.min(most, Math.floor((places + records) / 1_000))
    }
    value.seen = null
  }
}

/** True for the kinds of words whose weight can depend on the number of names that contain them. */
function isWeighed({ kind }: Word): boolean {
  return kind === 'distinctive' || kind === 'descriptive'
}

function baseWeight(kind: Word['kind']): number {
  if (kind === 'qualifier') return 0
  if (kind === 'number') return configuration.wordNumber
  return kind === 'descriptive' ? configuration.wordDescriptive : configuration.wordDistinctive
}

/**
 * Returns the weight of a word, which falls with the number of the tenant's names that contain it. It begins to fall at 1/1000 of the names and never
 * falls below the weight of a descriptive word.
 */
function weightIn(word: Word, { records, words }: Frequencies): number {
  const base = baseWeight(word.kind)
  const names = words.get(word.text)
  if (names === undefined || word.kind !== 'distinctive') return base
  const { wordCommonRate, wordDescriptive, wordSmallestTenant } = configuration
  const rarity = log2Thousandths(Math.max(1, Math.floor(Math.max(records, wordSmallestTenant) / names)))
  const weight = Math.floor((base * rarity) / log2Thousandths(wordCommonRate))
  return Math.max(wordDescriptive, Math.min(base, weight))
}
