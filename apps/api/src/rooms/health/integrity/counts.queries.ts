import { sql } from 'kysely'
import { createBreather } from '../../../lib/event-loop.ts'
import type { Db } from '../../../store/database.ts'
import { alongIndex, flag, isOther, thenJoin } from '../../../store/engine/dialect.ts'
import type { Reading } from '../read-store.ts'
import type { Disagreement } from './integrity.rules.ts'

const RECORDS_PER_QUERY = 5_000
/** Maximum number of disagreements of each kind that are counted. */
const MAX_NAMED = 1_000

type Counted = { what: string; stored: number | null; counted: number | null }

/**
 * Compares stored counts with the rows, and records with the events that created them. Both sides are read in one snapshot. No statement sorts all
 * rows of a tenant.
 */
export async function* countDisagreements(reading: Reading, tenantId: string): AsyncGenerator<Disagreement> {
  const { db } = reading
  for (const { sequence, at, id } of await readMissingRecords(db, tenantId))
    yield `Record ${id} is missing, which event ${sequence} of ${at} (business.create) created.`
  const { records, created } = await countCreations(db, tenantId)
  if (records > created)
    yield `There are ${records} records, but events of ${created} creations: no event created record ${await findUncreated(db, tenantId)}.`
  const comparisons = [
    compareCells(reading, tenantId),
    compareTags(db, tenantId),
    compareEvidence(db, tenantId),
    compareSuggestions(db, tenantId),
  ]
  for (const counts of comparisons)
    for (const { what, stored, counted } of await counts)
      yield `The stored count of ${what} is ${stored ?? 0}, but there are ${counted ?? 0}.`
}

type Cell = { what: string; count: number }

/** Compares the stored counts of active records by state, province, assignee, block and evidence with a recount. A stored count can be zero. */
async function compareCells({ connection, db }: Reading, tenantId: string): Promise<Counted[]> {
  const breathe = createBreather()
  const counted = new Map<string, number>()
  connection.exec('BEGIN')
  try {
    for (let after: string | null = ''; after !== null; await breathe()) {
      const page = await countCells(db, tenantId, after)
      for (const { what, count } of page.cells) counted.set(what, (counted.get(what) ?? 0) + count)
      after = page.after
    }
    const stored = new Map((await readCells(db, tenantId)).map(({ what, count }) => [what, count]))
    return [...new Set([...stored.keys(), ...counted.keys()])]
      .map((what) => ({ what, stored: stored.get(what) ?? null, counted: counted.get(what) ?? null }))
      .filter((cell) => cell.stored !== cell.counted)
  } finally {
    connection.exec('COMMIT')
  }
}

const cellName = sql`'active records in state ' || pipeline_state || ' (province ' || coalesce(nullif(province_code, ''), 'none') || ', assignee '
  || coalesce(nullif(assignee_id, ''), 'none') || ', do not contact ' || do_not_contact || ', evidence ' || has_evidence || ')'`

/** Counts one page of records after `after` by state, province, assignee, block and evidence. */
async function countCells(db: Db, tenantId: string, after: string): Promise<{ cells: Cell[]; after: string | null }> {
  const { rows } = await sql<Cell & { last: string; records: number }>`
    WITH page AS (SELECT id, status, pipeline_state, coalesce(province_code, '') AS province_code,
        coalesce(assignee_id, '') AS assignee_id, do_not_contact, has_evidence
      FROM businesses WHERE tenant_id = ${tenantId} AND id > ${after} ORDER BY id LIMIT ${sql.lit(RECORDS_PER_QUERY)})
    SELECT ${cellName} AS what, sum(${flag(sql`status = 'active'`)}) AS count, max(id) AS last, count(*) AS records FROM page
    GROUP BY pipeline_state, province_code, assignee_id, do_not_contact, has_evidence`.execute(db)
  const records = rows.reduce((sum, row) => sum + row.records, 0)
  const last =
    rows
      .map((row) => row.last)
      .sort()
      .at(-1) ?? null
  return { cells: rows.filter(({ count }) => count > 0), after: records < RECORDS_PER_QUERY ? null : last }
}

async function readCells(db: Db, tenantId: string): Promise<Cell[]> {
  const { rows } = await sql<Cell>`
    SELECT ${cellName} AS what, count FROM business_counts WHERE tenant_id = ${tenantId} AND count > 0`.execute(db)
  return rows
}

