import { addressOf, type Firm, type Taken } from './compose-business.ts'
import { afrikaans } from './people.data.ts'
import { places } from './places.data.ts'
import { slugOf } from './sample-names.ts'
import { freshMobile, phoneBody } from './sample-phones.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Composes a branch in another town. It has its own address, and the switchboard or the domain of the head office. */
export function composeBranch(random: SeededRandom, head: Firm, taken: Taken): Firm | null {
  const elsewhere = places.filter((each) => each !== head.place && each.province === head.place.province)
  const place = random.weigh(elsewhere.length > 0 ? elsewhere : places, (each) => each.weight)
  const suburb = random.pick(place.suburbs)
  const where = suburb.name ?? place.names[0]
  const brand = random.pick([`${head.brand} ${where}`, `${head.brand} (${where} branch)`, `${head.brand} – ${where}`])
  if (taken.names.has(brand)) return null
  taken.names.add(brand)
  const { name, registrationNumber, industry } = head.body
  const sharesPhone = head.domain === null || random.chance(0.6)
  const manager = random.pick(random.chance(0.5) ? head.community.women : head.community.men)
  const body = {
    name: brand,
    ...(registrationNumber !== undefined && random.chance(0.6) ? { registrationNumber } : {}),
    ...(name !== head.brand && random.chance(0.4) ? { tradingName: head.brand } : {}),
    ...(industry === undefined ? {} : { industry }),
    ...(head.domain === null ? {} : { emails: [{ value: `${slugOf(where)}@${head.domain}`, label: 'Branch' }] }),
    phones: [
      ...(sharesPhone ? [phoneBody(random, head.switchboard, 'Head office')] : []),
      phoneBody(random, freshMobile(random, taken.numbers), `${manager}, branch manager`),
    ],
    ...(head.domain !== null && random.chance(0.7) ? { domains: [{ value: head.domain, label: 'Head office' }] } : {}),
    address: addressOf(random, place, suburb, head.community === afrikaans),
    tags: ['branch', ...(head.body.tags ?? []).slice(0, 1)],
  }
  const contact = { first: manager, surname: random.pick(head.community.surnames) }
  return { ...head, body, brand, contact, place, suburb }
}

/** Composes a duplicate of the business, entered a second time by another person with fewer details. */
export function composeTwin(random: SeededRandom, original: Firm, taken: Taken): Firm | null {
  const spellings = [
    original.body.name.toUpperCase(),
    original.body.name.replace(/ \((?:Pty|PTY)\) (?:Ltd|LTD)$/, ' Pty (Ltd)'),
    original.brand,
    original.brand.replace(' & ', ' and '),
    `The ${original.brand}`,
  ]
  const name = spellings.find(
    (each) => each !== original.body.name && !taken.names.has(`twin ${each}`) && random.chance(0.6),
  )
  if (name === undefined) return null
  taken.names.add(`twin ${name}`)
  const city = original.body.address?.city
  const email = original.body.emails?.[0]
  const body = {
    name,
    ...(email !== undefined && random.chance(0.6) ? { emails: [{ value: email.value.toLowerCase() }] } : {}),
    phones: [phoneBody(random, original.switchboard, null)],
    ...(city === undefined ? {} : { address: { city } }),
    ...(random.chance(0.4) ? { tags: ['check-duplicate'] } : {}),
  }
  return { ...original, body, isSecondEntry: true }
}
