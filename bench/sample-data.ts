import { seededNumbers } from '../apps/api/src/lib/seeded-numbers.ts'

/**
 * Realistic South African businesses, the same for every run. Record `i` depends only on `i`, so that the bare server and the API have the same rows,
 * and a store can be filled in any number of batches.
 */
export type SampleBusiness = {
  index: number
  name: string
  tradingName: string | null
  registrationNumber: string | null
  industry: string | null
  emails: { value: string; label: string | null }[]
  phones: { value: string; label: string | null; e164: string }[]
  domains: { value: string; label: string | null }[]
  address: {
    street: string | null
    suburb: string | null
    city: string | null
    province: string | null
    postalCode: string | null
    country: string | null
  }
  provinceCode: string | null
  tags: string[]
  /** index in the caller's list of people; null for an unassigned record */
  assignee: number | null
  pipelineState: 'new' | 'contacted' | 'qualified' | 'proposal' | 'negotiation' | 'won' | 'lost'
  doNotContact: boolean
  hasEvidence: boolean
  createdAt: string
  updatedAt: string
}

/** Word that occurs in one record of 20,000, for the benchmark of a rare search term. */
export const rareWord = 'Kwaggafontein'
/** Tag of one record in 2,000. */
export const rareTag = 'referral-2019'

const places = [
  ['GP', 'Gauteng', ['Johannesburg', 'Pretoria', 'Midrand', 'Soweto', 'Benoni', 'Centurion'], '2001', '011', 35],
  ['WC', 'Western Cape', ['Cape Town', 'Stellenbosch', 'George', 'Paarl', 'Worcester'], '8001', '021', 20],
  ['KZN', 'KwaZulu-Natal', ['Durban', 'Pietermaritzburg', 'Richards Bay', 'Newcastle'], '4001', '031', 18],
  ['EC', 'Eastern Cape', ['Gqeberha', 'East London', 'Mthatha', 'Makhanda'], '6001', '041', 8],
  ['FS', 'Free State', ['Bloemfontein', 'Welkom', 'Bethlehem'], '9301', '051', 5],
  ['LP', 'Limpopo', ['Polokwane', 'Tzaneen', 'Mokopane'], '0700', '015', 4],
  ['MP', 'Mpumalanga', ['Mbombela', 'Middelburg', 'Secunda'], '1200', '013', 4],
  ['NW', 'North West', ['Rustenburg', 'Mahikeng', 'Klerksdorp'], '0300', '014', 3],
  ['NC', 'Northern Cape', ['Kimberley', 'Upington', 'Springbok'], '8300', '053', 2],
] as const

const firstWords =
  'Kagiso Protea Umzimvubu Baobab Thandeka Karoo Highveld Lowveld Blouberg Sizwe Naledi Rooibos Marula Kgosi Vaal Drakensberg Khanya Lerato Springbok Ubuntu Tswelopele Fynbos Amandla Bokamoso Jacaranda Boland Mzansi Impala Phakamani Overberg Isizwe Sable Lesedi Kingfisher Masakhane Bushveld Siyabonga Amatola Thuthuka Limpopo Motheo Waterberg Nkosi Botha Dlamini Naidoo Mokoena Venter Khumalo Pillay'.split(
    ' ',
  )
const secondWords =
  'Civil Precision Coastal United Allied National Royal Prime Golden First Swift Bright Modern Northern Southern Eastern Western Central Integrated Advanced General Premier Urban Rural Green Blue Silver Diamond Family Brothers'.split(
    ' ',
  )
