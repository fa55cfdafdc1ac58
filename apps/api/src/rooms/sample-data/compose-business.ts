import type { Community } from './people.data.ts'
import { afrikaans, communities } from './people.data.ts'
import type { Place, Suburb } from './places.data.ts'
import { places, provinceNames } from './places.data.ts'
import { brandOf, type FirmName, type Person, personOf, registeredName, slugOf } from './sample-names.ts'
import { freshLandline, freshMobile, type NationalNumber, phoneBody } from './sample-phones.ts'
import type { AddressBody, BusinessBody, IdentifierBody, PhoneBody } from './sample-plan.ts'
import type { SeededRandom } from './seeded-random.ts'
import { type Trade, trades } from './trades.data.ts'
import { commonTags } from './wording.data.ts'

/** A generated business: the request body of its record, and facts that are not in the record but influence other choices. */
export type Firm = {
  body: BusinessBody
  brand: string
  contact: Person
  trade: Trade
  community: Community
  place: Place
  suburb: Suburb
  domain: string | null
  switchboard: NationalNumber
  /** true for a duplicate that was entered by mistake; nobody works on it */
  isSecondEntry: boolean
}

/** Values that are already used, so that two businesses share a value only if the plan requires it. */
export type Taken = { names: Set<string>; slugs: Set<string>; numbers: Set<NationalNumber> }

const winelands = new Set(['Stellenbosch', 'Paarl', 'Franschhoek', 'Robertson', 'Worcester', 'Swellendam', 'Hermanus'])
const coast = new Set([
  'Cape Town',
  'Durban',
  'Gqeberha',
  'East London',
  'Mossel Bay',
  'Hermanus',
  'Jeffreys Bay',
  'Richards Bay',
])

function isPlaceOf(trade: Trade, place: Place): boolean {
  switch (trade.where) {
    case 'anywhere':
      return true
    case 'city':
      return place.weight > 1
    case 'country':
      return place.weight === 1
    case 'winelands':
      return winelands.has(place.names[0])
    case 'coast':
      return coast.has(place.names[0])
  }
}

export function composeFirm(random: SeededRandom, taken: Taken, year: number): Firm {
  const trade = random.weigh(trades, (each) => each.weight)
  const place = random.weigh(
    places.filter((each) => isPlaceOf(trade, each)),
    (each) => each.weight,
  )
  const suburb = random.pick(place.suburbs)
  const community = random.weigh(communities, (each) => each.weights[place.province] ?? 0)
  const { names, contact } = freshName(random, trade, community, place, taken, year)
  const domain = random.chance(0.66) ? freshDomain(names.brand, place, taken) : null
  const switchboard = random.chance(0.62)
    ? freshLandline(random, place.dialCode, taken.numbers)
    : freshMobile(random, taken.numbers)
  const firm = {
    brand: names.brand,
    contact,
    trade,
    community,
    place,
    suburb,
    domain,
    switchboard,
    isSecondEntry: false,
  }
  // Give some prospects only a name and a phone number.
  const body = random.chance(0.08)
    ? { name: names.tradingName ?? names.name, phones: [phoneBody(random, switchboard, null)] }
    : fullBody(random, names, firm, taken, year)
  return { ...firm, body }
}

function fullBody(
  random: SeededRandom,
  names: FirmName,
  firm: Omit<Firm, 'body'>,
  taken: Taken,
  year: number,
): BusinessBody {
  const emails = emailsOf(random, firm)
  const tags = tagsOf(random, firm.trade, year)
  return {
    name: names.name,
    ...(names.tradingName === null ? {} : { tradingName: names.tradingName }),
    ...(names.registrationNumber === null ? {} : { registrationNumber: names.registrationNumber }),
    ...(random.chance(0.92) ? { industry: firm.trade.industry } : {}),
    ...(emails.length === 0 ? {} : { emails }),
    phones: phonesOf(random, firm, taken),
    ...(firm.domain !== null && random.chance(0.88) ? { domains: domainsOf(random, firm.domain) } : {}),
    ...(random.chance(0.96)
      ? { address: addressOf(random, firm.place, firm.suburb, firm.community === afrikaans) }
      : {}),
    ...(tags.length === 0 ? {} : { tags }),
  }
}

function freshName(random: SeededRandom, trade: Trade, community: Community, place: Place, taken: Taken, year: number) {
  let contact = personOf(random, community)
  let brand = brandOf(random, trade, community, contact, place)
  for (let attempt = 0; attempt < 30 && taken.names.has(brand); attempt++) {
    contact = personOf(random, community)
    brand = brandOf(random, trade, community, contact, place)
  }
  if (taken.names.has(brand)) brand = `${brand} ${place.names[0]}`
  const names = registeredName(random, trade, community, contact, brand, year)
  taken.names.add(brand)
  return { names, contact }
}

/** Returns an unused domain below .example, which nobody can register (RFC 2606). */
function freshDomain(brand: string, place: Place, taken: Taken): string {
  const wanted = slugOf(brand)
  let slug = wanted
  for (let number = 1; taken.slugs.has(slug); number++) {
    slug = number === 1 ? `${wanted}-${slugOf(place.names[0])}` : `${wanted}-${number}`
  }
  taken.slugs.add(slug)
  return `${slug}.example`
}

