/**
 * Text of an audit event: a sentence for the list, and the changed fields with their values before and after. Event bodies are open objects to which
 * each room adds fields, so an unknown name or shape is still shown, in a plainer form.
 */
import type { AuditEvent } from '@prospect/api-client'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { accountActions } from '../../ui/text/account-actions.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { countryName } from '../../ui/text/countries.ts'
import { isDay } from '../../ui/text/day.ts'
import { fieldName } from '../../ui/text/field-names.ts'
import { formatDay, formatNumber, listWords } from '../../ui/text/format.ts'
import { isOpaque } from '../../ui/text/is-opaque-id.ts'
import { reportName } from '../../ui/text/report-name.ts'
import { sentenceCase } from '../../ui/text/sentence-case.ts'

/** Value of a changed field. `person` is a user id, which the screen replaces by a name. */
export type Shown =
  | { kind: 'absent' }
  | { kind: 'time'; at: string }
  | { kind: 'person'; id: string }
  | { kind: 'text'; lines: string[] }
export type Difference = { path: string; label: string; before: Shown; after: Shown }

const absent: Shown = { kind: 'absent' }

/** Fields that the store maintains and that say nothing about the change. */
const bookkeeping = new Set([
  'id',
  'version',
  'createdAt',
  'updatedAt',
  'createdBy',
  'normalizationVersion',
  'businessId',
])
/** Fields whose values belong to a vocabulary of the API ('in_person') and are formatted. Text that users typed is never changed. */
const wordFields = new Set([
  'by',
  'cause',
  'channel',
  'direction',
  'expired',
  'factor',
  'kind',
  'outcome',
  'scope',
  'source',
  'status',
])
/** Fields with calendar days. */
const dayFields = new Set(['capturedOn', 'followUpOn', 'from', 'observedOn', 'to'])
/** Fields with states of the pipeline. */
const pipelineFields = new Set(['pipelineState', 'stateBeforePause'])

