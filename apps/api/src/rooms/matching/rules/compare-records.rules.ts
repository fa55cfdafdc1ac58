import { bestName, compareNames, createNameSimilarity, type NameSimilarity, nameWeight } from './compare-names.rules.ts'
import {
  compareAreas,
  comparePlaces,
  type PlaceFinding,
  placesContradict,
  placeWeight,
  townsDiffer,
} from './compare-places.rules.ts'
import { leastKeptWeight } from './exact-arithmetic.rules.ts'
import type { Domain, Email, MatchRecord, Name, Phone } from './match-record.ts'
import { configuration as c } from './matching-configuration.data.ts'

export type NameFinding = 'same' | 'alike' | 'differs'
export type SharedFinding =
  | 'same'
  | 'same_digits'
  | 'same_local'
  | 'same_end'
  | 'same_label'
  | 'differs_nearby'
  | 'differs'
  | 'unknown'

/**
 * Reasons to doubt that two records are one business, even if everything else agrees. `outlets`: two outlets in one building. `branch`: a business
 * that moved or has a branch, in another town or under a name used at other places. `other_phone`: similar names with different phones.
 * `name_in_name`: a shop named after its mall. `place`: it is
 * not certain that the two places are one, and neither phone, mailbox nor registration number decides.
 */
export type Doubt = 'outlets' | 'branch' | 'other_phone' | 'name_in_name' | 'place'

/**
 * Result of a comparison by field, in thousandths of a bit. `total` is the sum of all weights and the prior. A run compares half a million pairs a
 * second and reuses one object to avoid allocations, so read the result before the next comparison.
 */
export type Comparison = {
  total: number
  name: NameSimilarity & { finding: NameFinding; weight: number; a: Name; b: Name }
  legalForm: number
  phone: { finding: SharedFinding; weight: number; value: Phone | null }
  email: { finding: SharedFinding; weight: number; value: Email | null }
  domain: { finding: SharedFinding; weight: number; value: Domain | null }
  registration: { finding: SharedFinding; weight: number }
  place: { finding: PlaceFinding; weight: number; buildingShared: number; townsDiffer: boolean; isUnsure: boolean }
  /** reductions of the total by the maximums of the configuration; never above 0 */
  brandCap: number
  siteCap: number
  chainCap: number
  reviewCap: number
  doubt: Doubt | null
  /** reduction of the penalty for a contradicting place if no other record has the phone; never below 0 */
  moved: number
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
      a: noName,
      b: noName,
      ...createNameSimilarity(),
    },
    legalForm: 0,
    phone: { finding: 'unknown', weight: 0, value: null },
    email: { finding: 'unknown', weight: 0, value: null },
    domain: { finding: 'unknown', weight: 0, value: null },
    registration: { finding: 'unknown', weight: 0 },
    place: { finding: 'unknown', weight: 0, buildingShared: 0, townsDiffer: false, isUnsure: false },
    brandCap: 0,
    siteCap: 0,
    chainCap: 0,
    reviewCap: 0,
    doubt: null,
    moved: 0,
  }
}

const LIKE_THE_SAME = 950
const ALIKE = 600
/** similarity from which a contained name counts as nearly all of the other name: the words left out then weigh at most 40 % of it */
const NEARLY_ALL = 750

/**
 * Compares two records and writes the result into `into`. The result does not depend on the order of the records, except for the order of the names
 * in it.
 */
export function compareRecords(a: MatchRecord, b: MatchRecord, into: Comparison): Comparison {
  compareAllNames(a, b, into)
  compareValues(a, b, into)
  weighNames(into)
  capAndAdd(into)
  return into
}

/**
 * Returns true, with the complete comparison in `into`, if a pair reaches the threshold. `most`: the known maximum total with equal names. Used for
 * many pairs: most names differ so much that no other field has to be compared.
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
      const finding = comparePhone(one, other)
      if (finding === 'differs') {
        if (phone.value === null && isNearby(one, other)) {
          phone.finding = 'differs_nearby'
          phone.weight = c.phoneDiffersNearby
        }
        continue
      }
      const shared = one.records >= other.records ? one : other
      const weight = Math.max(0, phoneWeights[finding] - shared.loss)
      if (phone.value !== null && weight <= phone.weight) continue
      phone.finding = finding
      phone.weight = weight
      phone.value = shared
    }
  }
  if ((phone.finding === 'same_local' || phone.finding === 'same_end') && townsDiffer(a.place, b.place)) {
    phone.finding = 'unknown'
    phone.weight = 0
    phone.value = null
  }
}

const phoneWeights = {
  same: c.phoneSame,
  same_digits: c.phoneSameDigits,
  same_local: c.phoneSameLocal,
  same_end: c.phoneSameEnd,
} as const

/** Maximum number of digits of a phone number that was written without its area code. */
export const LOCAL_DIGITS = 8

