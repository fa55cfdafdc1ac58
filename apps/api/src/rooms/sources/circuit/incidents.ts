import { type Cursors, newestFirst, type Page, type PageQuery } from '../../../http/pagination.ts'
import { actorKey, actorRef } from '../../../lib/actor.ts'
import { AppError, namesNothing, notFound } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { decided, requireOther } from '../../approvals/approvals.ts'
import { getSourceRow } from '../registry/source-state.ts'
import type { CreateIncident, DecideIncident, Incident } from '../sources.schema.ts'
import {
  findIncident,
  findTransition,
  type IncidentRow,
  incidentsOf,
  insertIncident,
  insertTransition,
  selectIncidents,
  selectTransitionsOfMany,
  updateIncident,
} from './circuit.queries.ts'
import { INCIDENT_MS, unusableBecause } from './circuit.rules.ts'

/*
 * Records and decisions that a reset of a circuit requires (specification, Phase 5 §5). A stopped source is queried again only after three steps: a
 * person recorded an incident or a change, another person approved the record, and a person reset the circuit with it.
 */

/** Records an incident or a change. Errors: `not_found`, `incident_not_usable` if it names another opening of the circuit than the present one. */
export async function recordIncident(tx: Tx, sourceId: string, input: CreateIncident): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  await getSourceRow(tx.db, tenantId, sourceId)
  const circuit = await findTransition(tx.db, { tenantId, sourceId })
  if (circuit === undefined || circuit.state === 'closed' || circuit.opening_id !== input.openingId)
    throw new AppError('incident_not_usable', 'The source was restarted or stopped again. Reload the page.')
  const id = newId()
  await insertIncident(tx.db, {
    tenant_id: tenantId,
    id,
    source_id: sourceId,
    opening_id: input.openingId,
    kind: input.kind,
    description: input.description,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    decision: null,
    decision_reason: null,
    decided_at: null,
    decided_by: null,
    used_at: null,
  })
  const { kind, openingId } = input
  await tx.record({ subject: { type: 'source', id: sourceId }, after: { incidentId: id, kind, openingId } })
  return { id }
}

/** Approves or rejects an incident record. Errors: `not_found`, `own_approval`, `conflict` if it was already decided. */
export async function decideIncident(
  tx: Tx,
  { sourceId, incidentId }: { sourceId: string; incidentId: string },
  { decision, reason }: DecideIncident,
): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const incident = await findIncident(tx.db, { tenantId, sourceId }, incidentId)
  if (incident === undefined) throw notFound()
  requireOther(tx.actor, { 'wrote this record': incident.created_by })
  if (incident.decision !== null) throw new AppError('conflict', 'This record was already decided.')
  await updateIncident(tx.db, { tenantId, id: incidentId }, { decision, ...decided(tx, reason) })
  await tx.record({ subject: { type: 'source', id: sourceId }, after: { incidentId, decision }, reason })
  return { id: incidentId }
}

/**
 * Resets an open circuit: it is then on probation, which permits one concurrent request. Errors: `not_found`, `conflict` if it is not open,
 * `incident_not_usable`.
 */
export async function resetCircuit(
  tx: Tx,
  sourceId: string,
  { incidentId, reason }: { incidentId: string; reason: string },
): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  await getSourceRow(tx.db, tenantId, sourceId)
  const incident = await findIncident(tx.db, { tenantId, sourceId }, incidentId)
  if (incident === undefined) throw namesNothing('incidentId', 'This source has no such record.')
  const circuit = await findTransition(tx.db, { tenantId, sourceId })
  if (circuit?.state !== 'open') throw new AppError('conflict', 'This source is not stopped.')
  const because = unusableBecause(asRule(incident), circuit.opening_id, tx.at)
  if (because !== undefined) throw new AppError('incident_not_usable', because)
  const id = newId()
  await updateIncident(tx.db, { tenantId, id: incidentId }, { used_at: tx.at })
  await insertTransition(tx.db, {
    tenant_id: tenantId,
    id,
    source_id: sourceId,
    state: 'probation',
    opening_id: circuit.opening_id,
    cause: 'reset',
    incident_id: incidentId,
    at: tx.at,
    actor: actorKey(tx.actor),
  })
  const after = { state: 'probation', openingId: circuit.opening_id, incidentId }
  await tx.record({ subject: { type: 'source', id: sourceId }, before: { state: 'open' }, after, reason })
  return { id }
}

function asRule({ opening_id, decision, used_at, created_at }: IncidentRow) {
  return { openingId: opening_id, decision, usedAt: used_at, createdAt: created_at }
}

/** Lists the incident records of the tenant, or of one source, newest first. Errors: `not_found` for a missing source. */
export async function listIncidents(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  query: PageQuery & { sourceId?: string | undefined },
): Promise<Page<Incident>> {
  const { sourceId } = query
  if (sourceId !== undefined) await getSourceRow(store.reader, tenantId, sourceId)
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['source-incidents', tenantId, sourceId ?? ''],
    query,
    fetch: async (before, limit) => {
      const rows = await selectIncidents(store.reader, { tenantId, sourceId, before, limit })
      const circuits = await selectTransitionsOfMany(
        store.reader,
        tenantId,
        rows.map(({ source_id: id }) => id),
      )
      return rows.map((row) => ({ ...row, opening: circuits.get(row.source_id) }))
    },
    count: (db) => incidentsOf(db, tenantId, sourceId),
    toItem: ({ opening, ...row }) =>
      toIncident(row, opening?.state !== 'closed' && opening?.opening_id === row.opening_id),
  })
}

/** Returns one incident record. Errors: `not_found`. */
export async function getIncident(
  store: Store,
  key: { tenantId: string; sourceId: string },
  id: string,
): Promise<Incident> {
  const row = await findIncident(store.reader, key, id)
  if (row === undefined) throw notFound()
  const circuit = await findTransition(store.reader, key)
  return toIncident(row, circuit?.state !== 'closed' && circuit?.opening_id === row.opening_id)
}

function toIncident(row: IncidentRow, isOfCurrentOpening: boolean): Incident {
  return {
    id: row.id,
    source: { id: row.source_id, slug: row.slug, name: row.source_name },
    openingId: row.opening_id,
    isOfCurrentOpening,
    kind: row.kind,
    description: row.description,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.creator_name),
    decision: row.decision,
    decisionReason: row.decision_reason,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by === null ? null : actorRef(row.decided_by, row.decider_name),
    usedAt: row.used_at,
    usableUntil: new Date(Date.parse(row.created_at) + INCIDENT_MS).toISOString(),
  }
}
