/** Suggestions and merges in words. */
import type { Business, Fact, MatchReason, MatchSuggestion, MergeCounts, MergeValueCounts } from '@prospect/api-client'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { amongNewest } from '../../ui/text/among-newest.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'

export const bandWords = { strong: 'Strong', review: 'To review' } as const

export const statusWords: Record<MatchSuggestion['status'], string> = {
  open: 'Open',
  rejected: 'Rejected',
  merged: 'Merged',
  superseded: 'Superseded',
}

/** Never rounded up into the next band: 0.8999 is 89.9 %. */
export const percent = (score: number): string => `${formatNumber(Math.floor(score * 1_000) / 10)} %`

/** Told all the same: what it would say is counted with another reason already, or it cannot be compared. */
export const addsNothing = (weight: number): boolean => Math.abs(weight) < 0.05

/** How much a reason weighs, for people who do not count in bits. */
export function weightWords({ weight }: Pick<MatchReason, 'weight'>): string {
  const bits = Math.abs(weight)
  if (addsNothing(weight)) return 'no effect'
  if (bits >= 6) return 'very strong'
  if (bits >= 3) return 'strong'
  return bits >= 1 ? 'some weight' : 'slight'
}

/** '+6.2 bits' */
export const bitsText = (weight: number): string =>
  `${weight < 0 ? '−' : '+'}${formatNumber(Math.abs(weight))} ${Math.abs(weight) === 1 ? 'bit' : 'bits'}`

type CountKind = keyof MergeCounts

/** Counted beside the children of a record. */
const notChildren: readonly CountKind[] = ['sources', 'audit']

const order: readonly string[] = ['evidence', 'sources', 'sourceRecords', 'notes', 'transitions', 'interactions']

/** In the order of the table; kinds of later rooms before the audit. */
export function countKinds(counts: MergeCounts): CountKind[] {
  const place = (kind: CountKind) =>
    kind === 'audit' ? Infinity : order.includes(kind) ? order.indexOf(kind) : order.length
  return keysOf(counts).toSorted((a, b) => place(a) - place(b))
}

export const childKinds = <Kind extends string>(counts: Readonly<Record<Kind, number>>): Kind[] =>
  keysOf(counts).filter((kind) => !notChildren.some((other) => other === kind))

function keysOf<Key extends string>(counts: Readonly<Record<Key, number>>): Key[] {
  return Object.keys(counts) as Key[]
}

/** A kind without words of its own is shown by its name, which is a plural noun. */
const countNames: Partial<Record<string, string>> = {
  sources: 'Source references',
  sourceRecords: 'Source records',
  transitions: 'Pipeline moves',
  audit: 'Audit events',
}

const counted: Partial<Record<string, readonly [one: string, many: string]>> = {
  evidence: ['observation', 'observations'],
  sourceRecords: ['source record', 'source records'],
  transitions: ['pipeline move', 'pipeline moves'],
}

export const countName = (kind: string): string => countNames[kind] ?? kind.charAt(0).toUpperCase() + kind.slice(1)

export const countText = (count: number, [one, many]: readonly [string, string]): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`

/** '2 notes, 1 pipeline move'; where none was added, what was counted: values of a record are not. */
export function addedWords(added: Readonly<Record<string, number>>): string {
  const parts = childKinds(added).flatMap((kind) => (added[kind] ? [childWords(kind, added[kind])] : []))
  return parts.length === 0 ? 'no evidence, notes, moves or interactions' : parts.join(', ')
}

export const childWords = (kind: string, count: number): string =>
  countText(count, counted[kind] ?? [kind.replace(/s$/, ''), kind])

/** A value of a field as people read it; null is unknown, which is not empty. */
export function valueText(field: string, value: string | null): string {
  if (value === null) return 'Not known'
  return field === 'pipelineState' ? pipelineStateName(value) : nameText(value)
}

/** What stands behind a value: '2 observations agree, 1 contradicts'. */
export function standingText(fact: Pick<Fact, 'supporting' | 'contradicting' | 'newestCounted'> | undefined): string {
  return fact === undefined ? 'No evidence' : `${countsText(fact)}${amongNewest(fact)}`
}

function countsText({ supporting, contradicting }: Pick<Fact, 'supporting' | 'contradicting'>): string {
  if (supporting + contradicting === 0) return 'No evidence'
  const agree = supporting === 1 ? '1 observation supports it' : `${formatNumber(supporting)} observations support it`
  const against = contradicting === 1 ? '1 contradicts' : `${formatNumber(contradicting)} contradict`
  if (contradicting === 0) return agree
  return supporting === 0 ? `No observation supports it, ${against}` : `${agree}, ${against}`
}

export const areNone = ({ identifiers, tags }: MergeValueCounts): boolean => identifiers + tags === 0

/** '3 addresses and numbers and 1 tag' */
export function valuesWords({ identifiers, tags }: MergeValueCounts): string {
  const words = [
    ...(identifiers === 0 ? [] : [countText(identifiers, ['address or number', 'addresses and numbers'])]),
    ...(tags === 0 ? [] : [countText(tags, ['tag', 'tags'])]),
  ]
  return words.join(' and ')
}

/** Blocked itself, or merged into a record that is. */
export const isBlocked = ({ doNotContact, survivorDoNotContact }: Business): boolean =>
  doNotContact !== null || survivorDoNotContact === true
