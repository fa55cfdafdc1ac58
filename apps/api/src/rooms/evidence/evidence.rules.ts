import { endOfDay, startOfDay } from '../../lib/calendar.ts'
import { fingerprint } from '../../lib/hashing.ts'
import { type Business, factFields, facts, isContactFact, storedValueOf } from '../businesses/businesses.ts'
import type { StatedFact } from './claims.rules.ts'
import type { Evidence } from './evidence.schema.ts'

/** Returns all values of a record, in the order in which screens show them. */
export function statedFacts(business: Business): StatedFact[] {
  return factFields.flatMap((field): StatedFact[] => {
    if (isContactFact(field))
      return business[facts[field].list].map(({ value, region = null }) => ({ field, value, region }))
    const value = storedValueOf(business, field)
    return value === null ? [] : [{ field, value: String(value), region: null }]
  })
}

/** The first and the last possible time of an event whose exact time may be unknown. */
export type Span = { from: string; until: string }

/** Returns the span of a time, or of a whole day in a time zone; null if neither is given. */
export function spanOf(at: string | null | undefined, on: string | null | undefined, timeZone: string): Span | null {
  if (on == null) return at == null ? null : { from: at, until: at }
  const day = Temporal.PlainDate.from(on)
  return { from: startOfDay(day, timeZone), until: new Date(Date.parse(endOfDay(day, timeZone)) - 1).toISOString() }
}

const CONTENT_HASH_VERSION = 1

/**
 * Returns the content hash of an observation. It covers the statement, the record, the lineage and the times. Observations are write-once, so only an
 * erasure changes the hash. The name of the author, the superseding observation and the state of the raw text are not part of the content.
 */
export function contentHashOf(evidence: Evidence): string {
  const { id, businessId, field, value, observation, sourceReference, sourceLabel, confidence, context, url } = evidence
  const { capturedAt, capturedOn, observedAt, observedOn, supersedesId, sourceRecordId } = evidence
  return fingerprint({
    rules: CONTENT_HASH_VERSION,
    ...{ id, businessId, field, value, observation, sourceReference, sourceLabel, confidence, context, url },
    ...{ capturedAt, capturedOn, observedAt, observedOn, supersedesId, sourceRecordId },
  })
}
