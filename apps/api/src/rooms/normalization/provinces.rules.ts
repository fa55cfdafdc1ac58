import { foldText } from './text-folding.rules.ts'

/** The nine provinces (ISO 3166-2:ZA) with the names that people use for them, earlier names and common misspellings included. */
const provinceNames = {
  EC: [
    'eastern cape',
    'east cape',
    'e cape',
    'oos kaap',
    'mpuma koloni',
    'mpuma kapa',
    'kapa botjhabela',
    'kapa bochabela',
    'ecp',
    'transkei',
    'ciskei',
  ],
  FS: [
    'free state',
    'vrystaat',
    'foreistata',
    'freistata',
    'orange free state',
    'oranje vrystaat',
    'ofs',
    'ovs',
    'fsp',
  ],
  GP: ['gauteng', 'gt', 'gau', 'pwv', 'guateng'],
  KZN: [
    'kwazulu natal',
    'kwazulu',
    'natal',
    'kz natal',
    'kzn natal',
    'kwazula natal',
    'kwa zulu natal',
    'kwa zulu',
    'za nl',
    'zn',
  ],
  LP: [
    'limpopo',
    'northern province',
    'noordelike provinsie',
    'northern transvaal',
    'noord transvaal',
    'lim',
    'lebowa',
    'venda',
    'gazankulu',
  ],
  MP: [
    'mpumalanga',
    'eastern transvaal',
    'east transvaal',
    'oos transvaal',
    'mpumulanga',
    'mpumalange',
    'mpu',
    'kangwane',
  ],
  NC: ['northern cape', 'north cape', 'n cape', 'noord kaap', 'kapa bokone', 'mntla koloni', 'ncp'],
  NW: [
    'north west',
    'northwest',
    'north western',
    'n west',
    'noordwes',
    'noord wes',
    'bokone bophirima',
    'western transvaal',
    'west transvaal',
    'wes transvaal',
    'nwp',
  ],
  WC: ['western cape', 'west cape', 'w cape', 'wes kaap', 'ntshona koloni', 'ntshona kapa', 'kapa bophirima', 'wcp'],
} as const

export type ProvinceCode = keyof typeof provinceNames
export const provinceCodes = [
  'EC',
  'FS',
  'GP',
  'KZN',
  'LP',
  'MP',
  'NC',
  'NW',
  'WC',
] as const satisfies readonly ProvinceCode[]

/** Names that several provinces have or had: the provinces before 1994, and abbreviations that people use in two senses. */
const ambiguousNames: Readonly<Record<string, readonly ProvinceCode[]>> = {
  transvaal: ['GP', 'LP', 'MP', 'NW'],
  tvl: ['GP', 'LP', 'MP', 'NW'],
  'cape province': ['EC', 'NC', 'NW', 'WC'],
  'kaap provinsie': ['EC', 'NC', 'NW', 'WC'],
  cape: ['EC', 'NC', 'WC'],
  kaap: ['EC', 'NC', 'WC'],
  cp: ['EC', 'NC', 'WC'],
  kp: ['EC', 'NC', 'WC'],
  np: ['LP', 'NC'],
  wp: ['NW', 'WC'],
  ep: ['EC', 'MP'],
  bophuthatswana: ['FS', 'NC', 'NW'],
}

/** The English names for texts. */
const provinceLabels: Readonly<Record<ProvinceCode, string>> = {
  EC: 'Eastern Cape',
  FS: 'Free State',
  GP: 'Gauteng',
  KZN: 'KwaZulu-Natal',
  LP: 'Limpopo',
  MP: 'Mpumalanga',
  NC: 'Northern Cape',
  NW: 'North West',
  WC: 'Western Cape',
}

export function provinceName(code: ProvinceCode): string {
  return provinceLabels[code]
}

/** A set of provinces as a bit mask, because a matching run compares half a million pairs a second. 0: nothing is known. */
export type ProvinceSet = number

export function provinceSet(codes: readonly ProvinceCode[]): ProvinceSet {
  return codes.reduce((set, code) => set | (1 << provinceCodes.indexOf(code)), 0)
}

/** Returns the provinces of a set, in the order of their codes. */
export function provincesIn(set: ProvinceSet): ProvinceCode[] {
  return provinceCodes.filter((_code, at) => (set & (1 << at)) !== 0)
}

