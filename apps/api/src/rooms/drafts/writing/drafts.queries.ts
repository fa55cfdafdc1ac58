import { sql } from 'kysely'
import { z } from 'zod'
import { notFound } from '../../../lib/app-error.ts'
import { slicesOf } from '../../../lib/slices.ts'
import type { Db } from '../../../store/database.ts'
import { inList, inNumbers } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import type { Citation, DraftContent } from '../content/content.rules.ts'
import type {
  DraftCitationTable,
  DraftEventTable,
  DraftRequestTable,
  DraftTable,
  DraftVersionTable,
  RequestOutcome,
} from '../drafts.table.ts'

type Key = { tenantId: string; id: string }

/** Name of the follower of this room. */
export const followerName = 'drafts'

export type DraftRow = DraftTable & {
  creator_name: string | null
  assignee_name: string | null
  business_name: string
  business_blocked: 0 | 1
  business_merged_into: string | null
}
export type VersionRow = DraftVersionTable & { creator_name: string | null }
export type RequestRow = DraftRequestTable & { requester_name: string | null; decider_name: string | null }
export type EventRow = DraftEventTable & { actor_name: string | null }

function draftsWithNames(db: Db) {
  return db
    .selectFrom('drafts as d')
    .innerJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 'd.tenant_id').onRef('b.id', '=', 'd.business_id'),
    )
    .leftJoin('users as creator', 'creator.id', 'd.created_by')
    .leftJoin('users as assignee', 'assignee.id', 'd.assignee_id')
    .selectAll('d')
    .select(['creator.name as creator_name', 'assignee.name as assignee_name', 'b.name as business_name'])
    .select(['b.do_not_contact as business_blocked', 'b.merged_into as business_merged_into'])
}

const draftRow = prepared<Key>()((db, param) =>
  draftsWithNames(db).where('d.tenant_id', '=', param('tenantId')).where('d.id', '=', param('id')),
)

/** Errors: `not_found`. */
export async function getDraftRow(db: Db, tenantId: string, id: string): Promise<DraftRow> {
  const [row] = await draftRow(db, { tenantId, id })
  if (row === undefined) throw notFound()
  return row
}

type Paged = { tenantId: string; before: string | undefined; limit: number }
type Wanted = {
  tenantId: string
  state?: DraftTable['state'] | undefined
  /** the open drafts of this person */
  assignee?: string | undefined
  business?: string | undefined
  /** drafts whose request this person may decide */
  decider?: string | undefined
}

/** Newest first. */
export function selectDrafts(db: Db, wanted: Wanted & Paged): Promise<DraftRow[]> {
  const { before, limit } = wanted
  return draftsOf(db, wanted)
    .$if(before !== undefined, (rows) => rows.where('d.id', '<', before ?? ''))
    .orderBy('d.id', 'desc')
    .limit(limit)
    .execute()
}

/** Selects the drafts that a list shows on all its pages. */
export function draftsOf(db: Db, { tenantId, state, assignee, business, decider }: Wanted) {
  return draftsWithNames(db)
    .where('d.tenant_id', '=', tenantId)
    .$if(state !== undefined, (rows) => rows.where('d.state', '=', state ?? 'writing'))
    .$if(assignee !== undefined, (rows) =>
      rows.where('d.assignee_id', '=', assignee ?? '').where('d.is_open', '=', sql.lit(1)),
    )
    .$if(business !== undefined, (rows) => rows.where('d.business_id', '=', business ?? ''))
    .$if(decider !== undefined, (rows) =>
      rows
        .where('d.state', '=', sql.lit('in_review'))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('draft_versions as v')
                .select('v.id')
                .whereRef('v.tenant_id', '=', 'd.tenant_id')
                .whereRef('v.draft_id', '=', 'd.id')
                .where('v.created_by', '=', decider ?? ''),
            ),
          ),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('draft_requests as r')
                .select('r.id')
                .whereRef('r.tenant_id', '=', 'd.tenant_id')
                .whereRef('r.id', '=', 'd.request_id')
                .where('r.requested_by', '=', decider ?? ''),
            ),
          ),
        ),
    )
}

