import { sql } from 'kysely'
import { type ActorRef, actorRef } from '../../../lib/actor.ts'
import { daysAfter } from '../../../lib/clock.ts'
import type { DueAt } from '../../../store/change/sweep.ts'
import type { Database, Db } from '../../../store/database.ts'
import { alongIndex, inList } from '../../../store/engine/dialect.ts'
import { familyOf } from '../../businesses/businesses.ts'
import { rejectionDays } from '../bounds.ts'
import type { ContactKind, QuarantineRule } from '../contacts.table.ts'
import {
  type ContactCandidateStateTable,
  type ContactCandidateTable,
  type ContactDecisionTable,
  type ContactState,
  type SightingTable,
  undecidedStates,
} from '../contacts.table.ts'

const byBusiness = 'contact_candidate_states_by_business'

export async function insertCandidate(
  db: Db,
  candidate: ContactCandidateTable,
  state: Omit<ContactCandidateStateTable, 'tenant_id' | 'candidate_id' | 'business_id' | 'kind' | 'emptied_at'>,
): Promise<void> {
  const { tenant_id, id: candidate_id, business_id, kind } = candidate
  await db.insertInto('contact_candidates').values(candidate).execute()
  await db
    .insertInto('contact_candidate_states')
    .values({ tenant_id, candidate_id, business_id, kind, emptied_at: null, ...state })
    .execute()
}

export async function insertSightings(db: Db, sightings: readonly SightingTable[]): Promise<void> {
  if (sightings.length > 0)
    await db
      .insertInto('contact_sightings')
      .values([...sightings])
      .execute()
}

export async function updateCandidate(
  db: Db,
  { tenantId, id }: { tenantId: string; id: string },
  changed: Partial<
    Pick<ContactCandidateStateTable, 'state' | 'rule' | 'confidence' | 'normalized' | 'uncertainty' | 'region'>
  >,
): Promise<void> {
  await db
    .updateTable('contact_candidate_states')
    .set(changed)
    .where('tenant_id', '=', tenantId)
    .where('candidate_id', '=', id)
    .execute()
}

/** The states as `s`, read by an index that a planner without statistics does not choose. */
function statesAlong(index?: string) {
  const states = sql<ContactCandidateStateTable>`contact_candidate_states`
  return states.as<'s'>(index === undefined ? sql`s` : sql`s ${alongIndex(index)}`)
}

/** Counts the undecided candidates of a prospect and of those merged into it. */
export async function countUndecided(db: Db, tenantId: string, businessId: string): Promise<number> {
  const family = await familyOf(db, tenantId, businessId)
  const { count } = await db
    .selectFrom(statesAlong(byBusiness))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', inList(family))
    .where('state', 'in', undecidedStates)
    .executeTakeFirstOrThrow()
  return count
}

export type KnownCandidate = Pick<ContactCandidateStateTable, 'candidate_id' | 'state' | 'rule' | 'identity'> & {
  sightings: number
}

/** Returns candidates of these businesses that are neither emptied nor rejected, by identity. */
export async function selectKnownCandidates(
  db: Db,
  tenantId: string,
  businessIds: readonly string[],
  identities: readonly string[],
): Promise<Map<string, KnownCandidate>> {
  const rows = await db
    .selectFrom(statesAlong(byBusiness))
    .select(['s.candidate_id', 's.state', 's.rule', 's.identity'])
    .select(({ selectFrom, fn }) =>
      selectFrom('contact_sightings as g')
        .select(fn.countAll<number>().as('count'))
        .whereRef('g.tenant_id', '=', 's.tenant_id')
        .whereRef('g.candidate_id', '=', 's.candidate_id')
        .as('sightings'),
    )
    .where('s.tenant_id', '=', tenantId)
    .where('s.business_id', 'in', inList(businessIds))
    .where('s.identity', 'in', inList(identities))
    .where('s.emptied_at', 'is', null)
    .where('s.state', '<>', 'rejected')
    .execute()
  return new Map(rows.map((row) => [row.identity ?? '', { ...row, sightings: row.sightings ?? 0 }]))
}

/** Returns the hashes of values that were rejected for one of these businesses within a year. */
export async function selectRejected(
  db: Db,
  tenantId: string,
  businessIds: readonly string[],
  { hashes, now }: { hashes: readonly string[]; now: string },
): Promise<ReadonlySet<string>> {
  const since = daysAfter(now, -rejectionDays)
  const rows = await db
    .selectFrom('contact_rejections')
    .select('hash')
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', inList(businessIds))
    .where('hash', 'in', inList(hashes))
    .where('rejected_at', '>', since)
    .execute()
  return new Set(rows.map(({ hash }) => hash))
}

