import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { AppError, type CommonErrorCode, type ErrorCode } from '../lib/app-error.ts'
import type { AuditAction, AuditSubject } from '../lib/declared.ts'
import { recordRefusal } from '../store/change/record-refusal.ts'
import type { Database } from '../store/database.ts'
import type { Store } from '../store/store.ts'

/**
 * How refused attempts of an operation are recorded in the audit (specification, Phase 13 §4: a failed approval is audited). Every route that approves
 * something has one.
 */
export type RefusedAttempts = {
  /** the action of the event, such as `draft.approval_failed` */
  action: AuditAction
  subject: AuditSubject
  /** the value of `decision` in the body that approves, for a route that also rejects; other decisions are not recorded */
  decision?: string
  /**
   * Returns the record that the path names, in the tenant, with what identifies the attempt. The parameters are not validated: the attempt may have been
   * refused before. Errors: `not_found`, and then nothing is recorded.
   */
  find(
    db: Kysely<Database>,
    tenantId: string,
    params: Readonly<Record<string, string>>,
  ): Promise<{ id: string; businessId?: string; after?: Record<string, unknown> }>
}

/**
 * Codes that say something about the request, the session or the service, and nothing about the record. `step_up_required` is among them, because the
 * app asks for the proof and repeats the request: it is a step of every approval after 15 minutes, not a refusal.
 */
const notOfTheRecord: ReadonlySet<ErrorCode> = new Set<CommonErrorCode>([
  'invalid_request',
  'authentication_required',
  'mfa_required',
  'password_change_required',
  'step_up_required',
  'session_required',
  'csrf_token_invalid',
  'misdirected_request',
  'not_found',
  'idempotency_in_progress',
  'too_large',
  'unsupported_media_type',
  'idempotency_key_required',
  'headers_too_large',
  'request_timeout',
  'idempotency_key_reused',
  'precondition_required',
  'rate_limited',
  'too_many_bytes',
  'too_many_streams',
  'too_many_waiting',
  'unavailable',
])

/**
 * Returns the error handler of a route whose refused attempts are recorded, whether the session guard or the work refused them. The error is answered
 * as without it. If the refusal cannot be recorded, that is logged as an error, and the attempt stays refused.
 */
export function recordingRefusals(store: Store, attempts: RefusedAttempts) {
  return async (error: FastifyError, request: FastifyRequest, _reply: FastifyReply): Promise<never> => {
    try {
      await record(store, attempts, error, request)
    } catch (failure) {
      request.log.error({ err: failure }, 'A refused attempt could not be recorded in the audit.')
    }
    throw error
  }
}

async function record(store: Store, attempts: RefusedAttempts, error: unknown, request: FastifyRequest): Promise<void> {
  const { actor, body, params, routeOptions } = request
  if (actor === null || !(error instanceof AppError) || notOfTheRecord.has(error.code)) return
  if (!isRecordedDecision(attempts, body)) return
  const found = await findRecord(store, attempts, actor.tenantId, params as Record<string, string>)
  if (found === undefined) return
  const { id, businessId, after } = found
  const failing = error.details.errors?.map(({ path }) => path)
  await recordRefusal(store, actor, {
    action: attempts.action,
    subject: { type: attempts.subject, id },
    ...(businessId === undefined ? {} : { businessId }),
    after: {
      code: error.code,
      attempted: routeOptions.schema?.operationId ?? '',
      ...after,
      ...(failing === undefined ? {} : { failing }),
    },
  })
}

/** True unless the body decides otherwise. An attempt that was refused before its body was read is recorded, because nobody knows what it decided. */
function isRecordedDecision({ decision }: RefusedAttempts, body: unknown): boolean {
  if (decision === undefined || typeof body !== 'object' || body === null || !('decision' in body)) return true
  return body.decision === decision
}

async function findRecord(
  store: Store,
  attempts: RefusedAttempts,
  tenantId: string,
  params: Record<string, string>,
): Promise<Awaited<ReturnType<RefusedAttempts['find']>> | undefined> {
  try {
    return await attempts.find(store.reader, tenantId, params)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}
