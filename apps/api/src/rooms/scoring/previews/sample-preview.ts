import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { slicesOf } from '../../../lib/slices.ts'
import type { Db } from '../../../store/database.ts'
import { elementsOf, unindexed } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import { needsOf, readRecords } from '../records/read-records.ts'
import type { ScoringRecord } from '../records/scoring-record.ts'
import { requireEvaluable } from '../rule-sets/require-evaluable.ts'
import { contentOf, getVersionRow, type VersionKey } from '../rule-sets/rule-sets.queries.ts'
import type { Content } from '../rules/content.ts'
import { compile } from '../rules/evaluate.rules.ts'
import { countActive } from '../runs/collect-run.ts'
import { createCells, distributionOf } from '../runs/distribution.rules.ts'
import { findActiveGeneration } from '../runs/runs.queries.ts'
import { notScored, storedOf } from '../scores/stored-result.ts'
import { previewLimits, type Sample } from './previews.schema.ts'

/** Number of records per query of the background reader. The event loop runs other work after each query. */
const READ_AT_ONCE = 500
/**
 * Largest workspace, in records, that is sampled by reading its records in order. In a larger workspace the sample looks up evenly spread positions.
 */
const WALKED_AT_MOST = 20_000

/**
 * Evaluates a sample of records, spread over the workspace, by the stored or given content of a version and by the active version. Stores nothing.
 * Errors: `not_found`, `invalid_request` (problems in the content).
 */
export async function sampleVersion(store: Store, key: VersionKey, given?: Content): Promise<Sample> {
  const db = store.reader
  const { tenantId } = key
  const row = await getVersionRow(db, key)
  const content = given ?? contentOf(row)
  requireEvaluable(content)
  const active = await findActiveGeneration(db, tenantId)
  const compared =
    active === undefined
      ? null
      : contentOf(await getVersionRow(db, { tenantId, ruleSetId: active.rule_set_id, number: active.rule_version }))
  const total = await countActive(db, tenantId)
  const ids = await sampleIds(store.backgroundOf(tenantId), tenantId, total)
  const now = store.clock()
  const after = counter(content, now.getTime())
  const before = compared === null ? undefined : counter(compared, now.getTime())
  let failed = 0
  const needs = needsOf(content, ...(compared === null ? [] : [compared]))
  for (const part of slicesOf(ids, READ_AT_ONCE)) {
    const records = await readRecords(store.backgroundOf(tenantId), tenantId, part, needs, () => (failed += 1))
    for (const record of records) {
      after.add(record)
      before?.add(record)
    }
    await nextTurn()
  }
  return {
    sampled: ids.length,
    of: total,
    failed,
    asOf: now.toISOString(),
    distribution: after.distribution(),
    active: before?.distribution() ?? null,
  }
}

function counter(content: Content, now: number) {
  const { evaluate } = compile(content)
  const cells = createCells()
  return {
    add: (record: ScoringRecord): void => {
      try {
        cells.add(storedOf(evaluate({ ...record, isDoNotContact: record.isDoNotContact || record.isMatched }, now)))
      } catch {
        cells.add(notScored)
      }
    },
    distribution: () => distributionOf(cells.cells(), content.bands),
  }
}

/** Returns ids spread evenly over the tenant's active records. The ids stay the same until a record is added. */
async function sampleIds(db: Db, tenantId: string, total: number): Promise<string[]> {
  const most = previewLimits.sample
  if (total <= WALKED_AT_MOST) {
    const step = Math.max(1, Math.ceil(total / most))
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM (
        SELECT id, row_number() OVER (ORDER BY id) AS place FROM businesses WHERE tenant_id = ${tenantId} AND status = 'active' LIMIT ${WALKED_AT_MOST}
      ) AS numbered WHERE (place - 1) % ${step} = 0 LIMIT ${most}`.execute(db)
    return rows.map(({ id }) => id)
  }
  const { rows: ends } = await sql<{ first: number; last: number }>`
    SELECT (SELECT docid FROM businesses WHERE tenant_id = ${tenantId} ORDER BY id LIMIT 1) AS first,
           (SELECT docid FROM businesses WHERE tenant_id = ${tenantId} ORDER BY id DESC LIMIT 1) AS last`.execute(db)
  const { first = 0, last = 0 } = ends[0] ?? {}
  const places = Array.from({ length: most }, (_, at) => Math.floor(first + ((last - first) * at) / most))
  const { rows } = await sql<{ id: string | null }>`
    SELECT DISTINCT (
      SELECT b.id FROM businesses AS b
      WHERE b.docid >= place.value AND ${unindexed(sql.ref('b.tenant_id'))} = ${tenantId} AND ${unindexed(sql.ref('b.status'))} = 'active' ORDER BY b.docid LIMIT 1
    ) AS id FROM ${elementsOf(places, 'place')}`.execute(db)
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}
