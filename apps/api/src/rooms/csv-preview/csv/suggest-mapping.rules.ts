import { findProvinceCode } from '../../normalization/normalization.ts'
import { type CsvField, csvFields, repeatableFields } from './fields.ts'

export type Suggestion = { field: CsvField | null; because: 'header' | 'content' | null }

/** Common column headings in English and Afrikaans by field, without case, spaces and punctuation. */
const headings: Record<CsvField, readonly string[]> = {
  name: [
    'name',
    'company',
    'companyname',
    'business',
    'businessname',
    'registeredname',
    'organisation',
    'organization',
    'customer',
    'client',
    'account',
    'accountname',
    'naam',
    'maatskappy',
    'besigheid',
    'restaurant',
    'entityname',
  ],
  tradingName: ['tradingname', 'tradingas', 'tradename', 'ta', 'dba', 'brand', 'handelsnaam'],
  registrationNumber: [
    'registrationnumber',
    'registrationno',
    'registration',
    'regno',
    'regnumber',
    'companynumber',
    'cipc',
    'cipcnumber',
    'cknumber',
    'registrasienommer',
  ],
  industry: ['industry', 'sector', 'category', 'trade', 'bedryf', 'sicdescription'],
  email: [
    'email',
    'emailaddress',
    'mail',
    'emailadres',
    'epos',
    'contactemail',
    'email1',
    'email2',
    'primaryemail',
    'workemail',
  ],
  phone: [
    'phone',
    'phonenumber',
    'telephone',
    'telephonenumber',
    'tel',
    'telno',
    'mobile',
    'mobilenumber',
    'cell',
    'cellphone',
    'cellnumber',
    'landline',
    'contactnumber',
    'phone1',
    'phone2',
    'telefoon',
    'selfoon',
    'workphone',
    'fax',
  ],
  domain: ['domain', 'website', 'web', 'url', 'webaddress', 'homepage', 'site', 'www', 'webwerf', 'webdomain'],
  'address.street': [
    'address',
    'street',
    'streetaddress',
    'address1',
    'addressline1',
    'physicaladdress',
    'straat',
    'adres',
  ],
  'address.suburb': ['suburb', 'addressline2', 'address2', 'district', 'voorstad'],
  'address.city': ['city', 'town', 'citytown', 'municipality', 'stad', 'dorp'],
  'address.province': ['province', 'state', 'region', 'provinsie'],
  'address.postalCode': ['postalcode', 'postcode', 'zip', 'zipcode', 'code', 'poskode'],
  'address.country': ['country', 'land', 'countrycode'],
  tag: ['tag', 'tags', 'label', 'labels', 'group', 'segment'],
}

const fieldByHeading = new Map(
  csvFields.flatMap((field) => headings[field].map((heading) => [heading, field] as const)),
)

/** Minimum share of cells that must look like a field if only the content suggests it. */
const SURE_SHARE = 0.7

/**
 * Suggests a field for each column, by its heading if that is known and otherwise by its content. A field with a single value is suggested for the
 * first matching column only. The person decides.
 */
export function suggestMapping(header: readonly string[] | null, sample: readonly (readonly string[])[]): Suggestion[] {
  const width = Math.max(header?.length ?? 0, ...sample.map((row) => row.length))
  const taken = new Set<CsvField>()
  const take = (field: CsvField | undefined): CsvField | undefined => {
    if (field === undefined || (taken.has(field) && !repeatableFields.has(field))) return undefined
    taken.add(field)
    return field
  }
  const byHeading = Array.from({ length: width }, (_, column) =>
    take(fieldByHeading.get(folded(header?.[column] ?? ''))),
  )
  return byHeading.map((field, column) => {
    if (field !== undefined) return { field, because: 'header' }
    const found = take(fieldByContent(sample.map((row) => row[column] ?? '')))
    return found === undefined ? { field: null, because: null } : { field: found, because: 'content' }
  })
}

function folded(heading: string): string {
  return heading
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

function fieldByContent(cells: readonly string[]): CsvField | undefined {
  const filled = cells.filter((cell) => cell.trim() !== '')
  if (filled.length === 0) return undefined
  const share = (is: (cell: string) => boolean) => filled.filter(is).length / filled.length
  if (share(looksLikeEmail) >= SURE_SHARE) return 'email'
  if (share(looksLikeDomain) >= SURE_SHARE) return 'domain'
  if (share(looksLikePhone) >= SURE_SHARE) return 'phone'
  if (share((cell) => findProvinceCode(cell) !== undefined) >= SURE_SHARE) return 'address.province'
  if (share((cell) => companyForm.test(cell)) >= 0.3) return 'name'
  return undefined
}

const companyForm = /\b(?:pty|ltd|limited|cc|inc|npc|bpk|edms|llc|gmbh)\b/i

function looksLikeEmail(cell: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell.trim())
}
function looksLikeDomain(cell: string): boolean {
  return /^(?:https?:\/\/)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/\S*)?$/i.test(cell.trim())
}
/**
 * True for a text that looks like a phone number: digits with a leading plus or zero, or with brackets. A number without any of these can mean
 * anything.
 */
function looksLikePhone(cell: string): boolean {
  const compact = cell.replace(/[\s().\-/]/g, '')
  return /^(?:\+\d{8,15}|0\d{8,12})$/.test(compact) || (/^\(\d/.test(cell.trim()) && /^\d{7,15}$/.test(compact))
}

/** True if the first row contains column names: it has known headings, or its cells differ from those of the rows below. */
export function findHeader(rows: readonly (readonly string[])[]): { hasHeader: boolean; doubt: string | null } {
  const [first, ...below] = rows
  if (first === undefined) return { hasHeader: false, doubt: null }
  const cells = first.map((cell) => cell.trim())
  const known = cells.filter((cell) => fieldByHeading.has(folded(cell))).length
  const isData = cells.some((cell) => looksLikeEmail(cell) || looksLikePhone(cell) || /^-?\d[\d.,]*$/.test(cell))
  if (isData) return { hasHeader: false, doubt: null }
  const unsure = 'Check whether the first row contains the column names.'
  if (known >= 2 || (known === 1 && cells.length <= 2))
    return { hasHeader: true, doubt: below.length === 0 ? unsure : null }
  const isUnlike = cells.some((_, column) => {
    const filled = below.map((row) => row[column] ?? '').filter((cell) => cell.trim() !== '')
    const data = filled.filter(
      (cell) => looksLikeEmail(cell) || looksLikePhone(cell) || /^-?\d[\d.,]*$/.test(cell.trim()),
    )
    return filled.length > 0 && data.length / filled.length >= SURE_SHARE
  })
  const areNames = cells.every((cell) => cell !== '' && cell.length <= 60) && new Set(cells).size === cells.length
  if (isUnlike && areNames) return { hasHeader: true, doubt: null }
  return { hasHeader: areNames && known > 0, doubt: unsure }
}
