/** Texts about suggestions and merges. */
import type { Business, Fact, MatchReason, MatchSuggestion, MergeCounts, MergeValueCounts } from '@prospect/api-client'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { amongNewest } from '../../ui/text/among-newest.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber, phoneText } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { sentenceCase } from '../../ui/text/sentence-case.ts'

export const bandWords = { strong: 'Strong', review: 'To review' } as const

export const statusWords: Record<MatchSuggestion['status'], string> = {
  open: 'Open',
  rejected: 'Rejected',
  merged: 'Merged',
  superseded: 'Outdated',
}

/** Score as a percentage, rounded down so that it never appears in a higher band: 0.8999 gives 89.9 %. */
export const percent = (score: number): string => `${formatNumber(Math.floor(score * 1_000) / 10)} %`

/**
 * True for a reason without effect on the score. It is listed anyway: another reason already counts its information, or its values cannot be
 * compared.
 */
export const addsNothing = (weight: number): boolean => Math.abs(weight) < 0.05

/** Describes the weight of a reason in words, because bits mean little to users. */
export function weightWords({ weight }: Pick<MatchReason, 'weight'>): string {
  const bits = Math.abs(weight)
  if (addsNothing(weight)) return 'no effect'
  if (bits >= 6) return 'very strong'
  if (bits >= 3) return 'strong'
  return bits >= 1 ? 'some weight' : 'slight'
}

/** Text of a reason, with its phone numbers grouped as everywhere else. */
export const reasonText = ({ field, text }: Pick<MatchReason, 'field' | 'text'>): string =>
  field === 'phone' ? text.replaceAll(/\+\d+/g, phoneText) : text

/** Formats as '+6.2 bits'. */
export const bitsText = (weight: number): string =>
  `${weight < 0 ? '−' : '+'}${countWords(Math.abs(weight), 'bit', 'bits')}`

type CountKind = keyof MergeCounts

/** Counts that are not children of the record. */
const notChildren: readonly CountKind[] = ['sources', 'audit']

const order: readonly string[] = ['evidence', 'sources', 'sourceRecords', 'notes', 'transitions', 'interactions']

/** Kinds of counts in the order of the table. Kinds added by later rooms come before the audit events. */
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

/** Words of each kind of entry of a record. */
const kindWords: Record<CountKind, readonly [one: string, many: string]> = {
  evidence: ['observation', 'observations'],
  sources: ['source reference', 'source references'],
  sourceRecords: ['source record', 'source records'],
  people: ['person', 'people'],
  notes: ['note', 'notes'],
  transitions: ['pipeline move', 'pipeline moves'],
  interactions: ['interaction', 'interactions'],
  reviews: ['review', 'reviews'],
  domainCandidates: ['domain candidate', 'domain candidates'],
  domainAssociations: ['accepted domain', 'accepted domains'],
  scans: ['website scan', 'website scans'],
  officialSites: ['official site', 'official sites'],
  extractions: ['contact extraction', 'contact extractions'],
  contactCandidates: ['contact candidate', 'contact candidates'],
  suggestions: ['AI suggestion', 'AI suggestions'],
  draftVersions: ['draft version', 'draft versions'],
  legalBases: ['legal basis', 'legal bases'],
  audit: ['audit event', 'audit events'],
}

const isKnownKind = (kind: string): kind is CountKind => Object.hasOwn(kindWords, kind)

/** Words of a kind. An API of a later version can have further kinds, whose names are plural nouns. */
function wordsOfKind(kind: string): readonly [one: string, many: string] {
  if (isKnownKind(kind)) return kindWords[kind]
  const many = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return [many.replace(/s$/, ''), many]
}

export const countName = (kind: string): string =>
  kind === 'evidence' ? 'Evidence' : sentenceCase(wordsOfKind(kind)[1])

/** Formats as '2 notes, 1 pipeline move'. If nothing was added, names the kinds that were counted, because values of the record are not included. */
export function addedWords(added: Readonly<Record<string, number>>): string {
  const parts = childKinds(added).flatMap((kind) => (added[kind] ? [childWords(kind, added[kind])] : []))
  return parts.length === 0 ? 'no evidence, notes, moves or interactions' : parts.join(', ')
}

export const childWords = (kind: string, count: number): string => countWords(count, ...wordsOfKind(kind))

/** Value of a field for display. Null means unknown, which differs from empty. */
export function valueText(field: string, value: string | null): string {
  if (value === null) return 'Not known'
  return field === 'pipelineState' ? pipelineStateName(value) : nameText(value)
}

/** Describes the evidence for a value: '2 observations agree, 1 contradicts'. */
export function standingText(
  fact: Pick<Fact, 'supporting' | 'contradicting' | 'undecided' | 'newestCounted'> | undefined,
): string {
  return fact === undefined ? 'No evidence' : `${countsText(fact)}${amongNewest(fact)}`
}

function countsText(counts: Pick<Fact, 'supporting' | 'contradicting' | 'undecided'>): string {
  const { supporting, contradicting, undecided } = counts
  if (supporting + contradicting === 0)
    return undecided === 0
      ? 'No evidence'
      : countWords(undecided, 'observation cannot be compared', 'observations cannot be compared')
  const agree = countWords(supporting, 'observation supports this value', 'observations support this value')
  const against = countWords(contradicting, 'contradicts', 'contradict')
  if (contradicting === 0) return agree
  return supporting === 0 ? `No observation supports this value, ${against}` : `${agree}, ${against}`
}

export const areNone = ({ identifiers, tags }: MergeValueCounts): boolean => identifiers + tags === 0

/** Formats as '3 addresses and numbers and 1 tag'. */
export function valuesWords({ identifiers, tags }: MergeValueCounts): string {
  const words = [
    ...(identifiers === 0 ? [] : [countWords(identifiers, 'address or number', 'addresses and numbers')]),
    ...(tags === 0 ? [] : [countWords(tags, 'tag', 'tags')]),
  ]
  return words.join(' and ')
}

/** True if the record is do not contact, or merged into one that is. */
export const isBlocked = ({ doNotContact, survivorDoNotContact }: Business): boolean =>
  doNotContact !== null || survivorDoNotContact === true
