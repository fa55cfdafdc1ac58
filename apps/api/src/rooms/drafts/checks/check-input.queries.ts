import { sql } from 'kysely'
import { fingerprint } from '../../../lib/hashing.ts'
import type { Db } from '../../../store/database.ts'
import { elementsOf, inList, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import type { FactField } from '../../businesses/businesses.ts'
import { limits } from '../limits.ts'
import type { Claim, Confidence, SeenEvidence } from './checks.rules.ts'

type EvidenceRow = {
  id: string
  field: FactField | null
  value: string | null
  observation: string | null
  source_reference: string | null
  source_label: string | null
  captured_at: string
  captured_on: string | null
  observed_at: string | null
  observed_on: string | null
  confidence: Confidence
  context: string | null
  url: string | null
  is_superseded: 0 | 1
}

const evidenceRows = prepared<{ tenantId: string; family: string; ids: string }>()(
  (_db, param) => sql<EvidenceRow>`
    SELECT e.id, e.field, e.value, e.observation, e.source_reference, e.source_label, e.captured_at, e.captured_on, e.observed_at, e.observed_on,
      e.confidence, e.context, e.url,
      EXISTS (SELECT 1 FROM evidence later WHERE later.tenant_id = e.tenant_id AND later.supersedes_id = e.id) AS is_superseded
    FROM ${elementsOf(param('ids'), 'wanted')} ${thenJoin} evidence e ON e.tenant_id = ${param('tenantId')} AND e.id = wanted.value
    WHERE e.business_id IN ${inList(param('family'))}`,
)

/** Observations of these records, by id; a missing one is of another record, or of none. */
export async function selectCitedEvidence(
  db: Db,
  { tenantId, family, ids }: { tenantId: string; family: readonly string[]; ids: readonly string[] },
): Promise<Map<string, SeenEvidence>> {
  if (ids.length === 0) return new Map()
  const rows = await evidenceRows(db, { tenantId, family: JSON.stringify(family), ids: JSON.stringify(ids) })
  return new Map(rows.map(({ is_superseded: isSuperseded, ...row }) => [row.id, toSeen(row, isSuperseded === 1)]))
}

function toSeen(row: Omit<EvidenceRow, 'is_superseded'>, isSuperseded: boolean): SeenEvidence {
  return {
    id: row.id,
    field: row.field,
    value: row.value,
    texts: [row.value, row.observation, row.context],
    confidence: row.confidence,
    seenAt: row.observed_at ?? row.captured_at,
    hash: fingerprint(row),
    isSuperseded,
  }
}

const claimRows = prepared<{ tenantId: string; businessId: string; field: string; limit: number }>()(
  (_db, param) => sql<Claim>`
    SELECT e.id, e.value, e.confidence, coalesce(e.observed_at, e.captured_at) AS "seenAt" FROM evidence e
    WHERE e.tenant_id = ${param('tenantId')} AND e.business_id = ${param('businessId')} AND e.field = ${param('field')}
      AND NOT EXISTS (SELECT 1 FROM evidence later WHERE later.tenant_id = e.tenant_id AND later.supersedes_id = e.id)
    ORDER BY e.id DESC LIMIT ${param('limit')}`,
)

/** The standing claims of these records about each field, newest first. */
export async function selectClaims(
  db: Db,
  { tenantId, family, fields }: { tenantId: string; family: readonly string[]; fields: Iterable<FactField> },
): Promise<Map<FactField, Claim[]>> {
  const claims = new Map<FactField, Claim[]>()
  for (const field of fields) {
    const found: Claim[] = []
    for (const businessId of family)
      found.push(...(await claimRows(db, { tenantId, businessId, field, limit: limits.claimsOfField })))
    claims.set(
      field,
      family.length === 1 ? found : found.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limits.claimsOfField),
    )
  }
  return claims
}

const newestEvent = prepared<{ tenantId: string }>()(
  (_db, param) => sql<{ at: string | null }>`
    SELECT max(at) AS at FROM audit_events WHERE tenant_id = ${param('tenantId')}`,
)

/** Now, or the time of the newest event if the clock was set back since: what has ended stays ended. */
export async function momentOf(db: Db, tenantId: string, at: string): Promise<string> {
  const [row] = await newestEvent(db, { tenantId })
  const newest = row?.at ?? at
  return newest > at ? newest : at
}

/** The sign keeps the planner from walking the chain from its end: it reads the index of actions. */
const lastRestore = prepared<{ tenantId: string }>()(
  (_db, param) => sql<{ sequence: number | null }>`
    SELECT max(+sequence) AS sequence FROM audit_events WHERE tenant_id = ${param('tenantId')} AND action = 'store.restore'`,
)

/** The place of the last restore in the audit; 0 without one. */
export async function findLastRestore(db: Db, tenantId: string): Promise<number> {
  const [row] = await lastRestore(db, { tenantId })
  return row?.sequence ?? 0
}

const memberName = prepared<{ id: string }>()((db, param) =>
  db.selectFrom('users').select('name').where('id', '=', param('id')),
)

export async function findUserName(db: Db, id: string): Promise<string | null> {
  const [row] = await memberName(db, { id })
  return row?.name ?? null
}
