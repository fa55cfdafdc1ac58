import { type Kysely, sql } from 'kysely'
import { sha256 } from '../../../lib/hashing.ts'
import type { Database } from '../../../store/database.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { readTexts } from '../../../store/json-column.ts'
import type { ReviewState } from '../../review-decisions/review-decisions.ts'
import type { RecordState } from './bulk-outcome.rules.ts'

type Row = {
  id: string
  status: RecordState['status']
  do_not_contact: number
  version: number
  assignee_id: string | null
  tags: string
  evidence_count: number
  state: ReviewState | null
  review_id: string | null
  reason_code: string | null
}

const STAMP_DIGITS = 16

/** Returns the states of the given records. Unknown ids and ids of other tenants are missing from the result. */
export async function readRecordStates(
  db: Kysely<Database>,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, RecordState>> {
  const { rows } = await sql<Row>`
    SELECT b.id, b.status, b.do_not_contact, b.version, b.assignee_id, b.tags, b.evidence_count, r.state, r.review_id, v.reason_code
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
        hasEvidence: row.evidence_count > 0,
        state: row.state ?? 'unreviewed',
        reviewId: row.review_id,
        reasonCode: row.reason_code,
        stamp: sha256([row.version, row.status, row.evidence_count, row.review_id, row.state].join('\n')).slice(
          0,
          STAMP_DIGITS,
        ),
      },
    ]),
  )
}
