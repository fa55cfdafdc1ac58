import { z } from 'zod'
import { changeRoute } from '../../../http/change-route.ts'
import {
  idempotencyHeaders,
  requiredIdempotencyHeaders,
  setEntityTag,
  versionHeaders,
} from '../../../http/conditional.ts'
import { pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { getPreview } from '../previews/previews.queries.ts'
import { createPreviewSchema, createSampleSchema, previewSchema, sampleSchema } from '../previews/previews.schema.ts'
import { requestPreview } from '../previews/request-preview.ts'
import { sampleVersion } from '../previews/sample-preview.ts'
import { templates } from '../rules/templates.data.ts'
import { tryVersion } from '../scores/explain-score.ts'
import { trialResultSchema, trialSchema } from '../scores/scores.schema.ts'
import { signals } from '../signals/all-signals.ts'
import { operatorsOf } from '../signals/signal.ts'
import { approveVersion, rejectVersion, retireVersion, submitVersion, withdrawVersion } from './decide-version.ts'
import { getRuleSet, getVersionRow, type VersionKey } from './rule-sets.queries.ts'
import {
  approvalSchema,
  createRuleSetSchema,
  createVersionSchema,
  editRuleSetSchema,
  editVersionSchema,
  reasonSchema,
  ruleSetPageSchema,
  ruleSetParams,
  ruleSetSchema,
  signalsSchema,
  templatesSchema,
  versionPageSchema,
  versionParams,
  versionSchema,
} from './rule-sets.schema.ts'
import { createRuleSet, editRuleSet, listRuleSets } from './rule-sets.ts'
import { createVersion, editVersion, getVersion, listVersions, versionNumber } from './versions.ts'

const READ = { permission: 'scoring.read' } as const
const WRITE = { permission: 'scoring.write' } as const
const VERSION = '/scoring/rule-sets/:ruleSetId/versions/:version'
const tags = ['scoring']

export const ruleSetRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const shown = (actor: UserActor, version: { ruleSetId: string; version: string }) =>
    getVersion(store.reader, keyOf(actor, version), store.clock().toISOString())

  app.get(
    '/scoring/signals',
    {
      schema: {
        operationId: 'listScoringSignals',
        tags,
        summary: 'List the signals that scoring rules can use',
        response: { 200: signalsSchema },
      },
      config: READ,
    },
    async () => ({
      items: signals.map(({ key, title, type, choices, datedBy, field }) => ({
        key,
        title,
        type,
        operators: [...operatorsOf[type]],
        choices: choices === undefined ? null : [...choices],
        datedBy,
        restsOnEvidence: field !== undefined,
        available: true,
        reason: null,
      })),
    }),
  )

  app.get(
    '/scoring/templates',
    {
      schema: {
        operationId: 'listScoringTemplates',
        tags,
        summary: 'List the templates of rule sets',
        response: { 200: templatesSchema },
      },
      config: READ,
    },
    async () => ({ items: [...templates] }),
  )

  app.get(
    '/scoring/rule-sets',
    {
      schema: {
        operationId: 'listRuleSets',
        tags,
        summary: 'List scoring rule sets, newest first',
        querystring: z.strictObject(pageQuery),
        response: { 200: ruleSetPageSchema },
      },
      config: READ,
    },
    (request) => listRuleSets(store, cursors, actorOf(request).tenantId, request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/scoring/rule-sets',
    permission: 'scoring.write',
    action: 'scoring_rule_set.create',
    schema: {
      operationId: 'createRuleSet',
      tags,
      summary: 'Create a rule set with its first draft',
      headers: idempotencyHeaders,
      body: createRuleSetSchema,
      response: { 201: ruleSetSchema },
    },
    status: 201,
    work: (tx, { body }) => createRuleSet(tx, body),
    location: ({ id }) => `/scoring/rule-sets/${id}`,
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => getRuleSet(store.reader, actor.tenantId, id),
  })

  app.get(
    '/scoring/rule-sets/:ruleSetId',
    {
      schema: {
        operationId: 'getRuleSet',
        tags,
        summary: 'Get a rule set',
        params: ruleSetParams,
        response: { 200: ruleSetSchema },
      },
      config: { ...READ, tells: ['etag'] },
    },
    async (request, reply) => {
      const ruleSet = await getRuleSet(store.reader, actorOf(request).tenantId, request.params.ruleSetId)
      setEntityTag(reply, ruleSet.version)
      return ruleSet
    },
  )

  changeRoute(app, store, {
    method: 'PATCH',
    url: '/scoring/rule-sets/:ruleSetId',
    permission: 'scoring.write',
    action: 'scoring_rule_set.edit',
    schema: {
      operationId: 'editRuleSet',
      tags,
      summary: 'Change name, description or owner of a rule set',
      params: ruleSetParams,
      headers: versionHeaders,
      body: editRuleSetSchema,
      response: { 200: ruleSetSchema },
    },
    status: 200,
    work: (tx, { params, version, body }) => editRuleSet(tx, params.ruleSetId, { version, edit: body }),
    etag: ({ version }) => version,
    answer: (ruleSet) => ruleSet,
  })

  app.get(
    '/scoring/rule-sets/:ruleSetId/versions',
    {
      schema: {
        operationId: 'listRuleSetVersions',
        tags,
        summary: 'List the versions of a rule set, newest first',
        params: ruleSetParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: versionPageSchema },
      },
      config: READ,
    },
    (request) => {
      const { tenantId } = actorOf(request)
      return listVersions(store, cursors, { tenantId, ruleSetId: request.params.ruleSetId }, request.query)
    },
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/scoring/rule-sets/:ruleSetId/versions',
    permission: 'scoring.write',
    action: 'scoring_version.create',
    schema: {
      operationId: 'createRuleSetVersion',
      tags,
      summary: 'Create the next version as a draft',
      params: ruleSetParams,
      headers: idempotencyHeaders,
      body: createVersionSchema,
      response: { 201: versionSchema },
    },
    status: 201,
    work: (tx, { params, body }) => createVersion(tx, params.ruleSetId, body),
    location: ({ version }, { params }) => `/scoring/rule-sets/${params.ruleSetId}/versions/${version}`,
    etag: ({ edit }) => edit,
    answer: ({ version }, { actor, params }) => shown(actor, { ...params, version: String(version) }),
  })

  app.get(
    VERSION,
    {
      schema: {
        operationId: 'getRuleSetVersion',
        tags,
        summary: 'Get a version with its rules, problems and approvers',
        params: versionParams,
        response: { 200: versionSchema },
      },
      config: { ...READ, tells: ['etag'] },
    },
    async (request, reply) => {
      const version = await shown(actorOf(request), request.params)
      setEntityTag(reply, version.edit)
      return version
    },
  )

  changeRoute(app, store, {
    method: 'PATCH',
    url: VERSION,
    permission: 'scoring.write',
    action: 'scoring_version.edit',
    schema: {
      operationId: 'editRuleSetVersion',
      tags,
      summary: 'Change a draft, based on a version of it (If-Match)',
      params: versionParams,
      headers: versionHeaders,
      body: editVersionSchema,
      response: { 200: versionSchema },
    },
    status: 200,
    work: (tx, { actor, params, version: edit, body: input }) => editVersion(tx, keyOf(actor, params), { edit, input }),
    etag: ({ edit }) => edit,
    answer: (version) => version,
  })

  app.post(
    `${VERSION}/trials`,
    {
      schema: {
        operationId: 'tryRuleSetVersion',
        tags,
        summary: 'Score one prospect by a version; stores nothing',
        params: versionParams,
        body: trialSchema,
        response: { 200: trialResultSchema },
      },
      config: WRITE,
    },
    (request) => {
      const actor = actorOf(request)
      return tryVersion(store, actor, keyOf(actor, request.params), request.body)
    },
  )

  app.post(
    `${VERSION}/sample-previews`,
    {
      schema: {
        operationId: 'sampleRuleSetVersion',
        tags,
        summary: 'Score up to 2,000 prospects spread over the workspace by a version; stores nothing',
        params: versionParams,
        body: createSampleSchema,
        response: { 200: sampleSchema },
      },
      config: WRITE,
    },
    (request) => sampleVersion(store, keyOf(actorOf(request), request.params), request.body.content),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: `${VERSION}/previews`,
    permission: 'scoring.write',
    action: 'scoring_preview.request',
    schema: {
      operationId: 'createScoringPreview',
      tags,
      summary: 'Request a full preview of a version; a job computes it and writes no score',
      params: versionParams,
      headers: requiredIdempotencyHeaders,
      body: createPreviewSchema,
      response: { 202: previewSchema },
    },
    status: 202,
    lest: 'no preview is made twice',
    work: (tx, { actor, params, body }) => requestPreview(tx, keyOf(actor, params), body),
    location: ({ id }) => `/scoring/previews/${id}`,
    answer: ({ id }, { actor }) =>
      getPreview(store.reader, { tenantId: actor.tenantId, id }, store.clock().toISOString()),
  })

  const steps = [
    { path: 'submission', id: 'submit', summary: 'Submit a draft for approval', step: submitVersion },
    { path: 'withdrawal', id: 'withdraw', summary: 'Withdraw your own submission', step: withdrawVersion },
  ] as const
  for (const { path, id, summary, step } of steps) {
    changeRoute(app, store, {
      method: 'POST',
      url: `${VERSION}/${path}`,
      permission: 'scoring.write',
      action: `scoring_version.${id}`,
      schema: {
        operationId: `${id}RuleSetVersion`,
        tags,
        summary,
        params: versionParams,
        headers: idempotencyHeaders,
        response: { 200: versionSchema },
      },
      status: 200,
      work: (tx, { actor, params }) => step(tx, keyOf(actor, params)),
      etag: ({ edit }) => edit,
      answer: (_id, { actor, params }) => shown(actor, params),
    })
  }

  changeRoute(app, store, {
    method: 'POST',
    url: `${VERSION}/approval`,
    permission: 'scoring.approve',
    action: 'scoring_version.approve',
    stepUp: true,
    refused: {
      action: 'scoring_version.approval_failed',
      subject: 'scoring_rule_set',
      find: async (db, tenantId, { ruleSetId = '', version = '' }) => {
        const { number } = await getVersionRow(db, keyOf({ tenantId }, { ruleSetId, version }))
        return { id: ruleSetId, after: { version: number } }
      },
    },
    schema: {
      operationId: 'approveRuleSetVersion',
      tags,
      summary:
        'Approve a submitted version that another person edited, naming the content and the preview that you saw',
      params: versionParams,
      headers: idempotencyHeaders,
      body: approvalSchema,
      response: { 200: versionSchema },
    },
    status: 200,
    work: (tx, { actor, params, body }) => approveVersion(tx, keyOf(actor, params), body),
    etag: ({ edit }) => edit,
    answer: (_id, { actor, params }) => shown(actor, params),
  })

  const decisions = [
    { path: 'rejection', id: 'reject', summary: 'Reject a submitted version', decide: rejectVersion },
    {
      path: 'retirement',
      id: 'retire',
      summary: 'Retire an approved version whose scores are not active',
      decide: retireVersion,
    },
  ] as const
  for (const { path, id, summary, decide } of decisions) {
    changeRoute(app, store, {
      method: 'POST',
      url: `${VERSION}/${path}`,
      permission: 'scoring.approve',
      action: `scoring_version.${id}`,
      stepUp: true,
      schema: {
        operationId: `${id}RuleSetVersion`,
        tags,
        summary,
        params: versionParams,
        headers: idempotencyHeaders,
        body: reasonSchema,
        response: { 200: versionSchema },
      },
      status: 200,
      work: (tx, { actor, params, body }) => decide(tx, keyOf(actor, params), body.reason),
      etag: ({ edit }) => edit,
      answer: (_id, { actor, params }) => shown(actor, params),
    })
  }
}

function keyOf(
  { tenantId }: { tenantId: string },
  { ruleSetId, version }: { ruleSetId: string; version: string },
): VersionKey {
  return { tenantId, ruleSetId, number: versionNumber(version) }
}