export async function saveRejection(db: Db, row: Database['contact_rejections']): Promise<void> {
  const { rejected_at, candidate_id } = row
  await db
    .insertInto('contact_rejections')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'business_id', 'hash']).doUpdateSet({ rejected_at, candidate_id }),
    )
    .execute()
}

export async function insertDecision(db: Db, row: ContactDecisionTable): Promise<void> {
  await db.insertInto('contact_decisions').values(row).execute()
}

/** `index`: without it SQLite reads all candidates of the tenant. */
function candidatesWithStates(db: Db, index?: string) {
  return db
    .selectFrom(statesAlong(index))
    .innerJoin('contact_candidates as c', (join) =>
      join.onRef('c.tenant_id', '=', 's.tenant_id').onRef('c.id', '=', 's.candidate_id'),
    )
    .innerJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 's.tenant_id').onRef('b.id', '=', 's.business_id'),
    )
    .selectAll('s')
    .select(['c.created_at', 'b.name as business_name', 'b.status as business_status'])
}

export type CandidateRow = Awaited<ReturnType<ReturnType<typeof candidatesWithStates>['execute']>>[number]

export function findCandidateRow(db: Db, tenantId: string, id: string): Promise<CandidateRow | undefined> {
  return candidatesWithStates(db)
    .where('s.tenant_id', '=', tenantId)
    .where('s.candidate_id', '=', id)
    .where('s.state', '<>', 'suppressed')
    .executeTakeFirst()
}

export type CandidateFilter = {
  businessIds: readonly string[] | undefined
  state: ContactState | undefined
  kind: ContactKind | undefined
  rule: QuarantineRule | undefined
}

function indexFor({ businessIds, state, rule }: Omit<CandidateFilter, 'kind'>): string | undefined {
  if (businessIds !== undefined) return byBusiness
  if (rule !== undefined) return 'contact_candidate_states_by_rule'
  return state === undefined ? undefined : 'contact_candidate_states_listed'
}

