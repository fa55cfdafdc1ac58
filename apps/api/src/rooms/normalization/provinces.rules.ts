/** The nine provinces (ISO 3166-2:ZA) with the names that people use for them. */
const provinceNames = {
  EC: ['eastern cape', 'oos-kaap', 'mpuma-koloni'],
  FS: ['free state', 'vrystaat', 'foreistata', 'orange free state'],
  GP: ['gauteng', 'gp'],
  KZN: ['kwazulu-natal', 'kwazulu natal', 'natal', 'kzn'],
  LP: ['limpopo', 'northern province'],
  MP: ['mpumalanga', 'eastern transvaal'],
  NC: ['northern cape', 'noord-kaap'],
  NW: ['north west', 'north-west', 'northwest', 'noordwes', 'bokone bophirima'],
  WC: ['western cape', 'wes-kaap', 'ntshona koloni'],
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

const codeByName = new Map<string, ProvinceCode>(
  provinceCodes.flatMap((code) => [
    [code.toLowerCase(), code] as const,
    ...provinceNames[code].map((name) => [name, code] as const),
  ]),
)

/** Returns the code of a typed province. Returns `other` for an unknown text and null for an empty one. */
export function provinceCodeOf(typed: string | null): ProvinceCode | 'other' | null {
  if (typed === null) return null
  return findProvinceCode(typed) ?? 'other'
}

export function findProvinceCode(typed: string): ProvinceCode | undefined {
  return codeByName.get(
    typed
      .trim()
      .toLowerCase()
      .replace(/\s+/g, ' ')
      .replace(/ province$/, ''),
  )
}
