import { createBreather } from '../../../lib/event-loop.ts'
import { withoutUndefined } from '../../../lib/map-values.ts'
import { NORMALIZATION_VERSION, provincesIn, readAddress } from '../../normalization/normalization.ts'
import type { NormalizeAddresses, NormalizedAddress } from '../businesses.schema.ts'

/** Reads addresses by the rules that records, lists and matching share. Nothing is stored, and an ambiguous place is reported, not guessed. */
export async function normalizeAddresses({ addresses }: NormalizeAddresses): Promise<NormalizedAddress[]> {
  const breathe = createBreather()
  const items: NormalizedAddress[] = []
  for (const typed of addresses) {
    await breathe()
    const { number, street, kind, unit, box, complex, suburb, city, provinces, province, postalCode, country, doubts } =
      readAddress(withoutUndefined(typed))
    items.push({
      ...{ number, street: streetOf(street, kind), unit, box, complex, suburb, city },
      ...{ province, provinces: provincesIn(provinces), postalCode, country },
      doubts: [...doubts],
      normalizationVersion: NORMALIZATION_VERSION,
    })
  }
  return items
}

function streetOf(words: readonly string[], kind: string | null): string | null {
  const all = kind === null ? words : [...words, kind]
  return all.length === 0 ? null : all.join(' ')
}
