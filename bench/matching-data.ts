import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { seededNumbers } from '../apps/api/src/lib/seeded-numbers.ts'

/** A record of a labelled set. Rows of one cluster are one business. */
export type LabelledRecord = {
  id: string
  cluster: string
  name: string
  phone: string
  email: string
  domain: string
  address: string
  city: string
}
export type NamePair = { kind: string; one: string; other: string; isMatch: boolean }
export type DataFile = { rows: Record<string, string>[]; columns: string[] }

/** Reads a CSV file with a header, plain or gzipped. Quoted cells can contain commas, quotes and line ends. */
export function readTable(path: string): DataFile {
  const bytes = readFileSync(path)
  const lines = cells((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'))
  const columns = lines.shift() ?? []
  const rows = lines
    .filter(({ length }) => length === columns.length)
    .map((line) => Object.fromEntries(columns.map((column, at) => [column, line[at] ?? ''])))
  return { rows, columns }
}

function cells(text: string): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    if (line.length > 1 || line[0] !== '') lines.push(line)
    line = []
  }
  return lines
}

export function labelledRecords({ rows }: DataFile): LabelledRecord[] {
  return rows.map((row, at) => ({
    id: String(row.id ?? at).padStart(12, '0'),
    cluster: row.cluster_id ?? '',
    name: row.name ?? '',
    phone: row.phone ?? '',
    email: row.email ?? '',
    domain: row.domain ?? '',
    address: row.address ?? '',
    city: row.city ?? '',
  }))
}

export function namePairs({ rows }: DataFile): NamePair[] {
  return rows.map((row) => ({
    kind: row.schema ?? '',
    one: row.name1 ?? '',
    other: row.name2 ?? '',
    isMatch: row.is_match === 'true',
  }))
}

const beginnings =
  'Karoo Protea Umzansi Baobab Kudu Marula Impala Thaba Lesedi Nala Botha Naidoo Dlamini Khumalo Venter Pillay Mokoena Jacobs Steyn Moodley'.split(
    ' ',
  )
export const syllables: readonly string[] = 'ka lo mbe ri tsha vu no pe si go ra ndu li wa ke zo ma thi be du'.split(
  ' ',
)
const trades =
  'Plumbing Motors Bakery Attorneys Hardware Logistics Guesthouse Pharmacy Electrical Catering Security Printing Trading Consulting'.split(
    ' ',
  )
const forms = ['', '', '(Pty) Ltd', 'CC', 'Inc', 'Pty Ltd']
const streetNames =
  'Main Church Voortrekker Long Market Kloof Nelson Mandela Station Oak Jacaranda Beach Park Hill School'.split(' ')
/** Kinds of street, each in full and abbreviated. */
export const streetKinds = [
  ['Street', 'St'],
  ['Road', 'Rd'],
  ['Avenue', 'Ave'],
  ['Drive', 'Dr'],
] as const
const towns =
  'Cape Town,Durban,Pretoria,Johannesburg,Gqeberha,Bloemfontein,Polokwane,Nelspruit,Kimberley,George,Paarl,Rustenburg'.split(
    ',',
  )

/**
 * Generates labelled businesses. A third of them are listed more than once, with typing errors, missing values and other spellings. Some are branches
 * of a chain: they share name, domain and sometimes a switchboard but are different businesses.
 */
export function generateRecords(count: number, seed: number): LabelledRecord[] {
  const random = seededNumbers(seed)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const number = (most: number) => 1 + Math.floor(random() * most)
  const records: LabelledRecord[] = []
  const slip = (text: string) => {
    const at = 1 + Math.floor(random() * Math.max(1, text.length - 2))
    const kind = random()
    if (kind < 0.4) return text.slice(0, at) + text.slice(at + 1)
    if (kind < 0.7) return `${text.slice(0, at)}${text.charAt(at + 1)}${text.charAt(at)}${text.slice(at + 2)}`
    return text.slice(0, at) + pick([...'aeinorst']) + text.slice(at)
  }
  const invented = () => {
    const word = Array.from({ length: 2 + Math.floor(random() * 2) }, () => pick(syllables)).join('')
    return word.charAt(0).toUpperCase() + word.slice(1)
  }
  let cluster = 0
  while (records.length < count) {
    const brand = `${random() < 0.3 ? `${pick(beginnings)} ` : ''}${invented()} ${pick(trades)}`
    const domain = `${brand.toLowerCase().replaceAll(' ', '')}.co.za`
    const branches = random() < 0.04 ? 2 + Math.floor(random() * 5) : 1
    const switchboard = random() < 0.3 ? `0${number(8) + 10}${1000000 + Math.floor(random() * 8999999)}` : null
    for (let branch = 0; branch < branches; branch++) {
      cluster += 1
      const [kind, short] = pick(streetKinds)
      const street = `${number(400)} ${random() < 0.5 ? pick(streetNames) : invented()}`
      const town = pick(towns)
      const phone =
        switchboard ?? `0${pick(['82', '83', '72', '11', '21', '31', '12'])}${1000000 + Math.floor(random() * 8999999)}`
      const copies = random() < 0.25 ? 2 + Math.floor(random() * 2) : 1
      for (let copy = 0; copy < copies && records.length < count; copy++) {
        const mail = random() < 0.75 ? `info@${domain}` : ''
        records.push({
          id: String(records.length).padStart(12, '0'),
          cluster: String(cluster),
          name: `${random() < 0.12 ? slip(brand) : brand} ${pick(forms)}`.trim(),
          phone:
            random() < 0.1
              ? ''
              : random() < 0.5
                ? phone
                : `+27 ${phone.slice(1, 3)} ${phone.slice(3, 6)} ${phone.slice(6)}`,
          email: mail,
          domain: random() < 0.6 ? domain : '',
          address: random() < 0.06 ? '' : `${random() < 0.08 ? slip(street) : street} ${random() < 0.5 ? kind : short}`,
          city: town,
        })
      }
    }
  }
  return records
}
