import { bestName, compareNames, type NameSimilarity, nameWeight } from './compare-names.rules.ts'
import { comparePlaces, type PlaceFinding, placesContradict, placeWeight } from './compare-places.rules.ts'
import { leastKeptWeight } from './exact-arithmetic.rules.ts'
import type { Domain, Email, MatchRecord, Name, Phone } from './match-record.ts'
import { configuration as c } from './matching-configuration.data.ts'

export type NameFinding = 'same' | 'alike' | 'differs'
export type SharedFinding = 'same' | 'same_digits' | 'same_label' | 'differs' | 'unknown'

/**
 * What a comparison found, field by field, in thousandths of a bit. `total` is their sum with the prior. One object is reused for a
 * whole run (half a million pairs a second leave no time to make new ones): read it before the next pair is compared.
 */
export type Comparison = {
  total: number
  name: NameSimilarity & { finding: NameFinding; weight: number; a: Name; b: Name }
  legalForm: number
  phone: { finding: SharedFinding; weight: number; value: Phone | null }
  email: { finding: SharedFinding; weight: number; value: Email | null }
  domain: { finding: SharedFinding; weight: number; value: Domain | null }
  registration: { finding: SharedFinding; weight: number }
  place: { finding: PlaceFinding; weight: number; buildingShared: number }
  /** what the caps took, never more than 0 */
  brandCap: number
  siteCap: number
  chainCap: number
}

const noName: Name = {
  canonical: '',
  words: [],
  joined: '',
  legalForm: null,
  records: 0,
  places: 0,
  loss: 0,
  seen: null,
}

export function createComparison(): Comparison {
  return {
    total: 0,
    name: {
      finding: 'differs',
      weight: 0,
      similarity: 0,
      a: noName,
      b: noName,
      numbersDiffer: false,
      sharesOwnWord: false,
    },
    legalForm: 0,
    phone: { finding: 'unknown', weight: 0, value: null },
    email: { finding: 'unknown', weight: 0, value: null },
    domain: { finding: 'unknown', weight: 0, value: null },
    registration: { finding: 'unknown', weight: 0 },
    place: { finding: 'unknown', weight: 0, buildingShared: 0 },
    brandCap: 0,
    siteCap: 0,
    chainCap: 0,
  }
}

const LIKE_THE_SAME = 950
const ALIKE = 600

/** Compares two records into `into`. Symmetric: which one is called `a` changes nothing but the order in which names are told. */
export function compareRecords(a: MatchRecord, b: MatchRecord, into: Comparison): Comparison {
  compareAllNames(a, b, into)
  compareValues(a, b, into)
  weighNames(into)
  capAndAdd(into)
  return into
}

/**
 * The same for many pairs: true with the whole comparison when the pair is to be kept. `most`: what it can come to with the best of names,
 * where that is known; names are mostly so unlike that nothing else need be looked at.
 */
export function isKept(a: MatchRecord, b: MatchRecord, into: Comparison, most = Number.POSITIVE_INFINITY): boolean {
  compareAllNames(a, b, into)
  if (most - bestName + mostOfNames(into.name) < leastKeptWeight) return false
  compareValues(a, b, into)
  weighNames(into)
  capAndAdd(into)
  return into.total >= leastKeptWeight
}

function compareValues(a: MatchRecord, b: MatchRecord, into: Comparison): void {
  comparePhones(a, b, into)
  compareEmails(a, b, into)
  compareDomains(a, b, into)
  compareRegistrations(a, b, into)
  compareBuildings(a, b, into)
}

function comparePhones(a: MatchRecord, b: MatchRecord, { phone }: Comparison): void {
  phone.finding = a.phones.length === 0 || b.phones.length === 0 ? 'unknown' : 'differs'
  phone.weight = phone.finding === 'unknown' ? 0 : c.phoneDiffers
  phone.value = null
  for (const one of a.phones) {
    for (const other of b.phones) {
      if (one.digits !== other.digits) continue
      const isSame = one === other
      if (!isSame && one.international !== null && other.international !== null) continue
      const shared = one.records >= other.records ? one : other
      const weight = (isSame ? c.phoneSame : c.phoneSameDigits) - shared.loss
      if (phone.value !== null && weight <= phone.weight) continue
      phone.finding = isSame ? 'same' : 'same_digits'
      phone.weight = weight
      phone.value = shared
    }
  }
}

/** Free mail and people's own mailboxes tell as much as a phone; `info@` tells no more than its domain. */
function compareEmails(a: MatchRecord, b: MatchRecord, { email }: Comparison): void {
  email.finding = 'unknown'
  email.weight = 0
  email.value = null
  for (const one of a.emails) {
    if (!b.emails.includes(one)) continue
    const weight = one.isRole && one.domain !== null ? 0 : c.emailSame - one.loss
    if (email.value !== null && weight <= email.weight) continue
    email.finding = 'same'
    email.weight = weight
    email.value = one
  }
}