const trades = [
  ['Plumbing', 'Construction'],
  ['Logistics', 'Transport'],
  ['Bakery', 'Food'],
  ['Electrical', 'Construction'],
  ['Auto Repairs', 'Motor'],
  ['Consulting', 'Professional services'],
  ['Farms', 'Agriculture'],
  ['Mining Supplies', 'Mining'],
  ['Security', 'Security'],
  ['Textiles', 'Manufacturing'],
  ['Guest House', 'Tourism'],
  ['Pharmacy', 'Health'],
  ['Hardware', 'Retail'],
  ['Engineering', 'Manufacturing'],
  ['Catering', 'Food'],
  ['Cleaning Services', 'Services'],
  ['Print Works', 'Media'],
  ['Solar', 'Energy'],
  ['Tyres', 'Motor'],
  ['Accounting', 'Professional services'],
] as const
const forms = ['(Pty) Ltd', '(Pty) Ltd', '(Pty) Ltd', 'CC', 'Ltd', 'Holdings (Pty) Ltd', 'NPC', 'Trading']
const streets =
  'Nelson Mandela Drive,Church Street,Voortrekker Road,Main Road,Oxford Road,Long Street,Albert Luthuli Avenue,Market Street,Beach Road,Steve Biko Road'.split(
    ',',
  )
const suburbs = 'Rosebank,Sandown,Observatory,Umhlanga,Hatfield,Westville,Parow,Summerstrand,Bluff,Willows'.split(',')
const tagNames = 'retail,import,export,family-owned,tender,seasonal,franchise,bee-level-1,new-in-area,trade-show'.split(
  ',',
)
const states = [
  ['new', 42],
  ['contacted', 20],
  ['qualified', 13],
  ['proposal', 8],
  ['negotiation', 5],
  ['won', 6],
  ['lost', 6],
] as const

function pick<T>(random: () => number, list: readonly [T, ...T[]] | readonly T[]): T {
  const chosen = list[Math.floor(random() * list.length)]
  if (chosen === undefined) throw new Error('cannot pick from an empty list')
  return chosen
}

function pickWeighted<T>(random: () => number, list: readonly T[], weightOf: (item: T) => number): T {
  let left = random() * list.reduce((sum, item) => sum + weightOf(item), 0)
  for (const item of list) {
    left -= weightOf(item)
    if (left < 0) return item
  }
  return pick(random, list)
}

function endOfMinute(time: number): number {
  return time - (time % 60_000) + 59_999
}

const firstDay = Date.parse('2024-01-08T06:00:00.000Z')
const daySpan = 680 * 86_400_000

/**
 * Returns record number `index` of `total`. The records are created over some two years in the order of their numbers. `people`: number of assignees.
 */
