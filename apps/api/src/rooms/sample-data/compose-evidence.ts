import { DAY_MS } from '../../lib/clock.ts'
import type { Firm } from './compose-business.ts'
import { freshLandline, freshMobile, spellPhone } from './sample-phones.ts'
import type { EvidenceBody, EvidenceField, ReachedState } from './sample-plan.ts'
import type { SeededRandom } from './seeded-random.ts'
import {
  companiesRegister,
  contradictionContexts,
  observations,
  ownWebsite,
  type Source,
  sources,
  visits,
} from './source.data.ts'

/** Offset of South African time. It is constant, because South Africa has no daylight saving time. */
const localOffsetMs = 2 * 3_600_000
/** Maximum age of evidence in days: 18 months. */
const longestDaysAgo = 540

const countsByState: Record<ReachedState, readonly number[]> = {
  new: [0, 0, 1, 1, 2],
  contacted: [0, 1, 1, 2, 3],
  qualified: [1, 2, 2, 3],
  proposal: [1, 2, 3, 4],
  negotiation: [2, 3, 4],
  won: [2, 3, 4, 5],
  lost: [1, 2, 3],
}

type Fact = { field: EvidenceField; value: string }

/** Returns the evidence that people have collected about a business by the time it reached `state`, oldest first. */
export function composeEvidence(random: SeededRandom, firm: Firm, state: ReachedState, nowMs: number): EvidenceBody[] {
  const facts = factsOf(firm)
  const wanted = random.pick(countsByState[state])
  const said = new Set<string>()
  const evidence: EvidenceBody[] = []
  for (let attempt = 0; attempt < wanted * 4 && evidence.length < wanted; attempt++) {
    if (random.chance(0.15)) {
      evidence.push(seen(random, firm, nowMs))
      continue
    }
    const source = random.weigh(sources, (each) => each.weight)
    if (!canSpeakOf(source, firm)) continue
    const sayable = facts.filter(
      (fact) => source.fields.includes(fact.field) && !said.has(`${source.label} ${fact.field}`),
    )
    if (sayable.length === 0) continue
    const fact = random.pick(sayable)
    said.add(`${source.label} ${fact.field}`)
    evidence.push(told(random, source, fact, firm, nowMs))
  }
  return evidence.sort((a, b) => a.capturedAt.localeCompare(b.capturedAt))
}

function told(random: SeededRandom, source: Source, fact: Fact, firm: Firm, nowMs: number): EvidenceBody {
  const other = random.chance(0.1) ? contradiction(random, fact, firm) : null
  if (other !== null) {
    const confidence = random.pick(['low', 'low', 'medium'] as const)
    return {
      field: fact.field,
      value: other,
      ...origin(random, source, firm, nowMs),
      confidence,
      context: random.pick(contradictionContexts),
    }
  }
  return { field: fact.field, value: respelled(random, fact, firm), ...origin(random, source, firm, nowMs) }
}

function seen(random: SeededRandom, firm: Firm, nowMs: number): EvidenceBody {
  const visit = random.weigh(visits, (each) => each.weight)
  return { observation: random.pick(observations), ...origin(random, visit, firm, nowMs) }
}

/**
 * Returns true if the source can have evidence about the business. The register lists companies only, and a business without a domain has no website.
 */
function canSpeakOf(source: Source, firm: Firm): boolean {
  if (source.label === companiesRegister)
    return firm.body.registrationNumber?.includes('/') === true && !firm.body.registrationNumber.startsWith('IT ')
  return source.label !== ownWebsite || firm.domain !== null
}

