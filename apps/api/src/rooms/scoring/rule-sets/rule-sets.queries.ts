import { actorRef } from '../../../lib/actor.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import type { Db } from '../../../store/database.ts'
import { roles } from '../../define-facts.ts'
import { permissions } from '../../facts.ts'
import { contentHashOf } from '../rules/content.rules.ts'
import { contentSchema } from '../rules/content.schema.ts'
import type { Content } from '../rules/content.ts'
import type { RuleSetTable, VersionState, VersionTable } from '../scoring.table.ts'
import type { RuleSet, VersionSummary } from './rule-sets.schema.ts'

/** Key of one version of a rule set. */
export type VersionKey = { tenantId: string; ruleSetId: string; number: number }

export async function insertRuleSet(db: Db, row: RuleSetTable): Promise<void> {
  await db.insertInto('scoring_rule_sets').values(row).execute()
}

export async function updateRuleSet(
  db: Db,
  { tenantId, id }: { tenantId: string; id: string },
  columns: Partial<Pick<RuleSetTable, 'name' | 'description' | 'owner_id' | 'version' | 'updated_at'>>,
): Promise<void> {
  await db
    .updateTable('scoring_rule_sets')
    .set(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

function ruleSets(db: Db, tenantId: string) {
  return db
    .selectFrom('scoring_rule_sets as s')
    .innerJoin('users as o', 'o.id', 's.owner_id')
    .leftJoin('users as u', 'u.id', 's.created_by')
    .selectAll('s')
    .select(['o.name as owner_name', 'u.name as creator_name'])
    .select(({ selectFrom }) =>
      selectFrom('scoring_versions as v')
        .select(({ fn }) => fn.max('v.number').as('number'))
        .whereRef('v.tenant_id', '=', 's.tenant_id')
        .whereRef('v.rule_set_id', '=', 's.id')
        .as('newest'),
    )
    .select(({ selectFrom }) =>
      selectFrom('scoring_versions as v')
        .select('v.state')
        .whereRef('v.tenant_id', '=', 's.tenant_id')
        .whereRef('v.rule_set_id', '=', 's.id')
        .orderBy('v.number', 'desc')
        .limit(1)
        .as('newest_state'),
    )
    .where('s.tenant_id', '=', tenantId)
}

type RuleSetRow = RuleSetTable & {
  owner_name: string
  creator_name: string | null
  newest: number | null
  newest_state: VersionState | null
}

function toRuleSet(row: RuleSetRow): RuleSet {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    description: row.description,
    owner: { id: row.owner_id, name: row.owner_name },
    newestVersion: row.newest ?? 0,
    newestState: row.newest_state ?? 'draft',
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.creator_name),
    updatedAt: row.updated_at,
  }
}

/** Returns one rule set. Errors: `not_found`. */
export async function getRuleSet(db: Db, tenantId: string, id: string): Promise<RuleSet> {
  return toRuleSet(await ruleSets(db, tenantId).where('s.id', '=', id).executeTakeFirstOrThrow(notFound))
}

/** Returns a page of rule sets, newest first. */
export async function selectRuleSets(
  db: Db,
  { tenantId, before, limit }: { tenantId: string; before: string | undefined; limit: number },
): Promise<RuleSet[]> {
  const rows = await ruleSets(db, tenantId)
    .$if(before !== undefined, (query) => query.where('s.id', '<', before ?? ''))
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRuleSet)
}

export async function insertVersion(db: Db, row: VersionTable): Promise<void> {
  await db.insertInto('scoring_versions').values(row).execute()
}

export async function updateVersion(
  db: Db,
  { tenantId, ruleSetId, number }: VersionKey,
  columns: Partial<Omit<VersionTable, 'tenant_id' | 'rule_set_id' | 'number'>>,
): Promise<void> {
  await db
    .updateTable('scoring_versions')
    .set(columns)
    .where('tenant_id', '=', tenantId)
    .where('rule_set_id', '=', ruleSetId)
    .where('number', '=', number)
    .execute()
}

/** Returns the number of versions of the rule set and the highest version number. */
export async function countVersions(
  db: Db,
  tenantId: string,
  ruleSetId: string,
): Promise<{ count: number; newest: number }> {
  const { count, newest } = await db
    .selectFrom('scoring_versions')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('number').as('newest')])
    .where('tenant_id', '=', tenantId)
    .where('rule_set_id', '=', ruleSetId)
    .executeTakeFirstOrThrow()
  return { count, newest: newest ?? 0 }
}

