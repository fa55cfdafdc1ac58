import type { HostRefusal } from '@prospect/hosts'
import type { FastifyError, FastifyReply, FastifyRequest, RawServerBase, RouteGenericInterface } from 'fastify'
import { headersOf } from './security-headers.ts'

/** Error response in the form of the API: a code for programs and a sentence for people (RFC 9457). */
export type Problem = { status: number; title: string; detail: string; code: string }

export const unreadable: Problem = {
  status: 400,
  title: 'Invalid request',
  detail: 'The request could not be read.',
  code: 'invalid_request',
}

const refusals: Record<HostRefusal, Problem> = {
  no_single_host: { ...unreadable, detail: 'Send one Host header that names a host.' },
  unexpected_host: {
    status: 421,
    title: 'Host not served',
    detail: 'This server does not answer under this name. Its operator adds the name to PUBLIC_HOSTS.',
    code: 'misdirected_request',
  },
}

export function problemBody(problem: Problem, requestId: string): string {
  return JSON.stringify({ type: 'about:blank', ...problem, requestId })
}

export function sendProblem(reply: FastifyReply<RouteGenericInterface, RawServerBase>, problem: Problem): void {
  void reply
    .code(problem.status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(problemBody(problem, reply.request.id))
}

export function refuseHost(reply: FastifyReply, refusal: HostRefusal): void {
  sendProblem(reply, refusals[refusal])
}

/** Answers errors of the router itself. No route was found, so no hook has run. */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(headersOf(request))
  sendProblem(reply, { ...unreadable, detail: 'This address cannot be read.' })
  request.log.info({ status: unreadable.status, code: error.code }, 'answered an unreadable request')
}

/** Answers all other errors of the web server. Error responses of the API are forwarded and do not reach this handler. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (error.statusCode !== undefined && error.statusCode < 500) {
    sendProblem(reply, { ...unreadable, status: error.statusCode })
    return
  }
  request.server.log.error({ requestId: request.id, err: error }, 'unexpected error')
  sendProblem(reply, {
    status: 500,
    title: 'Unexpected error',
    detail: 'Something went wrong here; the request id helps to find out why.',
    code: 'internal_error',
  })
}
