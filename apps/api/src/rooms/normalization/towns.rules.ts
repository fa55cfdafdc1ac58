import type { ProvinceCode } from './provinces.rules.ts'
import { provinceCodes } from './provinces.rules.ts'
import { postalRanges, suburbs, towns } from './towns.data.ts'

/** A part of an address that can be read in two ways, with its candidates. */
export type LocationDoubt = {
  what: 'city_in_several_provinces' | 'city_in_another_province' | 'postal_code_in_another_province'
  candidates: readonly string[]
}

type Town = { name: string; province: ProvinceCode }

const townsByName = new Map<string, Town[]>()
for (const { names, province } of towns) {
  const code = provinceCodes.find((known) => known === province)
  if (code === undefined) throw new Error(`The list of towns names an unknown province: ${province}.`)
  const name = names[0] ?? ''
  for (const spelling of names)
    townsByName.set(spelling, [...(townsByName.get(spelling) ?? []), { name, province: code }])
}

const suburbsByName = new Map(suburbs.flatMap((names) => names.map((name) => [name, names[0] ?? name] as const)))

export function suburbOf(folded: string): string | null {
  return folded === '' ? null : (suburbsByName.get(folded) ?? folded)
}

/** True if the list of towns has this folded text as a current or earlier name. */
export function isTown(folded: string): boolean {
  return townsByName.has(folded)
}

/**
 * Returns the current name of the town for a folded current or earlier name. If several provinces have a town of this name, the province or the
 * postal code decides. If neither does, the name is returned unchanged with its candidates. Contradictions are reported. An unknown town is returned
 * unchanged.
 */
export function findTown(
  folded: string,
  province: ProvinceCode | null,
  postalCode: string | null,
): { city: string | null; province: ProvinceCode | null; doubts: LocationDoubt[] } {
  const byCode = provinceOfPostalCode(postalCode)
  if (folded === '') return { city: null, province: null, doubts: contradictedCode(province, byCode) }
  const known = townsByName.get(folded) ?? []
  const hint = province ?? byCode
  const there = known.length === 1 ? known[0] : known.find((town) => town.province === hint)
  if (there === undefined) {
    const candidates = known.map((town) => `${town.name}, ${town.province}`)
    const doubts: LocationDoubt[] = candidates.length > 1 ? [{ what: 'city_in_several_provinces', candidates }] : []
    return {
      city: known[0]?.name ?? folded,
      province: null,
      doubts: [...doubts, ...contradictedCode(province, byCode)],
    }
  }
  const elsewhere = province !== null && province !== there.province
  const doubts: LocationDoubt[] = elsewhere
    ? [
        {
          what: 'city_in_another_province',
          candidates: [`${there.name}, ${there.province}`, `${there.name}, ${province}`],
        },
      ]
    : []
  return {
    city: there.name,
    province: elsewhere ? null : there.province,
    doubts: [...doubts, ...contradictedCode(province, byCode)],
  }
}

function provinceOfPostalCode(code: string | null): ProvinceCode | null {
  if (code === null || !/^\d{4}$/.test(code)) return null
  const range = postalRanges.find(({ from, to }) => code >= from && code <= to)
  return provinceCodes.find((known) => known === range?.province) ?? null
}

function contradictedCode(province: ProvinceCode | null, byCode: ProvinceCode | null): LocationDoubt[] {
  if (province === null || byCode === null || province === byCode) return []
  return [{ what: 'postal_code_in_another_province', candidates: [province, byCode] }]
}
