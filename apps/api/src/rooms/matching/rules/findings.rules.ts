import { onlyProvinceIn, provincesIn } from '../../normalization/normalization.ts'
import { type PlaceFinding, SOUTH_AFRICA } from './compare-places.rules.ts'
import type { Comparison, SharedFinding } from './compare-records.rules.ts'
import { scoreOf } from './exact-arithmetic.rules.ts'
import type { ComparedAddress, MatchRecord } from './match-record.ts'
import { configuration } from './matching-configuration.data.ts'

export const reasonFields = [
  'name',
  'legalForm',
  'phone',
  'email',
  'domain',
  'registrationNumber',
  'address',
  'together',
] as const
export type ReasonField = (typeof reasonFields)[number]

/** A stored finding. Its text is created when it is read. The weight is in thousandths of a bit. */
export type Finding = {
  field: ReasonField
  finding: string
  weight: number
  /** the shared value, or the two names compared */
  values?: string[]
  /** number of records that have the value, including the two compared */
  records?: number
  places?: number
}

/** The canonical values that were compared, stored to show what the score is based on. */
export type Canonical = {
  names: string[]
  legalForm: string | null
  phones: string[]
  emails: string[]
  domains: string[]
  registrationNumber: string | null
  address: string | null
  doubts: string[]
}

/** The suggestion to store for a pair. `facts`: hashes of the typed values of both records, by which a change is noticed. */
export type SuggestionDraft = {
  a: string
  b: string
  score: number
  evidence: string
  canonical: string
  facts: string
}

const SAME = 1_000

declare const rowsOf: unique symbol
/**
 * Many drafts as one text, because posting a text between threads is cheaper than posting an object. Each line is one value, because no value
 * contains a line break.
 */
export type DraftRows = string & { readonly [rowsOf]: 'drafts' }
type DraftLines = [a: string, b: string, score: string, evidence: string, canonical: string, facts: string]
const LINES: DraftLines['length'] = 6

export function draftRows(drafts: readonly SuggestionDraft[]): DraftRows {
  const lines = drafts.flatMap(
    ({ a, b, score, evidence, canonical, facts }): DraftLines => [a, b, String(score), evidence, canonical, facts],
  )
  return lines.join('\n') as DraftRows
}

export function draftsIn(rows: DraftRows): SuggestionDraft[] {
  const lines = rows.split('\n')
  if (lines.length % LINES !== 0) throw new Error('The text of match drafts is incomplete.')
  const drafts: SuggestionDraft[] = []
  for (let at = 0; at < lines.length; at += LINES) {
    const [a, b, score, evidence, canonical, facts] = lines.slice(at, at + LINES) as DraftLines
    drafts.push({ a, b, score: Number(score), evidence, canonical, facts })
  }
  return drafts
}

/** Creates a draft with its properties in a fixed order, so that the same pair gives the same bytes. */
export function draftOf(a: MatchRecord, b: MatchRecord, found: Comparison): SuggestionDraft {
  return {
    a: a.id,
    b: b.id,
    score: scoreOf(found.total),
    evidence: JSON.stringify(findingsOf(a, b, found)),
    canonical: JSON.stringify([canonicalOf(a), canonicalOf(b)]),
    facts: factsOfPair(a.facts, b.facts),
  }
}

/** Combines the fact hashes of two records into one text. */
function factsOfPair(a: number, b: number): string {
  return `${a.toString(36)}-${b.toString(36)}`
}