export function sampleBusiness(index: number, { total, people }: { total: number; people: number }): SampleBusiness {
  const random = seededNumbers(((index + 1) * 2_654_435_761) >>> 0)
  const first = pick(random, firstWords)
  const second = pick(random, secondWords)
  const [trade, industry] = pick(random, trades)
  const number = String(index + 1).padStart(7, '0')
  const rare = index % 20_000 === 7_771 ? ` ${rareWord}` : ''
  const name = `${first} ${second}${rare} ${trade} ${Math.floor(random() * 900) + 100} ${pick(random, forms)}`
  const [code, province, cities, postalCode, areaCode] = pickWeighted(random, places, (place) => place[5])
  const placed = random() < 0.96
  const domain = `${first}-${trade.replaceAll(' ', '-')}-${number}.co.za`.toLowerCase()
  const subscriber = `${areaCode.slice(1)}${number}`
  const phones = [
    {
      value: `0${subscriber.slice(0, 2)} ${subscriber.slice(2, 5)} ${subscriber.slice(5)}`,
      label: 'office',
      e164: `+27${subscriber}`,
    },
  ]
  if (random() < 0.25) {
    phones.push({ value: `+27 82 ${number.slice(0, 3)} ${number.slice(3)}`, label: 'mobile', e164: `+2782${number}` })
  }
  const emails = [{ value: `info@${domain}`, label: 'work' }]
  if (random() < 0.2) emails.push({ value: `${second}.${first}.${number}@webmail.co.za`, label: 'owner' })
  const tags = tagNames.filter(() => random() < 0.12)
  if (index % 2_000 === 1_234) tags.push(rareTag)
  const createdAt = firstDay + Math.floor((index / total) * daySpan)
  // Use the end of a minute, so that events that are written minute by minute are in the order of their times.
  const updatedAt = endOfMinute(createdAt + Math.floor(random() * (firstDay + daySpan - createdAt)))
  return {
    index,
    name,
    tradingName: random() < 0.4 ? `${first} ${trade}` : null,
    registrationNumber: random() < 0.7 ? `20${10 + Math.floor(random() * 15)}/${number.slice(1)}/07` : null,
    industry,
    emails,
    phones,
    domains: [{ value: domain, label: null }],
    address: {
      street: `${Math.floor(random() * 400) + 1} ${pick(random, streets)}`,
      suburb: random() < 0.6 ? pick(random, suburbs) : null,
      city: placed ? pick(random, cities) : null,
      province: placed ? province : null,
      postalCode,
      country: 'South Africa',
    },
    provinceCode: placed ? code : null,
    tags,
    assignee: people > 0 && random() < 0.7 ? Math.floor(random() * people) : null,
    pipelineState: pickWeighted(random, states, (state) => state[1])[0],
    doNotContact: random() < 0.02,
    hasEvidence: random() < 0.3,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

export type SamplePerson = { name: string; role: string }

/** Name of a person at one record of 20,000, for the benchmark of a rare name. */
export const rarePerson = 'Xolisile Vanderbijl'
const givenNames =
  'Thandi Sipho Pieter Ayesha Lerato Johan Nomsa Fatima Themba Annelie Bongani Priya Zanele Willem Kagiso Naledi Riaan Thabo Elsabe Yusuf Palesa Marius Nosipho Devan Karabo Hettie Mandla Shireen Tumelo Zoleka'.split(
    ' ',
  )
const surnames =
  'Nkosi Botha Dlamini Naidoo Mokoena Venter Khumalo Pillay Mahlangu Fourie Zulu Govender Sithole Nel Molefe Adams Ndlovu Coetzee Mthembu Jacobs Radebe Steyn Cele Moodley Maseko Kruger Tshabalala Daniels Zwane Marais Mabaso Swart'.split(
    ' ',
  )
const roles = ['Buyer', 'Owner', 'Accounts', 'Workshop manager', 'Reception', 'Operations', 'Farm manager', 'Director']

/** Returns the people at record number `index`: none to three, one and a half on average. */
export function samplePeople(index: number): SamplePerson[] {
  const random = seededNumbers(((index + 7) * 2_246_822_519) >>> 0)
  return Array.from({ length: index % 4 }, (_, place) => ({
    name:
      index % 20_000 === 7_771 && place === 0 ? rarePerson : `${pick(random, givenNames)} ${pick(random, surnames)}`,
    role: pick(random, roles),
  }))
}

export type HistoryStep = { at: string; by: number } & (
  | { kind: 'move'; from: string; to: string }
  | { kind: 'evidence' | 'edit' | 'block' }
)

const way = ['new', 'contacted', 'qualified', 'proposal', 'negotiation'] as const

/** Returns the events of a record after its creation, in order; the last one is at its `updatedAt`. */
export function historyOf(sample: SampleBusiness): HistoryStep[] {
  const { pipelineState: state } = sample
  const stops: string[] = state === 'won' || state === 'lost' ? [...way, state] : way.slice(0, way.indexOf(state) + 1)
  const steps: ({ kind: 'move'; from: string; to: string } | { kind: 'evidence' | 'edit' | 'block' })[] = []
  if (sample.hasEvidence) steps.push({ kind: 'evidence' })
  stops.slice(1).forEach((to, i) => {
    steps.push({ kind: 'move', from: stops[i] ?? 'new', to })
  })
  if (sample.doNotContact) steps.push({ kind: 'block' })
  if (steps.every(({ kind }) => kind === 'evidence')) steps.push({ kind: 'edit' })
  const created = Date.parse(sample.createdAt)
  const span = Date.parse(sample.updatedAt) - created
  return steps.map((step, i) => ({
    ...step,
    at:
      i === steps.length - 1
        ? sample.updatedAt
        : new Date(endOfMinute(created + Math.floor((span * (i + 1)) / steps.length))).toISOString(),
    by: sample.index + i,
  }))
}
