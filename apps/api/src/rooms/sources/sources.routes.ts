import { z } from 'zod'
import { changeRoute } from '../../http/change-route.ts'
import {
  idempotencyHeaders,
  requiredIdempotencyHeaders,
  requiredIdempotencyOf,
  setEntityTag,
  versionHeaders,
} from '../../http/conditional.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import type { UserActor } from '../../lib/actor.ts'
import { change } from '../../store/change/change.ts'
import { getJob, jobSchema } from '../jobs/jobs.ts'
import type { RoomContext } from '../room.ts'
import { dryRun, getDryRun } from './asking/dry-run.ts'
import { getRefusal, requestQuery } from './asking/queries.ts'
import { readHealth } from './health/read-health.ts'
import { refusedDecision } from './refused-decisions.ts'
import { disableSource, enableSource, giveApproval, revokeDecision, withdrawSource } from './registry/decide.ts'
import { designate, readDesks } from './registry/desks.ts'
import { listHistory } from './registry/history.ts'
import { createSource, editSource, saveNewVersion } from './registry/propose.ts'
import { getSource, listSources } from './registry/read-sources.ts'
import { toSourceAdapter } from './registry/source-adapters.ts'
import { sourceQuery } from './sources.jobs.ts'
import {
  approvalSchema,
  createSourceSchema,
  desksSchema,
  dryRunRequestSchema,
  dryRunSchema,
  editSourceSchema,
  enablementSchema,
  healthQuery,
  healthSchema,
  historyPageSchema,
  listSourcesQuery,
  newVersionSchema,
  putDesksSchema,
  queryRequestSchema,
  reasonSchema,
  refusedQuerySchema,
  revocationSchema,
  sourceAdaptersSchema,
  sourcePageSchema,
  sourceParams,
  sourceSchema,
} from './sources.schema.ts'