type Body = Record<string, unknown>

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(body: Body | null, key: string): string | undefined {
  const value = body?.[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function lineOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number' && Number.isInteger(value)) return formatNumber(value)
  if (!isBody(value)) return String(value)
  const main = text(value, 'value') ?? text(value, 'name')
  if (main === undefined) return JSON.stringify(value)
  const region = text(value, 'region')
  const country = region === undefined ? undefined : countryName(region)
  const notes = [text(value, 'label'), country].filter((note) => note !== undefined)
  return notes.length === 0 ? main : `${main} (${notes.join(', ')})`
}

/** A state of a draft, a scan, a review or another record: 'in_review' becomes 'In review'. */
function stateWords(state: string): string {
  return state.charAt(0).toUpperCase() + state.slice(1).replaceAll('_', ' ')
}

function shown(key: string, value: unknown): Shown {
  if (value === null || value === undefined || value === '') return absent
  if (Array.isArray(value)) return value.length === 0 ? absent : { kind: 'text', lines: value.map(lineOf) }
  if (typeof value === 'string' && timePattern.test(value)) return { kind: 'time', at: value }
  if (typeof value === 'string' && key === 'field') return { kind: 'text', lines: [fieldName(value)] }
  if (typeof value === 'string' && key === 'assigneeId') return { kind: 'person', id: value }
  if (typeof value === 'string' && dayFields.has(key) && isDay(value))
    return { kind: 'text', lines: [formatDay(value)] }
  if (typeof value === 'string' && wordFields.has(key)) return { kind: 'text', lines: [value.replaceAll(/[_-]/g, ' ')] }
  if (typeof value === 'string' && key === 'state') return { kind: 'text', lines: [stateWords(value)] }
  if (typeof value === 'string' && pipelineFields.has(key)) return { kind: 'text', lines: [pipelineStateName(value)] }
  return { kind: 'text', lines: [lineOf(value)] }
}

/** Flattens nested objects to one row per part. Objects that represent one value, such as a person or an identifier, stay one row. */
function flatten(body: Body, prefix = ''): Map<string, Shown> {
  const rows = new Map<string, Shown>()
  for (const [key, value] of Object.entries(body)) {
    if (prefix === '' && bookkeeping.has(key)) continue
    const path = `${prefix}${key}`
    const isOneValue = isBody(value) && (text(value, 'value') !== undefined || text(value, 'name') !== undefined)
    if (isBody(value) && !isOneValue) for (const [inner, row] of flatten(value, `${path}.`)) rows.set(inner, row)
    else rows.set(path, shown(key, key === 'name' ? nameOf(body) : value))
  }
  return rows
}

/** Name in the event. A report without an own name is named by its days, which are formatted here. */
function nameOf(body: Body): unknown {
  const { name, from, to } = body
  return typeof name === 'string' && typeof from === 'string' && typeof to === 'string' && isDay(from) && isDay(to)
    ? reportName({ name })
    : name
}

const same = (a: Shown, b: Shown) => JSON.stringify(a) === JSON.stringify(b)

/** A label within a sentence: 'Legal basis' becomes 'legal basis', and 'DNS observation' stays. */
export const inSentence = (label: string): string => (/^[A-Z][A-Z]/.test(label) ? label : lower(label))

/**
 * Label of a field of a record. Most names have one meaning, but a prospect has a registered name and a record status, and its activity lists events
 * of drafts, scans and other records, which have names and states of their own.
 */
function fieldLabel(path: string, subjectType: string, subjectLabel: (type: string) => string): string {
  if (subjectType === 'business') return fieldName(path)
  if (path === 'name') return 'Name'
  if (path !== 'state' && path !== 'status') return fieldName(path)
  return `${path === 'state' ? 'State' : 'Status'} of the ${inSentence(subjectLabel(subjectType))}`
}

/** Fields that the event changed, in the order of the event. `subjectLabel`: label of a type of record. */
export function differencesOf(
  event: Pick<AuditEvent, 'subject' | 'before' | 'after'>,
  subjectLabel: (type: string) => string,
): Difference[] {
  const before = flatten(isBody(event.before) ? event.before : {})
  const after = flatten(isBody(event.after) ? event.after : {})
  const paths = [...new Set([...after.keys(), ...before.keys()])]
  return paths
    .map((path) => ({
      path,
      label: fieldLabel(path, event.subject.type, subjectLabel),
      before: before.get(path) ?? absent,
      after: after.get(path) ?? absent,
    }))
    .filter((difference) => !same(difference.before, difference.after))
}

const isTechnical = ({ path, before, after }: Difference) =>
  path === 'idempotencyKey' ||
  [before, after].every((shown) => shown.kind === 'absent' || (shown.kind === 'text' && shown.lines.every(isOpaque)))

/** Separates readable values (`told`) from ids and hashes (`numbers`), which only help to find related records. */
export function splitTechnicalNumbers(differences: readonly Difference[]): {
  told: Difference[]
  numbers: Difference[]
} {
  return {
    told: differences.filter((difference) => !isTechnical(difference)),
    numbers: differences.filter(isTechnical),
  }
}

const lower = (word: string) => word.charAt(0).toLowerCase() + word.slice(1)

function editWords(event: AuditEvent): string {
  const labels = [
    ...new Set(
      differencesOf(event, fieldName).map(({ path, label }) => (path.startsWith('address.') ? 'Address' : label)),
    ),
  ]
  if (labels.length === 0) return 'edited the record'
  if (labels.length > 4) return `edited ${countWords(labels.length, 'field', 'fields')}`
  return `edited ${listWords(labels.map(lower))}`
}

function moveWords(event: AuditEvent): string {
  const from = stateIn(event.before) ?? text(asBody(event.after), 'from')
  const to = stateIn(event.after) ?? text(asBody(event.after), 'to')
  if (from === undefined || to === undefined) return 'moved the prospect'
  return `moved from ${pipelineStateName(from)} to ${pipelineStateName(to)}`
}

const asBody = (value: unknown) => (isBody(value) ? value : null)
const stateIn = (value: unknown) => text(asBody(value), 'pipelineState') ?? text(asBody(value), 'state')

function evidenceWords(event: AuditEvent): string {
  const after = asBody(event.after)
  const field = text(after, 'field')
  const verb = text(after, 'supersedesId') === undefined ? 'added' : 'corrected'
  return field === undefined ? `${verb} an observation` : `${verb} evidence for ${lower(fieldName(field))}`
}

function interactionWords(event: AuditEvent): string {
  const after = asBody(event.after)
  const verb = text(after, 'correctsId') === undefined ? 'recorded' : 'corrected'
  const outcome = text(after, 'outcome')
  return `${verb} an interaction${outcome === undefined ? '' : `: ${outcome.replaceAll('_', ' ')}`}`
}

/** Id of the merge to which the event belongs; the merge has its own page. */
export const mergeIdOf = (event: Pick<AuditEvent, 'after'>): string | undefined => text(asBody(event.after), 'mergeId')

/** Fields that the page of the merge shows, so that the event omits them. */
const mergeFields = new Set(['mergeId', 'suggestionId', 'score', 'merged', 'mergedInto', 'separated'])

/** Returns the event without the ids that its link to the merge replaces. */
export function withoutMergeIds<E extends Pick<AuditEvent, 'before' | 'after'>>(event: E): E {
  if (mergeIdOf(event) === undefined) return event
  const kept = (body: AuditEvent['after']) =>
    isBody(body) ? Object.fromEntries(Object.entries(body).filter(([key]) => !mergeFields.has(key))) : body
  return { ...event, before: kept(event.before), after: kept(event.after) }
}

/** Sentence of a merge: in the event of the loser, where it was merged; in that of the survivor, that another record was merged into it. */
function mergeWords(event: AuditEvent): string {
  return text(asBody(event.after), 'mergedInto') === undefined
    ? 'merged another record into this one'
    : 'merged it into another record'
}

function reverseWords(event: AuditEvent): string {
  return text(asBody(event.after), 'separated') === undefined
    ? 'undid the merge: the record is separate again'
    : 'undid a merge into this one'
}

const jobKind = (event: AuditEvent) => text(asBody(event.after), 'kind')?.replaceAll('-', ' ') ?? 'of an unknown kind'

/** Sentence about the result of comparing a changed record with the others. */
function checkWords(event: AuditEvent): string {
  const after = asBody(event.after)
  const counted = (key: string, verb: string, one: string, many: string) => {
    const count = after?.[key]
    return typeof count === 'number' && count > 0 ? [`${verb} ${countWords(count, one, many)}`] : []
  }
  const words = [
    ...counted('created', 'suggested', 'possible duplicate', 'possible duplicates'),
    ...counted('updated', 'rescored', 'suggested duplicate', 'suggested duplicates'),
    ...counted('superseded', 'withdrew', 'suggested duplicate', 'suggested duplicates'),
  ]
  return words.length === 0 ? 'compared a changed record with other records' : listWords(words)
}

/**
 * Actor at the start of a sentence, with the access token of a program. System parts have lower-case names, so the first letter is capitalised.
 */
export function actorOf({ actor, token }: Pick<AuditEvent, 'actor' | 'token'>): string {
  if (token !== null) return `${actor.name} with the token ${token.name}`
  return actor.kind === 'user' ? actor.name : sentenceCase(actor.name)
}

const phrases: Record<string, string | ((event: AuditEvent) => string)> = {
  ...accountActions,
  'business.create': 'created the prospect',
  'business.edit': editWords,
  'business.block': 'marked do not contact',
  'business.unblock': 'lifted the block',
  'business.match_suppression': 'marked do not contact: an entry of the do-not-contact list matches',
  'business.erase': 'erased the prospect permanently',
  'person.erase': 'erased a person at the prospect permanently',
  'suppression.add': 'added an entry to the do-not-contact list',
  'suppression.request_again': 'added a repeated request to an entry of the do-not-contact list',
  'suppression.remove': 'removed an entry of the do-not-contact list',
  'suppression.keep_tombstone': 'blocked an erased address in unreadable form',
  'suppression.reevaluate': 'compared the do-not-contact list with all prospects again',
  'evidence.add': evidenceWords,
  'source.preview': 'previewed a CSV file',
  'note.add': (event) => (asBody(event.after)?.sensitive === true ? 'added a sensitive note' : 'added a note'),
  'interaction.add': interactionWords,
  'report.request': 'requested a report',
  'report.make': 'created a report',
  'matching.merge': mergeWords,
  'matching.reverse': reverseWords,
  'matching.begin_merge': 'stored a snapshot before a merge',
  'matching.begin_reversal': 'started to undo a merge',
  'matching.reject': 'rejected a suggested duplicate',
  'matching.check': checkWords,
  'matching.run': 'stored the suggestions of a full scan',
  'matching.renormalize': 'read contact values again by newer rules',
  'matching.start_run': 'started a full scan for duplicates',
  'export.request': 'requested an export',
  'export.write': 'wrote an export',
  'export.download': 'downloaded an export',
  'export.remove': 'deleted an export',
  'pipeline.move': moveWords,
  'pipeline.configure': 'changed the pipeline settings',
  'audit.restart_checkpoints': 'restarted the signed checkpoints of the audit',
  'store.restore': 'restored the data from a backup',
  'job.create': (event) => `started a job: ${jobKind(event)}`,
  'job.retry': (event) => {
    const because = text(asBody(event.after), 'because')
    return `retried a job: ${jobKind(event)}${because === undefined ? '' : `, after ${because.replaceAll('_', ' ')}`}`
  },
  'job.cancel': 'cancelled a job',
  'job.prune_events': 'deleted old job events',
  'job.end': (event) => `ended a job: ${jobKind(event)}, ${text(asBody(event.after), 'status') ?? 'unknown'}`,
}

export const actionsWithSentence = Object.keys(phrases)

/**
 * The action as a phrase that follows the actor's name: 'moved from New to Contacted'. An action without its own phrase shows the label of the
 * server.
 */
export function actionSentence(event: AuditEvent, labelOf: (action: string) => string): string {
  const phrase = phrases[event.action] ?? `· ${labelOf(event.action)}`
  return typeof phrase === 'string' ? phrase : phrase(event)
}
