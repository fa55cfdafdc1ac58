import type { RefusedAttempts } from '../../http/refused-attempts.ts'
import { notFound } from '../../lib/app-error.ts'
import { findIncident } from './circuit/circuit.queries.ts'
import { getSourceRow } from './registry/source-state.ts'

/** Records refused approvals, enablements and resets of a source, which `attempted` tells apart. */
export const refusedDecision: RefusedAttempts = {
  action: 'source.approval_failed',
  subject: 'source',
  find: async (db, tenantId, { sourceId: id = '' }) => {
    const { contract_version: contractVersion } = await getSourceRow(db, tenantId, id)
    return { id, after: { contractVersion } }
  },
}

/** Records refused approvals of an incident record with its source. */
export const refusedIncidentDecision: RefusedAttempts = {
  ...refusedDecision,
  decision: 'approve',
  find: async (db, tenantId, { sourceId = '', incidentId = '' }) => {
    if ((await findIncident(db, { tenantId, sourceId }, incidentId)) === undefined) throw notFound()
    return { id: sourceId, after: { incidentId } }
  },
}
