import type { Community } from './people.data.ts'
import { afrikaans, communities } from './people.data.ts'
import type { Place } from './places.data.ts'
import { regionNames } from './places.data.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { Trade } from './trades.data.ts'
import { shelfNames } from './wording.data.ts'

export type Person = { first: string; surname: string }

/** Names of a business. `brand`: the name in daily use. `name`: the name in the companies register. */
export type FirmName = { brand: string; name: string; tradingName: string | null; registrationNumber: string | null }

type LegalForm = 'pty' | 'cc' | 'inc' | 'npc' | 'trust' | 'sole' | 'trading_as' | 'shelf'

const formWeights: Record<Trade['kind'], readonly (readonly [LegalForm, number])[]> = {
  company: [
    ['pty', 45],
    ['cc', 17],
    ['sole', 22],
    ['trading_as', 8],
    ['shelf', 8],
  ],
  professional: [
    ['inc', 55],
    ['sole', 30],
    ['pty', 15],
  ],
  non_profit: [
    ['npc', 60],
    ['sole', 40],
  ],
  farm: [
    ['pty', 40],
    ['trust', 22],
    ['cc', 14],
    ['sole', 24],
  ],
}

export function personOf(random: SeededRandom, community: Community): Person {
  return {
    first: random.pick(random.chance(0.45) ? community.women : community.men),
    surname: random.pick(community.surnames),
  }
}

/** Returns the name in daily use of a business with this trade, owner and place. */
export function brandOf(random: SeededRandom, trade: Trade, community: Community, owner: Person, place: Place): string {
  const trades =
    community === afrikaans && trade.afrikaansNames && random.chance(0.55) ? trade.afrikaansNames : trade.names
  const line = random.pick(trades)
  if (trade.kind === 'professional' && random.chance(0.85)) return `${partners(random, community, owner)} ${line}`
  if (trade.brands.length > 0 && random.chance(0.1)) return random.pick(trade.brands)
  const kind = random.weigh(['family', 'word', 'region', 'town', 'first'] as const, (key) => brandWeights[key])
  switch (kind) {
    case 'family':
      return `${family(random, community, owner)} ${line}`
    case 'word':
      return `${random.pick(community.words)} ${line}`
    case 'region':
      return `${random.pick(regionNames[place.province])} ${line}`
    case 'town':
      return `${place.names[0]} ${line}`
    case 'first':
      return `${owner.first}'s ${line}`
  }
}

const brandWeights = { family: 38, word: 30, region: 20, town: 5, first: 7 }

function family(random: SeededRandom, community: Community, owner: Person): string {
  if (!random.chance(0.3)) return owner.surname
  const ending =
    community === afrikaans
      ? random.pick(['& Seuns', '& Dogters', 'Broers'])
      : random.pick(['& Sons', '& Daughters', 'Brothers', 'Family'])
  return `${owner.surname} ${ending}`
}

function partners(random: SeededRandom, community: Community, owner: Person): string {
  if (random.chance(0.35)) return owner.surname
  const other = random.pick(random.chance(0.5) ? community.surnames : random.pick(communities).surnames)
  return other === owner.surname ? `${owner.first} ${owner.surname}` : `${owner.surname} & ${other}`
}

/** Combines the brand with a legal form, and with a registration number that the register could have assigned in or before `year`. */
export function registeredName(
  random: SeededRandom,
  trade: Trade,
  community: Community,
  owner: Person,
  brand: string,
  year: number,
): FirmName {
  const [form] = random.weigh(formWeights[trade.kind], ([, weight]) => weight)
  const registrationNumber = random.chance(0.82) ? registrationOf(random, form, year) : null
  const showsBrand = random.chance(0.35) ? brand : null
  switch (form) {
    case 'pty':
      return {
        brand,
        name: `${brand} ${companyEnding(random, community)}`,
        tradingName: showsBrand,
        registrationNumber,
      }
    case 'cc':
      return { brand, name: `${brand} CC`, tradingName: showsBrand, registrationNumber }
    case 'inc':
      return { brand, name: `${brand} Inc`, tradingName: showsBrand, registrationNumber }
    case 'npc':
      return { brand, name: `${brand} NPC`, tradingName: showsBrand, registrationNumber }
    case 'trust':
      return { brand, name: `${brand} Trust`, tradingName: showsBrand, registrationNumber }
    case 'trading_as': {
      const initials = `${owner.first.charAt(0)}${random.pick([...'ABDEHJLMPST'])}`
      return { brand, name: `${initials} ${owner.surname} t/a ${brand}`, tradingName: brand, registrationNumber }
    }
    case 'shelf':
      return {
        brand,
        name: `${random.pick(shelfNames)} ${random.int(11, 489)} (Pty) Ltd`,
        tradingName: brand,
        registrationNumber,
      }
    case 'sole':
      return { brand, name: brand, tradingName: null, registrationNumber: null }
  }
}

function companyEnding(random: SeededRandom, community: Community): string {
  if (community === afrikaans && random.chance(0.2)) return '(Edms) Bpk'
  return random.weigh(['(Pty) Ltd', '(PTY) LTD', 'Pty Ltd'], (ending) => (ending === '(Pty) Ltd' ? 8 : 1))
}

/** Returns a registration number: year/serial/kind. Close corporations were founded only from 1985 to 2011. */
function registrationOf(random: SeededRandom, form: LegalForm, year: number): string | null {
  const serial = String(random.int(1_000, 899_999)).padStart(6, '0')
  const founded = random.int(1996, year - 1)
  switch (form) {
    case 'pty':
    case 'shelf':
      return `${founded}/${serial}/07`
    case 'inc':
      return `${founded}/${serial}/21`
    case 'npc':
      return `${founded}/${serial}/08`
    case 'cc':
      return `${random.chance(0.3) ? 'CC ' : ''}${random.int(1987, 2010)}/${serial}/23`
    case 'trust':
      return `IT ${random.int(120, 9_800)}/${founded}`
    case 'sole':
    case 'trading_as':
      return null
  }
}

/** Returns the letters and digits of a name, for a host name or an email address: "Môreson Wyne & Seuns" becomes "moresonwyneseuns". */
export function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^a-zA-Z0-9]/g, '')
    .toLowerCase()
    .slice(0, 40)
}
