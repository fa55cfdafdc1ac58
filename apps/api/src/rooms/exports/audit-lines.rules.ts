import type { AuditCheckpoint, AuditEvent } from '../audit/audit.ts'
import { HIDDEN } from '../contact-gate/contact-gate.ts'
import { maskContactValues } from '../scanning/scanning.thread.ts'
import { type CsvFormat, csvHead, csvLine } from './csv-format.rules.ts'

/* Events of the audit as CSV and as JSON lines, without contact values. Pure: the same events give the same bytes. */

const auditColumns = [
  'number',
  'at',
  'actor',
  'actor id',
  'action',
  'record type',
  'record id',
  'record',
  'prospect id',
  'prospect',
  'do not contact',
  'reason',
  'before',
  'after',
  'erased',
  'request id',
  'hash',
  'checkpoint at event',
  'checkpoint hash',
  'checkpoint signed at',
  'checkpoint signature',
] as const

export function auditHead(csv: CsvFormat): string {
  const local = (column: string) => (/\bat$/.test(column) ? `${column} (${csv.zone})` : column)
  return csvHead(csv.zone === null ? auditColumns : auditColumns.map(local), csv)
}

/** Formats an event as a CSV line. Each line contains the newest checkpoint, so that a sorted or shortened file still has it. */
export function auditCsv(event: AuditEvent, checkpoint: AuditCheckpoint | null, csv: CsvFormat): string {
  const { actor, subject, before, after } = event
  return csvLine(
    [
      event.sequence,
      csv.time(event.at),
      actor.name,
      actor.kind === 'user' ? actor.id : null,
      event.action,
      subject.type,
      subject.id,
      subject.name,
      event.businessId,
      event.businessName,
      event.businessDoNotContact === null ? null : event.businessDoNotContact ? 'yes' : 'no',
      event.reason,
      before === null ? null : JSON.stringify(before),
      after === null ? null : JSON.stringify(after),
      event.erased ? 'yes' : 'no',
      event.correlationId,
      event.hash,
      checkpoint?.sequence ?? null,
      checkpoint?.hash ?? null,
      csv.time(checkpoint?.at ?? null),
      checkpoint?.signature ?? null,
    ],
    csv,
  )
}

/** Returns the first line of a JSON file: the filter, and the newest signed checkpoint of the chain. */
export function auditJsonHead(filter: object, checkpoint: AuditCheckpoint | null): string {
  return `${JSON.stringify({ audit: { filter }, checkpoint })}\n`
}

export function auditJson({ previousHash: _, ...event }: AuditEvent): string {
  return `${JSON.stringify({ event })}\n`
}

/**
 * Masks contact values in the texts of an event. An event with a hidden value loses its hash, because a reader who knows the rest of the event could
 * test guesses of the value against the hash. The hash of the previous event is never written, for the same reason.
 */
export function maskedEvent(event: AuditEvent): AuditEvent {
  const masked = {
    ...event,
    reason: event.reason === null ? null : maskedText(event.reason),
    before: event.before === null ? null : maskedFacts(event.before),
    after: event.after === null ? null : maskedFacts(event.after),
  }
  const isWhole = !JSON.stringify([masked.reason, masked.before, masked.after]).includes(HIDDEN)
  return isWhole ? masked : { ...masked, hash: HIDDEN }
}

function maskedFacts(facts: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, maskedValue(value)]))
}

function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return maskedText(value)
  if (Array.isArray(value)) return value.map(maskedValue)
  return typeof value === 'object' && value !== null ? maskedFacts({ ...value }) : value
}

/** Ids, times, days and words of this product: none of them is a contact value, although digits in them resemble one. */
const ownWord = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?|[A-Za-z][A-Za-z_-]*)$/

function maskedText(text: string): string {
  return text === HIDDEN || ownWord.test(text) ? text : maskContactValues(text, [])
}
