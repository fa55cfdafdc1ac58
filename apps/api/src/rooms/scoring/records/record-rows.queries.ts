import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { elementsOf, inList } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import { type FactColumns, factColumns } from '../../businesses/businesses.pure.ts'
import { readLimits } from './scoring-record.ts'

/*
 * Queries for the rows that scoring reads: by a range of ids for a whole tenant, or by a list of ids. Both return the same rows.
 */

export type BusinessRow = FactColumns & {
  id: string
  created_at: string
  do_not_contact: 0 | 1
  is_matched: 0 | 1
  pipeline_state: string
  province_code: string | null
  tags: string
  assignee_id: string | null
}
export type IdentifierRow = {
  business_id: string
  kind: 'email' | 'phone' | 'domain'
  original: string
  region: string | null
  normalized: string | null
}
export type ClaimRow = {
  business_id: string
  id: string
  field: string
  value: string
  confidence: 'low' | 'medium' | 'high'
  captured_at: string
  observed_at: string | null
  source: string
  is_of_blocked: 0 | 1
}
export type InteractionRow = { business_id: string; occurred_at: string; outcome: string }
export type DuplicatesRow = { business_id: string; strong: number }
/** `is_blocked`: do not contact is set on this merged record, or on a record between it and the survivor (`root`). */
export type MemberRow = { root: string; id: string; is_blocked: 0 | 1 }

export type Range = { tenantId: string; after: string; to: string }
export type Some = { tenantId: string; ids: string }

type Param<P> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]>

/** Compiles to a SQL list of the ids in the JSON array that the parameter contains. */
const among = (param: Param<Some>) => inList(param('ids'))
const inRange = (column: string, param: Param<Range>) =>
  sql`${sql.ref(column)} > ${param('after')} AND ${sql.ref(column)} <= ${param('to')}`

const columns = sql`b.id, b.created_at, b.do_not_contact, b.pipeline_state, ${sql.join(factColumns.map((column) => sql.ref(`b.${column}`)))},
  b.province_code, b.tags, b.assignee_id,
  EXISTS (SELECT 1 FROM suppression_matches m WHERE m.tenant_id = b.tenant_id AND m.business_id = b.id AND m.live = 1) AS is_matched`

/** Selects active records in the order of ids. */
export const businessesAfter = prepared<{ tenantId: string; after: string; limit: number }>()(
  (_db, param) => sql<BusinessRow>`
    SELECT ${columns} FROM businesses b
    WHERE b.tenant_id = ${param('tenantId')} AND b.id > ${param('after')} AND b.status = 'active' ORDER BY b.id LIMIT ${param('limit')}`,
)
export const someBusinesses = prepared<Some>()(
  (_db, param) => sql<BusinessRow>`
    SELECT ${columns} FROM businesses b
    WHERE b.tenant_id = ${param('tenantId')} AND b.id IN ${among(param)} AND b.status = 'active' ORDER BY b.id`,
)

const identifierColumns = sql`i.business_id, i.kind, i.original, i.region, i.normalized FROM business_identifiers i`
const identifiersInRange = prepared<Range>()(
  (_db, param) => sql<IdentifierRow>`
    SELECT ${identifierColumns}
    WHERE i.tenant_id = ${param('tenantId')} AND ${inRange('i.business_id', param)} ORDER BY i.business_id, i.kind, i.position`,
)
const someIdentifiers = prepared<Some>()(
  (_db, param) => sql<IdentifierRow>`
    SELECT ${identifierColumns}
    WHERE i.tenant_id = ${param('tenantId')} AND i.business_id IN ${among(param)} ORDER BY i.business_id, i.kind, i.position`,
)

/** Selects the newest claims of each field that no later claim supersedes. Selects one claim more than the limit, which shows that more exist. */
const claims = (where: RawBuilder<unknown>) => sql<ClaimRow>`
  SELECT business_id, id, field, value, confidence, captured_at, observed_at, source, is_of_blocked FROM (
    SELECT e.business_id, e.id, e.field, e.value, e.confidence, e.captured_at, e.observed_at,
           coalesce(e.source_reference, e.source_label) AS source, 0 AS is_of_blocked,
           row_number() OVER (PARTITION BY e.business_id, e.field ORDER BY e.id DESC) AS place
    FROM evidence e
    WHERE ${where} AND e.field IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM evidence later WHERE later.tenant_id = e.tenant_id AND later.supersedes_id = e.id)
  ) AS claim WHERE place <= ${sql.lit(readLimits.claimsPerField + 1)} ORDER BY business_id, field, id DESC`
