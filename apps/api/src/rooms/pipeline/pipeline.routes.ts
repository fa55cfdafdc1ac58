import { z } from 'zod'
import {
  answerChange,
  expectedVersion,
  idempotencyHeaders,
  idempotencyOf,
  setEntityTag,
  versionHeaders,
} from '../../http/conditional.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { change } from '../../store/change/change.ts'
import { businessParams, forReader } from '../businesses/businesses.ts'
import {
  configurePipelineSchema,
  movedSchema,
  moveSchema,
  pipelineSchema,
  transitionPageSchema,
} from './pipeline.schema.ts'
import { configurePipeline, describePipeline, listTransitions, movePipeline, transitionsForReader } from './pipeline.ts'

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

  app.patch(
    '/pipeline',
    {
      schema: {
        operationId: 'configurePipeline',
        tags: ['pipeline'],
        summary: 'Switch the optional states paused and disqualified on or off',
        headers: versionHeaders,
        body: configurePipelineSchema,
        response: { 200: pipelineSchema },
      },
      config: { permission: 'pipeline.configure', stepUp: true, tells: ['etag'] },
    },
    async (request, reply) => {
      const version = expectedVersion(request)
      const options = { permission: 'pipeline.configure', action: 'pipeline.configure' } as const
      const { value } = await change(store, actorOf(request), options, (tx) =>
        configurePipeline(tx, version, request.body),
      )
      setEntityTag(reply, value.version)
      return value
    },
  )

  app.post(
    '/businesses/:businessId/pipeline-transitions',
    {
      schema: {
        operationId: 'movePipeline',
        tags: ['pipeline'],
        summary: 'Move a prospect along the pipeline; the same state again succeeds and writes nothing',
        params: businessParams,
        headers: idempotencyHeaders,
        body: moveSchema,
        response: { 200: movedSchema },
      },
      config: { permission: 'pipeline.move', tells: ['etag'] },
    },
    async (request, reply) => {
      const options = {
        permission: 'pipeline.move',
        action: 'pipeline.move',
        idempotency: idempotencyOf(request),
      } as const
      const { businessId } = request.params
      const actor = actorOf(request)
      const result = await change(store, actor, options, (tx) => movePipeline(tx, businessId, request.body))
      const { business, transition } = answerChange(reply, 200, result)
      setEntityTag(reply, business.version)
      const moves = transition === null ? [] : [transition]
      const [shown = null] = await transitionsForReader(store.reader, actor, business, moves)
      return { business: forReader(actor, business), transition: shown }
    },
  )

  app.get(
    '/businesses/:businessId/pipeline-transitions',
    {
      schema: {
        operationId: 'listTransitions',
        tags: ['pipeline'],
        summary: 'The moves of one prospect, newest first',
        params: businessParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: transitionPageSchema },
      },
      config: { permission: 'pipeline.read' },
    },
    (request) => listTransitions(store, cursors, actorOf(request), request.params.businessId, request.query),
  )
}
