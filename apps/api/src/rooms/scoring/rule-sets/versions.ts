import { requireVersion } from '../../../http/conditional.ts'
import { type Cursors, newestVersionsFirst, type Page, type PageQuery } from '../../../http/pagination.ts'
import { actorKey } from '../../../lib/actor.ts'
import { AppError, namesNothing, notFound } from '../../../lib/app-error.ts'
import { requireRoomIn } from '../../../lib/limit-reached.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import type { Db } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import { getTenant } from '../../identity/identity.ts'
import { findCurrentPreview } from '../previews/previews.queries.ts'
import { contentHashOf, problemsOf, warningsOf } from '../rules/content.rules.ts'
import type { Content } from '../rules/content.ts'
import { templates } from '../rules/templates.data.ts'
import { gateWords, ruleWords } from '../rules/words.rules.ts'
import { versionLimit } from '../scoring.quota.ts'
import {
  contentOf,
  countVersions,
  getRuleSet,
  getVersionRow,
  insertEditor,
  insertVersion,
  selectApprovers,
  selectEditors,
  selectVersions,
  toVersionSummary,
  updateVersion,
  type VersionKey,
} from './rule-sets.queries.ts'
import type { CreateVersion, EditVersion, Version, VersionSummary } from './rule-sets.schema.ts'

/** Creates the first draft of a rule set from a template. Errors: `not_found` (the template does not exist). */
export async function createFirstVersion(tx: Tx, ruleSetId: string, template = 'empty'): Promise<void> {
  await insertDraft(
    tx,
    { tenantId: tx.actor.tenantId, ruleSetId, number: 1 },
    { content: templateOf(template), template, basedOn: null },
  )
}

/**
 * Creates the next version as a draft: a copy of the named version, a template, or a copy of the newest version. Errors: `not_found`,
 * `limit_reached`. Returns the number of the version.
 */
export async function createVersion(
  tx: Tx,
  ruleSetId: string,
  { basedOn, template }: CreateVersion,
): Promise<{ version: number }> {
  const { tenantId } = tx.actor
  await getRuleSet(tx.db, tenantId, ruleSetId)
  const { count, newest } = await countVersions(tx.db, tenantId, ruleSetId)
  requireRoomIn(versionLimit, { used: count })
  const key = { tenantId, ruleSetId, number: newest + 1 }
  if (template !== undefined) await insertDraft(tx, key, { content: templateOf(template), template, basedOn: null })
  else {
    const from = basedOn ?? newest
    const content = contentOf(await getVersionRow(tx.db, { ...key, number: from }))
    await insertDraft(tx, key, { content, template: null, basedOn: from })
  }
  return { version: key.number }
}

function templateOf(key: string): Content {
  const template = templates.find((one) => one.key === key)
  if (template === undefined) throw namesNothing('template', `There is no template ${key}.`)
  return template.content
}

async function insertDraft(
  tx: Tx,
  key: VersionKey,
  { content, template, basedOn }: { content: Content; template: string | null; basedOn: number | null },
): Promise<void> {
  const contentHash = contentHashOf(content)
  await insertVersion(tx.db, {
    tenant_id: key.tenantId,
    rule_set_id: key.ruleSetId,
    number: key.number,
    version: 1,
    state: 'draft',
    based_on: basedOn,
    template,
    content: JSON.stringify(content),
    content_hash: contentHash,
    rollback_plan: null,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    updated_at: tx.at,
    submitted_at: null,
    submitted_by: null,
    preview_id: null,
    decided_at: null,
    decided_by: null,
    decision_reason: null,
    retired_at: null,
    retired_by: null,
    retirement_reason: null,
  })
  await recordEditor(tx, key)
  await tx.record({
    action: 'scoring_version.create',
    subject: { type: 'scoring_rule_set', id: key.ruleSetId },
    after: { version: key.number, basedOn, template, contentHash },
  })
}

/** Records the actor as an editor of the version, if the actor is a person. The system can prepare versions (sample data) but cannot approve them. */
async function recordEditor(tx: Tx, key: VersionKey): Promise<void> {
  if (tx.actor.kind === 'user') await insertEditor(tx.db, key, tx.actor.userId, tx.at)
}

