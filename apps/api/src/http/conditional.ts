import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../lib/app-error.ts'
import { fingerprint } from '../lib/hashing.ts'
import type { ChangeOptions } from '../store/change/change.ts'

/**
 * Matches a tag that `setEntityTag` wrote, without leading zeros. `W/` is accepted, because a proxy that compresses a response marks its tag as weak.
 */
const versionTag = /^(?:W\/)?"(0|[1-9]\d{0,14})"$/

/** Returns the version in the header `If-Match: "<version>"`. */
export function expectedVersion(request: FastifyRequest): number {
  const header = request.headers['if-match']
  if (header === undefined) {
    throw new AppError('precondition_required', 'Send If-Match with the ETag of the version that you have read.')
  }
  const version = versionTag.exec(header)?.[1]
  if (version === undefined)
    throw new AppError('invalid_request', 'If-Match must be one version in quotes, such as "3".')
  return Number(version)
}

/** Throws if a change is based on an older version than the current one. */
export function requireVersion(expected: number, current: number): void {
  if (expected !== current) {
    throw new AppError(
      'version_conflict',
      'Somebody else changed this record after you opened it. Compare both versions, then save again.',
      {
        currentVersion: current,
      },
    )
  }
}

export function setEntityTag(reply: FastifyReply, version: number): void {
  reply.header('etag', `"${version}"`)
}

const keyHeader = z.string().regex(/^[\x20-\x7e]{1,255}$/)

/**
 * Returns the Idempotency-Key of a POST with the fingerprint of the request; undefined without a key. `body`: replaces a body that is no longer
 * available, such as the hash of an uploaded file.
 */
export function idempotencyOf(request: FastifyRequest, body: unknown = request.body): ChangeOptions['idempotency'] {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const key = keyHeader.safeParse(header)
  if (!key.success)
    throw new AppError('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.')
  return {
    key: key.data,
    fingerprint: fingerprint({ method: request.method, path: request.url, body: body ?? null }),
  }
}

/** Returns the Idempotency-Key of a route that requires one, because a second run would do damage. `soThat` names the damage that the key prevents. */
export function requiredIdempotencyOf(
  request: FastifyRequest,
  soThat: string,
  body?: unknown,
): NonNullable<ChangeOptions['idempotency']> {
  const idempotency = idempotencyOf(request, body)
  if (idempotency !== undefined) return idempotency
  throw new AppError('idempotency_key_required', `Send an Idempotency-Key, so that ${soThat}.`)
}

/*
 * Header schemas for OpenAPI only. `idempotencyOf` and `expectedVersion` validate the headers, with better error messages. The schemas are loose,
 * because handlers read other headers too.
 */

export const idempotencyHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .optional()
    .describe(
      'Identifies this request in the workspace. Repeated by the same person, it returns the result of the first request as it is now, and changes nothing.',
    ),
})
/** Schema of the headers of a route that calls `requiredIdempotencyOf`. */
export const requiredIdempotencyHeaders = z.looseObject({
  'idempotency-key': z.string().optional().describe('Identifies this request in the workspace.'),
})
export const versionHeaders = z.looseObject({
  'if-match': z.string().optional().describe('ETag of the version that was read'),
})

/** Schemas whose headers are required, although the schema makes them optional so that the handler can return its own error. */
export const refusedWithout: ReadonlySet<unknown> = new Set([requiredIdempotencyHeaders, versionHeaders])
/** Header schemas of routes whose response states whether it is a replay. */
export const replayable: ReadonlySet<unknown> = new Set([idempotencyHeaders, requiredIdempotencyHeaders])