function versions(db: Db, tenantId: string, ruleSetId: string) {
  return db
    .selectFrom('scoring_versions as v')
    .leftJoin('users as creator', 'creator.id', 'v.created_by')
    .leftJoin('users as submitter', 'submitter.id', 'v.submitted_by')
    .leftJoin('users as decider', 'decider.id', 'v.decided_by')
    .leftJoin('users as retirer', 'retirer.id', 'v.retired_by')
    .selectAll('v')
    .select(['creator.name as creator_name', 'submitter.name as submitter_name'])
    .select(['decider.name as decider_name', 'retirer.name as retirer_name'])
    .where('v.tenant_id', '=', tenantId)
    .where('v.rule_set_id', '=', ruleSetId)
}

export type VersionRow = VersionTable & {
  creator_name: string | null
  submitter_name: string | null
  decider_name: string | null
  retirer_name: string | null
}

/** Returns one version. Errors: `not_found`. */
export async function getVersionRow(db: Db, { tenantId, ruleSetId, number }: VersionKey): Promise<VersionRow> {
  return versions(db, tenantId, ruleSetId).where('v.number', '=', number).executeTakeFirstOrThrow(notFound)
}

/** Returns a page of versions, newest first. */
export async function selectVersions(
  db: Db,
  wanted: { tenantId: string; ruleSetId: string; before: number | undefined; limit: number },
): Promise<VersionRow[]> {
  const { tenantId, ruleSetId, before, limit } = wanted
  return versions(db, tenantId, ruleSetId)
    .$if(before !== undefined, (query) => query.where('v.number', '<', before ?? 0))
    .orderBy('v.number', 'desc')
    .limit(limit)
    .execute()
}

export async function selectEditors(
  db: Db,
  { tenantId, ruleSetId, number }: VersionKey,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('scoring_editors as e')
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .select(['u.id', 'u.name'])
    .where('e.tenant_id', '=', tenantId)
    .where('e.rule_set_id', '=', ruleSetId)
    .where('e.number', '=', number)
    .orderBy('u.name')
    .execute()
}

export async function insertEditor(
  db: Db,
  { tenantId, ruleSetId, number }: VersionKey,
  userId: string,
  at: string,
): Promise<void> {
  await db
    .insertInto('scoring_editors')
    .values({ tenant_id: tenantId, rule_set_id: ruleSetId, number, user_id: userId, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Roles that have the permission to approve. */
const approvingRoles = roles.slice(0, roles.indexOf(permissions['scoring.approve'].role) + 1)

/** Returns the active members who may approve, sorted by name. */
export async function selectApprovers(db: Db, tenantId: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.name'])
    .where('m.tenant_id', '=', tenantId)
    .where('m.status', '=', 'active')
    .where('m.role', 'in', approvingRoles)
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(200)
    .execute()
}

/**
 * Parses the content of a stored version. Errors: `content_changed` if it does not match its hash, which means that the store was edited outside the
 * product.
 */
export function contentOf(row: Pick<VersionTable, 'content' | 'content_hash' | 'number'>): Content {
  const content = contentSchema.safeParse(JSON.parse(row.content))
  if (!content.success || contentHashOf(content.data) !== row.content_hash) {
    throw new AppError(
      'content_changed',
      `The stored content of version ${row.number} does not match its hash, so it is not used. Restore the version from a backup or create a new one.`,
    )
  }
  return content.data
}

/** Throws unless the version is approved. Errors: `not_approved`. */
export function requireApproved({ state, number }: Pick<VersionTable, 'state' | 'number'>): void {
  if (state !== 'approved') {
    throw new AppError(
      'not_approved',
      `Version ${number} is ${state === 'draft' ? 'a draft' : state}. Only approved versions produce scores.`,
    )
  }
}

export function toVersionSummary(row: VersionRow, editors: readonly { id: string; name: string }[]): VersionSummary {
  const by = (key: string | null, name: string | null) => (key === null ? null : actorRef(key, name))
  const isRejected = row.state === 'rejected'
  const decided = { at: row.decided_at, by: by(row.decided_by, row.decider_name), reason: row.decision_reason }
  const none = { at: null, by: null, reason: null }
  const approved = isRejected ? none : decided
  const rejected = isRejected ? decided : none
  return {
    ruleSetId: row.rule_set_id,
    version: row.number,
    edit: row.version,
    state: row.state,
    basedOn: row.based_on,
    template: row.template,
    contentHash: row.content_hash,
    editors: [...editors],
    submittedAt: row.submitted_at,
    submittedBy: by(row.submitted_by, row.submitter_name),
    approvedAt: approved.at,
    approvedBy: approved.by,
    approvalReason: approved.reason,
    rejectedAt: rejected.at,
    rejectedBy: rejected.by,
    rejectionReason: rejected.reason,
    retiredAt: row.retired_at,
    retiredBy: by(row.retired_by, row.retirer_name),
    retirementReason: row.retirement_reason,
    previewId: row.preview_id,
    rollbackPlan: row.rollback_plan,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.creator_name),
    updatedAt: row.updated_at,
  }
}
