import { actorKey } from '../../../lib/actor.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { updateInParts } from '../../../store/change/in-parts.ts'
import { ERASED } from '../../businesses/businesses.ts'
import { SNAPSHOT_RULES } from '../checks/snapshot.rules.ts'

const emptySnapshot = JSON.stringify({
  rules: SNAPSHOT_RULES,
  evidence: {},
  claims: {},
  values: {},
  recipient: { hash: '', isOnRecord: false },
  legalBasis: null,
  policy: null,
  suggestion: null,
})

/**
 * Empties titles, recipients, subjects, texts, quotes and reasons of the drafts of these records for an erasure, and closes the drafts. Rows,
 * hashes of contents and copies stay: the cap of a recipient survives as a keyed hash. Returns the number of versions.
 */
export async function eraseDrafts({ db, actor, at }: Tx, businessIds: readonly string[]): Promise<number> {
  const { tenantId } = actor
  const drafts = await db
    .selectFrom('drafts')
    .select(['id', 'is_open', 'version'])
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', [...businessIds])
    .execute()
  await updateInParts(drafts, (ids) =>
    db
      .updateTable('draft_citations')
      .set({ quote: null })
      .where('tenant_id', '=', tenantId)
      .where('draft_id', 'in', ids),
  )
  await updateInParts(drafts, (ids) =>
    db.updateTable('draft_events').set({ reason: null }).where('tenant_id', '=', tenantId).where('draft_id', 'in', ids),
  )
  await updateInParts(drafts, (ids) =>
    db
      .updateTable('draft_requests')
      .set({ outcome: 'closed', decided_at: at, decided_by: actorKey(actor) })
      .where('tenant_id', '=', tenantId)
      .where('draft_id', 'in', ids)
      .where('outcome', 'is', null),
  )
  await updateInParts(drafts, (ids) =>
    db
      .updateTable('draft_requests')
      .set({ reason: null, snapshot: emptySnapshot })
      .where('tenant_id', '=', tenantId)
      .where('draft_id', 'in', ids),
  )
  for (const { id, version } of drafts.filter(({ is_open: isOpen }) => isOpen === 1))
    await db
      .insertInto('draft_events')
      .values({
        tenant_id: tenantId,
        id: newId(),
        draft_id: id,
        kind: 'closed',
        version,
        causes: '[]',
        reason: null,
        at,
        actor: actorKey(actor),
      })
      .execute()
  await updateInParts(drafts, (ids) =>
    db
      .updateTable('drafts')
      .set({
        title: ERASED,
        state: 'closed',
        is_open: 0,
        stale_since: null,
        stale_causes: null,
        due_at: null,
        updated_at: at,
      })
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', ids),
  )
  const versions = await db
    .selectFrom('draft_versions')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', [...businessIds])
    .execute()
  return updateInParts(versions, (ids) =>
    db
      .updateTable('draft_versions')
      .set({
        recipient_value: '',
        recipient_normalized: null,
        subject: null,
        text: '',
        no_citation_reason: null,
        acknowledgements: '[]',
      })
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', ids),
  )
}
