import { compareRecords, createComparison } from '../src/rooms/matching/rules/compare-records.rules.ts'
import { bandOf, scoreOf } from '../src/rooms/matching/rules/exact-arithmetic.rules.ts'
import { draftOf, type Finding } from '../src/rooms/matching/rules/findings.rules.ts'
import type { MatchInput } from '../src/rooms/matching/rules/match-record.ts'
import { createRecordReader } from '../src/rooms/matching/rules/read-record.ts'
import { type Reason, reasonsOf } from '../src/rooms/matching/rules/reasons.rules.ts'
import { matchSet } from '../src/rooms/matching/run/match-set.ts'
import { normalizeIdentifier } from '../src/rooms/normalization/normalization.ts'

/** Facts of a test's record. Phone numbers are parsed as South African. */
export type Facts = Partial<Omit<MatchInput, 'identifiers'>> & { phone?: string; email?: string; domain?: string }

export function input({ phone, email, domain, ...facts }: Facts): MatchInput {
  const identifier = (kind: 'phone' | 'email' | 'domain', original: string | undefined) =>
    original === undefined
      ? []
      : [{ kind, original, region: null, normalized: normalizeIdentifier(kind, original, 'ZA').normalized }]
  return {
    id: 'a',
    name: 'Karoo Windpumps',
    tradingName: null,
    registrationNumber: null,
    street: null,
    suburb: null,
    city: null,
    province: null,
    postalCode: null,
    country: null,
    ...facts,
    identifiers: [...identifier('phone', phone), ...identifier('email', email), ...identifier('domain', domain)],
  }
}

const unnamed = { name: '', tradingName: null }

/** Returns the match suggestions among these records, computed from their decisive values, with the reasons that people read. */
export function suggestions(
  facts: readonly Facts[],
): { pair: string; score: number; band: string | null; reasons: Reason[] }[] {
  const reader = createRecordReader()
  const records = facts
    .map((one, at) => input({ id: `r${at}`, ...one }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((one) => reader.read(one))
  reader.settle(reader.commonWords())
  const found: ReturnType<typeof suggestions> = []
  const comparison = createComparison()
  matchSet(records, (i, j) => {
    const [a, b] = [records[i], records[j]]
    if (a === undefined || b === undefined) return
    const score = scoreOf(compareRecords(a, b, comparison).total)
    const names = [a, b].map(({ names: [name] }) => ({ name: name?.canonical ?? '', tradingName: null }))
    const [one = unnamed, other = unnamed] = names
    const reasons = reasonsOf(JSON.parse(draftOf(a, b, comparison).evidence) as Finding[], [one, other])
    found.push({ pair: `${a.id} ${b.id}`, score, band: bandOf(score), reasons })
  })
  return found.toSorted((a, b) => (a.pair < b.pair ? -1 : 1))
}

/** Returns the band of the pair of records `a` and `b` when they are compared among the others; null if the pair has none. */
export function bandBetween(a: Facts, b: Facts, others: readonly Facts[] = []): string | null {
  return suggestions([a, b, ...others]).find(({ pair }) => pair === 'r0 r1')?.band ?? null
}