const claimsInRange = prepared<Range>()((_db, param) =>
  claims(sql`e.tenant_id = ${param('tenantId')} AND ${inRange('e.business_id', param)}`),
)
const someClaims = prepared<Some>()((_db, param) =>
  claims(sql`e.tenant_id = ${param('tenantId')} AND e.business_id IN ${among(param)}`),
)

/** Selects the newest interactions that no later one corrects. Selects one interaction more than the limit, which shows that more exist. */
const interactions = (where: RawBuilder<unknown>) => sql<InteractionRow>`
  SELECT business_id, occurred_at, outcome FROM (
    SELECT i.business_id, i.id, i.occurred_at, i.outcome,
           row_number() OVER (PARTITION BY i.business_id ORDER BY i.occurred_at DESC, i.id DESC) AS place
    FROM interactions i
    WHERE ${where} AND NOT EXISTS (SELECT 1 FROM interactions later WHERE later.tenant_id = i.tenant_id AND later.corrects_id = i.id)
  ) AS interaction WHERE place <= ${sql.lit(readLimits.interactions + 1)} ORDER BY business_id, occurred_at DESC, id DESC`
const interactionsInRange = prepared<Range>()((_db, param) =>
  interactions(sql`i.tenant_id = ${param('tenantId')} AND ${inRange('i.business_id', param)}`),
)
const someInteractions = prepared<Some>()((_db, param) =>
  interactions(sql`i.tenant_id = ${param('tenantId')} AND i.business_id IN ${among(param)}`),
)

const STRONG = sql.lit(0.9)
const openOf = (column: 'business_a' | 'business_b', where: RawBuilder<unknown>) =>
  sql`SELECT ${sql.ref(column)} AS business_id FROM match_suggestions WHERE ${where} AND status = 'open' AND score >= ${STRONG}`
const duplicates = (where: (column: 'business_a' | 'business_b') => RawBuilder<unknown>) => sql<DuplicatesRow>`
  SELECT business_id, count(*) AS strong
  FROM (${openOf('business_a', where('business_a'))} UNION ALL ${openOf('business_b', where('business_b'))}) AS open
  GROUP BY business_id`
/** Selects the records of the whole tenant that have open match suggestions of the strong band. */
export const allDuplicates = prepared<{ tenantId: string }>()((_db, param) =>
  duplicates(() => sql`tenant_id = ${param('tenantId')}`),
)
export const someDuplicates = prepared<Some>()((_db, param) =>
  duplicates((column) => sql`tenant_id = ${param('tenantId')} AND ${sql.ref(column)} IN ${among(param)}`),
)

/** Selects all records merged into the given ones, directly or indirectly. */
export const someMembers = prepared<Some>()(
  (_db, param) => sql<MemberRow>`
    WITH RECURSIVE family (root, id, is_blocked) AS (
      SELECT value, value, 0 FROM ${elementsOf(param('ids'), 'asked')}
      UNION
      SELECT family.root, b.id, CASE WHEN family.is_blocked = 1 OR b.do_not_contact = 1 THEN 1 ELSE 0 END
      FROM family JOIN businesses b ON b.tenant_id = ${param('tenantId')} AND b.merged_into = family.id
    )
    SELECT root, id, is_blocked FROM family WHERE root <> id ORDER BY root, id`,
)
/** Selects each merged record with its survivor. */
export const allMerges = prepared<{ tenantId: string }>()(
  (_db, param) => sql<{ id: string; into: string }>`
    SELECT id, merged_into AS "into" FROM businesses WHERE tenant_id = ${param('tenantId')} AND merged_into IS NOT NULL`,
)

export type Children = {
  identifiers: readonly IdentifierRow[]
  claims: readonly ClaimRow[]
  interactions: readonly InteractionRow[]
}

/** Flags for the related rows that an evaluation reads in addition to the record's own row. */
export type Needs = { identifiers: boolean; evidence: boolean; interactions: boolean; duplicates: boolean }
export const everything: Needs = { identifiers: true, evidence: true, interactions: true, duplicates: true }

export async function childrenInRange(db: Db, range: Range, needs: Needs): Promise<Children> {
  return {
    identifiers: needs.identifiers ? await identifiersInRange(db, range) : [],
    claims: needs.evidence ? await claimsInRange(db, range) : [],
    interactions: needs.interactions ? await interactionsInRange(db, range) : [],
  }
}

export async function childrenOf(db: Db, some: Some, needs: Needs): Promise<Children> {
  return {
    identifiers: needs.identifiers ? await someIdentifiers(db, some) : [],
    claims: needs.evidence ? await someClaims(db, some) : [],
    interactions: needs.interactions ? await someInteractions(db, some) : [],
  }
}
