import { z } from 'zod'
import { pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
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

const VERSION = '/scoring/rule-sets/:ruleSetId/versions/:version'
export const ruleSetRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'scoring' })
  const shown = (actor: UserActor, version: { ruleSetId: string; version: string }) =>
    getVersion(store.reader, keyOf(actor, version), store.clock().toISOString())

  route.read({
    url: '/scoring/signals',
    id: 'listScoringSignals',
    summary: 'List the signals that scoring rules can use',
    permission: 'scoring.read',
    response: signalsSchema,
    answer: () => ({
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
  })

  route.read({
    url: '/scoring/templates',
    id: 'listScoringTemplates',
    summary: 'List the templates of rule sets',
    permission: 'scoring.read',
    response: templatesSchema,
    answer: () => ({ items: [...templates] }),
  })

  route.read({
    url: '/scoring/rule-sets',
    id: 'listRuleSets',
    summary: 'List scoring rule sets, newest first',
    permission: 'scoring.read',
    query: z.strictObject(pageQuery),
    response: ruleSetPageSchema,
    answer: ({ actor, query }) => listRuleSets(store, cursors, actor.tenantId, query),
  })

  route.change({
    url: '/scoring/rule-sets',
    id: 'createRuleSet',
    summary: 'Create a rule set with its first draft',
    permission: 'scoring.write',
    action: 'scoring_rule_set.create',
    body: createRuleSetSchema,
    response: ruleSetSchema,
    work: (tx, { body }) => createRuleSet(tx, body),
    location: ({ id }) => `/scoring/rule-sets/${id}`,
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => getRuleSet(store.reader, actor.tenantId, id),
  })

  route.read({
    url: '/scoring/rule-sets/:ruleSetId',
    id: 'getRuleSet',
    summary: 'Get a rule set',
    permission: 'scoring.read',
    params: ruleSetParams,
    response: ruleSetSchema,
    etag: ({ version }) => version,
    answer: ({ actor, params }) => getRuleSet(store.reader, actor.tenantId, params.ruleSetId),
  })

  route.change({
    method: 'PATCH',
    url: '/scoring/rule-sets/:ruleSetId',
    id: 'editRuleSet',
    summary: 'Change name, description or owner of a rule set',
    permission: 'scoring.write',
    action: 'scoring_rule_set.edit',
    params: ruleSetParams,
    body: editRuleSetSchema,
    response: ruleSetSchema,
    work: (tx, { params, version, body }) => editRuleSet(tx, params.ruleSetId, { version, edit: body }),
    etag: ({ version }) => version,
    answer: (ruleSet) => ruleSet,
  })

  route.read({
    url: '/scoring/rule-sets/:ruleSetId/versions',
    id: 'listRuleSetVersions',
    summary: 'List the versions of a rule set, newest first',
    permission: 'scoring.read',
    params: ruleSetParams,
    query: z.strictObject(pageQuery),
    response: versionPageSchema,
    answer: ({ actor: { tenantId }, params, query }) =>
      listVersions(store, cursors, { tenantId, ruleSetId: params.ruleSetId }, query),
  })

  route.change({
    url: '/scoring/rule-sets/:ruleSetId/versions',
    id: 'createRuleSetVersion',
    summary: 'Create the next version as a draft',
    permission: 'scoring.write',
    action: 'scoring_version.create',
    params: ruleSetParams,
    body: createVersionSchema,
    response: versionSchema,
    work: (tx, { params, body }) => createVersion(tx, params.ruleSetId, body),
    location: ({ version }, { params }) => `/scoring/rule-sets/${params.ruleSetId}/versions/${version}`,
    etag: ({ edit }) => edit,
    answer: ({ version }, { actor, params }) => shown(actor, { ...params, version: String(version) }),
  })

  route.read({
    url: VERSION,
    id: 'getRuleSetVersion',
    summary: 'Get a version with its rules, problems and approvers',
    permission: 'scoring.read',
    params: versionParams,
    response: versionSchema,
    etag: ({ edit }) => edit,
    answer: ({ actor, params }) => shown(actor, params),
  })

  route.change({
    method: 'PATCH',
    url: VERSION,
    id: 'editRuleSetVersion',
    summary: 'Change a draft, based on a version of it (If-Match)',
    permission: 'scoring.write',
    action: 'scoring_version.edit',
    params: versionParams,
    body: editVersionSchema,
    response: versionSchema,
    work: (tx, { actor, params, version: edit, body: input }) => editVersion(tx, keyOf(actor, params), { edit, input }),
    etag: ({ edit }) => edit,
    answer: (version) => version,
  })

  route.read({
    url: `${VERSION}/trials`,
    id: 'tryRuleSetVersion',
    summary: 'Score one prospect by a version; stores nothing',
    permission: 'scoring.write',
    params: versionParams,
    body: trialSchema,
    response: trialResultSchema,
    answer: ({ actor, params, body }) => tryVersion(store, actor, keyOf(actor, params), body),
  })

  route.read({
    url: `${VERSION}/sample-previews`,
    id: 'sampleRuleSetVersion',
    summary: 'Score up to 2,000 prospects spread over the workspace by a version; stores nothing',
    permission: 'scoring.write',
    params: versionParams,
    body: createSampleSchema,
    response: sampleSchema,
    answer: ({ actor, params, body }) => sampleVersion(store, keyOf(actor, params), body.content),
  })

  route.change({
    url: `${VERSION}/previews`,
    id: 'createScoringPreview',
    summary: 'Request a full preview of a version; a job computes it and writes no score',
    permission: 'scoring.write',
    action: 'scoring_preview.request',
    params: versionParams,
    body: createPreviewSchema,
    response: previewSchema,
    status: 202,
    requiresKeySoThat: 'no preview is made twice',
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
    route.change({
      url: `${VERSION}/${path}`,
      id: `${id}RuleSetVersion`,
      summary,
      permission: 'scoring.write',
      action: `scoring_version.${id}`,
      params: versionParams,
      response: versionSchema,
      work: (tx, { actor, params }) => step(tx, keyOf(actor, params)),
      etag: ({ edit }) => edit,
      answer: (_id, { actor, params }) => shown(actor, params),
    })
  }

  route.change({
    url: `${VERSION}/approval`,
    id: 'approveRuleSetVersion',
    summary: 'Approve a submitted version that another person edited, naming the content and the preview that you saw',
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
    params: versionParams,
    body: approvalSchema,
    response: versionSchema,
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
    route.change({
      url: `${VERSION}/${path}`,
      id: `${id}RuleSetVersion`,
      summary,
      permission: 'scoring.approve',
      action: `scoring_version.${id}`,
      stepUp: true,
      params: versionParams,
      body: reasonSchema,
      response: versionSchema,
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
