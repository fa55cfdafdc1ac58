import { sql } from 'kysely'
import { createBreather } from '../../../lib/event-loop.ts'
import { unique } from '../../../lib/unique.ts'
import type { Tx } from '../../../store/change/change.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import type { MatchCause } from '../contact-gate.table.ts'
import type { GateMatch } from '../gate/gate.ts'
import { type ContactValue, type KeyRange, recordKeysOf } from '../keys/contact-keys.rules.ts'

/** Records that are marked at a stretch; between two stretches the event loop serves others. */
export const MARKED_AT_ONCE = 100

type RecordKey = { tenantId: string; key: string; businessId: string; source: 'record' | 'evidence' }

const insertRecordKey = prepared<RecordKey>()((db, param) =>
  db
    .insertInto('suppression_record_keys')
    .values({
      tenant_id: param('tenantId'),
      key: param('key'),
      business_id: param('businessId'),
      source: param('source'),
    })
    .onConflict((conflict) => conflict.doNothing()),
)

const deleteRecordKey = prepared<RecordKey>()((db, param) =>
  db
    .deleteFrom('suppression_record_keys')
    .where('tenant_id', '=', param('tenantId'))
    .where('key', '=', param('key'))
    .where('business_id', '=', param('businessId'))
    .where('source', '=', param('source')),
)

const insertMatch = prepared<{
  tenantId: string
  suppressionId: string
  businessId: string
  at: string
  cause: MatchCause
}>()((db, param) =>
  db
    .insertInto('suppression_matches')
    .values({
      tenant_id: param('tenantId'),
      suppression_id: param('suppressionId'),
      business_id: param('businessId'),
      at: param('at'),
      cause: param('cause'),
      live: sql.lit<1>(1),
    })
    .onConflict((conflict) => conflict.doNothing()),
)

/**
 * Keeps the keys by which an entry finds this business, in place of those of what it held before. For whoever writes identifiers:
 * businesses, and nobody else.
 */
export async function keepRecordKeys(
  tx: Tx,
  businessId: string,
  keys: { before: readonly string[]; after: readonly string[] },
): Promise<void> {
  const { tenantId } = tx.actor
  const source = 'record'
  for (const key of unique(keys.before))
    if (!keys.after.includes(key)) await deleteRecordKey(tx.db, { tenantId, key, businessId, source })
  for (const key of unique(keys.after))
    if (!keys.before.includes(key)) await insertRecordKey(tx.db, { tenantId, key, businessId, source })
}

/** The same for what evidence says of a business. Evidence is never taken back, so neither are its keys. */
export async function keepEvidenceKeys(tx: Tx, businessId: string, value: ContactValue): Promise<void> {
  const { tenantId } = tx.actor
  for (const key of recordKeysOf(value)) await insertRecordKey(tx.db, { tenantId, key, businessId, source: 'evidence' })
}

/** Forgets every key of a business that is erased: its record's, and those of what evidence said. Matches stay with their entries. */
export async function forgetRecordKeys(tx: Tx, businessId: string): Promise<void> {
  await tx.db
    .deleteFrom('suppression_record_keys')
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('business_id', '=', businessId)
    .execute()
}

/** Ties a business to the entries that match it, which marks it **Do not contact**. The business must be there. */
export async function keepMatches(
  tx: Tx,
  businessId: string,
  matches: readonly GateMatch[],
  cause: MatchCause = 'record',
): Promise<void> {
  const { tenantId } = tx.actor
  for (const suppressionId of new Set(matches.map((match) => match.suppressionId)))
    await insertMatch(tx.db, { tenantId, suppressionId, businessId, at: tx.at, cause })
}

/**
 * Marks every business of the tenant that has a key in these ranges, however many, in this very transaction. Other changes wait for
 * it; requests that only read do not.
 */
export async function markInRanges(
  tx: Tx,
  suppressionId: string,
  ranges: readonly KeyRange[],
  cause: MatchCause,
): Promise<number> {
  const breathe = createBreather()
  let marked = 0
  for (const { from, to } of ranges) {
    let after: { key: string; businessId: string } | undefined = { key: from, businessId: '' }
    while (after !== undefined) {
      const rows = await keysAfter(tx, after, to)
      marked += await insertMatches(tx, suppressionId, [...new Set(rows.map(({ businessId }) => businessId))], cause)
      after = rows.length < MARKED_AT_ONCE ? undefined : rows.at(-1)
      await breathe()
    }
  }
  return marked
}

async function keysAfter(
  tx: Tx,
  after: { key: string; businessId: string },
  to: string,
): Promise<{ key: string; businessId: string }[]> {
  const { rows } = await sql<{ key: string; businessId: string }>`
    SELECT key, business_id AS businessId FROM suppression_record_keys
    WHERE tenant_id = ${tx.actor.tenantId} AND (key, business_id) > (${after.key}, ${after.businessId}) AND key < ${to}
    ORDER BY key, business_id LIMIT ${sql.lit(MARKED_AT_ONCE)}`.execute(tx.db)
  return rows
}

async function insertMatches(
  tx: Tx,
  suppressionId: string,
  businessIds: readonly string[],
  cause: MatchCause,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO suppression_matches (tenant_id, suppression_id, business_id, at, cause, live)
    SELECT ${tx.actor.tenantId}, ${suppressionId}, value, ${tx.at}, ${cause}, 1 FROM json_each(${JSON.stringify(businessIds)})
    WHERE true ON CONFLICT DO NOTHING`.execute(tx.db)
  return Number(numAffectedRows)
}

/** Ends the matches of an entry that has ended; a business that nothing else holds is free from here on. */
export async function endMatches(tx: Tx, suppressionId: string): Promise<number> {
  const { tenantId } = tx.actor
  const breathe = createBreather()
  let ended = 0
  let after = ''
  for (;;) {
    const rows = await tx.db
      .selectFrom('suppression_matches')
      .select('business_id')
      .where('tenant_id', '=', tenantId)
      .where('suppression_id', '=', suppressionId)
      .where('business_id', '>', after)
      .orderBy('business_id')
      .limit(MARKED_AT_ONCE)
      .execute()
    await sql`
      UPDATE suppression_matches SET live = 0
      WHERE tenant_id = ${tenantId} AND suppression_id = ${suppressionId}
        AND business_id IN (SELECT value FROM json_each(${JSON.stringify(rows.map((row) => row.business_id))}))`.execute(
      tx.db,
    )
    ended += rows.length
    after = rows.at(-1)?.business_id ?? ''
    if (rows.length < MARKED_AT_ONCE) return ended
    await breathe()
  }
}
