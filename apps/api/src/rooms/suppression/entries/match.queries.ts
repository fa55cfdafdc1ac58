import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { inList, rowsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { type KeyRange, numberOf } from '../../contact-gate/contact-gate.ts'
import { toSuppression } from '../suppression.queries.ts'
import type { BusinessSuppression, Match } from '../suppression.schema.ts'
import type { Term } from './review-term.rules.ts'

/** Maximum of the count of records that have a key. */
const COUNTED_RECORDS = 1_000

/** Returns the businesses that an entry matches now, or matched before. */
export function matchesOf(db: Db, { tenantId, suppressionId }: { tenantId: string; suppressionId: string }) {
  return db
    .selectFrom('suppression_matches as m')
    .innerJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 'm.tenant_id').onRef('b.id', '=', 'm.business_id'),
    )
    .select(['b.id', 'b.name', 'b.status', 'b.do_not_contact', 'm.at', 'm.cause', 'm.live'])
    .where('m.tenant_id', '=', tenantId)
    .where('m.suppression_id', '=', suppressionId)
}

export async function selectMatches(
  db: Db,
  wanted: { tenantId: string; suppressionId: string; after: string | undefined; limit: number },
): Promise<Match[]> {
  const { after, limit } = wanted
  const rows = await matchesOf(db, wanted)
    .$if(after !== undefined, (query) => query.where('m.business_id', '>', after ?? ''))
    .orderBy('m.business_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    business: { id: row.id, name: row.name, status: row.status, doNotContact: row.do_not_contact === 1 },
    at: row.at,
    cause: row.cause,
    live: row.live === 1,
  }))
}

export function entriesOfBusiness(db: Db, { tenantId, businessId }: { tenantId: string; businessId: string }) {
  return db
    .selectFrom('suppression_matches as m')
    .innerJoin('suppressions as s', (join) =>
      join.onRef('s.tenant_id', '=', 'm.tenant_id').onRef('s.id', '=', 'm.suppression_id'),
    )
    .leftJoin('users as creator', 'creator.id', 's.created_by')
    .leftJoin('users as ender', 'ender.id', 's.ended_by')
    .selectAll('s')
    .select(['creator.name as creator_name', 'ender.name as ender_name', 'm.at', 'm.cause', 'm.live'])
    .where('m.tenant_id', '=', tenantId)
    .where('m.business_id', '=', businessId)
}

/** Returns the entries that match a business now, and then those that matched it before. */
export async function selectEntriesOfBusiness(
  db: Db,
  wanted: {
    tenantId: string
    businessId: string
    term: Term | null
    after: { live: number; id: string } | undefined
    limit: number
  },
): Promise<BusinessSuppression[]> {
  const { term, after, limit } = wanted
  const rows = await entriesOfBusiness(db, wanted)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(m.live, m.suppression_id) < (${after?.live}, ${after?.id})`),
    )
    .orderBy('m.live', 'desc')
    .orderBy('m.suppression_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    suppression: toSuppression(row, term),
    at: row.at,
    cause: row.cause,
    live: row.live === 1,
  }))
}

type Counted = {
  /** businesses that do not count */
  except?: readonly string[]
  /** true if businesses that are do not contact already do not count */
  onlyFree?: boolean
}

/** Returns the number of businesses that have a key in any of these ranges, at most `COUNTED_RECORDS`. */
export async function countRecords(
  db: Db,
  tenantId: string,
  ranges: readonly KeyRange[],
  { except = [], onlyFree = false }: Counted = {},
): Promise<number> {
  const isFree = sql`AND EXISTS (SELECT 1 FROM businesses b WHERE b.docid = k.docid AND b.do_not_contact = 0)`
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT DISTINCT k.docid FROM ${rowsOf(ranges, 'range', { from: 'integer', to: 'integer' })}
        ${thenJoin} suppression_record_keys k
          ON k.tenant = ${numberOf(tenantId)} AND k.key >= range."from" AND k.key < range."to"
      WHERE k.docid NOT IN (SELECT b.docid FROM businesses b WHERE b.tenant_id = ${tenantId} AND b.id IN ${inList(except)}) ${onlyFree ? isFree : sql``}
      LIMIT ${sql.lit(COUNTED_RECORDS)}) AS counted`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Returns the number of businesses, except these, that are do not contact because of these new entries alone. Businesses that were blocked before do not
 * count: they are blocked manually or match an earlier entry.
 */
export async function countMarked(
  db: Db,
  tenantId: string,
  suppressionIds: readonly string[],
  except: readonly string[],
): Promise<number> {
  const { count } = await db
    .selectFrom('suppression_matches as m')
    .innerJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 'm.tenant_id').onRef('b.id', '=', 'm.business_id'),
    )
    .select(({ fn }) => fn.count<number>('m.business_id').distinct().as('count'))
    .where('m.tenant_id', '=', tenantId)
    .where('m.suppression_id', 'in', inList(suppressionIds))
    .where('m.business_id', 'not in', inList(except))
    .where('m.live', '=', 1)
    .where('b.blocked_through', '=', 'suppression')
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('suppression_matches as earlier')
            .select('earlier.live')
            .whereRef('earlier.tenant_id', '=', 'm.tenant_id')
            .whereRef('earlier.business_id', '=', 'm.business_id')
            .where('earlier.live', '=', 1)
            .where('earlier.suppression_id', 'not in', inList(suppressionIds)),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return count
}
