import { type Kysely, sql } from 'kysely'
import { sha256 } from '../../../lib/hashing.ts'
import type { Database } from '../../../store/database.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { readTexts } from '../../../store/json-column.ts'
import type { ReviewState } from '../../businesses/businesses.ts'
import type { RecordStanding } from './bulk-outcome.rules.ts'

type Row = {
  id: string
  status: RecordStanding['status']
  do_not_contact: number
  version: number
  assignee_id: string | null
  tags: string
  has_evidence: number
  state: ReviewState | null
  review_id: string | null
  reason_code: string | null
  evidence: string
}

const STAMP_DIGITS = 16

/** Returns the states of the given records. Unknown ids and ids of other tenants are missing from the result. */
export async function readStandings(
  db: Kysely<Database>,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, RecordStanding>> {
  const { rows } = await sql<Row>`
    SELECT b.id, b.status, b.do_not_contact, b.version, b.assignee_id, b.tags, b.has_evidence, r.state, r.review_id, v.reason_code,
      CASE WHEN b.has_evidence = 1 THEN (SELECT count(*) || ':' || max(e.id) FROM evidence e WHERE e.tenant_id = b.tenant_id AND e.business_id = b.id) ELSE '' END AS evidence
    FROM ${elementsOf(ids, 'one')} ${thenJoin} businesses b ON b.tenant_id = ${tenantId} AND b.id = one.value
      LEFT JOIN review_states r ON r.tenant_id = b.tenant_id AND r.business_id = b.id
      LEFT JOIN reviews v ON v.tenant_id = r.tenant_id AND v.id = r.review_id`.execute(db)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        status: row.status,
        isBlocked: row.do_not_contact === 1,
        version: row.version,
        assigneeId: row.assignee_id,
        tags: readTexts(row.tags),
        hasEvidence: row.has_evidence === 1,
        state: row.state ?? 'unreviewed',
        reviewId: row.review_id,
        reasonCode: row.reason_code,
        stamp: sha256([row.version, row.status, row.evidence, row.review_id, row.state].join('\n')).slice(
          0,
          STAMP_DIGITS,
        ),
      },
    ]),
  )
}
