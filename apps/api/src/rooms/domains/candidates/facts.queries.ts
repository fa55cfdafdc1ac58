import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { alongIndex, elementsOf, inList, thenJoin, unindexed } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import type { Confidence } from './evaluate.rules.ts'
import type { RecordFacts } from './wanted.rules.ts'

/* Queries that read the facts of many records at once. */

type BusinessRow = { id: string; name: string; status: 'active' | 'merged' | 'inactive' }

const businessRows = prepared<{ tenantId: string; ids: string }>()(
  (_db, param) => sql<BusinessRow>`
    SELECT b.id, b.name, b.status FROM ${elementsOf(param('ids'), 'wanted')} ${thenJoin} businesses b
      ON b.tenant_id = ${param('tenantId')} AND b.id = wanted.value`,
)

const identifierRows = prepared<{ tenantId: string; ids: string }>()(
  (_db, param) => sql<{ business_id: string; kind: 'email' | 'domain'; normalized: string }>`
    SELECT i.business_id, i.kind, i.normalized FROM ${elementsOf(param('ids'), 'wanted')} ${thenJoin} business_identifiers i
      ON i.tenant_id = ${param('tenantId')} AND i.business_id = wanted.value AND ${unindexed(sql.ref('i.kind'))} IN ('domain', 'email')
    WHERE i.normalized IS NOT NULL ORDER BY i.business_id, i.kind, i.position`,
)

type ClaimRow = {
  root: string
  id: string
  value: string
  confidence: Confidence
  captured_at: string
}

/** Selects claims of the records and of the records merged into them. */
const claimRows = prepared<{ tenantId: string; ids: string }>()(
  (_db, param) => sql<ClaimRow>`
    WITH RECURSIVE family (root, id) AS (
      SELECT value, value FROM ${elementsOf(param('ids'), 'wanted')}
      UNION
      SELECT family.root, m.id FROM family ${thenJoin} businesses m
        ON m.tenant_id = ${param('tenantId')} AND m.merged_into = family.id AND m.merged_into IS NOT NULL
    )
    SELECT family.root, e.id, e.value, e.confidence, e.captured_at FROM family ${thenJoin} evidence e
      ON e.tenant_id = ${param('tenantId')} AND e.business_id = family.id AND e.field = 'domain'
    WHERE NOT EXISTS (SELECT 1 FROM evidence later WHERE later.tenant_id = e.tenant_id AND later.supersedes_id = e.id)
    ORDER BY e.id`,
)

/** Maximum number of claims per record; only the newest ones count. */
const MAX_CLAIMS = 100

export type ReadRecord = BusinessRow & { facts: RecordFacts }

/** Reads the given records, in no particular order. A merged or inactive record has no facts. */
export async function readRecords(db: Db, tenantId: string, ids: readonly string[]): Promise<ReadRecord[]> {
  if (ids.length === 0) return []
  const asked = { tenantId, ids: JSON.stringify(ids) }
  const rows = await businessRows(db, asked)
  const identifiers = Map.groupBy(await identifierRows(db, asked), ({ business_id: id }) => id)
  const claims = Map.groupBy(await claimRows(db, asked), ({ root }) => root)
  return rows.map((row) => {
    const own = row.status === 'active' ? (identifiers.get(row.id) ?? []) : []
    const claimed = row.status === 'active' ? (claims.get(row.id) ?? []) : []
    const valuesOf = (kind: 'email' | 'domain') =>
      own.filter((one) => one.kind === kind).map(({ normalized }) => normalized)
    return {
      ...row,
      facts: {
        name: row.status === 'active' ? row.name : '',
        domains: valuesOf('domain'),
        emails: valuesOf('email'),
        claims: claimed
          .slice(-MAX_CLAIMS)
          .map(({ id, value, confidence, captured_at: at }) => ({ id, value, confidence, at })),
      },
    }
  })
}

/** Returns a page of record ids after `after` in ascending order, whatever the status of the record. */
export async function selectRecordIds(db: Db, tenantId: string, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('businesses')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns known domains by their label, limited to domains that a record uses or that were observed. */
export async function selectNamesakes(
  db: Db,
  tenantId: string,
  labels: readonly string[],
): Promise<Map<string, string[]>> {
  if (labels.length === 0) return new Map()
  const { rows } = await sql<{ label: string; domain: string }>`
    SELECT n.label, n.domain FROM ${elementsOf(labels, 'wanted')} ${thenJoin} domain_names n ${alongIndex('domain_names_by_label')}
      ON n.tenant_id = ${tenantId} AND n.label = wanted.value
    WHERE n.uses > 0 OR n.observations > 0 ORDER BY n.domain`.execute(db)
  const byLabel = Map.groupBy(rows, ({ label }) => label)
  return new Map(
    [...byLabel].map(([label, found]) => [label, found.slice(0, MAX_NAMESAKES).map(({ domain }) => domain)]),
  )
}

/** Maximum number of domains with the same label that are compared with one name. */
const MAX_NAMESAKES = 20

/** Returns records whose name equals the label of one of the given domains. */
export async function selectNamedAs(
  db: Db,
  tenantId: string,
  domains: readonly string[],
  limit: number,
): Promise<string[]> {
  if (domains.length === 0) return []
  const { rows } = await sql<{ business_id: string }>`
    SELECT DISTINCT r.business_id FROM domain_names n ${thenJoin} domain_records r
      ON r.tenant_id = n.tenant_id AND r.label = n.label
    WHERE n.tenant_id = ${tenantId} AND n.domain IN ${inList(domains)} ORDER BY r.business_id LIMIT ${limit}`.execute(
    db,
  )
  return rows.map(({ business_id: id }) => id)
}
