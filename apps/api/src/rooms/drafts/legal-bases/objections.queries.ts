import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { alongIndex, inList, isOther, jsonField } from '../../../store/engine/dialect.ts'
import { limits } from '../limits.ts'

/*
 * An objection ends every legal basis that was added before it. It is not stored a second time: each change that marks a prospect as do not contact,
 * by hand or by an entry of the do-not-contact list, is an objection (docs/decisions/objections-end-legal-bases.md). The order is that of the audit,
 * because a clock can be set back.
 */

/**
 * An objection to contact. `until`: sequence of the last audit event up to which it is certain to end a basis; a basis that was added later is not
 * ended. Infinity: the mark is present, so that it ends every basis.
 */
export type Objection = { until: number; at: string }

/** Builds the sequence of the audit event that added a legal basis; NULL if there is none. */
export function addedIn(basis: string): RawBuilder<number | null> {
  return sql<number | null>`(SELECT min(e.sequence) FROM audit_events e
    WHERE e.tenant_id = ${sql.ref(`${basis}.tenant_id`)} AND e.subject_id = ${sql.ref(`${basis}.id`)} AND ${isOther(sql.ref('e.subject_id'), sql.ref('e.business_id'))})`
}

/** `after`: sequence of the audit event that added the oldest basis; earlier blocks end none. */
type Asked = { tenantId: string; family: readonly string[]; after: number }

/** Returns the objections to contact with these records. */
export async function readObjections(db: Db, of: Asked): Promise<readonly Objection[]> {
  return [...(await readMatches(db, of)), ...(await readPresentBlocks(db, of)), ...(await readBlocks(db, of))]
}

/** Returns the time of the first objection that came after a basis; null if there is none. `addedIn`: sequence of the event that added the basis. */
export function firstObjectionAfter(objections: readonly Objection[], addedIn: number | null): string | null {
  const later = objections.filter(({ until }) => until > (addedIn ?? 0)).map(({ at }) => at)
  return later.toSorted()[0] ?? null
}

/** The matches of suppression entries. One that ended is certain to have lasted until the removal of its entry. */
async function readMatches(db: Db, { tenantId, family }: Asked): Promise<Objection[]> {
  const { rows } = await sql<{ at: string; live: 0 | 1; removed: number | null }>`
    SELECT m.at, m.live, (SELECT max(e.sequence) FROM audit_events e
      WHERE e.tenant_id = m.tenant_id AND e.subject_id = m.suppression_id AND ${isOther(sql.ref('e.subject_id'), sql.ref('e.business_id'))}
        AND e.action = ${sql.lit('suppression.remove')}) AS removed
    FROM suppression_matches m
    WHERE m.tenant_id = ${tenantId} AND m.business_id IN ${inList(family)}
    ORDER BY m.live DESC, m.suppression_id DESC LIMIT ${limits.objectionsRead}`.execute(db)
  const isWhole = rows.length < limits.objectionsRead
  return rows.map(({ at, live, removed }) => ({
    at,
    // Beyond the limit, some matches were not read. Each match then counts as present, which ends more legal bases and never fewer.
    until: live === 0 && isWhole ? (removed ?? Infinity) : Infinity,
  }))
}

/** The manual blocks that are present. The event of one precedes a basis if the prospect of the basis was merged into a blocked one. */
async function readPresentBlocks(db: Db, { tenantId, family }: Asked): Promise<Objection[]> {
  const rows = await db
    .selectFrom('businesses')
    .select('blocked_at')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', inList(family))
    .where('do_not_contact', '=', 1)
    .where('blocked_through', '!=', 'suppression')
    .execute()
  return rows.flatMap(({ blocked_at: at }) => (at === null ? [] : [{ at, until: Infinity }]))
}

type BlockEvent = {
  sequence: number
  at: string
  business: string
  from: string | null
  liftedFrom: string | null
}

/**
 * The newest manual blocks, and their lifts, until which they are certain to have lasted. A copy by a merge counts unless the reversal of the merge
 * lifted it.
 */
async function readBlocks(db: Db, { tenantId, family, after }: Asked): Promise<Objection[]> {
  const { rows } = await sql<BlockEvent>`
    SELECT e.sequence, e.at, e.business_id AS business, ${jsonField(sql.ref('e.after_json'), 'carriedFrom')} AS "from",
      ${jsonField(sql.ref('e.before_json'), 'carriedFrom')} AS "liftedFrom"
    FROM audit_events e ${alongIndex('audit_events_by_business')}
    WHERE e.tenant_id = ${tenantId} AND e.business_id IN ${inList(family)} AND e.sequence > ${after}
      AND (e.action = ${sql.lit('business.block')} OR e.action = ${sql.lit('business.unblock')})
    ORDER BY e.sequence DESC LIMIT ${limits.objectionsRead}`.execute(db)
  const objections: Objection[] = []
  const lifted = new Set<string>()
  for (const { sequence, at, business, from, liftedFrom } of rows) {
    if (liftedFrom !== null) lifted.add(`${business} ${liftedFrom}`)
    else if (from === null || !lifted.delete(`${business} ${from}`)) objections.push({ until: sequence, at })
  }
  return objections
}