function domainsOf(random: SeededRandom, domain: string): IdentifierBody[] {
  const spelling = random.weigh(['bare', 'www', 'capital'] as const, (key) => ({ bare: 6, www: 3, capital: 1 })[key])
  if (spelling === 'www') return [{ value: `www.${domain}`, label: 'Website' }]
  if (spelling === 'capital') return [{ value: domain.charAt(0).toUpperCase() + domain.slice(1) }]
  const shop = random.chance(0.06) ? [{ value: `shop.${domain}`, label: 'Online shop' }] : []
  return [{ value: domain, label: 'Website' }, ...shop]
}

function emailsOf(random: SeededRandom, firm: Omit<Firm, 'body'>): IdentifierBody[] {
  const first = slugOf(firm.contact.first)
  const surname = slugOf(firm.contact.surname)
  if (firm.domain === null) {
    if (random.chance(0.4)) return []
    const mailbox = random.pick([`${first}.${surname}`, slugOf(firm.brand), `${surname}${random.int(2, 98)}`])
    return [{ value: `${mailbox}@mailbox.example`, ...(random.chance(0.3) ? { label: 'Private' } : {}) }]
  }
  const role = random.pick(firm.community === afrikaans ? [...firm.trade.mailboxes, 'navrae'] : firm.trade.mailboxes)
  const general = { value: `${random.chance(0.08) ? role.toUpperCase() : role}@${firm.domain}`, label: 'General' }
  const personal = { value: `${first}@${firm.domain}`, label: `${firm.contact.first} ${firm.contact.surname}` }
  const accounts = { value: `accounts@${firm.domain}`, label: 'Accounts' }
  return [
    ...(random.chance(0.85) ? [general] : []),
    ...(random.chance(0.45) ? [personal] : []),
    ...(random.chance(0.15) && role !== 'accounts' ? [accounts] : []),
  ]
}

function phonesOf(random: SeededRandom, firm: Omit<Firm, 'body'>, taken: Taken): PhoneBody[] {
  const isLandline = firm.switchboard.startsWith(`${firm.place.dialCode}555`)
  const mainLabel = isLandline
    ? random.pick(['Switchboard', 'Office', 'Reception'])
    : random.pick(['Cell', 'Owner', 'WhatsApp'])
  const mobile = () =>
    phoneBody(
      random,
      freshMobile(random, taken.numbers),
      random.pick(['Cell', firm.contact.first, 'WhatsApp', 'After hours']),
    )
  return [
    phoneBody(random, firm.switchboard, random.chance(0.75) ? mainLabel : null),
    ...(random.chance(isLandline ? 0.5 : 0.15) ? [mobile()] : []),
    ...(isLandline && random.chance(0.1)
      ? [
          phoneBody(
            random,
            freshLandline(random, firm.place.dialCode, taken.numbers),
            random.pick(['Accounts', 'Workshop', 'Fax']),
          ),
        ]
      : []),
  ]
}

export function addressOf(random: SeededRandom, place: Place, suburb: Suburb, isAfrikaans: boolean): AddressBody {
  const country = random.weigh(['South Africa', 'RSA', null], (each) =>
    each === 'South Africa' ? 6 : each === 'RSA' ? 1 : 3,
  )
  return {
    ...(random.chance(0.93) ? { street: streetOf(random, suburb, isAfrikaans) } : {}),
    ...(suburb.name === null ? {} : { suburb: suburb.name }),
    city: random.chance(0.8) ? place.names[0] : random.pick(place.names),
    ...(random.chance(0.97) ? { province: random.chance(0.88) ? provinceNames[place.province] : place.province } : {}),
    ...(random.chance(0.92) ? { postalCode: suburb.postalCode } : {}),
    ...(country === null ? {} : { country }),
  }
}

function streetOf(random: SeededRandom, suburb: Suburb, isAfrikaans: boolean): string {
  const kind = random.weigh(
    ['street', 'unit', 'box', 'bag'] as const,
    (key) => ({ street: 16, unit: 4, box: 4, bag: 1 })[key],
  )
  const street = `${random.int(1, 320)} ${random.pick(suburb.streets)}`
  switch (kind) {
    case 'street':
      return street
    case 'unit':
      return `${random.pick(['Unit', 'Shop', 'Suite'])} ${random.int(1, 24)}, ${street}`
    case 'box':
      return `${isAfrikaans ? 'Posbus' : 'P O Box'} ${random.int(12, 9_870)}`
    case 'bag':
      return `PostNet Suite ${random.int(2, 480)}, Private Bag X${random.int(1, 60)}`
  }
}

function tagsOf(random: SeededRandom, trade: Trade, year: number): string[] {
  const tags = [
    ...random.some(trade.tags, random.pick([0, 0, 1, 1, 2])),
    ...random.some(commonTags, random.pick([0, 0, 0, 1, 1])),
    ...(random.chance(0.12) ? [`expo-${year}`] : []),
  ]
  return [...new Set(tags)]
}
