import { z } from 'zod'
import { idempotencyHeaders, idempotencyOf } from '../../http/conditional.ts'
import { isHead } from '../../http/head.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { actorOf } from '../../http/session-guard.ts'
import { businessParams } from '../businesses/businesses.ts'
import { acceptCsvBodies, csvBodyOf, requireCsvBody } from '../csv-preview/csv-preview.ts'
import { getCertificate } from './certificate.ts'
import { getBusinessCheck, getRegistryState } from './cleaning-state.ts'
import { openRoundFile } from './download-file.ts'
import { getRegistration, setRegistration } from './registration.ts'
import {
  businessCheckSchema,
  cancelRoundSchema,
  certificateSchema,
  confirmRoundSchema,
  limits,
  registrationInput,
  registrationSchema,
  roundPageSchema,
  roundParams,
  roundSchema,
  startRoundSchema,
  stateSchema,
  uploadQuery,
} from './registry.schema.ts'
import { cancelRound, confirmRound, getRound, listRounds, resultSize, startRound, uploadResult } from './rounds.ts'

export const registryRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'registry' })
  const now = () => store.clock().toISOString()
  acceptCsvBodies(app)

  route.read({
    url: '/registry-state',
    id: 'getRegistryState',
    summary:
      'Get when the workspace was last compared with the registry, until when that counts, and what was added since',
    permission: 'businesses.read',
    response: stateSchema,
    answer: ({ actor }) => getRegistryState(store, actor.tenantId),
  })

  route.read({
    url: '/businesses/:businessId/registry-check',
    id: 'getRegistryCheck',
    summary: 'Get whether the contact values of a prospect were compared with the registry',
    permission: 'businesses.read',
    params: businessParams,
    response: businessCheckSchema,
    answer: ({ actor, params }) => getBusinessCheck(store, actor.tenantId, params.businessId),
  })

  route.read({
    url: '/registry-registration',
    id: 'getRegistryRegistration',
    summary: 'Get the registration of the organisation with the registry',
    permission: 'registry.read',
    response: registrationSchema,
    etag: ({ version }) => version,
    answer: ({ actor }) => getRegistration(store.reader, actor.tenantId, now()),
  })

  route.change({
    method: 'PUT',
    url: '/registry-registration',
    id: 'setRegistryRegistration',
    summary: 'Set the registration of the organisation with the registry, or remove it',
    permission: 'registry.manage',
    action: 'registry.register',
    body: registrationInput,
    response: registrationSchema,
    work: (tx, { version, body }) => setRegistration(tx, version, body),
    etag: ({ version }) => version,
    answer: (_, { actor }) => getRegistration(store.reader, actor.tenantId, now()),
  })

  route.read({
    url: '/registry-rounds',
    id: 'listRegistryRounds',
    summary: 'List registry rounds, newest first',
    permission: 'registry.read',
    query: z.strictObject(pageQuery),
    response: roundPageSchema,
    answer: ({ actor, query }) => listRounds(store, cursors, actor.tenantId, query),
  })

  route.change({
    url: '/registry-rounds',
    id: 'startRegistryRound',
    summary: 'Start a registry round; a job writes the file of contact values without names',
    permission: 'registry.manage',
    action: 'registry_round.start',
    stepUp: true,
    body: startRoundSchema,
    response: roundSchema,
    status: 202,
    requiresKeySoThat: 'no round is started twice',
    work: (tx, { body }) => startRound(tx, body),
    location: ({ id }) => `/registry-rounds/${id}`,
    answer: ({ id }, { actor }) => getRound(store, actor.tenantId, id),
  })

  route.read({
    url: '/registry-rounds/:roundId',
    id: 'getRegistryRound',
    summary: 'Get a registry round: its state, its file, its result and its counts',
    permission: 'registry.read',
    params: roundParams,
    response: roundSchema,
    answer: ({ actor, params }) => getRound(store, actor.tenantId, params.roundId),
  })

  route.custom({
    method: 'GET',
    url: '/registry-rounds/:roundId/file',
    id: 'getRegistryFile',
    summary:
      'Download the file for the registry, after the suppression gate has checked it again; recorded in the audit',
    permission: 'registry.manage',
    stepUp: true,
    produces: ['text/csv'],
    params: roundParams,
    response: z.unknown().meta({ type: 'string', format: 'binary' }),
    handle: async (request, reply) => {
      const { name, bytes, stream } = await openRoundFile(
        store,
        actorOf(request),
        request.params.roundId,
        isHead(request),
      )
      reply.type('text/csv; charset=utf-8; header=present').header('content-length', bytes)
      reply.header('content-disposition', `attachment; filename="${name}"`)
      return reply.send(stream)
    },
  })

  route.custom({
    method: 'POST',
    url: '/registry-rounds/:roundId/results',
    id: 'uploadRegistryResult',
    summary: 'Upload the answer of the registry; a job reads it and counts what it lists, and nothing is blocked yet',
    description: 'The body is the file itself, as `text/csv`. It replaces a result that was uploaded before.',
    permission: 'registry.manage',
    consumes: ['text/csv'],
    headers: idempotencyHeaders,
    params: roundParams,
    query: uploadQuery,
    body: z.unknown().meta({ type: 'string', format: 'binary' }),
    response: roundSchema,
    status: 202,
    onRequest: async (request, reply) => {
      requireCsvBody(request, reply, { limit: resultSize, maxBytes: limits.resultBytes })
    },
    handle: async (request, reply) => {
      const actor = actorOf(request)
      const { roundId } = request.params
      const { value, replayed } = await uploadResult(store, csvBodyOf(request.body), {
        actor,
        roundId,
        phoneRegion: request.query.phoneRegion,
        admitAgain: async () => {
          await request.admitAgain()
          return actorOf(request)
        },
        idempotency: (upload) => idempotencyOf(request, upload),
      })
      if (replayed) reply.header('idempotency-replayed', 'true')
      return getRound(store, actor.tenantId, value.id)
    },
  })

  route.change({
    url: '/registry-rounds/:roundId/confirmation',
    id: 'confirmRegistryResult',
    summary: 'Confirm the result; a job adds an entry for each listed value in parts, and closes the round',
    permission: 'registry.manage',
    action: 'registry_round.confirm',
    stepUp: true,
    params: roundParams,
    body: confirmRoundSchema,
    response: roundSchema,
    status: 202,
    work: (tx, { params, body }) => confirmRound(tx, params.roundId, body),
    answer: ({ id }, { actor }) => getRound(store, actor.tenantId, id),
  })

  route.change({
    url: '/registry-rounds/:roundId/cancellation',
    id: 'cancelRegistryRound',
    summary: 'Cancel a round whose result was not confirmed; its files are deleted',
    permission: 'registry.manage',
    action: 'registry_round.cancel',
    params: roundParams,
    body: cancelRoundSchema,
    response: roundSchema,
    work: (tx, { params, body }) => cancelRound(tx, store.dataDir, params.roundId, body.reason),
    answer: ({ id }, { actor }) => getRound(store, actor.tenantId, id),
  })

  route.read({
    url: '/registry-rounds/:roundId/certificate',
    id: 'getRegistryCertificate',
    summary: 'Get the signed certificate of a closed round; it verifies without this service',
    permission: 'registry.read',
    params: roundParams,
    response: certificateSchema,
    answer: ({ actor, params }) => getCertificate(store, actor.tenantId, params.roundId),
  })
}
