import { z } from 'zod'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
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
  const route = createRoutes(app, { store, tag: 'pipeline' })

  route.read({
    url: '/pipeline',
    id: 'getPipeline',
    summary: 'States, permitted moves and counts',
    permission: 'pipeline.read',
    response: pipelineSchema,
    etag: ({ version }) => version,
    answer: ({ actor }) => describePipeline(store.reader, actor.tenantId, store.clock().toISOString()),
  })

  route.change({
    method: 'PATCH',
    url: '/pipeline',
    id: 'configurePipeline',
    summary: 'Enable or disable the optional states paused and disqualified',
    permission: 'pipeline.configure',
    action: 'pipeline.configure',
    stepUp: true,
    body: configurePipelineSchema,
    response: pipelineSchema,
    work: (tx, { version, body }) => configurePipeline(tx, version, body),
    etag: ({ version }) => version,
    answer: (pipeline) => pipeline,
  })

  route.change({
    url: '/businesses/:businessId/pipeline-transitions',
    id: 'movePipeline',
    summary: 'Move a prospect in the pipeline; a move to its current state succeeds and writes nothing',
    permission: 'pipeline.move',
    action: 'pipeline.move',
    params: businessParams,
    body: moveSchema,
    response: movedSchema,
    work: (tx, { params, body }) => movePipeline(tx, params.businessId, body),
    etag: ({ business }) => business.version,
    answer: (moved, { actor }) => getMoved(store.reader, actor, moved),
  })

  route.read({
    url: '/businesses/:businessId/pipeline-transitions',
    id: 'listTransitions',
    summary: 'List the moves of one prospect, newest first',
    permission: 'pipeline.read',
    params: businessParams,
    query: z.strictObject(pageQuery),
    response: transitionPageSchema,
    answer: ({ actor, params, query }) => transitionsOfBusiness.list(store, cursors, actor, params.businessId, query),
  })
}
