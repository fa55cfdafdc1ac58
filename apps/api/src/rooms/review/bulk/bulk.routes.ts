import { z } from 'zod'
import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders, requiredIdempotencyHeaders } from '../../../http/conditional.ts'
import { pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { change } from '../../../store/change/change.ts'
import { cancelNewestAttempt } from '../../jobs/jobs.ts'
import { bulkReview } from './bulk.jobs.ts'
import { getBulkRow } from './bulk.queries.ts'
import {
  bulkPageSchema,
  bulkParams,
  bulkPreviewSchema,
  bulkSchema,
  confirmBulkSchema,
  listOutcomesQuery,
  outcomePageSchema,
  previewBulkSchema,
  previewParams,
} from './bulk.schema.ts'
import { confirmBulk } from './confirm-bulk.ts'
import { computePreview, computeUndoPreview, getPreview, keepPreview } from './preview-bulk.ts'
import { getBulk, listBulks, listOutcomes } from './read-bulk.ts'

const tags = ['bulk actions']
const READ = { permission: 'review.read' } as const

export const bulkRoutes: RoomRoutes = async (app, { store, cursors }) => {
  changeRoute(app, store, {
    method: 'POST',
    url: '/bulk-reviews/previews',
    permission: 'review.bulk',
    action: 'bulk_review.preview',
    schema: {
      operationId: 'previewBulkReview',
      tags,
      summary: 'Freeze a selection and predict what an action does to each record',
      headers: idempotencyHeaders,
      body: previewBulkSchema,
      response: { 201: bulkPreviewSchema },
    },
    status: 201,
    // Compute the selection outside the transaction, which only stores the result.
    run: async (options, { actor, body }) => {
      const preview = await computePreview(store, actor, body)
      return change(store, actor, options, (tx) => keepPreview(tx, preview))
    },
    location: ({ id }) => `/bulk-reviews/previews/${id}`,
    answer: ({ id }, { actor }) => getPreview(store, actor, id),
  })

  app.get(
    '/bulk-reviews/previews/:previewId',
    {
      schema: {
        operationId: 'getBulkPreview',
        tags,
        summary: 'A preview of one’s own',
        params: previewParams,
        response: { 200: bulkPreviewSchema },
      },
      config: { permission: 'review.bulk' },
    },
    (request) => getPreview(store, actorOf(request), request.params.previewId),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/bulk-reviews',
    permission: 'review.bulk',
    action: 'bulk_review.create',
    schema: {
      operationId: 'createBulkReview',
      tags,
      summary: 'Confirm a preview; a job does the action record by record',
      headers: requiredIdempotencyHeaders,
      body: confirmBulkSchema,
      response: { 202: bulkSchema },
    },
    status: 202,
    lest: 'no record is changed twice',
    work: (tx, { actor, body }) => confirmBulk(tx, actor, body),
    location: ({ id }) => `/bulk-reviews/${id}`,
    answer: ({ id }, { actor }) => getBulk(store, actor.tenantId, id),
  })

  app.get(
    '/bulk-reviews',
    {
      schema: {
        operationId: 'listBulkReviews',
        tags,
        summary: 'Bulk actions, newest first',
        querystring: z.strictObject(pageQuery),
        response: { 200: bulkPageSchema },
      },
      config: READ,
    },
    (request) => listBulks(store, cursors, actorOf(request).tenantId, request.query),
  )

  app.get(
    '/bulk-reviews/:bulkId',
    {
      schema: {
        operationId: 'getBulkReview',
        tags,
        summary: 'A bulk action with its counts',
        params: bulkParams,
        response: { 200: bulkSchema },
      },
      config: READ,
    },
    (request) => getBulk(store, actorOf(request).tenantId, request.params.bulkId),
  )

  app.get(
    '/bulk-reviews/:bulkId/outcomes',
    {
      schema: {
        operationId: 'listBulkOutcomes',
        tags,
        summary: 'The outcome of each record',
        params: bulkParams,
        querystring: listOutcomesQuery,
        response: { 200: outcomePageSchema },
      },
      config: READ,
    },
    (request) => {
      const { tenantId } = actorOf(request)
      return listOutcomes(store, cursors, { tenantId, bulkId: request.params.bulkId }, request.query)
    },
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/bulk-reviews/:bulkId/cancellation',
    permission: 'review.bulk',
    action: 'job.cancel',
    schema: {
      operationId: 'cancelBulkReview',
      tags,
      summary: 'Cancel a bulk action; what is not done stays not done',
      params: bulkParams,
      headers: idempotencyHeaders,
      response: { 200: bulkSchema },
    },
    status: 200,
    work: async (tx, { actor, params }) => {
      const bulk = await getBulkRow(tx.db, actor.tenantId, params.bulkId)
      return cancelNewestAttempt(tx, bulkReview, bulk.job_id)
    },
    answer: (_outcome, { actor, params }) => getBulk(store, actor.tenantId, params.bulkId),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/bulk-reviews/:bulkId/undo-previews',
    permission: 'review.bulk',
    action: 'bulk_review.preview',
    schema: {
      operationId: 'previewUndo',
      tags,
      summary: 'Preview the undoing of a bulk, over the records that are still as it left them',
      params: bulkParams,
      headers: idempotencyHeaders,
      response: { 201: bulkPreviewSchema },
    },
    status: 201,
    run: async (options, { actor, params }) => {
      const preview = await computeUndoPreview(store, actor, params.bulkId)
      return change(store, actor, options, (tx) => keepPreview(tx, preview))
    },
    location: ({ id }) => `/bulk-reviews/previews/${id}`,
    answer: ({ id }, { actor }) => getPreview(store, actor, id),
  })
}
