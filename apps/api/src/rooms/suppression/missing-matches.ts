import { type Kysely, sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { elementsOf, rowsOf, thenJoin } from '../../store/engine/dialect.ts'
import type { Keys } from '../../store/files/keys.ts'
import { type ContactValue, gate, RULES_VERSION } from '../contact-gate/contact-gate.ts'
import { furtherValuesOf } from './entries/further-values.ts'
import { evaluationState } from './reevaluation/evaluation.queries.ts'

const RECORDS_PER_QUERY = 500

/** A record that has a value of an active entry, but no match that marks it as do not contact. */
export type MissingMatch = { businessId: string; suppressionId: string }

/** True if all records of the tenant were evaluated by the current rules. Before that, some records with a suppressed value are not marked yet. */
export async function isEvaluated(db: Kysely<Database>, tenantId: string): Promise<boolean> {
  const state = await evaluationState(db, tenantId, RULES_VERSION)
  return state === 'evaluated' || state === 'blank'
}

/**
 * Finds missing matches among the records after `after`. Checks their values, and those of their evidence, with the gate and compares the result with
 * their matches. Returns the start of the next page; null after the last.
 */
export async function findMissingMatches(
  asker: { db: Kysely<Database>; keys: Keys },
  tenantId: string,
  after: string,
): Promise<{ missing: MissingMatch[]; after: string | null }> {
  const { db } = asker
  const records = await db
    .selectFrom('businesses')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(RECORDS_PER_QUERY)
    .execute()
  const values = await valuesOf(
    db,
    tenantId,
    records.map(({ id }) => id),
  )
  const matches = await gate(asker, tenantId, values)
  const pairs = matches.map(({ index, suppressionId }) => ({ businessId: values[index]?.businessId, suppressionId }))
  return {
    missing: pairs.length === 0 ? [] : await withoutMatch(db, tenantId, pairs),
    after: records.length < RECORDS_PER_QUERY ? null : (records.at(-1)?.id ?? null),
  }
}

async function valuesOf(
  db: Kysely<Database>,
  tenantId: string,
  ids: readonly string[],
): Promise<(ContactValue & { businessId: string })[]> {
  const { rows } = await sql<ContactValue & { businessId: string }>`
    SELECT i.business_id AS "businessId", i.kind, i.original AS value, i.region FROM ${elementsOf(ids, 'one')}
      ${thenJoin} business_identifiers i ON i.tenant_id = ${tenantId} AND i.business_id = one.value
    UNION ALL
    SELECT DISTINCT e.business_id, e.field, e.value, NULL FROM ${elementsOf(ids, 'one')}
      ${thenJoin} evidence e ON e.tenant_id = ${tenantId} AND e.business_id = one.value
    WHERE e.field IN ('email', 'phone', 'domain') AND e.value IS NOT NULL`.execute(db)
  return [...rows, ...(await furtherValuesOf(tenantId, ids).execute(db)).rows]
}

async function withoutMatch(
  db: Kysely<Database>,
  tenantId: string,
  pairs: readonly unknown[],
): Promise<MissingMatch[]> {
  const { rows } = await sql<MissingMatch>`
    SELECT DISTINCT pair."businessId", pair."suppressionId"
    FROM ${rowsOf(pairs, 'pair', { businessId: 'text', suppressionId: 'text' })} WHERE NOT EXISTS (SELECT 1 FROM suppression_matches m
      WHERE m.tenant_id = ${tenantId} AND m.suppression_id = pair."suppressionId"
        AND m.business_id = pair."businessId" AND m.live = 1)`.execute(db)
  return rows
}
