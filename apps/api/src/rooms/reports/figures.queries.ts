import { sql } from 'kysely'
import { z } from 'zod'
import type { PipelineState } from '../../lib/pipeline-state.ts'
import type { Db } from '../../store/database.ts'
import { alongIndex, flag, hoursBetween, jsonField, jsonList, rounded, thenJoin } from '../../store/engine/dialect.ts'
import { jsonColumn } from '../../store/json-column.ts'
import type { ProvinceCode } from '../normalization/normalization.ts'
import type { Counts, InteractionCount, Move, StateCount, Stay, Step } from './figures.rules.ts'

const readHours = jsonColumn(z.array(z.number()))

/*
 * Queries that count one batch of businesses. Their hints determine the query plan: with `thenJoin` SQLite starts from the businesses of the batch,
 * instead of reading the whole table of their children for each batch; with `alongIndex` it uses the index on the business, instead of reading all
 * blocks and matches of the tenant for each business.
 */

/** Filter for the businesses of a report. It compares the current record, not its history; see `filter` in the API. */
export type ReportFilter = {
  province?: ProvinceCode | undefined
  assigneeId?: string | undefined
  tag?: string | undefined
}

export type Wanted = {
  tenantId: string
  startsAt: string
  /** end of the interval, excluded */
  endsAt: string
  asOf: string
  filter: ReportFilter
}

/** A batch: the businesses whose id follows `after`, up to `upTo`. One query processes it in a few hundredths of a second. */
export type Part = { after: string; upTo: string }

/** Returns the last id of the next batch, which contains `size` businesses or all remaining ones; undefined if no business follows `after`. */
export async function findPart(
  db: Db,
  { tenantId, asOf }: Pick<Wanted, 'tenantId' | 'asOf'>,
  after: string,
  size: number,
): Promise<(Part & { businesses: number }) | undefined> {
  const { rows } = await sql<{ last: string | null; businesses: number }>`
    SELECT max(id) AS last, count(*) AS businesses FROM (
      SELECT id FROM businesses WHERE tenant_id = ${tenantId} AND id > ${after} AND created_at <= ${asOf} ORDER BY id LIMIT ${size}) AS part`.execute(
    db,
  )
  const [found] = rows
  return found?.last == null ? undefined : { after, upTo: found.last, businesses: found.businesses }
}

/**
 * Selects the businesses of the batch that existed at `asOf` and match the filter. Omits those that had been merged into another or erased by then.
 */
function population({ tenantId, asOf, filter }: Wanted, { after, upTo }: Part) {
  const conditions = [
    sql`b.tenant_id = ${tenantId} AND b.id > ${after} AND b.id <= ${upTo} AND b.created_at <= ${asOf}`,
    sql`b.id NOT IN (SELECT m.loser_id FROM merges m
      WHERE m.tenant_id = ${tenantId} AND m.loser_id > ${after} AND m.loser_id <= ${upTo} AND ${stoodAt(asOf)})`,
    sql`b.id NOT IN (SELECT e.business_id FROM erasures e
      WHERE e.tenant_id = ${tenantId} AND e.business_id > ${after} AND e.business_id <= ${upTo} AND e.at <= ${asOf})`,
    ...(filter.province === undefined ? [] : [sql`b.province_code = ${filter.province}`]),
    ...(filter.assigneeId === undefined ? [] : [sql`b.assignee_id = ${filter.assigneeId}`]),
    ...(filter.tag === undefined
      ? []
      : [
          sql`EXISTS (SELECT 1 FROM business_tags t WHERE t.tenant_id = b.tenant_id AND t.tag_key = ${filter.tag} AND t.business_id = b.id)`,
        ]),
  ]
  return sql`population AS MATERIALIZED (SELECT b.id, b.created_at FROM businesses b WHERE ${sql.join(conditions, sql` AND `)})`
}

/** SQL condition: merge `m` had happened by `asOf` and had not been reversed by then. */
function stoodAt(asOf: string) {
  return sql`m.merged_at <= ${asOf} AND (m.reversed_at IS NULL OR m.reversed_at > ${asOf})`
}