function comparePhone(one: Phone, other: Phone): keyof typeof phoneWeights | 'differs' {
  if (one.digits === other.digits) {
    if (one !== other && one.international !== null && other.international !== null) return 'differs'
    if (one.international === null && one.digits.length <= LOCAL_DIGITS) return 'same_local'
    return one === other ? 'same' : 'same_digits'
  }
  const [short, long] = one.digits.length < other.digits.length ? [one, other] : [other, one]
  const isLocal = short.international === null && short.digits.length <= LOCAL_DIGITS
  return isLocal && long.digits.endsWith(short.digits) ? 'same_end' : 'differs'
}

/** Number of digits after the area code. The same digits can exist in every area. */
const SUBSCRIBER_DIGITS = 7
function isNearby(one: Phone, other: Phone): boolean {
  const [a, b] = [one.digits.slice(0, -SUBSCRIBER_DIGITS), other.digits.slice(0, -SUBSCRIBER_DIGITS)]
  return a === b || a === '' || b === ''
}

/** Compares mailboxes. A free-mail or personal mailbox weighs as much as a phone; a role mailbox such as `info@` weighs no more than its domain. */
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
  // A packed record creates its place at each access.
  const [one, other] = [a.place, b.place]
  const area = compareAreas(one, other)
  place.finding = comparePlaces(one, other, area)
  place.weight = placeWeight(place.finding)
  place.townsDiffer = townsDiffer(one, other, area)
  place.isUnsure = area === 'unsure' || place.finding === 'same_other_town'
  place.buildingShared = 0
  if (place.finding !== 'same' && place.finding !== 'same_box' && place.finding !== 'unit_differs') return
  const [here, there] = [a.building, b.building]
  place.buildingShared = Math.max(here?.records ?? 1, there?.records ?? 1)
  place.weight -= Math.max(here?.loss ?? 0, there?.loss ?? 0)
}

/** Scratch object for the comparison of two names, reused to avoid allocations. */
const compared = createNameSimilarity()

function compareAllNames(a: MatchRecord, b: MatchRecord, { name }: Comparison): void {
  name.similarity = -1
  const others = b.names
  for (const one of a.names) {
    for (const other of others) {
      compareNames(one, other, compared)
      if (compared.similarity <= name.similarity) continue
      name.similarity = compared.similarity
      name.numbersDiffer = compared.numbersDiffer
      name.qualifiersDiffer = compared.qualifiersDiffer
      name.sharesOwnWord = compared.sharesOwnWord
      name.sharesBrand = compared.sharesBrand
      name.isContained = compared.isContained
      name.bothAdd = compared.bothAdd
      name.outletsDiffer = compared.outletsDiffer
      name.a = one
      name.b = other
    }
  }
}

/** Returns the maximum weight that these names can have at any place, if no other record shares them. */
function mostOfNames(name: Comparison['name']): number {
  return Math.max(nameWeight(name), leastOfNames(name, true, true))
}

/** Returns the minimum weight of names by their relation. `isOneRoof`: both records are in one building. `isOnePhone`: they share a phone. */
function leastOfNames(name: Comparison['name'], isOneRoof: boolean, isOnePhone: boolean): number {
  if (name.numbersDiffer || name.qualifiersDiffer) return Number.NEGATIVE_INFINITY
  if (name.isContained && (isOneRoof || isOnePhone)) return c.nameContainedLeast
  if (!isOneRoof || !name.sharesOwnWord) return Number.NEGATIVE_INFINITY
  if (name.sharesBrand) return c.nameBrandLeast
  return name.bothAdd ? c.nameOutletLeast : c.nameOneRoofLeast
}