/** Registers the routes of sources: contract versions, decisions, members who approve, dry runs and queries. */
export const sourceRoutes: RoomRoutes<RoomContext> = async (app, { store, cursors, adapters, kinds }) => {
  const tags = ['sources']
  const reading = (actor: UserActor) => ({ store, adapters, actor })
  const readBack = (_value: unknown, asked: { actor: UserActor; params: { sourceId: string } }) =>
    getSource(reading(asked.actor), asked.params.sourceId)
  /** Returns the schema parts that all decisions about one source share. */
  const ofSource = (operationId: string, summary: string) => ({
    operationId,
    tags,
    summary,
    params: sourceParams,
    headers: idempotencyHeaders,
    response: { 200: sourceSchema },
  })

  app.get(
    '/sources',
    {
      schema: {
        operationId: 'listSources',
        tags,
        summary: 'List sources with their current status',
        querystring: listSourcesQuery,
        response: { 200: sourcePageSchema },
      },
      config: { permission: 'sources.read' },
    },
    (request) => listSources(reading(actorOf(request)), cursors, request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/sources',
    permission: 'sources.propose',
    action: 'source.create',
    schema: {
      operationId: 'createSource',
      tags,
      summary: 'Propose a source with the first version of its contract',
      headers: idempotencyHeaders,
      body: createSourceSchema,
      response: { 201: sourceSchema },
    },
    status: 201,
    work: (tx, { body }) => createSource({ tx, adapters }, body),
    location: ({ id }) => `/sources/${id}`,
    answer: ({ id }, { actor }) => getSource(reading(actor), id),
  })

  app.get(
    '/sources/:sourceId',
    {
      schema: {
        operationId: 'getSource',
        tags,
        summary: 'Get a source: its contract, status, open items and circuit',
        params: sourceParams,
        response: { 200: sourceSchema },
      },
      config: { permission: 'sources.read', tells: ['etag'] },
    },
    async (request, reply) => {
      const source = await getSource(reading(actorOf(request)), request.params.sourceId)
      setEntityTag(reply, source.version)
      return source
    },
  )

  changeRoute(app, store, {
    method: 'PATCH',
    url: '/sources/:sourceId',
    permission: 'sources.propose',
    action: 'source.edit',
    schema: {
      operationId: 'editSource',
      tags,
      summary: 'Change the name or the description; a new version changes the contract',
      params: sourceParams,
      headers: versionHeaders,
      body: editSourceSchema,
      response: { 200: sourceSchema },
    },
    status: 200,
    work: (tx, { params, version, body }) => editSource(tx, { sourceId: params.sourceId, version, edit: body }),
    etag: ({ version }) => version,
    answer: readBack,
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/sources/:sourceId/versions',
    permission: 'sources.propose',
    action: 'source.new_version',
    schema: {
      ...ofSource(
        'saveSourceVersion',
        'Save a new version of the contract: it has no approvals, and the source is disabled',
      ),
      body: newVersionSchema,
      response: { 201: sourceSchema },
    },
    status: 201,
    work: (tx, { params, body }) => saveNewVersion({ tx, adapters }, params.sourceId, body),
    answer: readBack,
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/sources/:sourceId/approvals',
    permission: 'sources.approve',
    action: 'source.approve',
    stepUp: true,
    refused: { ...refusedDecision, decision: 'approve' },
    schema: { ...ofSource('approveSource', 'Approve or reject the newest version for one desk'), body: approvalSchema },
    status: 200,
    work: (tx, { actor, params, body }) => giveApproval({ tx, actor, adapters }, params.sourceId, body),
    answer: readBack,
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/sources/:sourceId/enablement',
    permission: 'sources.enable',
    action: 'source.enable',
    stepUp: true,
    refused: refusedDecision,
    schema: { ...ofSource('enableSource', 'Enable a source whose conditions are all met'), body: enablementSchema },
    status: 200,
    work: (tx, { actor, params, body }) => enableSource({ tx, actor, adapters }, params.sourceId, body),
    answer: readBack,
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/sources/:sourceId/revocations',
    permission: 'sources.approve',
    action: 'source.revoke',
    schema: {
      ...ofSource(
        'revokeSourceDecision',
        'Revoke an approval or the enablement; it takes effect with the next request',
      ),
      body: revocationSchema,
    },
    status: 200,
    work: (tx, { actor, params, body }) => revokeDecision({ tx, actor, adapters }, params.sourceId, body),
    answer: readBack,
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/sources/:sourceId/disablement',
    permission: 'sources.enable',
    action: 'source.disable',
    schema: { ...ofSource('disableSource', 'Disable a source'), body: reasonSchema },
    status: 200,
    work: (tx, { params, body }) => disableSource({ tx, adapters }, params.sourceId, body.reason),
    answer: readBack,
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/sources/:sourceId/withdrawal',
    permission: 'sources.enable',
    action: 'source.withdraw',
    stepUp: true,
    schema: { ...ofSource('withdrawSource', 'Withdraw a source permanently'), body: reasonSchema },
    status: 200,
    work: (tx, { params, body }) => withdrawSource({ tx, adapters }, params.sourceId, body.reason),
    answer: readBack,
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/sources/:sourceId/dry-runs',
    permission: 'sources.dry_run',
    action: 'source.dry_run',
    schema: {
      operationId: 'planSourceQuery',
      tags,
      summary: 'Plan a query: the requests, and the conditions that prevent it. Sends nothing',
      params: sourceParams,
      headers: idempotencyHeaders,
      body: dryRunRequestSchema,
      response: { 200: dryRunSchema },
    },
    status: 200,
    work: (tx, { params, body }) => dryRun(tx, adapters, params.sourceId, body),
    answer: (stored, { actor: { tenantId }, params, body }) =>
      getDryRun(
        { db: store.reader, tenantId, at: store.clock().toISOString(), adapters },
        params.sourceId,
        stored,
        body,
      ),
  })

  // The route has two success statuses: one for a query that is refused at once, one for an accepted job.
  app.post(
    '/sources/:sourceId/queries',
    {
      schema: {
        operationId: 'querySource',
        tags,
        summary:
          'Query a source about one prospect: 200 with the outcome if it is refused at once, else 202 and the job',
        params: sourceParams,
        headers: requiredIdempotencyHeaders,
        body: queryRequestSchema,
        response: { 200: refusedQuerySchema, 202: jobSchema },
      },
      config: { permission: 'sources.query' },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const idempotency = requiredIdempotencyOf(request, 'no query is sent twice')
      const options = { permission: 'sources.query', action: 'source.query', idempotency } as const
      const { sourceId } = request.params
      const { value, replayed } = await change(store, actor, options, (tx) =>
        requestQuery(tx, actor, adapters, sourceQuery, sourceId, request.body),
      )
      const { queryId, jobId } = value
      if (replayed) reply.header('idempotency-replayed', 'true')
      if (jobId === null)
        return reply.code(200).send({ queryId, outcome: await getRefusal(store.reader, actor.tenantId, queryId) })
      return reply.code(202).send(await getJob({ store, kinds }, actor, jobId))
    },
  )

  app.get(
    '/sources/:sourceId/health',
    {
      schema: {
        operationId: 'getSourceHealth',
        tags,
        summary: 'Get requests, responses, errors and durations of a source by interval',
        params: sourceParams,
        querystring: healthQuery,
        response: { 200: healthSchema },
      },
      config: { permission: 'sources.read' },
    },
    (request) => {
      const { tenantId } = actorOf(request)
      return readHealth(store, { tenantId, sourceId: request.params.sourceId }, request.query)
    },
  )

  app.get(
    '/sources/:sourceId/history',
    {
      schema: {
        operationId: 'listSourceHistory',
        tags,
        summary: 'List the history of a source, newest first',
        params: sourceParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: historyPageSchema },
      },
      config: { permission: 'sources.read' },
    },
    (request) => {
      const { tenantId } = actorOf(request)
      return listHistory(store, cursors, { tenantId, sourceId: request.params.sourceId }, request.query)
    },
  )

  app.get(
    '/source-adapters',
    {
      schema: {
        operationId: 'listSourceAdapters',
        tags,
        summary: 'List the loaded adapters with the fields of their answers, queries and settings',
        response: { 200: sourceAdaptersSchema },
      },
      config: { permission: 'sources.read' },
    },
    () => ({ items: adapters.items.map(toSourceAdapter) }),
  )

  app.get(
    '/source-desks',
    {
      schema: {
        operationId: 'getSourceDesks',
        tags,
        summary: 'Get the members who may approve sources for each desk',
        response: { 200: desksSchema },
      },
      config: { permission: 'sources.read', tells: ['etag'] },
    },
    async (request, reply) => {
      const desks = await readDesks(store.reader, actorOf(request).tenantId)
      setEntityTag(reply, desks.version)
      return desks
    },
  )

  changeRoute(app, store, {
    method: 'PUT',
    url: '/source-desks',
    permission: 'sources.configure',
    action: 'source.designate',
    stepUp: true,
    schema: {
      operationId: 'designateSourceDesks',
      tags,
      summary: 'Designate the members of all three desks',
      headers: versionHeaders,
      body: putDesksSchema,
      response: { 200: desksSchema },
    },
    status: 200,
    work: (tx, { version, body }) => designate(tx, version, body),
    etag: ({ version }) => version,
    answer: (_value, { actor }) => readDesks(store.reader, actor.tenantId),
  })
}