/**
 * Compares the stored counts of tags with a recount. A tag is text that a person typed, so a disagreement names a record with the tag instead of the
 * tag.
 */
async function compareTags(db: Db, tenantId: string): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    SELECT coalesce('active records with a tag of record ' || bearer, 'a tag that no active record has') AS what,
      stored, counted
    FROM (SELECT t.tag_key AS tag, min(b.id) AS bearer, count(*) AS counted
      FROM business_tags t ${thenJoin} businesses b ON b.tenant_id = t.tenant_id AND b.id = t.business_id
      WHERE t.tenant_id = ${tenantId} AND b.status = 'active' GROUP BY 1) AS recount
    FULL JOIN (SELECT tag_key AS tag, count AS stored FROM business_tag_counts WHERE tenant_id = ${tenantId} AND count > 0) AS kept
    USING (tag)
    WHERE ${isOther(sql.ref('stored'), sql.ref('counted'))} LIMIT ${sql.lit(MAX_NAMED)}`.execute(db)
  return rows
}

/** Compares the stored count of evidence of each record with its own observations and the stored counts of the records merged into it. */
async function compareEvidence(db: Db, tenantId: string): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    SELECT 'evidence of record ' || id AS what, stored, counted FROM (
      SELECT b.id, b.evidence_count AS stored,
        (SELECT count(*) FROM evidence e WHERE e.tenant_id = b.tenant_id AND e.business_id = b.id)
        + (SELECT coalesce(sum(m.evidence_count), 0) FROM businesses m WHERE m.tenant_id = b.tenant_id AND m.merged_into = b.id) AS counted
      FROM businesses b WHERE b.tenant_id = ${tenantId}) AS recount
    WHERE stored <> counted LIMIT ${sql.lit(MAX_NAMED)}`.execute(db)
  return rows
}

async function compareSuggestions(db: Db, tenantId: string): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    SELECT 'suggestions of duplicates (' || status || ', ' || band || ')' AS what, stored, counted
    FROM (SELECT status, 'strong' AS band, sum(${flag(sql`score >= 0.9`)}) AS counted FROM match_suggestions WHERE tenant_id = ${tenantId} GROUP BY 1
      UNION ALL SELECT status, 'review', sum(${flag(sql`score < 0.9`)}) FROM match_suggestions WHERE tenant_id = ${tenantId} GROUP BY 1) AS recount
    FULL JOIN (SELECT status, band, count AS stored FROM match_suggestion_counts WHERE tenant_id = ${tenantId}) AS kept
    USING (status, band)
    WHERE coalesce(stored, 0) <> coalesce(counted, 0)`.execute(db)
  return rows
}

async function readMissingRecords(db: Db, tenantId: string): Promise<{ sequence: number; at: string; id: string }[]> {
  const { rows } = await sql<{ sequence: number; at: string; id: string }>`
    SELECT e.sequence, e.at, e.business_id AS id FROM audit_events e ${alongIndex('audit_events_by_action')}
    WHERE e.tenant_id = ${tenantId} AND e.action = 'business.create'
      AND NOT EXISTS (SELECT 1 FROM businesses b WHERE b.tenant_id = e.tenant_id AND b.id = e.business_id)
    LIMIT ${sql.lit(MAX_NAMED)}`.execute(db)
  return rows
}

async function countCreations(db: Db, tenantId: string): Promise<{ records: number; created: number }> {
  const { rows } = await sql<{ records: number; created: number }>`
    SELECT (SELECT count(*) FROM businesses WHERE tenant_id = ${tenantId}) AS records,
      (SELECT count(*) FROM audit_events ${alongIndex('audit_events_by_action')}
        WHERE tenant_id = ${tenantId} AND action = 'business.create') AS created`.execute(db)
  return rows[0] ?? { records: 0, created: 0 }
}

/** Returns a record that has no event of its creation. The query is slow in a large tenant, so run it only if such a record is known to exist. */
async function findUncreated(db: Db, tenantId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    SELECT b.id FROM businesses b WHERE b.tenant_id = ${tenantId} AND NOT EXISTS (
      SELECT 1 FROM audit_events e ${alongIndex('audit_events_by_business')}
      WHERE e.tenant_id = b.tenant_id AND e.business_id = b.id AND e.action = 'business.create')
    LIMIT 1`.execute(db)
  return rows[0]?.id ?? 'unknown'
}
