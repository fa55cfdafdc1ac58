import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { type SizeLimit, tooLarge } from '../../../lib/limit-reached.ts'
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
  const route = createRoutes(app, { store, tag: 'domains' })

  route.read({
    url: '/dns-observations',
    id: 'listDnsObservations',
    summary: 'List what questions to name servers showed, newest first',
    permission: 'domains.read',
    query: observationsQuery,
    response: observationPageSchema,
    answer: ({ actor, query }) => listObservations(store, cursors, actor, query),
  })

  route.read({
    url: '/dns-observations/readings',
    id: 'readDnsText',
    summary: 'Read pasted output of dig into one card for each question, with doubts by line; nothing is stored',
    permission: 'domains.record',
    body: readingsSchema,
    response: readAnswerSchema,
    answer: ({ body }) => {
      const { text } = body
      const size = Buffer.byteLength(text)
      if (size > dnsLimits.pastedBytes) throw tooLarge(pastedSize, { size, max: dnsLimits.pastedBytes })
      return readDig(text)
    },
  })

  route.change({
    url: '/dns-observations',
    id: 'recordDnsObservation',
    summary: 'Record what a person read of one question to a name server',
    permission: 'domains.record',
    action: 'dns_observation.record',
    body: recordObservationSchema,
    response: observationSchema,
    status: 201,
    work: (tx, { body }) => recordObservation(tx, body),
    answer: ({ id }, { actor }) => getObservation(store, actor, id),
  })

  route.change({
    url: '/dns-checks',
    id: 'checkDns',
    summary: 'Ask name servers about a name: 200 with the outcome where nothing is asked, else 202 and the job',
    permission: 'domains.check',
    action: 'dns_check.request',
    body: checkSchema,
    response: { 200: checkAnswerSchema, 202: jobSchema },
    requiresKeySoThat: 'no question is asked twice',
    work: (tx, { body }) => requestCheck(tx, adapters, dnsCheck, body),
    status: ({ jobId }) => (jobId === null ? 200 : 202),
    answer: (check, { actor }) =>
      check.jobId === null ? readCheck(store, actor, check) : getJob({ store, kinds }, actor, check.jobId),
  })
}