function compareDomains(a: MatchRecord, b: MatchRecord, { domain }: Comparison): void {
  domain.finding = a.domains.length === 0 || b.domains.length === 0 ? 'unknown' : 'differs'
  domain.weight = domain.finding === 'unknown' ? 0 : c.domainDiffers
  domain.value = null
  for (const one of a.domains) {
    for (const other of b.domains) {
      const isSame = one === other
      if (!isSame && one.label !== other.label) continue
      const shared = one.records >= other.records ? one : other
      const weight = isSame ? c.domainSame - shared.loss : Math.max(0, c.domainSameLabel - shared.loss)
      if (domain.value !== null && weight <= domain.weight) continue
      domain.finding = isSame ? 'same' : 'same_label'
      domain.weight = weight
      domain.value = shared
    }
  }
}

function compareRegistrations(a: MatchRecord, b: MatchRecord, { registration }: Comparison): void {
  const isKnown = a.registration !== null && b.registration !== null
  const isSame = isKnown && a.registration === b.registration
  registration.finding = !isKnown ? 'unknown' : isSame ? 'same' : 'differs'
  registration.weight = !isKnown ? 0 : isSame ? c.registrationSame : c.registrationDiffers
}

function compareBuildings(a: MatchRecord, b: MatchRecord, { place }: Comparison): void {
  place.finding = comparePlaces(a.place, b.place)
  place.weight = placeWeight(place.finding)
  place.buildingShared = 0
  if (place.finding !== 'same' && place.finding !== 'same_box' && place.finding !== 'unit_differs') return
  const [here, there] = [a.building, b.building]
  place.buildingShared = Math.max(here?.records ?? 1, there?.records ?? 1)
  place.weight -= Math.max(here?.loss ?? 0, there?.loss ?? 0)
}

function compareAllNames(a: MatchRecord, b: MatchRecord, { name }: Comparison): void {
  name.similarity = -1
  const others = b.names
  for (const one of a.names) {
    for (const other of others) {
      const { similarity, numbersDiffer, sharesOwnWord } = compareNames(one, other)
      if (similarity <= name.similarity) continue
      name.similarity = similarity
      name.numbersDiffer = numbersDiffer
      name.sharesOwnWord = sharesOwnWord
      name.a = one
      name.b = other
    }
  }
}

/** The most that names weigh, wherever they are and however many have them. */
function mostOfNames(name: Comparison['name']): number {
  const weight = nameWeight(name)
  return name.sharesOwnWord ? Math.max(weight, c.nameOneRoofLeast) : weight
}

/** What names weigh depends on who else has them, and on the place. */
function weighNames({ name, place }: Comparison): void {
  const shared = name.a.records >= name.b.records ? name.a : name.b
  const weight = nameWeight(name)
  name.weight = weight > 0 ? Math.max(0, weight - shared.loss) : weight
  if (place.finding === 'same' && name.sharesOwnWord && !name.numbersDiffer)
    name.weight = Math.max(name.weight, c.nameOneRoofLeast)
  name.finding =
    name.numbersDiffer || name.similarity < ALIKE ? 'differs' : name.similarity >= LIKE_THE_SAME ? 'same' : 'alike'
}

function capAndAdd(found: Comparison): void {
  const { name, phone, email, domain, registration, place } = found
  found.legalForm = legalFormsDiffer(name.a.legalForm, name.b.legalForm) ? c.legalFormConflict : 0
  const ownMail = email.value?.domain === null ? email.weight : 0
  const brandMail = email.weight - ownMail
  const brand = name.weight + Math.max(0, domain.weight) + brandMail
  found.brandCap = Math.min(0, c.brandCap - brand)
  const site = Math.max(0, phone.weight) + Math.max(0, place.weight)
  found.siteCap = Math.min(0, (name.weight < 0 && !name.sharesOwnWord ? c.siteCapOtherName : c.siteCap) - site)
  found.chainCap = 0
  if (placesContradict(place.finding) && !hasMoved(found)) {
    const organisation = brand + found.brandCap + Math.max(0, phone.weight) + ownMail + Math.max(0, registration.weight)
    found.chainCap = Math.min(0, c.chainCap - organisation)
  }
  found.total =
    c.prior +
    name.weight +
    found.legalForm +
    phone.weight +
    email.weight +
    domain.weight +
    registration.weight +
    place.weight +
    found.brandCap +
    found.siteCap +
    found.chainCap
}

/** The same name and a telephone that nobody else has, in another street of the same town: it may have moved. */
function hasMoved({ name, phone, place }: Comparison): boolean {
  return (
    place.finding === 'street_differs' &&
    name.finding === 'same' &&
    phone.finding === 'same' &&
    phone.value !== null &&
    phone.value.records <= 2
  )
}

/** "Company" says no form in particular. */
function legalFormsDiffer(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b && a !== 'company' && b !== 'company'
}
