import { z } from 'zod'
import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders } from '../../../http/conditional.ts'
import { pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
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
  const tags = ['sources']
  const permission = 'sources.reset_circuit'

  app.get(
    '/source-incidents',
    {
      schema: {
        operationId: 'listSourceIncidents',
        tags,
        summary: 'List incident and change records of all sources, newest first',
        querystring: z.strictObject(pageQuery),
        response: { 200: incidentPageSchema },
      },
      config: { permission: 'sources.read' },
    },
    (request) => listIncidents(store, cursors, actorOf(request).tenantId, request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/sources/:sourceId/incidents',
    permission,
    action: 'source.report_incident',
    schema: {
      operationId: 'recordSourceIncident',
      tags,
      summary: 'Record an incident or a change about the current opening of the circuit',
      params: sourceParams,
      headers: idempotencyHeaders,
      body: createIncidentSchema,
      response: { 201: incidentSchema },
    },
    status: 201,
    work: (tx, { params, body }) => recordIncident(tx, params.sourceId, body),
    answer: ({ id }, { actor, params }) => getIncident(store, { ...params, tenantId: actor.tenantId }, id),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/sources/:sourceId/incidents/:incidentId/decision',
    permission,
    action: 'source.decide_incident',
    stepUp: true,
    refused: refusedIncidentDecision,
    schema: {
      operationId: 'decideSourceIncident',
      tags,
      summary: "Approve or reject another person's record",
      params: incidentParams,
      headers: idempotencyHeaders,
      body: decideIncidentSchema,
      response: { 200: incidentSchema },
    },
    status: 200,
    work: (tx, { params, body }) => decideIncident(tx, params, body),
    answer: ({ id }, { actor, params }) => getIncident(store, { ...params, tenantId: actor.tenantId }, id),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/sources/:sourceId/circuit-resets',
    permission,
    action: 'source.circuit',
    stepUp: true,
    refused: refusedDecision,
    schema: {
      operationId: 'resetSourceCircuit',
      tags,
      summary: 'Put a stopped source on probation, with an approved record about this opening',
      params: sourceParams,
      headers: idempotencyHeaders,
      body: circuitResetSchema,
      response: { 200: sourceSchema },
    },
    status: 200,
    work: (tx, { params, body }) => resetCircuit(tx, params.sourceId, body),
    answer: (_value, { actor, params }) => getSource({ store, adapters, actor }, params.sourceId),
  })
}
