import { z } from 'zod'
import { pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import type { RoomContext } from '../../room.ts'
import { refusedDecision, refusedIncidentDecision } from '../refused-decisions.ts'
import { getSource } from '../registry/read-sources.ts'
import {
  circuitResetSchema,
  createIncidentSchema,
  decideIncidentSchema,
  incidentPageSchema,
  incidentParams,
  incidentSchema,
  sourceParams,
  sourceSchema,
} from '../sources.schema.ts'
import { decideIncident, getIncident, listIncidents, recordIncident, resetCircuit } from './incidents.ts'

export const circuitRoutes: RoomRoutes<RoomContext> = async (app, { store, cursors, adapters }) => {
  const route = createRoutes(app, { store, tag: 'sources' })
  const permission = 'sources.reset_circuit'

  route.read({
    url: '/source-incidents',
    id: 'listSourceIncidents',
    summary: 'List incident and change records of one source or of all, newest first',
    permission: 'sources.read',
    query: z.strictObject({ ...pageQuery, sourceId: sourceParams.shape.sourceId.optional() }),
    response: incidentPageSchema,
    answer: ({ actor, query }) => listIncidents(store, cursors, actor.tenantId, query),
  })

  route.change({
    url: '/sources/:sourceId/incidents',
    id: 'recordSourceIncident',
    summary: 'Record an incident or a change about the current opening of the circuit',
    permission,
    action: 'source.report_incident',
    params: sourceParams,
    body: createIncidentSchema,
    response: incidentSchema,
    status: 201,
    work: (tx, { params, body }) => recordIncident(tx, params.sourceId, body),
    answer: ({ id }, { actor, params }) => getIncident(store, { ...params, tenantId: actor.tenantId }, id),
  })

  route.change({
    url: '/sources/:sourceId/incidents/:incidentId/decision',
    id: 'decideSourceIncident',
    summary: "Approve or reject another person's record",
    permission,
    action: 'source.decide_incident',
    stepUp: true,
    refused: refusedIncidentDecision,
    params: incidentParams,
    body: decideIncidentSchema,
    response: incidentSchema,
    work: (tx, { params, body }) => decideIncident(tx, params, body),
    answer: ({ id }, { actor, params }) => getIncident(store, { ...params, tenantId: actor.tenantId }, id),
  })

  route.change({
    url: '/sources/:sourceId/circuit-resets',
    id: 'resetSourceCircuit',
    summary: 'Put a stopped source on probation, with an approved record about this opening',
    permission,
    action: 'source.circuit',
    stepUp: true,
    refused: refusedDecision,
    params: sourceParams,
    body: circuitResetSchema,
    response: sourceSchema,
    work: (tx, { params, body }) => resetCircuit(tx, params.sourceId, body),
    answer: (_value, { actor, params }) => getSource({ store, adapters, actor }, params.sourceId),
  })
}
