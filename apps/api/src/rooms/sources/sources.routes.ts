import { z } from 'zod'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import type { UserActor } from '../../lib/actor.ts'
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
  const route = createRoutes(app, { store, tag: 'sources' })
  const reading = (actor: UserActor) => ({ store, adapters, actor })
  const answersSource = {
    response: sourceSchema,
    answer: (_value: unknown, { actor, params }: { actor: UserActor; params: { sourceId: string } }) =>
      getSource(reading(actor), params.sourceId),
  }

  route.read({
    url: '/sources',
    id: 'listSources',
    summary: 'List sources with their current status',
    permission: 'sources.read',
    query: listSourcesQuery,
    response: sourcePageSchema,
    answer: ({ actor, query }) => listSources(reading(actor), cursors, query),
  })

  route.change({
    url: '/sources',
    id: 'createSource',
    summary: 'Propose a source with the first version of its contract',
    permission: 'sources.propose',
    action: 'source.create',
    body: createSourceSchema,
    response: sourceSchema,
    work: (tx, { body }) => createSource({ tx, adapters }, body),
    location: ({ id }) => `/sources/${id}`,
    answer: ({ id }, { actor }) => getSource(reading(actor), id),
  })

  route.read({
    url: '/sources/:sourceId',
    id: 'getSource',
    summary: 'Get a source: its contract, status, open items and circuit',
    permission: 'sources.read',
    params: sourceParams,
    response: sourceSchema,
    etag: ({ version }) => version,
    answer: ({ actor, params }) => getSource(reading(actor), params.sourceId),
  })

  route.change({
    method: 'PATCH',
    url: '/sources/:sourceId',
    id: 'editSource',
    summary: 'Change the name or the description; a new version changes the contract',
    permission: 'sources.propose',
    action: 'source.edit',
    params: sourceParams,
    body: editSourceSchema,
    work: (tx, { params, version, body }) => editSource(tx, { sourceId: params.sourceId, version, edit: body }),
    etag: ({ version }) => version,
    ...answersSource,
  })

  route.change({
    url: '/sources/:sourceId/versions',
    id: 'saveSourceVersion',
    summary: 'Save a new version of the contract: it has no approvals, and the source is disabled',
    permission: 'sources.propose',
    action: 'source.new_version',
    params: sourceParams,
    body: newVersionSchema,
    status: 201,
    work: (tx, { params, body }) => saveNewVersion({ tx, adapters }, params.sourceId, body),
    ...answersSource,
  })

  route.change({
    url: '/sources/:sourceId/approvals',
    id: 'approveSource',
    summary: 'Approve or reject the newest version for one desk',
    permission: 'sources.approve',
    action: 'source.approve',
    stepUp: true,
    refused: { ...refusedDecision, decision: 'approve' },
    params: sourceParams,
    body: approvalSchema,
    work: (tx, { actor, params, body }) => giveApproval({ tx, actor, adapters }, params.sourceId, body),
    ...answersSource,
  })

  route.change({
    url: '/sources/:sourceId/enablement',
    id: 'enableSource',
    summary: 'Enable a source whose conditions are all met',
    permission: 'sources.enable',
    action: 'source.enable',
    stepUp: true,
    refused: refusedDecision,
    params: sourceParams,
    body: enablementSchema,
    work: (tx, { actor, params, body }) => enableSource({ tx, actor, adapters }, params.sourceId, body),
    ...answersSource,
  })

  route.change({
    url: '/sources/:sourceId/revocations',
    id: 'revokeSourceDecision',
    summary: 'Revoke an approval or the enablement; it takes effect with the next request',
    permission: 'sources.approve',
    action: 'source.revoke',
    params: sourceParams,
    body: revocationSchema,
    work: (tx, { actor, params, body }) => revokeDecision({ tx, actor, adapters }, params.sourceId, body),
    ...answersSource,
  })

  route.change({
    url: '/sources/:sourceId/disablement',
    id: 'disableSource',
    summary: 'Disable a source',
    permission: 'sources.enable',
    action: 'source.disable',
    params: sourceParams,
    body: reasonSchema,
    work: (tx, { params, body }) => disableSource({ tx, adapters }, params.sourceId, body.reason),
    ...answersSource,
  })

  route.change({
    url: '/sources/:sourceId/withdrawal',
    id: 'withdrawSource',
    summary: 'Withdraw a source permanently',
    permission: 'sources.enable',
    action: 'source.withdraw',
    stepUp: true,
    params: sourceParams,
    body: reasonSchema,
    work: (tx, { params, body }) => withdrawSource({ tx, adapters }, params.sourceId, body.reason),
    ...answersSource,
  })

  route.change({
    url: '/sources/:sourceId/dry-runs',
    id: 'planSourceQuery',
    summary: 'Plan a query: the requests, and the conditions that prevent it. Sends nothing',
    permission: 'sources.dry_run',
    action: 'source.dry_run',
    params: sourceParams,
    body: dryRunRequestSchema,
    response: dryRunSchema,
    work: (tx, { params, body }) => dryRun(tx, adapters, params.sourceId, body),
    answer: (stored, { actor: { tenantId }, params, body }) =>
      getDryRun(
        { db: store.reader, tenantId, at: store.clock().toISOString(), adapters },
        params.sourceId,
        stored,
        body,
      ),
  })

  route.change({
    url: '/sources/:sourceId/queries',
    id: 'querySource',
    summary: 'Query a source about one prospect: 200 with the outcome if it is refused at once, else 202 and the job',
    permission: 'sources.query',
    action: 'source.query',
    params: sourceParams,
    body: queryRequestSchema,
    response: { 200: refusedQuerySchema, 202: jobSchema },
    requiresKeySoThat: 'no query is sent twice',
    work: (tx, { actor, params, body }) => requestQuery(tx, actor, adapters, sourceQuery, params.sourceId, body),
    status: ({ jobId }) => (jobId === null ? 200 : 202),
    answer: async ({ queryId, jobId }, { actor }) =>
      jobId === null
        ? { queryId, outcome: await getRefusal(store.reader, actor.tenantId, queryId) }
        : getJob({ store, kinds }, actor, jobId),
  })

  route.read({
    url: '/sources/:sourceId/health',
    id: 'getSourceHealth',
    summary: 'Get requests, responses, errors and durations of a source by interval',
    permission: 'sources.read',
    params: sourceParams,
    query: healthQuery,
    response: healthSchema,
    answer: ({ actor: { tenantId }, params, query }) =>
      readHealth(store, { tenantId, sourceId: params.sourceId }, query),
  })

  route.read({
    url: '/sources/:sourceId/history',
    id: 'listSourceHistory',
    summary: 'List the history of a source, newest first',
    permission: 'sources.read',
    params: sourceParams,
    query: z.strictObject(pageQuery),
    response: historyPageSchema,
    answer: ({ actor: { tenantId }, params, query }) =>
      listHistory(store, cursors, { tenantId, sourceId: params.sourceId }, query),
  })

  route.read({
    url: '/source-adapters',
    id: 'listSourceAdapters',
    summary: 'List the loaded adapters with the fields of their answers, queries and settings',
    permission: 'sources.read',
    response: sourceAdaptersSchema,
    answer: () => ({ items: adapters.items.map(toSourceAdapter) }),
  })

  route.read({
    url: '/source-desks',
    id: 'getSourceDesks',
    summary: 'Get the members who may approve sources for each desk',
    permission: 'sources.read',
    response: desksSchema,
    etag: ({ version }) => version,
    answer: ({ actor }) => readDesks(store.reader, actor.tenantId),
  })

  route.change({
    method: 'PUT',
    url: '/source-desks',
    id: 'designateSourceDesks',
    summary: 'Designate the members of all three desks',
    permission: 'sources.configure',
    action: 'source.designate',
    stepUp: true,
    body: putDesksSchema,
    response: desksSchema,
    work: (tx, { version, body }) => designate(tx, version, body),
    etag: ({ version }) => version,
    answer: (_value, { actor }) => readDesks(store.reader, actor.tenantId),
  })
}
