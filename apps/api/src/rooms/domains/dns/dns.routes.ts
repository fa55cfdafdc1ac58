import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders, requiredIdempotencyHeaders, requiredIdempotencyOf } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { type SizeLimit, tooLarge } from '../../../lib/limit-reached.ts'
import { change } from '../../../store/change/change.ts'
import { getJob, jobSchema } from '../../jobs/jobs.ts'
import type { RoomContext } from '../../room.ts'
import { dnsCheck } from './check-job.ts'
import { readCheck, requestCheck } from './checks.ts'
import { readDig } from './dig.rules.ts'
import {
  checkAnswerSchema,
  checkSchema,
  dnsLimits,
  observationPageSchema,
  observationSchema,
  observationsQuery,
  readAnswerSchema,
  readingsSchema,
  recordObservationSchema,
} from './dns.schema.ts'
import { getObservation, listObservations, recordObservation } from './observations.ts'

export const pastedSize: SizeLimit = {
  name: 'dns_text',
  subject: 'This text',
  unit: 'bytes',
  remedy: 'Paste fewer questions.',
}

export const dnsRoutes: RoomRoutes<RoomContext> = async (app, { store, cursors, adapters, kinds }) => {
  const tags = ['domains']

  app.get(
    '/dns-observations',
    {
      schema: {
        operationId: 'listDnsObservations',
        tags,
        summary: 'List what questions to name servers showed, newest first',
        querystring: observationsQuery,
        response: { 200: observationPageSchema },
      },
      config: { permission: 'domains.read' },
    },
    (request) => listObservations(store, cursors, actorOf(request), request.query),
  )

  app.post(
    '/dns-observations/readings',
    {
      schema: {
        operationId: 'readDnsText',
        tags,
        summary: 'Read pasted output of dig into one card for each question, with doubts by line; nothing is stored',
        body: readingsSchema,
        response: { 200: readAnswerSchema },
      },
      config: { permission: 'domains.record' },
    },
    async (request) => {
      const { text } = request.body
      const size = Buffer.byteLength(text)
      if (size > dnsLimits.pastedBytes) throw tooLarge(pastedSize, { size, max: dnsLimits.pastedBytes })
      return readDig(text)
    },
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/dns-observations',
    permission: 'domains.record',
    action: 'dns_observation.record',
    schema: {
      operationId: 'recordDnsObservation',
      tags,
      summary: 'Record what a person read of one question to a name server',
      headers: idempotencyHeaders,
      body: recordObservationSchema,
      response: { 201: observationSchema },
    },
    status: 201,
    work: (tx, { body }) => recordObservation(tx, body),
    answer: ({ id }, { actor }) => getObservation(store, actor, id),
  })

  app.post(
    '/dns-checks',
    {
      schema: {
        operationId: 'checkDns',
        tags,
        summary: 'Ask name servers about a name: 200 with the outcome where nothing is asked, else 202 and the job',
        headers: requiredIdempotencyHeaders,
        body: checkSchema,
        response: { 200: checkAnswerSchema, 202: jobSchema },
      },
      config: { permission: 'domains.check' },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const idempotency = requiredIdempotencyOf(request, 'no question is asked twice')
      const options = { permission: 'domains.check', action: 'dns_check.request', idempotency } as const
      const { value, replayed } = await change(store, actor, options, (tx) =>
        requestCheck(tx, adapters, dnsCheck, request.body),
      )
      if (replayed) reply.header('idempotency-replayed', 'true')
      const { jobId } = value
      if (jobId !== null) return reply.code(202).send(await getJob({ store, kinds }, actor, jobId))
      return reply.code(200).send(await readCheck(store, actor, value))
    },
  )
}
