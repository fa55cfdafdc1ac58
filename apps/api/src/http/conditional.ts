import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../lib/app-error.ts'
import { fingerprint } from '../lib/hashing.ts'
import type { ChangeOptions } from '../store/change/change.ts'

/** As `setEntityTag` writes it, without leading zeros. A proxy that compresses an answer makes its tag a weak one. */
const versionTag = /^(?:W\/)?"(0|[1-9]\d{0,14})"$/

/** The version that the sender saw, from `If-Match: "<version>"`. */
export function expectedVersion(request: FastifyRequest): number {
  const header = request.headers['if-match']
  if (header === undefined) {
    throw new AppError(
      'precondition_required',
      'Send If-Match with the version that you have seen, as the ETag gave it.',
    )
  }
  const version = versionTag.exec(header)?.[1]
  if (version === undefined)
    throw new AppError('invalid_request', 'If-Match must be one version in quotes, such as "3".')
  return Number(version)
}

/** Refuses a change that was made on an older version. */
export function requireVersion(expected: number, current: number): void {
  if (expected !== current) {
    throw new AppError(
      'version_conflict',
      'Somebody else changed this record since you opened it. Compare both versions and save again.',
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
 * The Idempotency-Key of a POST with the fingerprint of what was asked; undefined when none was sent. `body` stands for a body that is
 * not at hand any more: a file that was sent is told by its hash.
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

/** The same for a route that takes nothing without a key, because to do its work twice would do harm: `lest` says what is prevented. */
export function requiredIdempotencyOf(
  request: FastifyRequest,
  lest: string,
): NonNullable<ChangeOptions['idempotency']> {
  const idempotency = idempotencyOf(request)
  if (idempotency !== undefined) return idempotency
  throw new AppError('idempotency_key_required', `Send an Idempotency-Key, so that ${lest}.`)
}

/*
 * Headers as the OpenAPI document shows them. What they must be is asked by `idempotencyOf` and `expectedVersion`, with errors of their own.
 * Loose: a handler reads others beside them.
 */

export const idempotencyHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .optional()
    .describe(
      'Names this request, in the tenant: sent again by the same person it is answered as it was, and does nothing',
    ),
})
/** Where `requiredIdempotencyOf` refuses a request without it. */
export const requiredIdempotencyHeaders = z.looseObject({
  'idempotency-key': z.string().optional().describe('Names this request, in the tenant'),
})
export const versionHeaders = z.looseObject({
  'if-match': z.string().optional().describe('The ETag of the version that was seen'),
})

/** What is optional in them for the sake of those errors alone. */
export const refusedWithout: ReadonlySet<unknown> = new Set([requiredIdempotencyHeaders, versionHeaders])
/** Where a replay is told. */
export const replayable: ReadonlySet<unknown> = new Set([idempotencyHeaders, requiredIdempotencyHeaders])