function origin(random: SeededRandom, source: Source, firm: Firm, nowMs: number): EvidenceBody {
  const capturedMs = officeHour(random, nowMs, Math.ceil(longestDaysAgo * random.next() ** 1.5))
  const daysBefore = Math.min(
    random.pick([0, 0, 1, 3, 9, 30]),
    Math.floor((capturedMs - (nowMs - longestDaysAgo * DAY_MS)) / DAY_MS) - 3,
  )
  const observedMs =
    daysBefore > 0 ? officeHour(random, capturedMs, daysBefore) : capturedMs - random.int(3, 55) * 60_000
  const year = new Date(capturedMs).getUTCFullYear()
  const reference =
    source.reference !== undefined && random.chance(0.65) ? source.reference(year, random.int(1, 480)) : null
  const contact = `${firm.contact.first} ${firm.contact.surname}`
  return {
    ...(reference === null ? {} : { sourceReference: reference }),
    ...(reference !== null && random.chance(0.1) ? {} : { sourceLabel: source.label }),
    capturedAt: new Date(capturedMs).toISOString(),
    ...(random.chance(0.7) ? { observedAt: new Date(observedMs).toISOString() } : {}),
    confidence: random.chance(0.8) ? source.confidence : random.pick(['low', 'medium', 'high'] as const),
    ...(random.chance(0.6) ? { context: random.pick(source.contexts).replaceAll('{contact}', contact) } : {}),
    ...(source.label === ownWebsite && firm.domain !== null ? { url: `https://www.${firm.domain}/contact` } : {}),
  }
}

/**
 * Returns a minute between 08:00 and 16:59 South African time, at least `daysAgo` days before the given time. A weekend is replaced by the Friday
 * before it.
 */
function officeHour(random: SeededRandom, beforeMs: number, daysAgo: number): number {
  const midnight = Math.floor((beforeMs + localOffsetMs) / DAY_MS) * DAY_MS - Math.max(daysAgo, 1) * DAY_MS
  const weekday = new Date(midnight).getUTCDay()
  const toFriday = weekday === 0 ? 2 : weekday === 6 ? 1 : 0
  return midnight - toFriday * DAY_MS - localOffsetMs + random.int(8 * 60, 17 * 60 - 1) * 60_000
}

function factsOf({ body }: Firm): Fact[] {
  const address = body.address ?? {}
  const single: [EvidenceField, string | undefined][] = [
    ['name', body.name],
    ['tradingName', body.tradingName],
    ['registrationNumber', body.registrationNumber],
    ['industry', body.industry],
    ['address.street', address.street],
    ['address.suburb', address.suburb],
    ['address.city', address.city],
    ['address.province', address.province],
    ['address.postalCode', address.postalCode],
  ]
  return [
    ...single.flatMap(([field, value]) => (value === undefined ? [] : [{ field, value }])),
    ...(body.emails ?? []).map(({ value }): Fact => ({ field: 'email', value })),
    ...(body.phones ?? []).map(({ value }): Fact => ({ field: 'phone', value })),
    ...(body.domains ?? []).map(({ value }): Fact => ({ field: 'domain', value })),
  ]
}

/** Returns the value of the fact in the spelling of another source. */
function respelled(random: SeededRandom, fact: Fact, firm: Firm): string {
  if (fact.field === 'phone' && fact.value === firm.body.phones?.[0]?.value && random.chance(0.5)) {
    return spellPhone(random, firm.switchboard).value
  }
  if (fact.field === 'email' && random.chance(0.2)) return fact.value.toUpperCase()
  if (fact.field === 'name' && random.chance(0.25)) return fact.value.toUpperCase()
  return fact.value
}

/** Returns a value that contradicts the fact; null if a second value would not be realistic. */
function contradiction(random: SeededRandom, fact: Fact, firm: Firm): string | null {
  switch (fact.field) {
    case 'phone': {
      const taken = new Set([firm.switchboard])
      const isOffice = random.chance(0.6)
      return spellPhone(
        random,
        isOffice ? freshLandline(random, firm.place.dialCode, taken) : freshMobile(random, taken),
      ).value
    }
    case 'email':
      return `old.${fact.value.toLowerCase()}`
    case 'address.street':
      return `${random.int(1, 320)} ${random.pick(random.pick(firm.place.suburbs).streets)}`
    case 'registrationNumber':
      return fact.value.replace(/\d(?=\/\d\d$)/, (digit) => String((Number(digit) + random.int(1, 9)) % 10))
    default:
      return null
  }
}
