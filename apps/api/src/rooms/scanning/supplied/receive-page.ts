import type { FastifyRequest } from 'fastify'
import type { RoomApp } from '../../../http/room.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type SizeLimit, tooLarge } from '../../../lib/limit-reached.ts'
import { storedBounds } from '../bounds.ts'

/** Maximum size of a form: the page, and 64 KiB for the other fields and the headers of the parts. */
export const MAX_FORM_BYTES = storedBounds.suppliedBytes + 64 * 1024

export const pageSize: SizeLimit = {
  name: 'supplied_page',
  subject: 'The page',
  unit: 'bytes',
  remedy: 'Save it as “Webpage, HTML only”, or paste its text.',
}

/** Accepts forms as bodies of these routes. The body is buffered in memory, up to the page limit. */
export function acceptForms(app: RoomApp): void {
  const options = { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES } as const
  app.addContentTypeParser('multipart/form-data', options, (_request, body, done) => done(null, body))
}

/**
 * Parses a form with one page into `request.body`, so that the route's schema validates it: `page` as bytes, every other field as text. Errors:
 * `unsupported_media_type`, `too_large`, `invalid_request`.
 */
export async function receivePage(request: FastifyRequest): Promise<void> {
  const { body } = request
  const type = request.headers['content-type'] ?? ''
  if (!Buffer.isBuffer(body) || !/^multipart\/form-data(?:;|$)/i.test(type))
    throw new AppError('unsupported_media_type', 'Send the page and its address as multipart/form-data.')
  const fields = new Map<string, unknown>()
  for (const [name, value] of await readForm(body, type)) {
    if (fields.has(name)) throw new AppError('invalid_request', `The form has the field ${name} twice.`)
    fields.set(name, name === 'page' ? await bytesOf(value) : value)
  }
  // An assignment of `__proto__` would set the prototype, and the schema would not see the field.
  request.body = Object.fromEntries(fields)
}

async function readForm(body: Buffer<ArrayBufferLike>, type: string): Promise<FormData> {
  try {
    return await new Response(Uint8Array.from(body), { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw new AppError('invalid_request', 'The form could not be read. Send one page with url, capturedAt and role.', {
      cause,
    })
  }
}

/** Returns the bytes of a pasted text or an uploaded file. */
async function bytesOf(value: string | Blob): Promise<Uint8Array> {
  const bytes = typeof value === 'string' ? Buffer.from(value) : await value.bytes()
  if (bytes.length > storedBounds.suppliedBytes)
    throw tooLarge(pageSize, { size: bytes.length, max: storedBounds.suppliedBytes })
  return bytes
}
