import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/app-error.ts'
import { storedBounds } from '../bounds.ts'

/** Longest other field: an address. */
const MAX_FIELD_BYTES = 8_192
const MAX_FIELDS = 10

export const multipartLimits = {
  fileSize: storedBounds.suppliedBytes,
  files: 1,
  fields: MAX_FIELDS,
  fieldSize: storedBounds.suppliedBytes,
  fieldNameSize: 100,
  headerPairs: 20,
}

/**
 * Reads a form with one page into `request.body`, so that the schema of the route checks it: `page` as bytes, every other field as text. Errors:
 * `unsupported_media_type`, `too_large`, `invalid_request`.
 */
export async function receivePage(request: FastifyRequest): Promise<void> {
  if (!request.isMultipart())
    throw new AppError('unsupported_media_type', 'Send the page and its address as multipart/form-data.')
  const body: Record<string, unknown> = {}
  try {
    for await (const part of request.parts()) {
      const { fieldname } = part
      if (fieldname in body) throw new AppError('invalid_request', `The form has the field ${fieldname} twice.`)
      if (part.type === 'file') body[fieldname] = new Uint8Array(await part.toBuffer())
      else body[fieldname] = fieldOf(fieldname, part.value, part.valueTruncated)
    }
  } catch (error) {
    throw asAppError(error)
  }
  request.body = body
}

/** A pasted page is a field. */
function fieldOf(name: string, value: unknown, isTruncated: boolean): unknown {
  const text = typeof value === 'string' ? value : ''
  if (isTruncated || (name !== 'page' && text.length > MAX_FIELD_BYTES)) throw tooLarge()
  return name === 'page' ? new Uint8Array(Buffer.from(text)) : text
}

function asAppError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge()
  return new AppError('invalid_request', 'The form could not be read. Send one page with url, capturedAt and role.', {
    cause: error,
  })
}

function tooLarge(): AppError {
  return new AppError('too_large', 'The page is larger than 5 MB. Save it as “Webpage, HTML only”, or paste its text.')
}
