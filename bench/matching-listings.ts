import { seededNumbers } from '../apps/api/src/lib/seeded-numbers.ts'
import { type LabelledRecord, streetKinds, syllables } from './matching-data.ts'

const trades =
  'Plumbing Motors Bakery Attorneys Hardware Logistics Guesthouse Pharmacy Electrical Catering Security Printing Cafe Grill Spa Kitchen'.split(
    ' ',
  )
const forms = ['', '', '', '(Pty) Ltd', 'CC', 'Inc']
const streetNames =
  'Main,Church,Voortrekker,Long,Market,Kloof,Nelson Mandela,Station,Oak,Jacaranda,Beach,Park,Hill,5th'.split(',')
/** area code of each town */
const towns = Object.entries({
  'Cape Town': '21',
  Durban: '31',
  Pretoria: '12',
  Johannesburg: '11',
  Gqeberha: '41',
  Bloemfontein: '51',
  Kimberley: '53',
  George: '44',
})

type Business = {
  name: string
  phone: string
  email: string
  domain: string
  street: string
  kind: number
  town: number
}

/**
 * Generates labelled listings with the errors of several kinds of sources, so that no kind of error dominates: businesses move, outlets are renamed
 * or named after a parent, fields are missing, numbers lack their area code. Branches, outlets in one building and firms that share a switchboard,
 * with and without a chain, are different businesses.
 */
export function generateListings(count: number, seed: number): LabelledRecord[] {
  const random = seededNumbers(seed)
  const chance = (part: number) => random() < part
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const number = (most: number) => 1 + Math.floor(random() * most)
  const invented = () => {
    const word = Array.from({ length: 2 + Math.floor(random() * 2) }, () => pick(syllables)).join('')
    return word.charAt(0).toUpperCase() + word.slice(1)
  }
  const slip = (text: string) => {
    const at = 1 + Math.floor(random() * Math.max(1, text.length - 2))
    return chance(0.5)
      ? text.slice(0, at) + text.slice(at + 1)
      : text.slice(0, at) + pick([...'aeinorst']) + text.slice(at)
  }
  const brand = () => `${invented()}${chance(0.3) ? ` ${invented()}` : ''}`
  const line = (town: number) =>
    `0${chance(0.3) ? pick(['82', '83', '72']) : towns[town]?.[1]}${1_000_000 + Math.floor(random() * 8_999_999)}`
  const place = () => `${number(400)} ${chance(0.5) ? pick(streetNames) : invented()}`
  const business = (name: string): Business => {
    const town = Math.floor(random() * towns.length)
    const host = `${name.toLowerCase().replaceAll(' ', '')}.co.za`
    return {
      name,
      phone: line(town),
      email: chance(0.7) ? `info@${host}` : '',
      domain: host,
      street: place(),
      kind: Math.floor(random() * streetKinds.length),
      town,
    }
  }

  /** returns related businesses that are different businesses */
  const family = (): Business[] => {
    const name = `${brand()} ${pick(trades)}`
    const first = business(name)
    if (chance(0.04)) {
      const switchboard = chance(0.4) ? first.phone : null
      return Array.from({ length: 2 + Math.floor(random() * 5) }, () => {
        const branch = business(name)
        return {
          ...branch,
          name: chance(0.3) ? `${name} (${towns[branch.town]?.[0]})` : name,
          phone: switchboard ?? branch.phone,
        }
      })
    }
    if (chance(0.005)) {
      const [own = ''] = name.split(' ')
      return ['Cafe', 'Spa'].map((outlet) => ({ ...first, name: `${own} ${outlet}` }))
    }
    if (!chance(0.02)) return [first]
    return Array.from({ length: 3 + Math.floor(random() * 5) }, () => ({
      ...business(`${brand()} ${pick(trades)}`),
      phone: first.phone,
      street: first.street,
      kind: first.kind,
      town: first.town,
    }))
  }

  const habits: ((one: Business) => Business)[] = [
    (one) => ({ ...one, name: slip(one.name) }),
    (one) => ({ ...one, street: slip(one.street) }),
    (one) => ({ ...one, street: place() }),
    (one) => ({ ...one, street: `Corner of ${pick(streetNames)} and ${pick(streetNames)}` }),
    (one) => ({ ...one, street: one.street.replace(/^\d+/, (typed) => String(Number(typed) + number(9))) }),
    (one) => ({ ...one, street: '' }),
    (one) => ({ ...one, phone: '' }),
    (one) => ({ ...one, phone: one.phone.slice(3) }),
    (one) => ({ ...one, phone: `${one.phone.slice(0, 6)}${1_000 + Math.floor(random() * 8_999)}` }),
    (one) => ({ ...one, name: `${invented()} Group - ${one.name}` }),
    (one) => ({ ...one, name: `${one.name} at the ${pick(streetNames)}` }),
    (one) => ({ ...one, name: one.name.split(' ').slice(0, -1).join(' ') }),
    (one) => ({ ...one, name: `${one.name.split(' ').slice(0, -1).join(' ')} ${pick(trades)}` }),
    (one) => ({ ...one, name: `${one.name}, The` }),
    (one) => ({ ...one, domain: '', email: '' }),
    (one) => ({ ...one, street: `Unit ${number(20)}, ${one.street}` }),
  ]

  const records: LabelledRecord[] = []
  let cluster = 0
  const list = (one: Business) => {
    const international = `+27 ${one.phone.slice(1, 3)} ${one.phone.slice(3, 6)} ${one.phone.slice(6)}`
    records.push({
      id: String(records.length).padStart(12, '0'),
      cluster: String(cluster),
      name: `${one.name} ${pick(forms)}`.trim(),
      phone: one.phone.startsWith('0') && chance(0.4) ? international : one.phone,
      email: one.email,
      domain: chance(0.6) ? one.domain : '',
      address:
        one.street === ''
          ? ''
          : `${one.street}${/^Corner/.test(one.street) ? '' : ` ${pick(streetKinds[one.kind] ?? streetKinds[0])}`}`,
      city: chance(0.9) ? (towns[one.town]?.[0] ?? '') : '',
    })
  }
  while (records.length < count) {
    for (const one of family()) {
      cluster += 1
      list(one)
      for (let copies = chance(0.3) ? 1 + Math.floor(random() * 2) : 0; copies > 0; copies--)
        list(chance(0.7) ? pick(habits)(one) : one)
    }
  }
  return records.slice(0, count)
}
