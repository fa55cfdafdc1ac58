import { actorRef } from '../../lib/actor.ts'
import type { Store } from '../../store/store.ts'
import { findRecordedCheckpoint, readBack, signStatement } from '../audit/audit.ts'
import { getTenant } from '../identity/identity.ts'
import { getRoundRow } from './registry.queries.ts'
import {
  type Certificate,
  readConfirmationColumn,
  readFileColumn,
  readKinds,
  readOutcomeColumn,
  readRegistrationColumn,
  readResultColumn,
  readStates,
} from './registry.schema.ts'
import { wrongState } from './round-guards.ts'

/** Part of the signed bytes, so that no other signature of the key is valid for a certificate. */
export const CERTIFICATE_PURPOSE = 'prospect-platform registry certificate'

/**
 * Returns the signed certificate of a closed round: what was asked, what the registry answered, what was added, by whom, and the place in the audit. It
 * contains no contact value. Errors: `not_found`, `registry_round_state`.
 */
export async function getCertificate(store: Store, tenantId: string, roundId: string): Promise<Certificate> {
  const { reader, keys } = store
  const row = await getRoundRow(reader, tenantId, roundId)
  const { file, result, confirmation, outcome, closed_at: closedAt, closed_event: closedEvent } = row
  if (
    file === null ||
    result === null ||
    confirmation === null ||
    outcome === null ||
    closedAt === null ||
    closedEvent === null
  )
    throw wrongState('A round has a certificate after it was closed.')
  const event = await readBack(reader, tenantId, closedEvent)
  const checkpoint = await findRecordedCheckpoint(reader, tenantId)
  const { name } = await getTenant(reader, tenantId)
  const { values, leftOut, sha256, writtenAt } = readFileColumn(file)
  const read = readResultColumn(result)
  const confirmed = readConfirmationColumn(confirmation)
  if (read.counts === null) throw new Error('A closed registry round has no counts.')
  return signStatement(keys.auditSigning, CERTIFICATE_PURPOSE, {
    version: 1 as const,
    workspace: { id: tenantId, name },
    registration: row.registration === null ? null : readRegistrationColumn(row.registration),
    round: {
      id: row.id,
      kinds: readKinds(row.kinds),
      form: row.form,
      states: readStates(row.states),
      startedAt: row.created_at,
      startedBy: actorRef(row.created_by, row.creator_name),
      closedAt,
    },
    file: { values, leftOut, sha256, writtenAt },
    result: {
      sha256: read.sha256,
      receivedAt: read.receivedAt,
      receivedBy: actorRef(row.result_by ?? '', row.uploader_name),
      counts: read.counts,
    },
    confirmation: {
      at: confirmed.at,
      by: actorRef(row.confirmed_by ?? '', row.confirmer_name),
      reason: confirmed.reason,
    },
    outcome: readOutcomeColumn(outcome),
    audit: {
      sequence: event.sequence,
      hash: event.hash,
      checkpoint:
        checkpoint === undefined
          ? null
          : {
              number: checkpoint.number,
              sequence: checkpoint.sequence,
              signedAt: checkpoint.signed_at,
              lineSha256: checkpoint.line_hash,
            },
    },
    issuedAt: store.clock().toISOString(),
  })
}
