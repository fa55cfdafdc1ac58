import { actorRef } from '../../lib/actor.ts'
import { notFound } from '../../lib/app-error.ts'
import type { Db } from '../../store/database.ts'
import { readTexts } from '../../store/json-column.ts'
import type { Interaction } from './interactions.schema.ts'
import type { FollowUpChangeTable, InteractionTable } from './interactions.table.ts'

type Row = InteractionTable & { actor_name: string | null; corrected_by_id: string | null }

export async function insertInteraction(db: Db, row: InteractionTable): Promise<void> {
  await db.insertInto('interactions').values(row).execute()
}

export async function insertFollowUpChange(db: Db, row: FollowUpChangeTable): Promise<void> {
  await db.insertInto('follow_up_changes').values(row).execute()
}

/** Returns the latest follow-up date that a person set or cleared on exactly this record. */
export async function findFollowUpChange(
  db: Db,
  tenantId: string,
  businessId: string,
): Promise<Pick<FollowUpChangeTable, 'id' | 'follow_up_on' | 'changed_at'> | undefined> {
  return db
    .selectFrom('follow_up_changes')
    .select(['id', 'follow_up_on', 'changed_at'])
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

function interactionsWithActor(db: Db) {
  return db
    .selectFrom('interactions as i')
    .leftJoin('users as u', 'u.id', 'i.created_by')
    .leftJoin('interactions as later', (join) =>
      join.onRef('later.tenant_id', '=', 'i.tenant_id').onRef('later.corrects_id', '=', 'i.id'),
    )
    .selectAll('i')
    .select(['u.name as actor_name', 'later.id as corrected_by_id'])
}

/** Returns one interaction of exactly this business. */
export async function findInteraction(
  db: Db,
  tenantId: string,
  businessId: string,
  id: string,
): Promise<Interaction | undefined> {
  const row = await interactionsWithActor(db)
    .where('i.tenant_id', '=', tenantId)
    .where('i.business_id', '=', businessId)
    .where('i.id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : toInteraction(row)
}

/** Returns one interaction of any record. Errors: `not_found`. */
export async function getInteraction(db: Db, tenantId: string, id: string): Promise<Interaction> {
  const row = await interactionsWithActor(db)
    .where('i.tenant_id', '=', tenantId)
    .where('i.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
  return toInteraction(row)
}

/** Returns a page of interactions by time of occurrence, latest first. Of interactions with equal times the last recorded comes first. */
export async function selectInteractions(
  db: Db,
  wanted: {
    tenantId: string
    businessId: string
    before: { occurredAt: string; id: string } | undefined
    limit: number
  },
): Promise<Interaction[]> {
  const { tenantId, businessId, before, limit } = wanted
  let query = interactionsWithActor(db).where('i.tenant_id', '=', tenantId).where('i.business_id', '=', businessId)
  if (before !== undefined) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('i.occurred_at', 'i.id'), '<', tuple(before.occurredAt, before.id)),
    )
  }
  const rows = await query.orderBy('i.occurred_at', 'desc').orderBy('i.id', 'desc').limit(limit).execute()
  return rows.map(toInteraction)
}

function toInteraction(row: Row): Interaction {
  return {
    id: row.id,
    businessId: row.business_id,
    occurredAt: row.occurred_at,
    channel: row.channel,
    direction: row.direction,
    outcome: row.outcome,
    summary: row.summary,
    participants: readTexts(row.participants),
    followUpOn: row.follow_up_on,
    correctsId: row.corrects_id,
    correctedById: row.corrected_by_id,
    onDoNotContact: row.on_do_not_contact === 1,
    personId: row.person_id,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.actor_name),
  }
}
