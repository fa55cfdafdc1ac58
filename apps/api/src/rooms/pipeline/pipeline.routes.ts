import { z } from 'zod'
import { changeRoute } from '../../http/change-route.ts'
import { idempotencyHeaders, setEntityTag, versionHeaders } from '../../http/conditional.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { businessParams } from '../businesses/businesses.ts'
import {
  configurePipelineSchema,
  movedSchema,
  moveSchema,
  pipelineSchema,
  transitionPageSchema,
} from './pipeline.schema.ts'
import { configurePipeline, describePipeline, getMoved, movePipeline, transitionsOfBusiness } from './pipeline.ts'

export const pipelineRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/pipeline',
    {
      schema: {
        operationId: 'getPipeline',
        tags: ['pipeline'],
        summary: 'States, permitted moves and counts',
        response: { 200: pipelineSchema },
      },
      config: { permission: 'pipeline.read', tells: ['etag'] },
    },
    async (request, reply) => {
      const pipeline = await describePipeline(store.reader, actorOf(request).tenantId, store.clock().toISOString())
      setEntityTag(reply, pipeline.version)
      return pipeline
    },
  )

  changeRoute(app, store, {
    method: 'PATCH',
    url: '/pipeline',
    permission: 'pipeline.configure',
    action: 'pipeline.configure',
    stepUp: true,
    schema: {
      operationId: 'configurePipeline',
      tags: ['pipeline'],
      summary: 'Enable or disable the optional states paused and disqualified',
      headers: versionHeaders,
      body: configurePipelineSchema,
      response: { 200: pipelineSchema },
    },
    status: 200,
    work: (tx, { version, body }) => configurePipeline(tx, version, body),
    etag: ({ version }) => version,
    answer: (pipeline) => pipeline,
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/pipeline-transitions',
    permission: 'pipeline.move',
    action: 'pipeline.move',
    schema: {
      operationId: 'movePipeline',
      tags: ['pipeline'],
      summary: 'Move a prospect in the pipeline; a move to its current state succeeds and writes nothing',
      params: businessParams,
      headers: idempotencyHeaders,
      body: moveSchema,
      response: { 200: movedSchema },
    },
    status: 200,
    work: (tx, { params, body }) => movePipeline(tx, params.businessId, body),
    etag: ({ business }) => business.version,
    answer: (moved, { actor }) => getMoved(store.reader, actor, moved),
  })

  app.get(
    '/businesses/:businessId/pipeline-transitions',
    {
      schema: {
        operationId: 'listTransitions',
        tags: ['pipeline'],
        summary: 'List the moves of one prospect, newest first',
        params: businessParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: transitionPageSchema },
      },
      config: { permission: 'pipeline.read' },
    },
    (request) => transitionsOfBusiness.list(store, cursors, actorOf(request), request.params.businessId, request.query),
  )
}