/** Returns candidates, newest first; candidates that a suppression ended are in no list. */
export async function selectCandidates(
  db: Db,
  tenantId: string,
  filter: CandidateFilter,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<CandidateRow[]> {
  return candidatesOf(db, tenantId, filter)
    .$if(before !== undefined, (query) => query.where('s.candidate_id', '<', before ?? ''))
    .orderBy('s.candidate_id', 'desc')
    .limit(limit)
    .execute()
}

function candidatesOf(db: Db, tenantId: string, filter: CandidateFilter) {
  return candidatesByIndex(db, tenantId, filter).where(sql.join<boolean>(candidateConditions(filter), sql` AND `))
}

/** Selects the candidates that a list chooses from, with the mark `is_wanted` for those that it shows. No index has all conditions. */
export function markedCandidates(db: Db, tenantId: string, filter: CandidateFilter) {
  return candidatesByIndex(db, tenantId, filter).select(
    sql.join(candidateConditions(filter), sql` AND `).as('is_wanted'),
  )
}

/** Selects candidates by those conditions of the filter that the index has. */
function candidatesByIndex(db: Db, tenantId: string, { businessIds, state, rule }: CandidateFilter) {
  const query = candidatesWithStates(db, indexFor({ businessIds, state, rule })).where('s.tenant_id', '=', tenantId)
  if (businessIds !== undefined) return query.where('s.business_id', 'in', inList(businessIds))
  if (rule !== undefined) return query.where('s.rule', '=', rule)
  return state === undefined ? query : query.where('s.state', '=', state)
}

function candidateConditions({ state, kind, rule }: CandidateFilter) {
  const conditions = [state === undefined ? sql<boolean>`s.state <> 'suppressed'` : sql<boolean>`s.state = ${state}`]
  if (kind !== undefined) conditions.push(sql`s.kind = ${kind}`)
  if (rule !== undefined) conditions.push(sql`s.rule = ${rule}`)
  return conditions
}

export async function selectSightings(db: Db, tenantId: string, ids: readonly string[]): Promise<SightingTable[]> {
  return db
    .selectFrom('contact_sightings')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('candidate_id', 'in', inList(ids))
    .orderBy('candidate_id')
    .orderBy('id')
    .execute()
}

export type DecisionRow = ContactDecisionTable & { by: ActorRef }

/** Returns the newest decision of each candidate. */
export async function selectNewestDecisions(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, DecisionRow>> {
  const rows = await db
    .selectFrom('contact_decisions as d')
    .leftJoin('users as u', 'u.id', 'd.actor')
    .selectAll('d')
    .select('u.name as actor_name')
    .where('d.tenant_id', '=', tenantId)
    .where('d.candidate_id', 'in', inList(ids))
    .orderBy('d.candidate_id')
    .orderBy('d.id')
    .execute()
  return new Map(
    rows.map(({ actor_name, ...row }) => [row.candidate_id, { ...row, by: actorRef(row.actor, actor_name) }]),
  )
}

export type CountedSighting = Pick<SightingTable, 'rule' | 'result'> & {
  extractionId: string
  candidateId: string
  kind: ContactKind
  value: string | null
  normalized: string | null
  state: ContactState
}

/** Returns the sightings of these extractions, with the present state of each candidate. */
export async function selectCountedSightings(
  db: Db,
  tenantId: string,
  extractionIds: readonly string[],
): Promise<CountedSighting[]> {
  return db
    .selectFrom('contact_sightings as g')
    .innerJoin('contact_candidate_states as s', (join) =>
      join.onRef('s.tenant_id', '=', 'g.tenant_id').onRef('s.candidate_id', '=', 'g.candidate_id'),
    )
    .select(['g.extraction_id as extractionId', 'g.candidate_id as candidateId', 'g.rule', 'g.result'])
    .select(['s.kind', 's.value', 's.normalized', 's.state'])
    .where('g.tenant_id', '=', tenantId)
    .where('g.extraction_id', 'in', inList(extractionIds))
    .execute()
}

/** Returns candidates that still hold a value, in the order of ids. */
export async function selectFilled(
  db: Db,
  tenantId: string,
  { after, limit }: { after: string; limit: number },
): Promise<
  Pick<ContactCandidateStateTable, 'candidate_id' | 'business_id' | 'kind' | 'value' | 'normalized' | 'state'>[]
> {
  return db
    .selectFrom('contact_candidate_states')
    .select(['candidate_id', 'business_id', 'kind', 'value', 'normalized', 'state'])
    .where('tenant_id', '=', tenantId)
    .where('emptied_at', 'is', null)
    .where('candidate_id', '>', after)
    .orderBy('candidate_id')
    .limit(limit)
    .execute()
}

/** Returns candidates whose retention period has ended: undecided ones, and rejected ones that still hold their value. */
export async function selectDue(
  db: Db,
  { tenantId, now, limit }: DueAt,
): Promise<{ id: string; businessId: string; state: ContactState }[]> {
  const rows = await db
    .selectFrom('contact_candidate_states')
    .select(['candidate_id', 'business_id', 'state'])
    .where('tenant_id', '=', tenantId)
    .where('emptied_at', 'is', null)
    .where('delete_after', '<=', now)
    .where('state', '<>', 'accepted')
    .orderBy('delete_after')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ id: row.candidate_id, businessId: row.business_id, state: row.state }))
}

/** Returns undecided candidates without an approved site: the newest decision about each of their sites is no approval in force. */
export async function selectWithoutSite(
  db: Db,
  { tenantId, now, limit }: DueAt,
): Promise<{ id: string; businessId: string; state: ContactState }[]> {
  const rows = await db
    .selectFrom('contact_candidate_states as s')
    .select(['s.candidate_id', 's.business_id', 's.state'])
    .where('s.tenant_id', '=', tenantId)
    .where('s.state', 'in', undecidedStates)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('contact_sightings as g')
            .innerJoin('official_site_decisions as d', (join) =>
              join.onRef('d.tenant_id', '=', 'g.tenant_id').onRef('d.site_id', '=', 'g.site_id'),
            )
            .select('g.id')
            .whereRef('g.tenant_id', '=', 's.tenant_id')
            .whereRef('g.candidate_id', '=', 's.candidate_id')
            .where('d.decision', '=', 'approve')
            .where('d.valid_until', '>', now)
            .where((inner) =>
              inner.not(
                inner.exists(
                  inner
                    .selectFrom('official_site_decisions as later')
                    .select('later.id')
                    .whereRef('later.tenant_id', '=', 'd.tenant_id')
                    .whereRef('later.site_id', '=', 'd.site_id')
                    .whereRef('later.id', '>', 'd.id'),
                ),
              ),
            ),
        ),
      ),
    )
    .limit(limit)
    .execute()
  return rows.map((row) => ({ id: row.candidate_id, businessId: row.business_id, state: row.state }))
}
