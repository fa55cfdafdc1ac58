import { type Kysely, sql } from 'kysely'
import { type Cursors, type Page, type PageQuery, toPage, totalOf } from '../../../http/pagination.ts'
import { actorRef } from '../../../lib/actor.ts'
import type { Database } from '../../../store/database.ts'
import { jsonField, zeroPadded } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import type { HistoryItem } from '../sources.schema.ts'
import { parseContract } from './contract.rules.ts'
import { getSourceRow } from './source-state.ts'
import { readLapsedItems } from './status.rules.ts'

type Row = {
  id: string
  kind: HistoryItem['kind']
  at: string
  actor: string
  actor_name: string | null
  number: number | null
  desk: HistoryItem['desk']
  reason: string | null
  ends_at: string | null
  revokes_id: string | null
  items: string | null
  contract: string | null
  circuit: HistoryItem['circuit']
  outcome: string | null
  cause: string | null
  job_id: string | null
}

/**
 * Lists the history of a source, newest first, from its tables: versions, decisions, lapses, transitions of the circuit, incident records and
 * queries. A version has no id, so its number identifies it.
 */
export async function listHistory(
  store: Store,
  cursors: Cursors,
  key: { tenantId: string; sourceId: string },
  { limit, cursor }: PageQuery,
): Promise<Page<HistoryItem>> {
  const { tenantId, sourceId } = key
  await getSourceRow(store.reader, tenantId, sourceId)
  const binding = ['source-history', tenantId, sourceId]
  const [at, id] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const before = at === undefined ? undefined : { at: String(at), id: String(id) }
  const rows = await selectHistory(store.reader, key, before, limit + 1)
  return toPage({
    rows,
    limit,
    total: await totalOf(store, { tenantId, rows, limit, cursor }, () => historyOf(key)),
    toItem: toHistoryItem,
    cursorAfter: (row) => cursors.encode(binding, [row.at, row.id]),
  })
}

/**
 * Selects the events of a source by time. Each table is read by its own index and limited separately, because a source has few versions and
 * decisions.
 */
async function selectHistory(
  db: Kysely<Database>,
  { tenantId, sourceId }: { tenantId: string; sourceId: string },
  before: { at: string; id: string } | undefined,
  limit: number,
): Promise<Row[]> {
  const last = before ?? { at: '9999', id: '' }
  const earlier = (at: string, id: string) => sql`(${sql.ref(at)}, ${sql.ref(id)}) < (${last.at}, ${last.id})`
  const none = (names: readonly string[]) => sql.raw(names.map((name) => `NULL AS ${name}`).join(', '))
  const { rows } = await sql<Row>`
    SELECT h.*, u.name AS actor_name FROM (
      SELECT * FROM (SELECT 'version-' || ${zeroPadded(sql`number`, 8)} AS id, 'version' AS kind, created_at AS at, author AS actor, number,
          ${none(['desk', 'reason', 'ends_at', 'revokes_id', 'items'])}, contract, ${none(['circuit', 'outcome', 'cause', 'job_id'])}
        FROM source_versions WHERE tenant_id = ${tenantId} AND source_id = ${sourceId})
      UNION ALL
      SELECT * FROM (SELECT id, kind, at, actor, number, desk, reason, ends_at, revokes_id, items,
          ${none(['contract', 'circuit', 'outcome', 'cause', 'job_id'])}
        FROM source_decisions WHERE tenant_id = ${tenantId} AND source_id = ${sourceId})
      UNION ALL
      SELECT * FROM (SELECT id, 'circuit' AS kind, at, actor, ${none(['number', 'desk', 'reason', 'ends_at', 'revokes_id', 'items', 'contract'])},
          state AS circuit, NULL AS outcome, cause, NULL AS job_id
        FROM source_circuits WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} ORDER BY id DESC)
      UNION ALL
      SELECT * FROM (SELECT id, 'incident' AS kind, created_at AS at, created_by AS actor, NULL AS number, NULL AS desk, description AS reason,
          ${none(['ends_at', 'revokes_id', 'items', 'contract', 'circuit', 'outcome'])}, kind AS cause, NULL AS job_id
        FROM source_incidents WHERE tenant_id = ${tenantId} AND source_id = ${sourceId})
      UNION ALL
      SELECT * FROM (SELECT id || '-decision' AS id, 'incident_decision' AS kind, decided_at AS at, decided_by AS actor, NULL AS number, NULL AS desk,
          decision_reason AS reason, ${none(['ends_at', 'revokes_id', 'items', 'contract', 'circuit'])}, NULL AS outcome, decision AS cause, NULL AS job_id
        FROM source_incidents WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} AND decided_at IS NOT NULL)
      UNION ALL
      SELECT * FROM (SELECT id, kind, at, actor, number, NULL AS desk, ${jsonField(sql`outcome`, 'detail')} AS reason,
          ${none(['ends_at', 'revokes_id', 'items', 'contract', 'circuit'])}, ${jsonField(sql`outcome`, 'outcome')} AS outcome, ${jsonField(sql`outcome`, 'reason')} AS cause, job_id
        FROM source_queries AS q WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} AND ${earlier('q.at', 'q.id')}
        ORDER BY id DESC LIMIT ${limit * 2})
    ) AS h LEFT JOIN users AS u ON u.id = h.actor
    WHERE ${earlier('h.at', 'h.id')}
    ORDER BY h.at DESC, h.id DESC LIMIT ${limit}`.execute(db)
  return rows
}

/** Selects all events of a source, in the tables of `selectHistory`. */
function historyOf({ tenantId, sourceId }: { tenantId: string; sourceId: string }) {
  const of = (table: string) =>
    sql`SELECT 1 FROM ${sql.table(table)} WHERE tenant_id = ${tenantId} AND source_id = ${sourceId}`
  const tables = ['source_versions', 'source_decisions', 'source_circuits', 'source_incidents', 'source_queries']
  const decided = sql`${of('source_incidents')} AND decided_at IS NOT NULL`
  return sql`(${sql.join([...tables.map(of), decided], sql` UNION ALL `)})`
}

function toHistoryItem(row: Row): HistoryItem {
  const items = row.items === null ? [] : readLapsedItems(row.items)
  return {
    id: row.id,
    kind: row.kind,
    at: row.at,
    actor: actorRef(row.actor, row.actor_name),
    contractVersion: row.number,
    desk: row.desk,
    reason: row.reason,
    endsAt: row.ends_at,
    revokesId: row.revokes_id,
    items: items.map(({ item, problem }) => ({ item, problem })),
    contract: row.contract === null ? null : parseContract(row.contract),
    circuit: row.circuit,
    outcome: row.outcome,
    cause: row.cause,
    jobId: row.job_id,
  }
}
