import { hash } from 'node:crypto'
import { z } from 'zod'
import { DAY_MS, daysAfter, latestBeginning } from '../../lib/clock.ts'
import { jsonColumn } from '../../store/json-column.ts'
import { readDoNotContact } from '../csv-preview/csv-preview.ts'
import { likelyKind, normalizeIdentifier } from '../normalization/normalization.ts'
import { limits, type Registration, type RegistryKind, type RegistryState, registryKinds } from './registry.schema.ts'

/* Rules of registry rounds. Pure functions. */

/** A value in normalized form. */
export type RoundValue = { kind: RegistryKind; normalized: string }

/** Returns what stands for a value in a file: the value, or the SHA-256 of the salt and the value in hexadecimal. */
export function writtenForm({ normalized }: RoundValue, salt: string | null): string {
  return salt === null ? normalized : hash('sha256', salt + normalized, 'hex')
}

/** Returns a short key that is equal for equal values, for sets of hundreds of thousands. */
export function keyOf(value: RoundValue, salt: string | null): string {
  return salt === null ? value.normalized : packed(writtenForm(value, salt))
}

const packed = (hex: string) => Buffer.from(hex, 'hex').toString('latin1')

export type ResultColumn = { name: string | null; suggested: string | null }

/** The columns of a result, counted from 0. `values`: those that can contain the value; empty if no column is known. */
export type ResultForm = { values: readonly number[]; round: number | null; said: readonly number[] }

const valueNames = new Set(['value', 'sha256', 'hash', 'waarde'])
const roundNames = new Set(['round', 'ronde'])

/** Finds the columns of a result by their headings and suggested fields. A column named `value` is preferred. */
export function findResultForm(columns: readonly ResultColumn[]): ResultForm {
  const named = (names: ReadonlySet<string>) =>
    columns.flatMap(({ name }, at) => (name !== null && names.has(name.trim().toLowerCase()) ? [at] : []))
  const suggested = (...fields: string[]) =>
    columns.flatMap((column, at) => (fields.includes(column.suggested ?? '') ? [at] : []))
  const byName = named(valueNames)
  const byField = suggested('phone', 'email')
  return {
    values: byName.length > 0 ? byName : byField.length > 0 ? byField : columns.length === 1 ? [0] : [],
    round: named(roundNames)[0] ?? null,
    said: suggested('doNotContact'),
  }
}

/** Content of one line of a result: the keys of listed values, `clear` for a value that is not listed, `unreadable`, or a line of another round. */
export type ReadLine = { keys: string[] } | 'clear' | 'unreadable' | 'other_round'

export type ResultOptions = { form: ResultForm; roundId: string; isHashed: boolean; phoneRegion: string }

/** Reads one line. A line with a column for do not contact that says no is clear; one that says something unclear counts as listed. */
export function readResultLine(cells: readonly string[], options: ResultOptions): ReadLine {
  const { form, roundId, isHashed, phoneRegion } = options
  const named = form.round === null ? '' : (cells[form.round] ?? '').trim()
  if (named !== '' && named !== roundId) return 'other_round'
  const keys = isHashed ? hashKeysIn(cells) : form.values.flatMap((at) => plainKeysIn(cells[at] ?? '', phoneRegion))
  if (keys.length === 0) return 'unreadable'
  const said = form.said.map((at) => readDoNotContact(cells[at] ?? ''))
  return said.length > 0 && said.every((one) => one === 'no') ? 'clear' : { keys }
}

const hashPattern = /^[0-9a-f]{64}$/i

function hashKeysIn(cells: readonly string[]): string[] {
  const found = cells.map((cell) => cell.trim()).find((cell) => hashPattern.test(cell))
  return found === undefined ? [] : [packed(found)]
}

function plainKeysIn(cell: string, region: string): string[] {
  const value = cell.trim()
  if (value === '') return []
  const kind = likelyKind(value)
  if (kind === 'domain') return []
  const { normalized } = normalizeIdentifier(kind, value, region)
  return normalized === null ? [] : [normalized]
}

/** A round: its end, and the time at which its values were read. */
export type Cleaning = { cleanedAt: string; readAt: string }

/**
 * True if another round is due: these days after the values of the last one were read, without a round, and while the clock is before the end of the
 * last one, because its age is then unknown. A round that waited long for its result is as old as its values.
 */
export function isRoundDue(last: Cleaning | undefined, now: string, days: number = limits.days): boolean {
  if (last === undefined) return true
  return daysAfter(last.readAt, days) <= now || last.cleanedAt > latestBeginning(now)
}

/** Returns when a workspace was compared with the registry and until when that counts, in words with days in UTC. */
export function sentenceOfCleaning({
  cleanedAt,
  dueAt,
  isDue,
}: Pick<RegistryState, 'cleanedAt' | 'dueAt' | 'isDue'>): string {
  if (cleanedAt === null || dueAt === null) return 'No registry round was closed yet.'
  return `Cleaned on ${cleanedAt.slice(0, 10)}, ${isDue ? 'overdue since' : 'due on'} ${dueAt.slice(0, 10)}.`
}

/** Returns the status of a registration on a day (`now`, RFC 3339). The day of its end is its last valid day, in UTC. */
export function registrationStatus(
  held: { number: string | null; validUntil: string | null },
  now: string,
): Registration['status'] {
  if (held.number === null || held.validUntil === null) return 'missing'
  const endsMs = Date.parse(`${held.validUntil}T00:00:00Z`) + DAY_MS
  const leftMs = endsMs - Date.parse(now)
  if (leftMs <= 0) return 'ended'
  return leftMs <= limits.warningDays * DAY_MS ? 'ends_soon' : 'valid'
}

const hitSchema = z.tuple([z.enum(registryKinds), z.string()])
const readPair = jsonColumn(hitSchema)

/** Reads a line of a file of values: kind and normalized form. */
export function readHit(text: string): RoundValue {
  const [kind, normalized] = readPair(text)
  return { kind, normalized }
}
