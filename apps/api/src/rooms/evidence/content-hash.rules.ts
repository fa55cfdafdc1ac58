import { fingerprint } from '../../lib/hashing.ts'
import type { Evidence } from './evidence.schema.ts'

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

const CONTENT_HASH_VERSION = 1
