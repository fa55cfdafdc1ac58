import { z } from 'zod'
import type { Config } from '../../config.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/conditional.ts'
import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { actorOf } from '../../http/session-guard.ts'
import { AppError } from '../../lib/app-error.ts'
import {
  createCsvPreviewQuery,
  csvPreviewLimitsSchema,
  csvPreviewParams,
  csvPreviewStateSchema,
  csvRowPageSchema,
  csvRowsQuery,
} from './csv-preview.schema.ts'
import { createCsvPreview, listCsvRows, previewAnswer, READ_AT_ONCE_BYTES } from './csv-previews.ts'
import { heldLimits, heldPreviewsOf } from './held-previews.ts'
import { fileSize } from './receive-upload.ts'
import { acceptCsvBodies, csvBodyOf, requireCsvBody } from './require-csv-body.ts'
import { openTemporaryFiles } from './temporary-files.ts'

export const csvPreviewRoutes: RoomRoutes<RoomOptions & { config: Config }> = async (
  app,
  { store, cursors, config },
) => {
  const route = createRoutes(app, { store, tag: 'sources' })
  const files = openTemporaryFiles(store.dataDir)
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort(stopped()))
  app.addHook('onClose', async () => files.removeAll())

  acceptCsvBodies(app)

  const maxBytes = config.csvMaxBytes
  const context = { store, files, maxBytes }

  route.custom({
    method: 'POST',
    url: '/csv-previews',
    id: 'createCsvPreview',
    summary: 'Read a CSV file and return a preview; nothing is stored or imported',
    description:
      'The body is the file itself, as `text/csv`. A small file is read at once (201). A large file is received, and a job reads it (202): poll the preview until it is ready.',
    permission: 'sources.preview',
    tells: ['location'],
    consumes: ['text/csv'],
    headers: idempotencyHeaders,
    query: createCsvPreviewQuery,
    body: z.unknown().meta({ type: 'string', format: 'binary' }),
    response: { 201: csvPreviewStateSchema, 202: csvPreviewStateSchema },
    onRequest: async (request, reply) => {
      requireCsvBody(request, reply, { limit: fileSize, maxBytes })
    },
    handle: async (request, reply) => {
      const gone = new AbortController()
      request.raw.once('aborted', () => gone.abort(stopped()))
      const { preview, replayed } = await createCsvPreview(context, csvBodyOf(request.body), {
        actor: actorOf(request),
        admitAgain: async () => {
          await request.admitAgain()
          return actorOf(request)
        },
        query: request.query,
        signal: AbortSignal.any([stopping.signal, gone.signal]),
        idempotency: (upload) => idempotencyOf(request, upload),
      })
      if (replayed) reply.header('idempotency-replayed', 'true')
      reply.code(preview.status === 'ready' ? 201 : 202).header('location', `/api/v1/csv-previews/${preview.id}`)
      return previewAnswer(preview)
    },
  })

  route.read({
    url: '/csv-previews/limits',
    id: 'getCsvPreviewLimits',
    summary: 'Get the limits of a preview: file size and time',
    permission: 'sources.preview',
    response: csvPreviewLimitsSchema,
    answer: () => ({
      bytes: maxBytes,
      bytesReadAtOnce: READ_AT_ONCE_BYTES,
      minutesHeld: heldLimits.minutes,
      hoursHeldAtMost: heldLimits.hoursAtMost,
    }),
  })

  route.read({
    url: '/csv-previews/:previewId',
    id: 'getCsvPreview',
    summary: 'Get your own preview while it is held: ready, being read, or failed',
    permission: 'sources.preview',
    params: csvPreviewParams,
    response: csvPreviewStateSchema,
    answer: ({ actor, params }) => previewAnswer(heldPreviewsOf(store).get(actor, params.previewId)),
  })

  route.read({
    url: '/csv-previews/:previewId/rows',
    id: 'listCsvRows',
    summary: 'List the rows of a preview, or those to review, as the records and the do-not-contact list are now',
    permission: 'sources.preview',
    params: csvPreviewParams,
    query: csvRowsQuery,
    response: csvRowPageSchema,
    answer: ({ actor, params, query }) => listCsvRows(store, cursors, actor, params.previewId, query),
  })
}

function stopped(): AppError {
  return new AppError('unavailable', 'The analysis was cancelled.', { reason: 'stopping' })
}