/** Returns the province of a set with a single province, and null for every other set. */
export function onlyProvinceIn(set: ProvinceSet): ProvinceCode | null {
  return isSingle(set) ? (provinceCodes[31 - Math.clz32(set)] ?? null) : null
}

export function isSingle(set: ProvinceSet): boolean {
  return set !== 0 && (set & (set - 1)) === 0
}

const setByName = new Map<string, ProvinceSet>()
for (const code of provinceCodes)
  for (const name of [code.toLowerCase(), ...provinceNames[code]])
    setByName.set(name.replaceAll(' ', ''), provinceSet([code]))
for (const [name, codes] of Object.entries(ambiguousNames)) setByName.set(name.replaceAll(' ', ''), provinceSet(codes))

/** Words beside the name of a province that say nothing about which one is meant. */
const fillers: ReadonlySet<string> = new Set(
  'province provinsie prov provincial of the in za zaf rsa sa south africa suid afrika republic and or en'.split(' '),
)
/** number of words of the longest name, such as `orange free state` */
const LONGEST_NAME = 3
/** Texts of more words are no names of provinces. */
const MOST_WORDS = 12
const MAX_PROVINCE_READ = 200

const NOTHING: ProvinceSet = 0

/**
 * Returns the provinces that a typed text can mean. A text with several names ("Limpopo: Northern Province") means what all of them allow. Names of
 * different provinces ("Eastern Cape / Western Cape") and ambiguous names ("Transvaal", "NP") give several. 0: the text is empty, or a part of it is
 * no name of a province.
 */
export function readProvinces(typed: string): ProvinceSet {
  return setByName.get(typed.toLowerCase()) ?? readWords(wordsOf(typed))
}

function wordsOf(typed: string): string[] {
  return foldText(typed.slice(0, MAX_PROVINCE_READ))
    .replace(/['’`]/g, '')
    .replace(/\b([a-z])\.(?=[a-z]\b)/g, '$1')
    .split(/[^a-z0-9]+/)
    .filter((word, at) => word !== '' && !(at === 0 && listNumber.test(word)))
}

/** Matches the number of an item in a list, as in `7. Gauteng`. */
const listNumber = /^\d{1,2}$/

function readWords(words: readonly string[]): ProvinceSet {
  if (words.length > MOST_WORDS) return NOTHING
  let allowed = NOTHING
  let named = NOTHING
  for (let at = 0; at < words.length; ) {
    const { set, length } = nameAt(words, at)
    if (length === 0) {
      if (!fillers.has(words[at] ?? '')) return NOTHING
      at += 1
      continue
    }
    allowed = named === NOTHING ? set : allowed & set
    named |= set
    at += length
  }
  return allowed === NOTHING ? named : allowed
}

/** Finds the longest name of a province that begins at this word. */
function nameAt(words: readonly string[], at: number): { set: ProvinceSet; length: number } {
  for (let length = Math.min(LONGEST_NAME, words.length - at); length > 0; length -= 1) {
    const set = setByName.get(words.slice(at, at + length).join(''))
    if (set !== undefined) return { set, length }
  }
  return { set: NOTHING, length: 0 }
}

/**
 * Splits the words of a place into its name and the province written behind it, as in "Richmond KZN" or "Middelburg, Mpumalanga". Returns null if the
 * words do not end with a province, or if nothing precedes it.
 */
export function withoutProvince(words: readonly string[]): { name: string; provinces: ProvinceSet } | null {
  for (let at = Math.max(1, words.length - LONGEST_NAME - 1); at < words.length; at += 1) {
    const provinces = readWords(words.slice(at))
    if (provinces !== NOTHING) return { name: words.slice(0, at).join(' '), provinces }
  }
  return null
}

/** Returns the code of a typed province. Returns `other` for an unknown or ambiguous text and null for an empty one. */
export function provinceCodeOf(typed: string | null): ProvinceCode | 'other' | null {
  if (typed === null) return null
  return findProvinceCode(typed) ?? 'other'
}

/** Returns the code of a typed province; undefined if the text is unknown or can mean several provinces. */
export function findProvinceCode(typed: string): ProvinceCode | undefined {
  return onlyProvinceIn(readProvinces(typed)) ?? undefined
}
