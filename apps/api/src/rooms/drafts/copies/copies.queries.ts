import { sql } from 'kysely'
import { notFound } from '../../../lib/app-error.ts'
import { daysAfter } from '../../../lib/clock.ts'
import type { Db } from '../../../store/database.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import type { Cap } from '../checks/checks.rules.ts'
import type { DraftCopyTable } from '../drafts.table.ts'
import { limits } from '../limits.ts'

/*
 * Caps are counted from rows, in the transaction that inserts the copy, so that no retry, person or process exceeds them. Rows that are
 * stamped in the future, because the clock was set back, count as well.
 */

type Counted = { count: number; oldest: string | null }

const toRecipient = prepared<{ tenantId: string; recipientKey: string; since: string }>()(
  (_db, param) => sql<Counted>`
    SELECT count(*) AS count, min(copied_at) AS oldest FROM draft_copies
    WHERE tenant_id = ${param('tenantId')} AND recipient_key = ${param('recipientKey')} AND copied_at > ${param('since')}`,
)
const byPerson = prepared<{ tenantId: string; personId: string; since: string }>()(
  (_db, param) => sql<Counted>`
    SELECT count(*) AS count, min(copied_at) AS oldest FROM draft_copies
    WHERE tenant_id = ${param('tenantId')} AND copied_by = ${param('personId')} AND copied_at > ${param('since')}`,
)
const inTenant = prepared<{ tenantId: string; since: string }>()(
  (_db, param) => sql<Counted>`
    SELECT count(*) AS count, min(copied_at) AS oldest FROM draft_copies
    WHERE tenant_id = ${param('tenantId')} AND copied_at > ${param('since')}`,
)
const inAllTenants = prepared<{ since: string }>()(
  (_db, param) =>
    sql<{ count: number }>`SELECT count(*) AS count FROM draft_copies WHERE copied_at > ${param('since')}`,
)
const consentRequests = prepared<{ tenantId: string; recipientKey: string }>()(
  (_db, param) => sql<{ count: number }>`
    SELECT count(*) AS count FROM draft_copies
    WHERE tenant_id = ${param('tenantId')} AND recipient_key = ${param('recipientKey')} AND purpose = 'consent_request'`,
)

export type CountedCaps = {
  recipient: Cap
  person: Cap
  tenant: Cap
  isEveryoneAtMost: boolean
  hasAskedConsent: boolean
}

/** The copies that count for one recipient, one person, the tenant and all tenants. `most`: the caps of the policy. */
export async function countCaps(
  db: Db,
  wanted: {
    tenantId: string
    personId: string
    recipientKey: string
    now: string
    most: { recipient: number; person: number; tenant: number }
  },
): Promise<CountedCaps> {
  const { tenantId, personId, recipientKey, now, most } = wanted
  const daySince = daysAfter(now, -1)
  const [recipient] = await toRecipient(db, { tenantId, recipientKey, since: daysAfter(now, -limits.recipientDays) })
  const [person] = await byPerson(db, { tenantId, personId, since: daySince })
  const [tenant] = await inTenant(db, { tenantId, since: daySince })
  const [everyone] = await inAllTenants(db, { since: daySince })
  const [asked] = await consentRequests(db, { tenantId, recipientKey })
  return {
    recipient: capOf(recipient, most.recipient, limits.recipientDays),
    person: capOf(person, most.person, 1),
    tenant: capOf(tenant, most.tenant, 1),
    isEveryoneAtMost: (everyone?.count ?? 0) >= limits.copiesOfAllTenants,
    hasAskedConsent: (asked?.count ?? 0) > 0,
  }
}

/** Counts the copies of a person and of their tenant in the last 24 hours. */
export async function countRecentCopies(
  db: Db,
  { tenantId, userId: personId, now }: { tenantId: string; userId: string; now: string },
): Promise<{ person: number; tenant: number }> {
  const since = daysAfter(now, -1)
  const [person] = await byPerson(db, { tenantId, personId, since })
  const [tenant] = await inTenant(db, { tenantId, since })
  return { person: person?.count ?? 0, tenant: tenant?.count ?? 0 }
}

function capOf(counted: Counted | undefined, most: number, days: number): Cap {
  const { count: used, oldest } = counted ?? { count: 0, oldest: null }
  const freeAt = oldest === null ? null : daysAfter(oldest, days)
  return { used, most, freeAt }
}

export type CopyRow = DraftCopyTable & { copier_name: string | null }

const copiesWithNames = (db: Db, tenantId: string) =>
  db
    .selectFrom('draft_copies as c')
    .leftJoin('users as copier', 'copier.id', 'c.copied_by')
    .selectAll('c')
    .select('copier.name as copier_name')
    .where('c.tenant_id', '=', tenantId)

/** Errors: `not_found`. */
export function getCopyRow(db: Db, tenantId: string, id: string): Promise<CopyRow> {
  return copiesWithNames(db, tenantId).where('c.id', '=', id).executeTakeFirstOrThrow(notFound)
}

export function findCopyByKey(db: Db, tenantId: string, key: string): Promise<CopyRow | undefined> {
  return copiesWithNames(db, tenantId).where('c.idempotency_key', '=', key).executeTakeFirst()
}

export async function countCopiesOf(
  db: Db,
  tenantId: string,
  draftId: string,
): Promise<{ count: number; last: string | null }> {
  const { count, last } = await db
    .selectFrom('draft_copies')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('copied_at').as('last')])
    .where('tenant_id', '=', tenantId)
    .where('draft_id', '=', draftId)
    .executeTakeFirstOrThrow()
  return { count, last }
}

export async function insertCopy(db: Db, row: DraftCopyTable): Promise<void> {
  await db.insertInto('draft_copies').values(row).execute()
}
