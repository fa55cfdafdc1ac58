import { mapValues } from '../../../lib/map-values.ts'
import { counted } from '../../../lib/numeral.ts'
import type { PipelineState } from '../../../lib/pipeline-state.ts'
import { type FactField, facts } from '../../businesses/businesses.ts'
import type { BriefSentence } from './brief.schema.ts'
import { limits } from './brief.schema.ts'

/* The closed list of sentences of a brief. All functions are pure. A changed sentence raises `BRIEF_VERSION`. */

export type Cited = BriefSentence['evidence'][number]

/** The visible part of an observation that a sentence cites. */
export type Witness = { source: string; confidence: 'low' | 'medium' | 'high'; on: string }

const fieldWords: Record<FactField, string> = { ...mapValues(facts, ({ label }) => label), domain: 'Domain' }

const stateWords: Record<PipelineState, string> = {
  new: 'New',
  contacted: 'Contacted',
  qualified: 'Qualified',
  proposal: 'Proposal',
  negotiation: 'Negotiation',
  won: 'Won',
  lost: 'Lost',
  paused: 'Paused',
  disqualified: 'Disqualified',
}

type Fact = { field: FactField; value: string }

export const sentences = {
  notBlocked: () => 'This record is not marked do not contact.',
  blocked: ({ on, through }: { on: string; through: 'hand' | 'suppression' | 'both' }) =>
    `Do not contact since ${on}, ${throughWords[through]}.`,
  survivorBlocked: () => 'Do not contact: the record that this one was merged into is blocked.',
  pipeline: ({ state }: { state: PipelineState }) => `The pipeline state is ${stateWords[state]}.`,
  merged: () => 'This record was merged into another one.',
  inactive: () => 'This record is inactive.',
  /** `other`: another spelling of the value, with less or more parts, which the newest observation gives; null if it gives the value. */
  supported: ({
    field,
    value,
    count,
    newest,
    other,
    on,
  }: Fact & { count: number; newest: Witness; other: string | null; on: string }) =>
    `${fieldWords[field]}: ${value}. ${counted(count, 'observation states', 'observations state')} it; ${newestOf(newest, on)}${other === null ? '' : `, as ${other}`}.`,
  undecided: ({
    field,
    value,
    count,
    other,
    newest,
    on,
  }: Fact & { count: number; other: string; newest: Witness; on: string }) =>
    `${fieldWords[field]}: ${value}. No observation supports it, and ${counted(count, 'observation', 'observations')} cannot be compared with it; ${newestOf(newest, on)}, states ${other}.`,
  unsupported: ({ field, value }: Fact) => `${fieldWords[field]}: ${value}. No observation supports it.`,
  contradicted: ({
    field,
    value,
    count,
    agreeing,
    other,
    newest,
    on,
  }: Fact & { count: number; agreeing: number; other: string; newest: Witness; on: string }) =>
    `${fieldWords[field]}: the record states ${value}, but ${counted(count, 'observation differs', 'observations differ')}. ${newestOf(newest, on, 'The')} states ${other}. ${agreeing === 0 ? 'No observation agrees' : counted(agreeing, 'observation agrees', 'observations agree')} with the record.`,
  missing: ({ field }: { field: FactField }) => `${fieldWords[field]}: not recorded, and no observation states it.`,
  missingButStated: ({ field, value, count, newest, on }: Fact & { count: number; newest: Witness; on: string }) =>
    `${fieldWords[field]}: not recorded, but ${counted(count, 'observation states', 'observations state')} a value; ${newestOf(newest, on)}, states ${value}.`,
  observed: ({ text, newest, on }: { text: string; newest: Witness; on: string }) =>
    `Observed ${ageOf(newest.on, on)}, source ${newest.source}, ${newest.confidence} confidence: ${quoted(text)}`,
  nothingObserved: () => 'No free-text observation is recorded.',
  interaction: ({ day, channel, outcome }: { day: string; channel: string; outcome: string }) =>
    `Interaction on ${day}, channel ${plain(channel)}: ${plain(outcome)}.`,
  noInteraction: () => 'No interaction is recorded.',
  moved: ({ day, from, to }: { day: string; from: PipelineState; to: PipelineState }) =>
    `The last pipeline move was on ${day}, from ${stateWords[from]} to ${stateWords[to]}.`,
  neverMoved: () => 'The record was never moved in the pipeline.',
  superseded: ({ count }: { count: number }) =>
    `${counted(count, 'observation', 'observations')} left out, because a later observation supersedes ${count === 1 ? 'it' : 'them'}.`,
  olderObserved: ({ count }: { count: number }) =>
    `${freeText(count)} left out, because only the newest ${limits.listedActivities} are listed.`,
  olderInteractions: ({ count }: { count: number }) =>
    `${counted(count, 'interaction', 'interactions')} left out, because only the newest ${limits.listedActivities} are listed.`,
  correctedInteractions: ({ count }: { count: number }) =>
    `${counted(count, 'interaction', 'interactions')} left out, because a later entry corrects ${count === 1 ? 'it' : 'them'}.`,
  notes: ({ count }: { count: number }) =>
    `${counted(count, 'note', 'notes')} left out, because notes may contain personal information.`,
  uncounted: ({ field, limit }: { field: FactField; limit: number }) =>
    `${fieldWords[field]}: observations beyond the newest ${limit} left out, because they are not compared.`,
  hidden: () => 'Contact values, sources and free text left out, because your role may not see them on this record.',
  shortened: ({ count }: { count: number }) =>
    `The end of ${freeText(count)} left out, because only ${limits.quotedCharacters} characters are quoted.`,
  nothingLeftOut: () => 'Nothing was left out.',
} as const

const throughWords = {
  hand: 'marked by a person',
  suppression: 'matched by a suppression entry',
  both: 'marked by a person and matched by a suppression entry',
}

function newestOf({ source, confidence, on: day }: Witness, on: string, article: 'the' | 'The' = 'the'): string {
  return `${article} newest, from ${source} with ${confidence} confidence, captured ${ageOf(day, on)}`
}

/** Returns an age in days. Its words are the same in every language pack. */
function ageOf(day: string, on: string): string {
  const days = Temporal.PlainDate.from(day).until(Temporal.PlainDate.from(on), { largestUnit: 'day' }).days
  if (days === 0) return 'on the same day'
  if (days < 0) return `${counted(-days, 'day', 'days')} after ${on}`
  return `${counted(days, 'day', 'days')} earlier`
}

function freeText(count: number): string {
  return counted(count, 'free-text observation', 'free-text observations')
}

function plain(code: string): string {
  return code.replaceAll('_', ' ')
}

/** Shortens the text between code points, so that no character is split. */
function quoted(text: string): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()]
  if (characters.length <= limits.quotedCharacters) return `“${characters.join('')}”`
  return `“${characters.slice(0, limits.quotedCharacters).join('')}…”`
}

export function isShortened(text: string): boolean {
  return [...text.replace(/\s+/gu, ' ').trim()].length > limits.quotedCharacters
}