/**
 * Selects the businesses of the batch together with all records merged into them by `asOf`, as `root` (the survivor) and `id`. Children of a merged
 * record count for its survivor, as in the survivor's lists. `merged` contains only the merged records, which are read from the few merges. UNION is
 * used instead of UNION ALL, because a clock that was set back could create a cycle of merges.
 */
function family(wanted: Wanted, part: Part) {
  const { tenantId, asOf } = wanted
  const { after, upTo } = part
  return sql`RECURSIVE ${population(wanted, part)}, merged (root, id, created_at) AS (
      SELECT m.survivor_id, b.id, b.created_at FROM merges m
        ${thenJoin} businesses b ON b.tenant_id = m.tenant_id AND b.id = m.loser_id
        WHERE m.tenant_id = ${tenantId} AND m.survivor_id > ${after} AND m.survivor_id <= ${upTo} AND ${stoodAt(asOf)}
          AND m.survivor_id IN (SELECT id FROM population)
      UNION SELECT d.root, b.id, b.created_at FROM merged d
        ${thenJoin} merges m ON m.tenant_id = ${tenantId} AND m.survivor_id = d.id AND ${stoodAt(asOf)}
        ${thenJoin} businesses b ON b.tenant_id = m.tenant_id AND b.id = m.loser_id),
    family (root, id, created_at) AS (
      SELECT id, id, created_at FROM population UNION ALL SELECT root, id, created_at FROM merged)`
}

/** Computes all counts of one batch. Ignores rows that were written after `asOf`, so the same batch gives the same counts at any later time. */
export async function countPart(db: Db, wanted: Wanted, part: Part): Promise<Counts> {
  const [states, created, moves, moved, steps, stays, talks] = await Promise.all([
    countByState(db, wanted, part),
    countCreated(db, wanted, part),
    countMoves(db, wanted, part),
    countMoved(db, wanted, part),
    countSteps(db, wanted, part),
    collectStays(db, wanted, part),
    countInteractions(db, wanted, part),
  ])
  return {
    businesses: states.reduce((total, { businesses }) => total + businesses, 0),
    created,
    moved,
    talkedTo: talks.open,
    talkedToBlocked: talks.blocked,
    states,
    moves,
    steps,
    stays,
    interactions: talks.interactions,
  }
}

/**
 * Counts the businesses by state, evidence and do not contact at `asOf`, derived from their history: the last transition, or the last merge for which
 * a person chose a state; the evidence; the matches of suppression entries that were active at that time; and the last manual block or lifting, which
 * only the audit contains.
 */
async function countByState(db: Db, wanted: Wanted, part: Part): Promise<StateCount[]> {
  const { tenantId, asOf } = wanted
  const { rows } = await sql<StateCount>`
    WITH ${family(wanted, part)}, counted AS (
      SELECT
        coalesce(CASE WHEN p.id IN (SELECT root FROM merged) THEN (SELECT state FROM (
            SELECT t.id, t.to_state AS state FROM pipeline_transitions t
              WHERE t.tenant_id = ${tenantId} AND t.business_id = p.id AND t.at <= ${asOf} AND ${isWork}
            UNION ALL SELECT m.id, ${jsonField(sql.ref('m.after'), 'columns', 'pipeline_state')} FROM merges m
              WHERE m.tenant_id = ${tenantId} AND m.survivor_id = p.id AND ${stoodAt(asOf)}) AS stated
            WHERE state IS NOT NULL ORDER BY id DESC LIMIT 1)
          ELSE (SELECT t.to_state FROM pipeline_transitions t
            WHERE t.tenant_id = ${tenantId} AND t.business_id = p.id AND t.at <= ${asOf} AND ${isWork} ORDER BY t.id DESC LIMIT 1)
          END, 'new') AS state,
        ${flag(sql`EXISTS (SELECT 1 FROM evidence e
            WHERE e.tenant_id = ${tenantId} AND e.business_id = p.id AND e.created_at <= ${asOf})
          OR p.id IN (SELECT d.root FROM merged d ${thenJoin} evidence e
            ON e.tenant_id = ${tenantId} AND e.business_id = d.id AND e.created_at <= ${asOf})`)} AS "hasEvidence",
        ${flag(sql`(SELECT a.action FROM audit_events a ${alongIndex('audit_events_by_business')}
          WHERE a.tenant_id = ${tenantId} AND a.business_id = p.id AND a.action IN ('business.block', 'business.unblock')
            AND a.at <= ${asOf} ORDER BY a.sequence DESC LIMIT 1) = 'business.block'
          OR EXISTS (SELECT 1 FROM suppression_matches m ${alongIndex('suppression_matches_by_business')}
            ${thenJoin} suppressions s ON s.tenant_id = m.tenant_id AND s.id = m.suppression_id
            WHERE m.tenant_id = ${tenantId} AND m.business_id = p.id AND m.at <= ${asOf}
              AND (s.ended_at IS NULL OR s.ended_at > ${asOf})
              AND (m.cause <> 'merge' OR EXISTS (SELECT 1 FROM merges g
                WHERE g.tenant_id = m.tenant_id AND g.survivor_id = m.business_id AND g.merged_at <= ${asOf})))`)} AS "isBlocked"
      FROM population p)
    SELECT state, "hasEvidence", "isBlocked", count(*) AS businesses FROM counted GROUP BY state, "hasEvidence", "isBlocked"
    ORDER BY state, "hasEvidence", "isBlocked"`.execute(db)
  return rows
}

