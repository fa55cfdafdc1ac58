import { z } from 'zod'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import type { UserActor } from '../../lib/actor.ts'
import { businessParams, getBusiness } from '../businesses/businesses.ts'
import { addSuppression, getAdded } from './entries/add-entry.ts'
import { addBatch, getBatch, previewBatch } from './entries/batch-entries.ts'
import { blockWithValues, getBlocked } from './entries/block-with-values.ts'
import { checkValues } from './entries/check-values.ts'
import { listEntriesOfBusiness, listHistory, listMatches, listSuppressions } from './entries/list-entries.ts'
import { getRemoved, removeSuppression } from './entries/remove-entry.ts'
import { listValuesOfRecord } from './entries/values-of-record.ts'
import { getEvaluation } from './reevaluation/evaluation.queries.ts'
import { getSuppression } from './suppression.queries.ts'
import {
  addBatchSchema,
  addedSuppressionSchema,
  addSuppressionSchema,
  batchAnswerSchema,
  blockBusinessSchema,
  blockedBusinessSchema,
  businessSuppressionPageSchema,
  checkAnswerSchema,
  checkSchema,
  evaluationSchema,
  historyPageSchema,
  listSuppressionsQuery,
  matchPageSchema,
  previewAnswerSchema,
  previewBatchSchema,
  removedSuppressionSchema,
  removeSuppressionSchema,
  suppressionPageSchema,
  suppressionParams,
  suppressionSchema,
  valuesOfRecordSchema,
} from './suppression.schema.ts'

export const suppressionRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'suppression' })
  const now = ({ tenantId }: UserActor) => ({ tenantId, at: store.clock().toISOString() })

  route.read({
    url: '/suppressions',
    id: 'listSuppressions',
    summary: 'List suppression entries, newest first; search by a whole address, number or domain in any form',
    permission: 'suppression.read',
    query: listSuppressionsQuery,
    response: suppressionPageSchema,
    answer: ({ actor, query }) => listSuppressions(store, cursors, actor.tenantId, query),
  })

  route.read({
    url: '/suppressions/evaluation',
    id: 'getSuppressionEvaluation',
    summary: 'Get the rules by which values are read, and whether everything was evaluated by them',
    permission: 'suppression.read',
    response: evaluationSchema,
    answer: ({ actor }) => getEvaluation(store.reader, actor.tenantId),
  })

  route.change({
    url: '/suppressions',
    id: 'addSuppression',
    summary: 'Suppress an address, a number or a domain; marks every matching business in the same change',
    permission: 'suppression.add',
    action: 'suppression.add',
    body: addSuppressionSchema,
    response: addedSuppressionSchema,
    work: (tx, { body }) => addSuppression(tx, body),
    location: ({ id }) => `/suppressions/${id}`,
    answer: (added, { actor, body }) => getAdded(store.reader, now(actor), added, body),
  })

  route.read({
    url: '/suppressions/checks',
    id: 'checkSuppressions',
    summary: 'Check whether values are suppressed, and by which entries; stores nothing',
    permission: 'suppression.read',
    body: checkSchema,
    response: checkAnswerSchema,
    answer: ({ actor, body }) => checkValues(store, actor.tenantId, body.values),
  })

  route.read({
    url: '/suppressions/batch-previews',
    id: 'previewSuppressionBatch',
    summary: 'Preview a pasted batch, line by line; stores nothing',
    permission: 'suppression.add',
    body: previewBatchSchema,
    response: previewAnswerSchema,
    answer: ({ actor, body }) => previewBatch(store, actor.tenantId, body),
  })

  route.change({
    url: '/suppressions/batches',
    id: 'addSuppressionBatch',
    summary: 'Suppress every readable line; each other line returns the reason why it was skipped',
    permission: 'suppression.add',
    action: 'suppression.add',
    body: addBatchSchema,
    response: batchAnswerSchema,
    status: 201,
    work: (tx, { body }) => addBatch(tx, body),
    answer: (batch, { actor, body }) => getBatch(store.reader, actor.tenantId, batch, body),
  })

  route.read({
    url: '/suppressions/:suppressionId',
    id: 'getSuppression',
    summary: 'One entry',
    permission: 'suppression.read',
    params: suppressionParams,
    response: suppressionSchema,
    answer: ({ actor, params }) => {
      const { tenantId, at } = now(actor)
      return getSuppression(store.reader, tenantId, params.suppressionId, at)
    },
  })

  route.read({
    url: '/suppressions/:suppressionId/history',
    id: 'listSuppressionHistory',
    summary: 'List the history of an entry, newest first',
    permission: 'suppression.read',
    params: suppressionParams,
    query: z.strictObject(pageQuery),
    response: historyPageSchema,
    answer: ({ actor, params, query }) =>
      listHistory(store, cursors, {
        tenantId: actor.tenantId,
        suppressionId: params.suppressionId,
        query,
      }),
  })

  route.read({
    url: '/suppressions/:suppressionId/matches',
    id: 'listSuppressionMatches',
    summary: 'List the businesses that an entry blocks or blocked',
    permission: 'suppression.read',
    params: suppressionParams,
    query: z.strictObject(pageQuery),
    response: matchPageSchema,
    answer: ({ actor, params, query }) =>
      listMatches(store, cursors, {
        tenantId: actor.tenantId,
        suppressionId: params.suppressionId,
        query,
      }),
  })

  route.change({
    url: '/suppressions/:suppressionId/removal',
    id: 'removeSuppression',
    summary: 'Remove an entry, with a reason; returns the audit event as it was read back',
    permission: 'suppression.remove',
    action: 'suppression.remove',
    stepUp: true,
    params: suppressionParams,
    body: removeSuppressionSchema,
    response: removedSuppressionSchema,
    work: (tx, { params, body }) => removeSuppression(tx, params.suppressionId, body.reason),
    answer: (removed, { actor }) => getRemoved(store.reader, now(actor), removed),
  })

  route.read({
    url: '/businesses/:businessId/values-to-suppress',
    id: 'getValuesToSuppress',
    summary: 'Get the contact values of a business and of those merged into it, as entries would read them',
    permission: 'suppression.add',
    params: businessParams,
    response: valuesOfRecordSchema,
    answer: ({ actor, params }) => listValuesOfRecord(store, actor, params.businessId),
  })

  route.change({
    url: '/businesses/:businessId/do-not-contact',
    id: 'blockBusiness',
    summary:
      'Mark a prospect as do not contact by hand, at once, and suppress its values; only an authorized removal lifts a block',
    tag: 'businesses',
    permission: 'businesses.block',
    action: 'business.block',
    params: businessParams,
    body: blockBusinessSchema,
    response: blockedBusinessSchema,
    work: (tx, { params, body }) => blockWithValues(tx, params.businessId, body),
    etag: ({ version }) => version,
    answer: (blocked, { actor }) => getBlocked(store.reader, actor.tenantId, blocked),
  })

  route.read({
    url: '/businesses/:businessId/suppressions',
    id: 'listSuppressionsOfBusiness',
    summary: 'List the entries that match a business, active ones first',
    permission: 'suppression.read',
    params: businessParams,
    query: z.strictObject(pageQuery),
    response: businessSuppressionPageSchema,
    answer: async ({ actor: { tenantId }, params, query }) => {
      const { businessId } = params
      await getBusiness(store.reader, tenantId, businessId)
      return listEntriesOfBusiness(store, cursors, { tenantId, businessId, query })
    },
  })
}
