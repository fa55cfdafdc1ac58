import { type ExpressionBuilder, sql } from 'kysely'
import { notFound } from '../../../lib/app-error.ts'
import type { Db } from '../../../store/database.ts'
import { alongIndex, elementsOf, inList, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared, preparedInsert } from '../../../store/engine/prepared.ts'
import type {
  CandidateState,
  CandidateStateTable,
  DomainAssociationTable,
  DomainCandidateTable,
} from '../domains.table.ts'

export const insertCandidate = preparedInsert('domain_candidates', [
  'tenant_id',
  'id',
  'business_id',
  'domain',
  'origin',
  'reason',
  'previous_id',
  'created_at',
  'created_by',
  'host',
])

export const insertState = preparedInsert('domain_candidate_states', [
  'tenant_id',
  'candidate_id',
  'domain',
  'state',
  'band',
  'evaluation',
  'fingerprint',
  'algorithm_version',
  'normalization_version',
  'suffix_list_version',
  'evaluated_at',
  'due_at',
  'decided_at',
  'decided_by',
  'decision_reason',
  'withdrawn_at',
  'withdrawn_by',
  'withdrawal_reason',
])

export async function updateState(
  db: Db,
  tenantId: string,
  candidateId: string,
  changed: Partial<CandidateStateTable>,
): Promise<void> {
  await db
    .updateTable('domain_candidate_states')
    .set(changed)
    .where('tenant_id', '=', tenantId)
    .where('candidate_id', '=', candidateId)
    .execute()
}

export async function insertAssociation(db: Db, row: DomainAssociationTable): Promise<void> {
  await db.insertInto('domain_associations').values(row).execute()
}

/** A stored candidate with its state, for comparison with a newly derived one. */
export type KeptCandidate = Pick<
  DomainCandidateTable,
  'id' | 'business_id' | 'domain' | 'origin' | 'reason' | 'created_at'
> &
  Pick<
    CandidateStateTable,
    | 'state'
    | 'band'
    | 'evaluation'
    | 'fingerprint'
    | 'suffix_list_version'
    | 'normalization_version'
    | 'algorithm_version'
    | 'due_at'
  > & { root: string }

/** Selects all candidates of the given records and of the records merged into them, newest first. */
export const selectCandidatesOf = prepared<{ tenantId: string; ids: readonly string[] }>()(
  (_db, param) => sql<KeptCandidate>`
    WITH RECURSIVE family (root, id) AS (
      SELECT value, value FROM ${elementsOf(param('ids'), 'wanted')}
      UNION
      SELECT family.root, m.id FROM family ${thenJoin} businesses m
        ON m.tenant_id = ${param('tenantId')} AND m.merged_into = family.id AND m.merged_into IS NOT NULL
    )
    SELECT family.root, c.id, c.business_id, c.domain, c.origin, c.reason, c.created_at, s.state, s.band, s.evaluation,
      s.fingerprint, s.suffix_list_version, s.normalization_version, s.algorithm_version, s.due_at
    FROM family ${thenJoin} domain_candidates c ON c.tenant_id = ${param('tenantId')} AND c.business_id = family.id
    ${thenJoin} domain_candidate_states s ON s.tenant_id = c.tenant_id AND s.candidate_id = c.id
    WHERE c.domain <> '' ORDER BY c.id DESC`,
)

const states = (db: Db, index?: string) =>
  db
    .selectFrom(
      sql<CandidateStateTable>`domain_candidate_states`.as<'s'>(
        index === undefined ? sql`s` : sql`s ${alongIndex(index)}`,
      ),
    )
    .where('s.domain', '<>', '')

function candidatesWithState(db: Db, index?: string) {
  return states(db, index)
    .innerJoin('domain_candidates as c', (join) =>
      join.onRef('c.tenant_id', '=', 's.tenant_id').onRef('c.id', '=', 's.candidate_id'),
    )
    .innerJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 'c.tenant_id').onRef('b.id', '=', 'c.business_id'),
    )
    .leftJoin('users as creator', 'creator.id', 'c.created_by')
    .leftJoin('users as decider', 'decider.id', 's.decided_by')
    .leftJoin('users as withdrawer', 'withdrawer.id', 's.withdrawn_by')
    .selectAll('s')
    .select(['c.business_id', 'c.origin', 'c.reason', 'c.previous_id', 'c.created_at', 'c.created_by', 'c.host'])
    .select(['b.name as business_name', 'b.status as business_status', 'b.do_not_contact as business_blocked'])
    .select(['creator.name as creator_name', 'decider.name as decider_name', 'withdrawer.name as withdrawer_name'])
}

