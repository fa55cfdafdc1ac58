import { keysOf } from '../../../lib/keys-of.ts'
import { unique } from '../../../lib/unique.ts'
import { inList } from '../../../store/engine/dialect.ts'
import type { HeldPart, HoldContext } from '../../held.ts'
import { gate } from '../gate/gate.ts'

const columnsOfEntries = {
  id: 'Id',
  kind: 'Kind',
  scope: 'Scope',
  original: 'Value',
  normalized: 'Normalized',
  reason: 'Reason',
  requested_by: 'Requested by',
  channel: 'Received by',
  reference: 'Reference',
  requested_at: 'Requested at',
  created_at: 'Entered at',
  created_by: 'Entered by',
  confirmed_at: 'Requested again at',
  status: 'Status',
  ended_at: 'Removed at',
  ended_by: 'Removed by',
  ended_reason: 'Reason of the removal',
}
const columnsOfHistory = {
  suppression_id: 'Entry',
  at: 'At',
  actor: 'By',
  action: 'Action',
  reason: 'Reason',
  requested_by: 'Requested by',
  channel: 'Received by',
  reference: 'Reference',
  requested_at: 'Requested at',
}

/**
 * Returns the entries of the do-not-contact list that match the records or the value, with their history. Ended ones are included, because they are
 * part of what is held.
 */
export async function holdEntries(context: HoldContext): Promise<HeldPart[]> {
  const ids = await entryIds(context)
  const { db, tenantId } = context
  const entries = await db
    .selectFrom('suppressions')
    .select(keysOf(columnsOfEntries))
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', inList(ids))
    .orderBy('id')
    .execute()
  const history = await db
    .selectFrom('suppression_history')
    .select(keysOf(columnsOfHistory))
    .where('tenant_id', '=', tenantId)
    .where('suppression_id', 'in', inList(ids))
    .orderBy('id')
    .execute()
  const permission = 'suppression.read'
  return [
    { key: 'suppressions', title: 'Do-not-contact list', permission, columns: columnsOfEntries, rows: entries },
    {
      key: 'suppression_history',
      title: 'History of the do-not-contact list',
      permission,
      columns: columnsOfHistory,
      rows: history,
    },
  ]
}

async function entryIds({ db, keys, tenantId, businessIds, value }: HoldContext): Promise<string[]> {
  if (value !== null) {
    const matches = await gate({ db, keys }, tenantId, [{ kind: value.kind, value: value.normalized }])
    return unique(matches.map(({ suppressionId }) => suppressionId))
  }
  const rows = await db
    .selectFrom('suppression_matches')
    .select('suppression_id')
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', inList(businessIds))
    .execute()
  return unique(rows.map(({ suppression_id }) => suppression_id))
}
