import type { PlaceFinding } from './compare-places.rules.ts'
import type { Comparison, SharedFinding } from './compare-records.rules.ts'
import { scoreOf } from './exact-arithmetic.rules.ts'
import type { MatchRecord } from './match-record.ts'
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

/** What was found, as it is stored: words are made of it when it is read. Weights in thousandths of a bit. */
export type Finding = {
  field: ReasonField
  finding: string
  weight: number
  /** the value that both have, or the names that were compared */
  values?: string[]
  /** how many records carry the value, these two among them */
  records?: number
  places?: number
}

/** A record as it was compared, for people: the canonical values that the score rests on. */
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

/** What is to be kept of a pair. `facts` says what both records stood on. */
export type SuggestionDraft = {
  a: string
  b: string
  score: number
  evidence: string
  canonical: string
  facts: string
}

declare const rowsOf: unique symbol
/** A text is cheaper between threads than what it holds: a line for each value, because none has an end of a line in it. */
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
  if (lines.length % LINES !== 0) throw new Error('What was to be written of pairs is not whole.')
  const drafts: SuggestionDraft[] = []
  for (let at = 0; at < lines.length; at += LINES) {
    const [a, b, score, evidence, canonical, facts] = lines.slice(at, at + LINES) as DraftLines
    drafts.push({ a, b, score: Number(score), evidence, canonical, facts })
  }
  return drafts
}

/** Everything in a fixed order of properties, so that the same pair gives the same bytes. */
export function draftOf(a: MatchRecord, b: MatchRecord, found: Comparison): SuggestionDraft {
  return {
    a: a.id,
    b: b.id,
    score: scoreOf(found.total),
    evidence: JSON.stringify(findingsOf(found)),
    canonical: JSON.stringify([canonicalOf(a), canonicalOf(b)]),
    facts: `${a.facts.toString(36)}-${b.facts.toString(36)}`,
  }
}

function findingsOf(found: Comparison): Finding[] {
  const { name, phone, email, domain, registration, place } = found
  const shared = name.a.records >= name.b.records ? name.a : name.b
  const findings: Finding[] = [
    {
      field: 'name',
      finding: name.numbersDiffer
        ? 'numbers_differ'
        : name.similarity === 1_000
          ? 'same'
          : name.finding === 'same'
            ? 'slip'
            : name.finding,
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
  findings.push(placeFinding(place))
  for (const [finding, weight] of [
    ['brand', found.brandCap],
    ['site', found.siteCap],
    ['chain', found.chainCap],
  ] as const)
    if (weight !== 0) findings.push({ field: 'together', finding, weight })
  findings.push({ field: 'together', finding: 'prior', weight: configuration.prior })
  return findings
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

function placeFinding(place: { finding: PlaceFinding; weight: number; buildingShared: number }): Finding {
  const base: Finding = { field: 'address', finding: place.finding, weight: place.weight }
  return place.buildingShared > 0 ? { ...base, records: place.buildingShared } : base
}

function canonicalOf({ names, phones, emails, domains, registration, place }: MatchRecord): Canonical {
  const { unit, complex, number, street, box, suburb, city, province, postalCode } = place
  const parts = [
    unit,
    complex,
    [number, ...street].filter((part) => part !== null).join(' '),
    box,
    suburb,
    city,
    province,
    postalCode,
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
    doubts: place.doubts.map(({ what, candidates }) => `${what}: ${candidates.join(' or ')}`),
  }
}
