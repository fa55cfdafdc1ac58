import { sql } from 'kysely'
import { z } from 'zod'
import type { Position } from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { elementsOf, jsonList, jsonObject, thenJoin } from '../../../store/engine/dialect.ts'
import { jsonColumn, readTexts } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import { type BusinessTable, type FactColumn, factColumns, MAX_FAMILY } from '../../businesses/businesses.ts'
import type { ContactValue } from '../../contact-gate/contact-gate.ts'
import {
  type ActiveScores,
  areKept,
  findActiveScores,
  findWaiting,
  type Score,
  type ScoreColumns,
  toScore,
  withScores,
} from '../../scoring/scoring.ts'
import { compileConditions } from '../conditions/compile-conditions.ts'
import type { Condition } from '../conditions/conditions.schema.ts'
import { orders, type Plan, planOf, SMALL_SET } from './list-plan.ts'
import { readRows, type Wanted } from './read-rows.ts'

/** Records per query. A query takes some milliseconds of the background reader, so that searches can run between queries. */
const RECORDS_A_PART = 200

/** A record with its own content, without notes, evidence and history. */
export type ExportRecord = Pick<
  BusinessTable,
  | 'id'
  | FactColumn
  | 'pipeline_state'
  | 'do_not_contact'
  | 'has_evidence'
  | 'follow_up_on'
  | 'last_interaction_at'
  | 'created_at'
  | 'updated_at'
> & {
  tags: string[]
  assignee: string | null
  /** score by the scores that were active when the export began */
  score: Score
  /** identifiers of the record; those of one kind keep their stored order */
  identifiers: (ContactValue & { label: string | null })[]
}

const factsOfRow = sql.join(factColumns.map((column) => sql.ref(`b.${column}`)))

const readIdentifiers = jsonColumn(
  z.array(
    z.object({
      kind: z.enum(['email', 'phone', 'domain']),
      value: z.string(),
      label: z.string().nullable(),
      region: z.string().nullable(),
    }),
  ),
)

type Row = Omit<ExportRecord, 'tags' | 'identifiers' | 'score'> &
  ScoreColumns & { status: BusinessTable['status']; tags: string; identifiers: string }

/**
 * Reads the records that match the conditions, oldest first, in batches, each as of the time of its query. Do-not-contact records are included with their
 * mark; the caller checks the gate and decides how to treat them.
 */
export async function* readExportRecords(
  store: Store,
  actor: UserActor,
  conditions: readonly Condition[],
): AsyncGenerator<ExportRecord[]> {
  const scores = await findActiveScores(store.reader, actor.tenantId)
  const { filter } = await compileConditions(store, actor, conditions, { scores, now: store.clock() })
  const order = orders.createdAt
  const plan = await planOf(store, filter, order, SMALL_SET)
  let after: Position | undefined
  for (;;) {
    const part = await readPart(store, plan, { filter, order, after, limit: RECORDS_A_PART }, scores)
    await requireKept(store, scores)
    if (part.length > 0) yield part
    const last = part.at(-1)
    if (last === undefined || part.length < RECORDS_A_PART) return
    after = [last.id, last.id]
  }
}

const identifier = jsonObject({
  kind: sql.ref('i.kind'),
  value: sql.ref('i.original'),
  label: sql.ref('i.label'),
  region: sql.ref('i.region'),
})

/** Checks that the scores of this export still exist. They are kept for a while after other scores are activated. Errors: `scores_switched`. */
async function requireKept(store: Store, scores: ActiveScores | undefined): Promise<void> {
  if (scores === undefined) return
  if (!(await areKept(store.reader, scores)))
    throw new AppError('scores_switched', 'Scores were switched twice while this was written. Export again.')
}

async function readPart(
  store: Store,
  plan: Plan,
  part: Omit<Wanted, 'columns' | 'join'>,
  scores: ActiveScores | undefined,
): Promise<ExportRecord[]> {
  const { filter } = part
  const background = store.backgroundOf(filter.tenantId)
  const columns = sql`b.id, ${factsOfRow}, b.pipeline_state, b.do_not_contact, b.has_evidence, b.follow_up_on, b.last_interaction_at, b.created_at, b.updated_at, b.tags, b.status,
    assignee.name AS assignee, ${withScores(scores).columns},
    (SELECT ${jsonList(identifier, sql`i.kind, i.position`)} FROM business_identifiers i WHERE i.tenant_id = b.tenant_id AND i.business_id = b.id) AS identifiers`
  const join = sql`${withScores(scores).join} LEFT JOIN users AS assignee ON assignee.id = b.assignee_id`
  const rows = await readRows<Row>(store, plan, { ...part, columns, join }, { isLarge: true })
  const waiting =
    scores === undefined
      ? new Set()
      : await findWaiting(
          background,
          filter.tenantId,
          scores,
          rows.map(({ id }) => id),
        )
  const now = store.clock().getTime()
  return rows.map((row) => ({
    ...row,
    tags: readTexts(row.tags),
    identifiers: readIdentifiers(row.identifiers),
    score: toScore(row, scores, {
      isBlocked: row.do_not_contact === 1,
      isActive: row.status === 'active',
      isWaiting: waiting.has(row.id),
      now,
    }),
  }))
}

/** Returns those records of a batch that must not be exported as read, because they or a later survivor are now do not contact or erased. */
export async function findWithdrawn(store: Store, tenantId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE chain (id, record, step) AS (
      SELECT value, value, 0 FROM ${elementsOf(ids, 'one')}
      UNION ALL
      SELECT chain.id, b.merged_into, step + 1
      FROM chain ${thenJoin} businesses b ON b.tenant_id = ${tenantId} AND b.id = chain.record
      WHERE b.merged_into IS NOT NULL AND step < ${MAX_FAMILY}
    )
    SELECT DISTINCT chain.id
    FROM chain ${thenJoin} businesses b ON b.tenant_id = ${tenantId} AND b.id = chain.record
    WHERE b.do_not_contact = 1 OR (b.status = 'inactive' AND b.deactivated_at IS NULL) OR step = ${MAX_FAMILY}`.execute(
    store.backgroundOf(tenantId),
  )
  return rows.map(({ id }) => id)
}
