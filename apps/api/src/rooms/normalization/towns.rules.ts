import { type ProvinceCode, type ProvinceSet, provinceCodes, provinceSet } from './provinces.rules.ts'
import { postalRanges, suburbs, towns } from './towns.data.ts'

/** The towns of one name. `provinces`: where they are. `name`: the current name, if all of them have the same. */
export type NamedTowns = { name: string | null; provinces: ProvinceSet; nameIn: ReadonlyMap<ProvinceCode, string> }

const townsByName = new Map<
  string,
  { name: string | null; provinces: ProvinceSet; nameIn: Map<ProvinceCode, string> }
>()
for (const { names, province } of towns) {
  const code = codeOf(province, 'towns')
  const name = names[0] ?? ''
  for (const spelling of names) {
    const known = townsByName.get(spelling) ?? { name, provinces: 0, nameIn: new Map<ProvinceCode, string>() }
    known.provinces |= provinceSet([code])
    known.nameIn.set(code, name)
    if (known.name !== name) known.name = null
    townsByName.set(spelling, known)
  }
}

const rangesByStart = postalRanges
  .map(({ from, to, provinces }) => ({
    from,
    to,
    set: provinceSet(provinces.map((code) => codeOf(code, 'postal codes'))),
  }))
  .sort((a, b) => (a.from < b.from ? -1 : 1))

function codeOf(province: string, list: string): ProvinceCode {
  const code = provinceCodes.find((known) => known === province)
  if (code === undefined) throw new Error(`The list of ${list} names an unknown province: ${province}.`)
  return code
}

const suburbsByName = new Map(suburbs.flatMap((names) => names.map((name) => [name, names[0] ?? name] as const)))

export function suburbOf(folded: string): string | null {
  return folded === '' ? null : (suburbsByName.get(folded) ?? folded)
}

/** True if the list of towns has this folded text as a current or earlier name. */
export function isTown(folded: string): boolean {
  return townsByName.has(folded)
}

/** Returns the towns with this folded current or earlier name; undefined if the list has none. */
export function townsNamed(folded: string): NamedTowns | undefined {
  return townsByName.get(folded)
}

const POSTAL_DIGITS = 4

/** Returns the provinces that a South African postal code serves. 0: the code is of another country, or no range has it. */
export function provincesOfPostalCode(code: string): ProvinceSet {
  // Spreadsheets remove the zero at the start of a code.
  const digits = code.length === POSTAL_DIGITS - 1 ? `0${code}` : code
  if (digits.length !== POSTAL_DIGITS) return 0
  let [low, high] = [0, rangesByStart.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const range = rangesByStart[middle]
    if (range === undefined) return 0
    if (digits < range.from) high = middle - 1
    else if (digits > range.to) low = middle + 1
    else return range.set
  }
  return 0
}
