import { z } from 'zod'
import { pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
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

export const bulkRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'bulk actions' })

  route.change({
    url: '/bulk-reviews/previews',
    id: 'previewBulkReview',
    summary: 'Freeze a selection and predict what an action does to each record',
    permission: 'review.bulk',
    action: 'bulk_review.preview',
    body: previewBulkSchema,
    response: bulkPreviewSchema,
    // Compute the selection outside the transaction, which only stores the result.
    run: async (options, { actor, body }) => {
      const preview = await computePreview(store, actor, body)
      return change(store, actor, options, (tx) => keepPreview(tx, preview))
    },
    location: ({ id }) => `/bulk-reviews/previews/${id}`,
    answer: ({ id }, { actor }) => getPreview(store, actor, id),
  })

  route.read({
    url: '/bulk-reviews/previews/:previewId',
    id: 'getBulkPreview',
    summary: 'A preview of one’s own',
    permission: 'review.bulk',
    params: previewParams,
    response: bulkPreviewSchema,
    answer: ({ actor, params }) => getPreview(store, actor, params.previewId),
  })

  route.change({
    url: '/bulk-reviews',
    id: 'createBulkReview',
    summary: 'Confirm a preview; a job does the action record by record',
    permission: 'review.bulk',
    action: 'bulk_review.create',
    body: confirmBulkSchema,
    response: bulkSchema,
    status: 202,
    requiresKeySoThat: 'no record is changed twice',
    work: (tx, { actor, body }) => confirmBulk(tx, actor, body),
    location: ({ id }) => `/bulk-reviews/${id}`,
    answer: ({ id }, { actor }) => getBulk(store, actor.tenantId, id),
  })

  route.read({
    url: '/bulk-reviews',
    id: 'listBulkReviews',
    summary: 'Bulk actions, newest first',
    permission: 'review.read',
    query: z.strictObject(pageQuery),
    response: bulkPageSchema,
    answer: ({ actor, query }) => listBulks(store, cursors, actor.tenantId, query),
  })

  route.read({
    url: '/bulk-reviews/:bulkId',
    id: 'getBulkReview',
    summary: 'A bulk action with its counts',
    permission: 'review.read',
    params: bulkParams,
    response: bulkSchema,
    answer: ({ actor, params }) => getBulk(store, actor.tenantId, params.bulkId),
  })

  route.read({
    url: '/bulk-reviews/:bulkId/outcomes',
    id: 'listBulkOutcomes',
    summary: 'The outcome of each record',
    permission: 'review.read',
    params: bulkParams,
    query: listOutcomesQuery,
    response: outcomePageSchema,
    answer: ({ actor: { tenantId }, params, query }) =>
      listOutcomes(store, cursors, { tenantId, bulkId: params.bulkId }, query),
  })

  route.change({
    url: '/bulk-reviews/:bulkId/cancellation',
    id: 'cancelBulkReview',
    summary: 'Cancel a bulk action; what is not done stays not done',
    permission: 'review.bulk',
    action: 'job.cancel',
    params: bulkParams,
    response: bulkSchema,
    work: async (tx, { actor, params }) => {
      const bulk = await getBulkRow(tx.db, actor.tenantId, params.bulkId)
      return cancelNewestAttempt(tx, bulkReview, bulk.job_id)
    },
    answer: (_outcome, { actor, params }) => getBulk(store, actor.tenantId, params.bulkId),
  })

  route.change({
    url: '/bulk-reviews/:bulkId/undo-previews',
    id: 'previewUndo',
    summary: 'Preview the undoing of a bulk, over the records that are still as it left them',
    permission: 'review.bulk',
    action: 'bulk_review.preview',
    params: bulkParams,
    response: bulkPreviewSchema,
    run: async (options, { actor, params }) => {
      const preview = await computeUndoPreview(store, actor, params.bulkId)
      return change(store, actor, options, (tx) => keepPreview(tx, preview))
    },
    location: ({ id }) => `/bulk-reviews/previews/${id}`,
    answer: ({ id }, { actor }) => getPreview(store, actor, id),
  })
}
