import { Readable } from 'node:stream'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { idempotencyOf } from '../../http/conditional.ts'
import type { Room, RoomOptions } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { AppError } from '../../lib/app-error.ts'
import { keptLimits } from './csv/analysis.ts'
import { createCsvPreview, listCsvRows, previewAnswer } from './csv-previews.ts'
import { heldLimits, heldPreviewsOf } from './held-previews.ts'
import { tooLarge } from './receive-upload.ts'
import {
  createCsvPreviewQuery,
  csvPreviewLimitsSchema,
  csvPreviewParams,
  csvPreviewSchema,
  csvRowPageSchema,
  csvRowsQuery,
} from './sources.schema.ts'
import { openTemporaryFiles } from './temporary-files.ts'

/** A file is read by then, or given up. */
const PATIENCE_MS = 120_000

export const sourceRoutes: Room<RoomOptions & { config: Config }> = async (app, { store, cursors, config }) => {
  const files = openTemporaryFiles(store.dataDir)
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort(stopped()))
  app.addHook('onClose', async () => files.removeAll())

  // The body goes to a file as it comes; nothing in between holds all of it.
  app.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload))

  const maxBytes = config.csvMaxBytes
  const context = { store, files, maxBytes }

  app.post(
    '/csv-previews',
    {
      schema: {
        operationId: 'createCsvPreview',
        tags: ['sources'],
        summary: 'Read a CSV file and show what it says; nothing is stored or imported',
        description: 'The body is the file itself, as `text/csv`.',
        querystring: createCsvPreviewQuery,
        consumes: ['text/csv'],
        body: z.unknown().meta({ type: 'string', format: 'binary' }),
        response: { 201: csvPreviewSchema },
      },
      config: { permission: 'sources.preview' },
      onRequest: async (request, reply) => {
        if (!/^text\/csv(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
          throw new AppError('unsupported_media_type', 'Send the file itself as text/csv.')
        }
        if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
          reply.header('connection', 'close')
          throw tooLarge(maxBytes)
        }
      },
    },
    async (request, reply) => {
      const gone = new AbortController()
      request.raw.once('aborted', () => gone.abort(stopped()))
      const patience = setTimeout(() => gone.abort(tooSlow()), PATIENCE_MS).unref()
      reply.raw.once('close', () => clearTimeout(patience))
      const { preview, replayed } = await createCsvPreview(context, bodyOf(request.body), {
        actor: actorOf(request),
        query: request.query,
        signal: AbortSignal.any([stopping.signal, gone.signal]),
        idempotency: (upload) => idempotencyOf(request, upload),
      })
      if (replayed) reply.header('idempotency-replayed', 'true')
      return reply.code(201).header('location', `/api/v1/csv-previews/${preview.id}`).send(previewAnswer(preview))
    },
  )

  app.get(
    '/csv-previews/limits',
    {
      schema: {
        operationId: 'getCsvPreviewLimits',
        tags: ['sources'],
        summary: 'How large a file may be, and how much of it is shown for how long',
        response: { 200: csvPreviewLimitsSchema },
      },
      config: { permission: 'sources.preview' },
    },
    () => ({
      bytes: maxBytes,
      minutesHeld: heldLimits.minutes,
      firstRows: keptLimits.firstRows,
      flaggedRows: keptLimits.flaggedRows,
    }),
  )

  app.get(
    '/csv-previews/:previewId',
    {
      schema: {
        operationId: 'getCsvPreview',
        tags: ['sources'],
        summary: 'One’s own preview, for as long as it is held',
        params: csvPreviewParams,
        response: { 200: csvPreviewSchema },
      },
      config: { permission: 'sources.preview' },
    },
    async (request) => previewAnswer(heldPreviewsOf(store).get(actorOf(request), request.params.previewId)),
  )

  app.get(
    '/csv-previews/:previewId/rows',
    {
      schema: {
        operationId: 'listCsvRows',
        tags: ['sources'],
        summary: 'The first rows of a preview, or those that somebody should look at',
        params: csvPreviewParams,
        querystring: csvRowsQuery,
        response: { 200: csvRowPageSchema },
      },
      config: { permission: 'sources.preview' },
    },
    async (request) => listCsvRows(store, cursors, actorOf(request), request.params.previewId, request.query),
  )
}

function tooSlow(): AppError {
  return new AppError('unavailable', 'Reading this file took too long. Try again when less is going on.', {
    reason: 'csv_too_slow',
  })
}

function stopped(): AppError {
  return new AppError('unavailable', 'The reading was stopped.', { reason: 'stopping' })
}

/** What the parser of `text/csv` hands on; a request without a body is an empty file. */
function bodyOf(body: unknown): Readable {
  return body instanceof Readable ? body : Readable.from([])
}
