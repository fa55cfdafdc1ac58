import { isDeepStrictEqual } from 'node:util'
import { requireVersion } from '../../../http/conditional.ts'
import { type Cursors, newestFirst, type Page, type PageQuery } from '../../../http/pagination.ts'
import { actorKey } from '../../../lib/actor.ts'
import { namesNothing } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import type { Store } from '../../../store/store.ts'
import { isMember } from '../../identity/identity.ts'
import { ruleSetQuota } from '../scoring.quota.ts'
import { getRuleSet, insertRuleSet, selectRuleSets, updateRuleSet } from './rule-sets.queries.ts'
import type { CreateRuleSet, EditRuleSet, RuleSet } from './rule-sets.schema.ts'
import { createFirstVersion } from './versions.ts'

/**
 * Creates a rule set with its first draft. Errors: `not_found` (the owner is not an active member, or the template does not exist),
 * `limit_reached`.
 */
export async function createRuleSet(tx: Tx, input: CreateRuleSet): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  await requireRoom(tx, ruleSetQuota)
  const owner = input.ownerId ?? actorKey(tx.actor)
  await requireMember(tx, owner)
  const id = newId()
  const { name, description } = input
  await insertRuleSet(tx.db, {
    tenant_id: tenantId,
    id,
    version: 1,
    name,
    description,
    owner_id: owner,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    updated_at: tx.at,
  })
  await tx.record({ subject: { type: 'scoring_rule_set', id }, after: { name, description, ownerId: owner } })
  await createFirstVersion(tx, id, input.template)
  return { id }
}

/** Edits name, description or owner of a rule set. Errors: `not_found`, `version_conflict`. */
export async function editRuleSet(
  tx: Tx,
  id: string,
  { version, edit }: { version: number; edit: EditRuleSet },
): Promise<RuleSet | Unchanged<RuleSet>> {
  const { tenantId } = tx.actor
  const current = await getRuleSet(tx.db, tenantId, id)
  requireVersion(version, current.version)
  const before = { name: current.name, description: current.description, ownerId: current.owner.id }
  const { name = before.name, description = before.description, ownerId = before.ownerId } = edit
  const after = { name, description, ownerId }
  if (isDeepStrictEqual(before, after)) return unchanged(current)
  if (ownerId !== before.ownerId) await requireMember(tx, ownerId)
  await updateRuleSet(
    tx.db,
    { tenantId, id },
    { name, description, owner_id: ownerId, version: version + 1, updated_at: tx.at },
  )
  await tx.record({ subject: { type: 'scoring_rule_set', id }, before, after })
  return getRuleSet(tx.db, tenantId, id)
}

async function requireMember(tx: Tx, userId: string): Promise<void> {
  if (!(await isMember(tx.db, tx.actor.tenantId, userId)))
    throw namesNothing('ownerId', 'The owner must be an active member of this workspace.')
}

/** Lists rule sets, newest first. */
export function listRuleSets(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  query: PageQuery,
): Promise<Page<RuleSet>> {
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['scoring-rule-sets', tenantId],
    query,
    fetch: (before, limit) => selectRuleSets(store.reader, { tenantId, before, limit }),
    count: (db) => db.selectFrom('scoring_rule_sets').select('id').where('tenant_id', '=', tenantId),
    toItem: (ruleSet) => ruleSet,
  })
}
