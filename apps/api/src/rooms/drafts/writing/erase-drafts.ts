import { actorKey } from '../../../lib/actor.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { changeActor, changeTime, ERASED, ifNull } from '../../../store/change/empty-rows.ts'
import type { ErasedTables } from '../../room.ts'
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
 * Erases titles, recipients, subjects, texts, quotes, reasons and proofs of drafts and legal bases, and closes the drafts. Rows, hashes of contents and copies
 * remain. Copies for a recipient still count towards the cap of the recipient, by a keyed hash.
 */
export const erasedTables: ErasedTables = {
  legal_basis_withdrawals: { by: 'basis_id', of: 'legal_bases', set: { reason: null } },
  legal_bases: {
    set: {
      recipient_value: null,
      recipient_normalized: null,
      document_reference: null,
      agreed_to: null,
      recording_reference: null,
      sale: null,
    },
    counts: 'legalBases',
  },
  draft_citations: { by: 'draft_id', of: 'drafts', set: { quote: null } },
  draft_events: { by: 'draft_id', of: 'drafts', set: { reason: null } },
  draft_requests: {
    by: 'draft_id',
    of: 'drafts',
    set: {
      outcome: ifNull('closed'),
      decided_at: ifNull(changeTime),
      decided_by: ifNull(changeActor),
      reason: null,
      snapshot: emptySnapshot,
    },
  },
  drafts: {
    set: {
      title: ERASED,
      state: 'closed',
      is_open: 0,
      stale_since: null,
      stale_causes: null,
      due_at: null,
      updated_at: changeTime,
    },
  },
  draft_versions: {
    set: {
      recipient_value: '',
      recipient_normalized: null,
      subject: null,
      text: '',
      no_citation_reason: null,
      acknowledgements: '[]',
    },
    counts: 'draftVersions',
  },
}

/** Adds the event that closes each open draft of these records. */
export async function closeDrafts({ db, actor, at }: Tx, businessIds: readonly string[]): Promise<void> {
  const { tenantId } = actor
  const open = await db
    .selectFrom('drafts')
    .select(['id', 'version'])
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', [...businessIds])
    .where('is_open', '=', 1)
    .execute()
  for (const { id, version } of open)
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
}