/** Adjusts the weight of the names by the number of other records that share them, and by place and phone. */
function weighNames({ name, place, phone }: Comparison): void {
  const shared = name.a.records >= name.b.records ? name.a : name.b
  const weight = nameWeight(name)
  const isOneRoof = place.finding === 'same' || place.finding === 'same_box' || isSameNumber(place.finding)
  const least = leastOfNames(name, isOneRoof, phone.weight > 0)
  name.weight = Math.max(weight > 0 ? Math.max(0, weight - shared.loss) : weight, least)
  name.finding =
    name.numbersDiffer || name.qualifiersDiffer || name.similarity < ALIKE
      ? 'differs'
      : name.similarity >= LIKE_THE_SAME
        ? 'same'
        : 'alike'
}

function capAndAdd(found: Comparison): void {
  const { name, phone, email, domain, registration, place } = found
  found.legalForm = legalFormsDiffer(name.a.legalForm, name.b.legalForm) ? c.legalFormConflict : 0
  const ownMail = email.value?.domain === null ? email.weight : 0
  const brandMail = email.weight - ownMail
  const brand = name.weight + Math.max(0, domain.weight) + brandMail
  found.brandCap = Math.min(0, c.brandCap - brand)
  const site = Math.max(0, phone.weight) + Math.max(0, place.weight)
  found.siteCap = Math.min(0, (name.weight < 0 ? c.siteCapOtherName : c.siteCap) - site)
  found.chainCap = 0
  found.moved = 0
  const isMove = placesContradict(place.finding) && hasMoved(found)
  if (isMove) found.moved = Math.max(0, (place.townsDiffer ? c.movedTown : c.movedPlace) - place.weight)
  else if (placesContradict(place.finding)) {
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
    found.chainCap +
    found.moved
  found.doubt = doubtOf(found, isMove)
  found.reviewCap = found.doubt === null ? 0 : Math.min(0, c.reviewCap - found.total)
  found.total += found.reviewCap
}

/** True if number and street are the same, but the towns may be two. */
function isSameNumber(finding: PlaceFinding): boolean {
  return finding === 'same_other_town' || finding === 'same_unsure'
}

function doubtOf({ name, phone, email, domain, registration, place }: Comparison, isMove: boolean): Doubt | null {
  if (name.outletsDiffer || (name.bothAdd && !name.sharesBrand)) return 'outlets'
  const isOfChain = (phone.value?.records ?? 0) > 2 || [name.a, name.b].some(({ places }) => places > 2)
  if (isMove && (place.townsDiffer || isOfChain)) return 'branch'
  const isOwn = phone.weight > 0 || email.value?.domain === null || registration.weight > 0
  if (place.isUnsure && place.weight > 0 && !isOwn) return 'place'
  const isBorneOut = phone.weight > 0 || email.value !== null || domain.value !== null
  if (phone.weight < 0 && name.finding !== 'same' && !isBorneOut) return 'other_phone'
  return name.isContained && name.similarity < NEARLY_ALL && !isBorneOut ? 'name_in_name' : null
}

/**
 * True if the business has moved or one of its addresses is wrong: the names agree, and no chain shares the phone. The phone may belong only to these
 * two records or, within one town, only to records at these two places.
 */
function hasMoved({ name, phone, place }: Comparison): boolean {
  return (
    (name.finding === 'same' || name.isContained) &&
    !name.qualifiersDiffer &&
    !name.numbersDiffer &&
    (phone.finding === 'same' || phone.finding === 'same_digits') &&
    phone.value !== null &&
    (phone.value.records <= 2 || (phone.value.places <= 2 && !place.townsDiffer)) &&
    !isPlaceless(phone.value)
  )
}

const placeless = /^\+(?:27(?:80|86)|1(?:800|833|844|855|866|877|888))/
const placelessDigits = /^(?:8[06]|00)\d{7}$/

/** True for toll-free and share-call numbers, which belong to an organisation at any place. */
function isPlaceless({ international, digits }: Phone): boolean {
  return international === null ? placelessDigits.test(digits) : placeless.test(international)
}

/** True if the legal forms contradict. "Company" contradicts no form, because it names none. */
function legalFormsDiffer(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b && a !== 'company' && b !== 'company'
}
