import { z } from 'zod'
import { changeRoute } from '../../http/change-route.ts'
import { idempotencyHeaders } from '../../http/conditional.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
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
  const tags = ['suppression']
  const now = ({ tenantId }: UserActor) => ({ tenantId, at: store.clock().toISOString() })

  app.get(
    '/suppressions',
    {
      schema: {
        operationId: 'listSuppressions',
        tags,
        summary: 'List suppression entries, newest first; search by a whole address, number or domain in any form',
        querystring: listSuppressionsQuery,
        response: { 200: suppressionPageSchema },
      },
      config: { permission: 'suppression.read' },
    },
    (request) => listSuppressions(store, cursors, actorOf(request).tenantId, request.query),
  )

  app.get(
    '/suppressions/evaluation',
    {
      schema: {
        operationId: 'getSuppressionEvaluation',
        tags,
        summary: 'Get the rules by which values are read, and whether everything was evaluated by them',
        response: { 200: evaluationSchema },
      },
      config: { permission: 'suppression.read' },
    },
    (request) => getEvaluation(store.reader, actorOf(request).tenantId),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/suppressions',
    permission: 'suppression.add',
    action: 'suppression.add',
    schema: {
      operationId: 'addSuppression',
      tags,
      summary: 'Suppress an address, a number or a domain; marks every matching business in the same change',
      headers: idempotencyHeaders,
      body: addSuppressionSchema,
      response: { 201: addedSuppressionSchema },
    },
    status: 201,
    work: (tx, { body }) => addSuppression(tx, body),
    location: ({ id }) => `/suppressions/${id}`,
    answer: (added, { actor, body }) => getAdded(store.reader, now(actor), added, body),
  })

  app.post(
    '/suppressions/checks',
    {
      schema: {
        operationId: 'checkSuppressions',
        tags,
        summary: 'Check whether values are suppressed, and by which entries; stores nothing',
        body: checkSchema,
        response: { 200: checkAnswerSchema },
      },
      config: { permission: 'suppression.read' },
    },
    (request) => checkValues(store, actorOf(request).tenantId, request.body.values),
  )

  app.post(
    '/suppressions/batch-previews',
    {
      schema: {
        operationId: 'previewSuppressionBatch',
        tags,
        summary: 'Preview a pasted batch, line by line; stores nothing',
        body: previewBatchSchema,
        response: { 200: previewAnswerSchema },
      },
      config: { permission: 'suppression.add' },
    },
    (request) => previewBatch(store, actorOf(request).tenantId, request.body),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/suppressions/batches',
    permission: 'suppression.add',
    action: 'suppression.add',
    schema: {
      operationId: 'addSuppressionBatch',
      tags,
      summary: 'Suppress every readable line; each other line returns the reason why it was skipped',
      headers: idempotencyHeaders,
      body: addBatchSchema,
      response: { 201: batchAnswerSchema },
    },
    status: 201,
    work: (tx, { body }) => addBatch(tx, body),
    answer: (batch, { actor, body }) => getBatch(store.reader, actor.tenantId, batch, body),
  })

  app.get(
    '/suppressions/:suppressionId',
    {
      schema: {
        operationId: 'getSuppression',
        tags,
        summary: 'One entry',
        params: suppressionParams,
        response: { 200: suppressionSchema },
      },
      config: { permission: 'suppression.read' },
    },
    (request) => {
      const { tenantId, at } = now(actorOf(request))
      return getSuppression(store.reader, tenantId, request.params.suppressionId, at)
    },
  )

  app.get(
    '/suppressions/:suppressionId/history',
    {
      schema: {
        operationId: 'listSuppressionHistory',
        tags,
        summary: 'List the history of an entry, newest first',
        params: suppressionParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: historyPageSchema },
      },
      config: { permission: 'suppression.read' },
    },
    (request) =>
      listHistory(store, cursors, {
        tenantId: actorOf(request).tenantId,
        suppressionId: request.params.suppressionId,
        query: request.query,
      }),
  )

  app.get(
    '/suppressions/:suppressionId/matches',
    {
      schema: {
        operationId: 'listSuppressionMatches',
        tags,
        summary: 'List the businesses that an entry blocks or blocked',
        params: suppressionParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: matchPageSchema },
      },
      config: { permission: 'suppression.read' },
    },
    (request) =>
      listMatches(store, cursors, {
        tenantId: actorOf(request).tenantId,
        suppressionId: request.params.suppressionId,
        query: request.query,
      }),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/suppressions/:suppressionId/removal',
    permission: 'suppression.remove',
    action: 'suppression.remove',
    stepUp: true,
    schema: {
      operationId: 'removeSuppression',
      tags,
      summary: 'Remove an entry, with a reason; returns the audit event as it was read back',
      params: suppressionParams,
      headers: idempotencyHeaders,
      body: removeSuppressionSchema,
      response: { 200: removedSuppressionSchema },
    },
    status: 200,
    work: (tx, { params, body }) => removeSuppression(tx, params.suppressionId, body.reason),
    answer: (removed, { actor }) => getRemoved(store.reader, now(actor), removed),
  })

  app.get(
    '/businesses/:businessId/values-to-suppress',
    {
      schema: {
        operationId: 'getValuesToSuppress',
        tags,
        summary: 'Get the contact values of a business and of those merged into it, as entries would read them',
        params: businessParams,
        response: { 200: valuesOfRecordSchema },
      },
      config: { permission: 'suppression.add' },
    },
    (request) => listValuesOfRecord(store, actorOf(request), request.params.businessId),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/do-not-contact',
    permission: 'businesses.block',
    action: 'business.block',
    schema: {
      operationId: 'blockBusiness',
      tags: ['businesses'],
      summary:
        'Mark a prospect as do not contact by hand, at once, and suppress its values; only an authorized removal lifts a block',
      params: businessParams,
      headers: idempotencyHeaders,
      body: blockBusinessSchema,
      response: { 200: blockedBusinessSchema },
    },
    status: 200,
    work: (tx, { params, body }) => blockWithValues(tx, params.businessId, body),
    etag: ({ version }) => version,
    answer: (blocked, { actor }) => getBlocked(store.reader, actor.tenantId, blocked),
  })

  app.get(
    '/businesses/:businessId/suppressions',
    {
      schema: {
        operationId: 'listSuppressionsOfBusiness',
        tags,
        summary: 'List the entries that match a business, active ones first',
        params: businessParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: businessSuppressionPageSchema },
      },
      config: { permission: 'suppression.read' },
    },
    async (request) => {
      const { tenantId } = actorOf(request)
      const { businessId } = request.params
      await getBusiness(store.reader, tenantId, businessId)
      return listEntriesOfBusiness(store, cursors, { tenantId, businessId, query: request.query })
    },
  )
}