function findingsOf(a: MatchRecord, b: MatchRecord, found: Comparison): Finding[] {
  const { name, phone, email, domain, registration, place } = found
  const shared = name.a.records >= name.b.records ? name.a : name.b
  const findings: Finding[] = [
    {
      field: 'name',
      finding: nameFinding(name),
      weight: name.weight,
      values: [name.a.canonical, name.b.canonical].sort(),
      records: shared.records,
      places: shared.places,
    },
  ]
  if (found.legalForm !== 0)
    findings.push({
      field: 'legalForm',
      finding: 'differs',
      weight: found.legalForm,
      values: [String(name.a.legalForm), String(name.b.legalForm)].sort(),
    })
  findings.push(
    ...sharedFinding('phone', phone, phone.value === null ? null : (phone.value.international ?? phone.value.digits)),
  )
  findings.push(...sharedFinding('email', email, email.value?.address ?? null))
  findings.push(...sharedFinding('domain', domain, domain.value?.name ?? null))
  if (registration.finding !== 'unknown')
    findings.push({ field: 'registrationNumber', finding: registration.finding, weight: registration.weight })
  findings.push(placeFinding(place, a.place, b.place))
  for (const [finding, weight] of [
    ['brand', found.brandCap],
    ['site', found.siteCap],
    ['chain', found.chainCap],
    ['moved', found.moved],
  ] as const)
    if (weight !== 0) findings.push({ field: 'together', finding, weight })
  // A reason to doubt the match is listed even with weight 0, because a person has to check it.
  if (found.doubt !== null) findings.push({ field: 'together', finding: found.doubt, weight: found.reviewCap })
  findings.push({ field: 'together', finding: 'prior', weight: configuration.prior })
  return findings
}

function nameFinding({
  numbersDiffer,
  qualifiersDiffer,
  similarity,
  finding,
  isContained,
}: Comparison['name']): string {
  if (numbersDiffer) return 'numbers_differ'
  if (qualifiersDiffer) return 'qualifiers_differ'
  if (similarity === SAME) return 'same'
  if (finding === 'same') return 'slip'
  return isContained ? 'contained' : finding
}

type SharedOne = { finding: SharedFinding; weight: number; value: { records: number; places: number } | null }

function sharedFinding(field: 'phone' | 'email' | 'domain', one: SharedOne, value: string | null): Finding[] {
  if (one.finding === 'unknown') return []
  if (one.value === null || value === null) return [{ field, finding: one.finding, weight: one.weight }]
  return [
    {
      field,
      finding: one.finding,
      weight: one.weight,
      values: [value],
      records: one.value.records,
      places: one.value.places,
    },
  ]
}

function placeFinding(
  { finding, weight, buildingShared }: Comparison['place'],
  a: ComparedAddress,
  b: ComparedAddress,
): Finding {
  const base: Finding = { field: 'address', finding, weight }
  if (buildingShared > 0) return { ...base, records: buildingShared }
  const values = differingPart(finding, a, b)
  return values === null ? base : { ...base, values: values.sort() }
}

/** Returns the parts of the two addresses in which they differ, or null. */
function differingPart(finding: PlaceFinding, a: ComparedAddress, b: ComparedAddress): string[] | null {
  const part = ({ number, street, city, provinces, country }: ComparedAddress) => {
    if (finding === 'number_near' || finding === 'number_differs') return number
    if (finding === 'street_differs') return street.join(' ')
    if (finding === 'province_differs') return provincesIn(provinces).join(' ')
    if (finding === 'country_differs') return country
    return finding === 'town_differs' || finding === 'same_other_town' ? city : null
  }
  const [one, other] = [part(a), part(b)]
  return one === null || other === null ? null : [one, other]
}

function canonicalOf({ names, phones, emails, domains, registration, place }: MatchRecord): Canonical {
  const { unit, complex, number, street, box, suburb, city, provinces, postalCode, country } = place
  const parts = [
    unit,
    complex,
    [number, ...street].filter((part) => part !== null).join(' '),
    box,
    suburb,
    city,
    onlyProvinceIn(provinces),
    postalCode,
    country === SOUTH_AFRICA ? null : country,
  ]
  const address = parts.filter((part) => part !== null && part !== '').join(', ')
  return {
    names: names.map(({ canonical }) => canonical),
    legalForm: names[0]?.legalForm ?? null,
    phones: phones.map(({ international, digits }) => international ?? `?${digits}`).sort(),
    emails: emails.map(({ address }) => address).sort(),
    domains: domains.map(({ name }) => name).sort(),
    registrationNumber: registration,
    address: address === '' ? null : address,
    doubts: place.doubts.map(({ text }) => text),
  }
}