/** Replaces the content or the rollback plan of a draft. Errors: `not_found`, `version_conflict`, `conflict` (not a draft). */
export async function editVersion(
  tx: Tx,
  key: VersionKey,
  { edit, input }: { edit: number; input: EditVersion },
): Promise<Version | Unchanged<Version>> {
  const row = await getVersionRow(tx.db, key)
  requireVersion(edit, row.version)
  if (row.state !== 'draft') {
    throw new AppError(
      'conflict',
      `Version ${key.number} is ${row.state} and can no longer be edited. Create a new version from it.`,
    )
  }
  const content = input.content ?? contentOf(row)
  const contentHash = contentHashOf(content)
  const rollbackPlan = input.rollbackPlan === undefined ? row.rollback_plan : input.rollbackPlan
  if (contentHash === row.content_hash && rollbackPlan === row.rollback_plan)
    return unchanged(await getVersion(tx.db, key, tx.at))
  await updateVersion(tx.db, key, {
    content: JSON.stringify(content),
    content_hash: contentHash,
    rollback_plan: rollbackPlan,
    version: row.version + 1,
    updated_at: tx.at,
  })
  if (contentHash !== row.content_hash) await recordEditor(tx, key)
  await tx.record({
    subject: { type: 'scoring_rule_set', id: key.ruleSetId },
    before: { version: key.number, contentHash: row.content_hash, rollbackPlan: row.rollback_plan },
    after: { version: key.number, contentHash, rollbackPlan },
  })
  return getVersion(tx.db, key, tx.at)
}

/** Returns one version with its content, its problems and the people who may approve it. Errors: `not_found`, `content_changed`. */
export async function getVersion(db: Db, key: VersionKey, at: string): Promise<Version> {
  const row = await getVersionRow(db, key)
  const content = contentOf(row)
  const editors = await selectEditors(db, key)
  const { id, name } = await getTenant(db, key.tenantId)
  const preview = await findCurrentPreview(db, key, { contentHash: row.content_hash, at, isEnded: false })
  return {
    ...toVersionSummary(row, editors),
    content,
    words: wordsOf(content),
    problems: problemsOf(content),
    warnings: warningsOf(content),
    currentPreviewId: preview?.id ?? null,
    approvers: ['draft', 'submitted'].includes(row.state) ? await approversOf(db, key, editors, row.submitted_by) : [],
    tenant: { id, name },
  }
}

function wordsOf({ groups, gates }: Content): Record<string, string> {
  const rules = groups.flatMap((group) => group.rules)
  return Object.fromEntries([
    ...rules.map((rule) => [rule.id, ruleWords(rule)] as const),
    ...gates.map((gate) => [gate.id, gateWords(gate)] as const),
  ])
}

async function approversOf(
  db: Db,
  { tenantId }: VersionKey,
  editors: readonly { id: string }[],
  submittedBy: string | null,
): Promise<{ id: string; name: string }[]> {
  const excluded = new Set([...editors.map(({ id }) => id), submittedBy])
  return (await selectApprovers(db, tenantId)).filter(({ id }) => !excluded.has(id))
}

/** Parses the version number in a URL path. Errors: `not_found` for text that is not a version number. */
export function versionNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound()
  return Number(text)
}

/** Lists the versions of a rule set, newest first. Errors: `not_found`. */
export async function listVersions(
  store: Store,
  cursors: Cursors,
  { tenantId, ruleSetId }: { tenantId: string; ruleSetId: string },
  query: PageQuery,
): Promise<Page<VersionSummary>> {
  const db = store.reader
  await getRuleSet(db, tenantId, ruleSetId)
  return newestVersionsFirst({
    store,
    tenantId,
    cursors,
    binding: ['scoring-versions', tenantId, ruleSetId],
    query,
    count: (background) =>
      background
        .selectFrom('scoring_versions')
        .select('number')
        .where('tenant_id', '=', tenantId)
        .where('rule_set_id', '=', ruleSetId),
    fetch: async (before, limit) => {
      const summaries: VersionSummary[] = []
      for (const row of await selectVersions(db, { tenantId, ruleSetId, limit, before }))
        summaries.push(toVersionSummary(row, await selectEditors(db, { tenantId, ruleSetId, number: row.number })))
      return summaries
    },
  })
}