export async function selectDraftsByIds(db: Db, tenantId: string, ids: readonly string[]): Promise<DraftRow[]> {
  return draftsWithNames(db).where('d.tenant_id', '=', tenantId).where('d.id', 'in', inList(ids)).execute()
}

/** The recipient of the newest version of each of these drafts. */
export async function selectRecipients(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<Pick<DraftVersionTable, 'draft_id' | 'recipient_kind' | 'recipient_value' | 'recipient_normalized'>[]> {
  return db
    .selectFrom('drafts as d')
    .innerJoin('draft_versions as v', (join) =>
      join
        .onRef('v.tenant_id', '=', 'd.tenant_id')
        .onRef('v.draft_id', '=', 'd.id')
        .onRef('v.number', '=', 'd.version'),
    )
    .select(['v.draft_id', 'v.recipient_kind', 'v.recipient_value', 'v.recipient_normalized'])
    .where('d.tenant_id', '=', tenantId)
    .where('d.id', 'in', inList(ids))
    .execute()
}

export async function countOpenDrafts(db: Db, tenantId: string, businessId: string): Promise<number> {
  const { count } = await db
    .selectFrom('drafts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .where('is_open', '=', 1)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertDraft(db: Db, row: DraftTable): Promise<void> {
  await db.insertInto('drafts').values(row).execute()
}

export async function updateDraft(
  db: Db,
  { tenant_id, id }: Pick<DraftTable, 'tenant_id' | 'id'>,
  columns: Partial<Omit<DraftTable, 'tenant_id' | 'id' | 'business_id' | 'created_at' | 'created_by'>>,
): Promise<void> {
  await db.updateTable('drafts').set(columns).where('tenant_id', '=', tenant_id).where('id', '=', id).execute()
}

const versionsWithNames = (db: Db) =>
  db
    .selectFrom('draft_versions as v')
    .leftJoin('users as creator', 'creator.id', 'v.created_by')
    .selectAll('v')
    .select('creator.name as creator_name')

const versionRow = prepared<Key & { number: number }>()((db, param) =>
  versionsWithNames(db)
    .where('v.tenant_id', '=', param('tenantId'))
    .where('v.draft_id', '=', param('id'))
    .where('v.number', '=', param('number')),
)

/** Errors: `not_found`. */
export async function getVersionRow(db: Db, tenantId: string, draftId: string, number: number): Promise<VersionRow> {
  const [row] = await versionRow(db, { tenantId, id: draftId, number })
  if (row === undefined) throw notFound()
  return row
}

/** The highest number first. */
export function selectVersions(
  db: Db,
  {
    tenantId,
    draftId,
    before,
    limit,
  }: { tenantId: string; draftId: string; before: number | undefined; limit: number },
): Promise<VersionRow[]> {
  return versionsWithNames(db)
    .where('v.tenant_id', '=', tenantId)
    .where('v.draft_id', '=', draftId)
    .$if(before !== undefined, (rows) => rows.where('v.number', '<', before ?? 0))
    .orderBy('v.number', 'desc')
    .limit(limit)
    .execute()
}

export async function insertVersion(
  db: Db,
  row: DraftVersionTable,
  citations: readonly DraftCitationTable[],
): Promise<void> {
  await db.insertInto('draft_versions').values(row).execute()
  if (citations.length > 0)
    await db
      .insertInto('draft_citations')
      .values([...citations])
      .execute()
}

const citationRows = prepared<Key & { numbers: string }>()((db, param) =>
  db
    .selectFrom('draft_citations')
    .select(['number', 'marker', 'evidence_id as evidenceId', 'evidence_hash as evidenceHash', 'quote'])
    .where('tenant_id', '=', param('tenantId'))
    .where('draft_id', '=', param('id'))
    .where('number', 'in', inNumbers(param('numbers')))
    .orderBy('number')
    .orderBy('marker'),
)

const readAcknowledgements = jsonColumn(z.array(z.object({ evidenceId: z.string(), reason: z.string() })))

/** The content of a version. */
export async function readContent(db: Db, row: DraftVersionTable): Promise<DraftContent> {
  return (await readContents(db, [row]))(row)
}

/** Returns a function that returns the content of each of these versions, which are of one draft. */
export async function readContents<Row extends DraftVersionTable>(
  db: Db,
  rows: readonly Row[],
): Promise<(row: Row) => DraftContent> {
  const [first] = rows
  if (first === undefined) return (row) => toContent(row, [])
  const found = await citationRows(db, {
    tenantId: first.tenant_id,
    id: first.draft_id,
    numbers: JSON.stringify(rows.map(({ number }) => number)),
  })
  const byNumber = Map.groupBy(found, ({ number }) => number)
  return (row) =>
    toContent(
      row,
      (byNumber.get(row.number) ?? []).map(({ number: _number, ...citation }) => citation),
    )
}

function toContent(row: DraftVersionTable, citations: Citation[]): DraftContent {
  return {
    jurisdiction: row.jurisdiction,
    channel: row.channel,
    purpose: row.purpose,
    language: row.language,
    recipient: {
      kind: row.recipient_kind,
      value: row.recipient_value,
      normalized: row.recipient_normalized ?? '',
    },
    subject: row.subject,
    text: row.text,
    citations,
    noCitationReason: row.no_citation_reason,
    acknowledgements: readAcknowledgements(row.acknowledgements),
  }
}

/** Returns true if a person wrote any version of a draft. */
export async function hasWritten(db: Db, tenantId: string, draftId: string, personId: string): Promise<boolean> {
  return (await selectWrittenBy(db, tenantId, [draftId], personId)).has(draftId)
}

/** Returns those of these drafts of which a person wrote any version. */
export async function selectWrittenBy(
  db: Db,
  tenantId: string,
  draftIds: readonly string[],
  personId: string,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('draft_versions')
    .select('draft_id')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where('draft_id', 'in', inList(draftIds))
    .where('created_by', '=', personId)
    .execute()
  return new Set(rows.map(({ draft_id }) => draft_id))
}

const requestsWithNames = (db: Db) =>
  db
    .selectFrom('draft_requests as r')
    .leftJoin('users as requester', 'requester.id', 'r.requested_by')
    .leftJoin('users as decider', 'decider.id', 'r.decided_by')
    .selectAll('r')
    .select(['requester.name as requester_name', 'decider.name as decider_name'])

const requestRow = prepared<Key>()((db, param) =>
  requestsWithNames(db).where('r.tenant_id', '=', param('tenantId')).where('r.id', '=', param('id')),
)

export async function findRequest(db: Db, tenantId: string, id: string | null): Promise<RequestRow | undefined> {
  if (id === null) return undefined
  const [row] = await requestRow(db, { tenantId, id })
  return row
}

export function waitingRequests(db: Db, tenantId: string) {
  return requestsWithNames(db).where('r.tenant_id', '=', tenantId).where('r.outcome', 'is', null)
}

/** Requests that wait, newest first. */
export function selectWaitingRequests(db: Db, { tenantId, before, limit }: Paged): Promise<RequestRow[]> {
  return waitingRequests(db, tenantId)
    .$if(before !== undefined, (rows) => rows.where('r.id', '<', before ?? ''))
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute()
}

export async function insertRequest(db: Db, row: DraftRequestTable): Promise<void> {
  await db.insertInto('draft_requests').values(row).execute()
}

type Decided = {
  outcome: RequestOutcome
  at: string
  by: string
  reason?: string | null
  approval?: { endsAt: string; sequence: number }
}

/** Gives a waiting request its outcome. */
export async function endRequest(
  db: Db,
  { tenant_id, id }: Pick<DraftRequestTable, 'tenant_id' | 'id'>,
  { outcome, at, by, reason = null, approval }: Decided,
): Promise<void> {
  await db
    .updateTable('draft_requests')
    .set({
      outcome,
      decided_at: at,
      decided_by: by,
      reason,
      approval_ends_at: approval?.endsAt ?? null,
      sequence: approval?.sequence ?? null,
    })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}

export async function findLastApproved(db: Db, tenantId: string, draftId: string): Promise<number | null> {
  const { number } = await db
    .selectFrom('draft_requests')
    .select(({ fn }) => fn.max('number').as('number'))
    .where('tenant_id', '=', tenantId)
    .where('draft_id', '=', draftId)
    .where('outcome', '=', 'approved')
    .executeTakeFirstOrThrow()
  return number ?? null
}

export async function insertEvent(db: Db, row: DraftEventTable): Promise<void> {
  await db.insertInto('draft_events').values(row).execute()
}

export function selectEvents(db: Db, tenantId: string, draftId: string, limit: number): Promise<EventRow[]> {
  return db
    .selectFrom('draft_events as e')
    .leftJoin('users as u', 'u.id', 'e.actor')
    .selectAll('e')
    .select('u.name as actor_name')
    .where('e.tenant_id', '=', tenantId)
    .where('e.draft_id', '=', draftId)
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute()
}

/** Observations of these records that were added after a time, newest first. */
export async function selectNewEvidence(
  db: Db,
  { tenantId, family, since, limit }: { tenantId: string; family: readonly string[]; since: string; limit: number },
): Promise<{ id: string; field: string | null; at: string }[]> {
  return db
    .selectFrom('evidence')
    .select(['id', 'field', 'created_at as at'])
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', inList(family))
    .where('created_at', '>', since)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

const IDS_A_QUERY = 500

/** Drafts of one assignee, of the jurisdiction and channel of a policy version, or that started as a suggestion. */
export type LiveFilter = { assigneeId?: string; policyId?: string; hasSuggestion?: true }

/** Drafts in review or approved, by id. */
export async function selectLiveIds(
  db: Db,
  wanted: LiveFilter & { tenantId: string; after: string; limit: number },
): Promise<string[]> {
  const { assigneeId = '', policyId = '', hasSuggestion = false } = wanted
  const rows = await db
    .selectFrom('drafts as d')
    .select('d.id')
    .where('d.tenant_id', '=', wanted.tenantId)
    .where('d.state', 'in', ['in_review', 'approved'])
    .where('d.id', '>', wanted.after)
    .$if(assigneeId !== '', (query) => query.where('d.assignee_id', '=', assigneeId))
    .$if(policyId !== '', (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('draft_policies as p')
            .select('p.id')
            .whereRef('p.tenant_id', '=', 'd.tenant_id')
            .where('p.id', '=', policyId)
            .whereRef('p.jurisdiction', '=', 'd.jurisdiction')
            .whereRef('p.channel', '=', 'd.channel'),
        ),
      ),
    )
    .$if(hasSuggestion, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('draft_versions as v')
            .select('v.id')
            .whereRef('v.tenant_id', '=', 'd.tenant_id')
            .whereRef('v.draft_id', '=', 'd.id')
            .whereRef('v.number', '=', 'd.version')
            .where('v.suggestion_id', 'is not', null),
        ),
      ),
    )
    .orderBy('d.id')
    .limit(wanted.limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Drafts in review or approved of these records. */
export async function selectLiveIdsOf(db: Db, tenantId: string, businessIds: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const part of slicesOf(businessIds, IDS_A_QUERY)) {
    const rows = await db
      .selectFrom('drafts')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('business_id', 'in', inList(part))
      .where('state', 'in', ['in_review', 'approved'])
      .execute()
    found.push(...rows.map(({ id }) => id))
  }
  return found
}

/** Drafts of the tenant whose approval or request ends by itself by this time, earliest first. */
export async function selectDue(
  db: Db,
  { tenantId, now, limit }: { tenantId: string; now: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('drafts')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('due_at', 'is not', null)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