async function countCreated(db: Db, wanted: Wanted, part: Part): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH ${population(wanted, part)}
    SELECT count(*) AS count FROM population WHERE created_at >= ${wanted.startsAt} AND created_at < ${wanted.endsAt}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Excludes the transitions that merges and reversals wrote, because they are no work. The merges themselves say which state a survivor took over. */
const isWork = sql`t.merge_id IS NULL`

/** Selects the transitions of the batch's records that are in the interval and had happened by `asOf`. */
function movesIn({ tenantId, startsAt, endsAt, asOf }: Wanted) {
  return sql`FROM family f ${thenJoin} pipeline_transitions t ON t.tenant_id = ${tenantId} AND t.business_id = f.id
    WHERE t.at >= ${startsAt} AND t.at < ${endsAt} AND t.at <= ${asOf} AND ${isWork}`
}

async function countMoves(db: Db, wanted: Wanted, part: Part): Promise<Move[]> {
  const { rows } = await sql<Move>`
    WITH ${family(wanted, part)}
    SELECT t.from_state AS "from", t.to_state AS "to", count(*) AS moves ${movesIn(wanted)} GROUP BY t.from_state, t.to_state`.execute(
    db,
  )
  return rows
}

async function countMoved(db: Db, wanted: Wanted, part: Part): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH ${family(wanted, part)} SELECT count(DISTINCT f.root) AS count ${movesIn(wanted)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The steps of the canonical pipeline: each state with its next state. */
const steps: readonly [state: PipelineState, next: PipelineState][] = [
  ['new', 'contacted'],
  ['contacted', 'qualified'],
  ['qualified', 'proposal'],
  ['proposal', 'negotiation'],
  ['negotiation', 'won'],
]

/** Counts the businesses that first entered a state in the interval, and how many of them had been moved to the next state by `asOf`. */
async function countSteps(db: Db, wanted: Wanted, part: Part): Promise<Step[]> {
  const { tenantId, startsAt, endsAt, asOf } = wanted
  const { rows } = await sql<Step>`
    WITH ${family(wanted, part)}, moved AS MATERIALIZED (
      SELECT f.root AS id, t.id AS move, t.at, t.to_state AS state FROM family f
        ${thenJoin} pipeline_transitions t ON t.tenant_id = ${tenantId} AND t.business_id = f.id WHERE t.at <= ${asOf} AND ${isWork}),
    entered AS (
      SELECT id, '' AS move, created_at AS at, 'new' AS state FROM population
      UNION ALL SELECT id, min(move), min(at), state FROM moved WHERE state <> 'new' GROUP BY id, state),
    last AS (SELECT id, state, max(move) AS move FROM moved GROUP BY id, state),
    step (state, next) AS (VALUES ${sql.join(steps.map(([state, next]) => sql`(${state}, ${next})`))})
    SELECT e.state, count(*) AS entered, sum(${flag(sql`l.move > e.move`)}) AS advanced
    FROM entered e JOIN step s ON s.state = e.state LEFT JOIN last l ON l.id = e.id AND l.state = s.next
    WHERE e.at >= ${startsAt} AND e.at < ${endsAt} AND e.at <= ${asOf} GROUP BY e.state`.execute(db)
  return rows
}

/**
 * Returns the duration, in hours with one decimal, of every stay of a record in a state that ended in the interval. If a person chose the state in a
 * merge, the stay begins with that merge.
 */
async function collectStays(db: Db, wanted: Wanted, part: Part): Promise<Stay[]> {
  const { tenantId, startsAt, endsAt, asOf } = wanted
  const { rows } = await sql<{ state: PipelineState; hours: string }>`
    WITH ${family(wanted, part)}, moved AS (
      SELECT t.from_state AS state, t.at AS left_at,
        CASE WHEN t.from_state = coalesce(lag(t.to_state) OVER own, 'new') THEN coalesce(lag(t.at) OVER own, f.created_at)
          ELSE coalesce((SELECT max(m.merged_at) FROM merges m
            WHERE m.tenant_id = ${tenantId} AND m.survivor_id = f.id AND m.merged_at <= t.at), f.created_at) END AS entered_at
      FROM family f ${thenJoin} pipeline_transitions t ON t.tenant_id = ${tenantId} AND t.business_id = f.id
      WHERE t.at <= ${asOf} AND ${isWork}
      WINDOW own AS (PARTITION BY f.id ORDER BY t.id))
    SELECT state, ${jsonList(rounded(hoursBetween(sql.ref('entered_at'), sql.ref('left_at')), 1))} AS hours
    FROM moved WHERE left_at >= ${startsAt} AND left_at < ${endsAt} GROUP BY state`.execute(db)
  return rows.map(({ state, hours }) => ({ state, hours: readHours(hours) }))
}

/** Selects the interactions in the interval by the time at which they occurred. Omits those that were recorded or corrected after `asOf`. */
function interactionsIn({ tenantId, startsAt, endsAt, asOf }: Wanted) {
  return sql`FROM family f ${thenJoin} interactions i ON i.tenant_id = ${tenantId} AND i.business_id = f.id
    WHERE i.occurred_at >= ${startsAt} AND i.occurred_at < ${endsAt} AND i.created_at <= ${asOf}
      AND NOT EXISTS (SELECT 1 FROM interactions later
        WHERE later.tenant_id = i.tenant_id AND later.corrects_id = i.id AND later.created_at <= ${asOf})`
}

/** Counts interactions by person and outcome, and their businesses. One query does both, because reading the interactions takes most of the time. */
async function countInteractions(
  db: Db,
  wanted: Wanted,
  part: Part,
): Promise<{ interactions: InteractionCount[]; open: number; blocked: number }> {
  type Row = {
    person: string | null
    outcome: string | null
    isBlocked: 0 | 1
    count: number
    calls: number
    named: number
  }
  const { rows } = await sql<Row>`
    WITH ${family(wanted, part)}, talks AS MATERIALIZED (
      SELECT f.root AS id, i.created_by AS person, i.outcome, i.on_do_not_contact AS "isBlocked", count(*) AS interactions,
        sum(CASE WHEN i.channel = 'phone' THEN 1 ELSE 0 END) AS calls, count(i.person_id) AS named ${interactionsIn(wanted)}
      GROUP BY f.root, i.created_by, i.outcome, i.on_do_not_contact)
    SELECT person, outcome, "isBlocked", sum(interactions) AS count, sum(calls) AS calls, sum(named) AS named
    FROM talks GROUP BY person, outcome, "isBlocked"
    UNION ALL SELECT NULL, NULL, "isBlocked", count(DISTINCT id), 0, 0 FROM talks GROUP BY "isBlocked"`.execute(db)
  const businesses = (wantedBlocked: 0 | 1) =>
    rows.find(({ person, isBlocked }) => person === null && isBlocked === wantedBlocked)?.count ?? 0
  return {
    interactions: rows.flatMap(({ person, outcome, isBlocked, count, calls, named }) =>
      person === null || outcome === null ? [] : [{ person, outcome, isBlocked, interactions: count, calls, named }],
    ),
    open: businesses(0),
    blocked: businesses(1),
  }
}