export type CandidateRow = Awaited<ReturnType<ReturnType<typeof candidatesWithState>['execute']>>[number]

/** Returns one candidate. Errors: `not_found`. */
export async function getCandidateRow(db: Db, tenantId: string, id: string): Promise<CandidateRow> {
  return candidatesWithState(db)
    .where('s.tenant_id', '=', tenantId)
    .where('s.candidate_id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

export type CandidateFilter = {
  state: CandidateState
  domain: string | undefined
  /** ids of a business and of the businesses merged into it */
  businessIds: readonly string[] | undefined
}

/** Returns candidates, newest first. */
export async function selectCandidates(
  db: Db,
  tenantId: string,
  filter: CandidateFilter,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<CandidateRow[]> {
  return candidatesWithState(db, indexFor(filter))
    .where(isListed(tenantId, filter))
    .$if(before !== undefined, (query) => query.where('s.candidate_id', '<', before ?? ''))
    .orderBy('s.candidate_id', 'desc')
    .limit(limit)
    .execute()
}

/** Selects the states of the candidates on all pages of a list. Without joins, so that the count reads the index of the list. */
export function listedStates(db: Db, tenantId: string, filter: CandidateFilter) {
  return states(db, indexFor(filter)).select('s.candidate_id').where(isListed(tenantId, filter))
}

function indexFor({ domain, businessIds }: CandidateFilter): string | undefined {
  if (businessIds !== undefined) return undefined
  return domain === undefined ? 'domain_candidate_states_listed' : 'domain_candidate_states_by_domain'
}

const isListed =
  (tenantId: string, { state, domain, businessIds }: CandidateFilter) =>
  ({ eb }: ExpressionBuilder<{ s: CandidateStateTable }, 's'>) =>
    eb.and([
      eb('s.tenant_id', '=', tenantId),
      eb('s.state', '=', state),
      ...(domain === undefined ? [] : [eb('s.domain', '=', domain)]),
      ...(businessIds === undefined ? [] : [eb('s.candidate_id', 'in', idsOfBusinesses(tenantId, businessIds))]),
    ])

/** Selects candidate ids by their own index. With a condition on the joined table instead, the planner would read all candidates of the tenant. */
function idsOfBusinesses(tenantId: string, businessIds: readonly string[]) {
  return sql<string>`(SELECT id FROM domain_candidates ${alongIndex('domain_candidates_by_business')}
    WHERE tenant_id = ${tenantId} AND business_id IN ${inList(businessIds)})`
}

/** Returns open candidates whose evidence is no longer fresh, but was at their evaluation, with their records. */
export async function selectAged(
  db: Db,
  { tenantId, now, limit }: { tenantId: string; now: string; limit: number },
): Promise<{ id: string; businessId: string }[]> {
  const { rows } = await sql<{ id: string; businessId: string }>`
    SELECT s.candidate_id AS id, c.business_id AS "businessId"
    FROM domain_candidate_states s ${alongIndex('domain_candidate_states_due')}
    ${thenJoin} domain_candidates c ON c.tenant_id = s.tenant_id AND c.id = s.candidate_id
    WHERE s.tenant_id = ${tenantId} AND s.state = 'open' AND s.due_at IS NOT NULL AND s.due_at <= ${now}
    ORDER BY s.due_at LIMIT ${limit}`.execute(db)
  return rows
}

/** Removes the due time of those of the candidates that are still due. */
export async function clearDue(
  db: Db,
  { tenantId, ids, now }: { tenantId: string; ids: readonly string[]; now: string },
): Promise<void> {
  await db
    .updateTable('domain_candidate_states')
    .set({ due_at: null })
    .where('tenant_id', '=', tenantId)
    .where('candidate_id', 'in', inList(ids))
    .where('due_at', '<=', now)
    .execute()
}

/** Returns records that have an open candidate for one of the given domains. */
export async function selectOpenFor(
  db: Db,
  tenantId: string,
  domains: readonly string[],
  limit: number,
): Promise<string[]> {
  if (domains.length === 0) return []
  const { rows } = await sql<{ business_id: string }>`
    SELECT DISTINCT c.business_id FROM ${elementsOf(domains, 'wanted')} ${thenJoin} domain_candidate_states s
      ON s.tenant_id = ${tenantId} AND s.domain = wanted.value AND s.state = 'open'
    ${thenJoin} domain_candidates c ON c.tenant_id = s.tenant_id AND c.id = s.candidate_id
    ORDER BY c.business_id LIMIT ${limit}`.execute(db)
  return rows.map(({ business_id: id }) => id)
}

export async function selectNames(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('businesses')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
}
