import { z } from 'zod'
import { pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { change } from '../../../store/change/change.ts'
import { businessParams } from '../../businesses/businesses.ts'
import { readPreviewRow } from '../../csv-preview/csv-preview.ts'
import { reasonSchema } from '../sources.schema.ts'
import { deleteRaw } from './raw-deletion.ts'
import { addRecordSchema, recordParams, sourceRecordPageSchema, sourceRecordSchema } from './records.schema.ts'
import { addRecord, getRecord, recordsOfBusiness } from './source-records.ts'

export const recordRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'sources' })

  route.read({
    url: '/businesses/:businessId/source-records',
    id: 'listSourceRecords',
    summary: 'List the source records of a prospect, newest first',
    permission: 'sources.read',
    params: businessParams,
    query: z.strictObject(pageQuery),
    response: sourceRecordPageSchema,
    answer: ({ actor, params, query }) => recordsOfBusiness.list(store, cursors, actor, params.businessId, query),
  })

  route.change({
    url: '/businesses/:businessId/source-records',
    id: 'addSourceRecord',
    summary: 'Record a reference, or selected cells of one CSV row, with the observations from it',
    permission: 'sources.record',
    action: 'source_record.add',
    params: businessParams,
    body: addRecordSchema,
    response: sourceRecordSchema,
    run: async (options, { actor, params, body }) => {
      const { csvRow } = body
      // A failed read is no error of a replay, which returns the stored result.
      const [found = null] =
        csvRow == null ? [] : await Promise.allSettled([readPreviewRow(store, actor, csvRow.previewId, csvRow.row)])
      return change(store, actor, options, (tx) => addRecord(tx, params.businessId, body, found))
    },
    location: ({ id }, { params }) => `/businesses/${params.businessId}/source-records/${id}`,
    answer: ({ id }, { actor, params }) => getRecord(store.reader, actor, params.businessId, id),
  })

  route.read({
    url: '/businesses/:businessId/source-records/:sourceRecordId',
    id: 'getSourceRecord',
    summary: 'Get a source record',
    permission: 'sources.read',
    params: recordParams,
    response: sourceRecordSchema,
    answer: ({ actor, params }) => {
      const { businessId, sourceRecordId } = params
      return getRecord(store.reader, actor, businessId, sourceRecordId)
    },
  })

  route.change({
    url: '/businesses/:businessId/source-records/:sourceRecordId/raw-deletion',
    id: 'deleteRawText',
    summary: 'Delete the raw text of a record before its retention ends; hash, attribution and facts stay',
    permission: 'sources.delete_raw',
    action: 'source_record.delete_raw',
    stepUp: true,
    params: recordParams,
    body: reasonSchema,
    response: sourceRecordSchema,
    work: (tx, { params, body }) => deleteRaw(tx, params, body.reason),
    answer: ({ id }, { actor, params }) => getRecord(store.reader, actor, params.businessId, id),
  })
}
