import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/conditional.ts'
import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { AppError } from '../../lib/app-error.ts'
import { tooLarge } from '../../lib/limit-reached.ts'
import { keptLimits } from './csv/analysis.ts'
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
import { openTemporaryFiles } from './temporary-files.ts'

/** Time for which the rest of a refused upload is read and discarded before its connection is closed. */
const REST_MS = 3_000

export const csvPreviewRoutes: RoomRoutes<RoomOptions & { config: Config }> = async (
  app,
  { store, cursors, config },
) => {
  const files = openTemporaryFiles(store.dataDir)
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort(stopped()))
  app.addHook('onClose', async () => files.removeAll())

  // The body is passed on as a stream. It is written to a file and never buffered completely.
  app.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload))

  const maxBytes = config.csvMaxBytes
  const context = { store, files, maxBytes }

  app.post(
    '/csv-previews',
    {
      schema: {
        operationId: 'createCsvPreview',
        tags: ['sources'],
        summary: 'Read a CSV file and return a preview; nothing is stored or imported',
        description:
          'The body is the file itself, as `text/csv`. A small file is read at once (201). A large file is received, and a job reads it (202): poll the preview until it is ready.',
        querystring: createCsvPreviewQuery,
        consumes: ['text/csv'],
        headers: idempotencyHeaders,
        body: z.unknown().meta({ type: 'string', format: 'binary' }),
        response: { 201: csvPreviewStateSchema, 202: csvPreviewStateSchema },
      },
      config: { permission: 'sources.preview', tells: ['location'] },
      onRequest: async (request, reply) => {
        letGoOfRest(request, reply)
        if (!/^text\/csv(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
          throw new AppError('unsupported_media_type', 'Send the file itself as text/csv.')
        }
        const size = Number(request.headers['content-length'] ?? 0)
        if (size > maxBytes) throw tooLarge(fileSize, { size, max: maxBytes })
      },
    },
    async (request, reply) => {
      const gone = new AbortController()
      request.raw.once('aborted', () => gone.abort(stopped()))
      const { preview, replayed } = await createCsvPreview(context, bodyOf(request.body), {
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
      return reply
        .code(preview.status === 'ready' ? 201 : 202)
        .header('location', `/api/v1/csv-previews/${preview.id}`)
        .send(previewAnswer(preview))
    },
  )

  app.get(
    '/csv-previews/limits',
    {
      schema: {
        operationId: 'getCsvPreviewLimits',
        tags: ['sources'],
        summary: 'Get the limits of a preview: file size, rows and time',
        response: { 200: csvPreviewLimitsSchema },
      },
      config: { permission: 'sources.preview' },
    },
    () => ({
      bytes: maxBytes,
      bytesReadAtOnce: READ_AT_ONCE_BYTES,
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
        summary: 'Get your own preview while it is held: ready, being read, or failed',
        params: csvPreviewParams,
        response: { 200: csvPreviewStateSchema },
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
        summary: 'List the first rows of a preview, or the rows to review',
        params: csvPreviewParams,
        querystring: csvRowsQuery,
        response: { 200: csvRowPageSchema },
      },
      config: { permission: 'sources.preview' },
    },
    async (request) => listCsvRows(store, cursors, actorOf(request), request.params.previewId, request.query),
  )
}

/**
 * Discards the rest of a refused upload for a short time and then closes the connection. The client is still sending: closing the connection at once
 * would lose the response, and reading to the end could take arbitrarily long.
 */
function letGoOfRest({ raw: request }: FastifyRequest, { raw: answer }: FastifyReply): void {
  answer.once('finish', () => {
    if (request.complete) return
    const end = setTimeout(() => request.destroy(), REST_MS).unref()
    request.once('close', () => clearTimeout(end))
    request.resume()
  })
}

function stopped(): AppError {
  return new AppError('unavailable', 'The analysis was cancelled.', { reason: 'stopping' })
}

/** Returns the stream that the `text/csv` parser passed on. A request without a body counts as an empty file. */
function bodyOf(body: unknown): Readable {
  return body instanceof Readable ? body : Readable.from([])
}
