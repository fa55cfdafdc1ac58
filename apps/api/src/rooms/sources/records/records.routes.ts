import { z } from 'zod'
import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders } from '../../../http/conditional.ts'
import { pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { businessParams } from '../../businesses/businesses.ts'
import { reasonSchema } from '../sources.schema.ts'
import { deleteRaw } from './raw-deletion.ts'
import { addRecordSchema, recordParams, sourceRecordPageSchema, sourceRecordSchema } from './records.schema.ts'
import { addRecord, getRecord, recordsOfBusiness } from './source-records.ts'

export const recordRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const tags = ['sources']

  app.get(
    '/businesses/:businessId/source-records',
    {
      schema: {
        operationId: 'listSourceRecords',
        tags,
        summary: 'List the source records of a prospect, newest first',
        params: businessParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: sourceRecordPageSchema },
      },
      config: { permission: 'sources.read' },
    },
    (request) => recordsOfBusiness.list(store, cursors, actorOf(request), request.params.businessId, request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/source-records',
    permission: 'sources.record',
    action: 'source_record.add',
    schema: {
      operationId: 'addSourceRecord',
      tags,
      summary: 'Record a reference, or selected cells of one CSV row, with the observations from it',
      params: businessParams,
      headers: idempotencyHeaders,
      body: addRecordSchema,
      response: { 201: sourceRecordSchema },
    },
    status: 201,
    work: (tx, { actor, params, body }) => addRecord(tx, actor, store, params.businessId, body),
    location: ({ id }, { params }) => `/businesses/${params.businessId}/source-records/${id}`,
    answer: ({ id }, { actor, params }) => getRecord(store.reader, actor, params.businessId, id),
  })

  app.get(
    '/businesses/:businessId/source-records/:sourceRecordId',
    {
      schema: {
        operationId: 'getSourceRecord',
        tags,
        summary: 'Get a source record',
        params: recordParams,
        response: { 200: sourceRecordSchema },
      },
      config: { permission: 'sources.read' },
    },
    (request) => {
      const { businessId, sourceRecordId } = request.params
      return getRecord(store.reader, actorOf(request), businessId, sourceRecordId)
    },
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/source-records/:sourceRecordId/raw-deletion',
    permission: 'sources.delete_raw',
    action: 'source_record.delete_raw',
    stepUp: true,
    schema: {
      operationId: 'deleteRawText',
      tags,
      summary: 'Delete the raw text of a record before its retention ends; hash, attribution and facts stay',
      params: recordParams,
      headers: idempotencyHeaders,
      body: reasonSchema,
      response: { 200: sourceRecordSchema },
    },
    status: 200,
    work: (tx, { params, body }) => deleteRaw(tx, params, body.reason),
    answer: ({ id }, { actor, params }) => getRecord(store.reader, actor, params.businessId, id),
  })
}
