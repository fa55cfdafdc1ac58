import { sql } from 'kysely'
import type { Outcome } from '../../lib/interaction-outcome.ts'
import type { Tx } from '../../store/change/change.ts'
import { thenJoin } from '../../store/engine/dialect.ts'
import { familyOf, type LastContact, MAX_FAMILY, setLastContact } from '../businesses/businesses.ts'
import { findFollowUpChange } from './interactions.queries.ts'

/*
 * Time and outcome of the last interaction and the open follow-up date, derived from the interactions of a record and of the records merged into it,
 * and from the dates that people set or cleared there without an interaction. Columns of the record contain them, so that lists can filter and sort
 * by them.
 */

type Latest = {
  id: string
  occurred_at: string
  created_at: string
  corrects_id: string | null
  outcome: Outcome
  follow_up_on: string | null
}
type Change = NonNullable<Awaited<ReturnType<typeof findFollowUpChange>>>

/**
 * Updates the time and the outcome of the last interaction and the open follow-up date of a record, and of every record that it was merged into.
 * Version and `updated_at` do not change, because an interaction is not an edit of the record.
 */
export async function refreshLastContact(tx: Tx, id: string): Promise<void> {
  const { tenantId } = tx.actor
  let one: string | null = id
  for (let step = 0; one !== null && step < MAX_FAMILY; step++)
    one = await setLastContact(tx, one, await deriveLastContact(tx, await familyOf(tx.db, tenantId, one)))
}

/** The latest of the interactions and of the changes by hand decides about the follow-up date. */
async function deriveLastContact(tx: Tx, family: readonly string[]): Promise<LastContact> {
  const latest = await findLatestInteraction(tx, family)
  const change = await findLatestChange(tx, family)
  const isChangeLater = change !== undefined && (latest === undefined || (await replaces(tx, change, latest)))
  const { follow_up_on: followUpOn = null } = (isChangeLater ? change : latest) ?? {}
  return { at: latest?.occurred_at ?? null, outcome: latest?.outcome ?? null, followUpOn }
}

/** Returns the latest interaction that no other one corrects. Follow-up dates of earlier interactions no longer count. */
async function findLatestInteraction(tx: Tx, family: readonly string[]): Promise<Latest | undefined> {
  const { tenantId } = tx.actor
  let latest: Latest | undefined
  // Query each record separately, so that the index provides the order. One query for all records would have to sort.
  for (const businessId of family) {
    const { rows } = await sql<Latest>`
      SELECT i.id, i.occurred_at, i.created_at, i.corrects_id, i.outcome, i.follow_up_on FROM interactions AS i
      WHERE i.tenant_id = ${tenantId} AND i.business_id = ${businessId}
        AND NOT EXISTS (SELECT 1 FROM interactions later WHERE later.tenant_id = i.tenant_id AND later.corrects_id = i.id)
      ORDER BY i.occurred_at DESC, i.id DESC LIMIT 1`.execute(tx.db)
    const [found] = rows
    if (found === undefined) continue
    if (latest === undefined || isLater([found.occurred_at, found.id], [latest.occurred_at, latest.id])) latest = found
  }
  return latest
}

async function findLatestChange(tx: Tx, family: readonly string[]): Promise<Change | undefined> {
  let latest: Change | undefined
  for (const businessId of family) {
    const found = await findFollowUpChange(tx.db, tx.actor.tenantId, businessId)
    if (found === undefined) continue
    if (latest === undefined || isLater([found.changed_at, found.id], [latest.changed_at, latest.id])) latest = found
  }
  return latest
}

/**
 * True if a change by hand counts instead of the latest interaction: it was made after the interaction occurred, and since then the interaction was
 * neither recorded with a date nor corrected to another date. A correction that keeps the date does not undo the change.
 */
async function replaces(tx: Tx, change: Change, latest: Latest): Promise<boolean> {
  const { tenantId } = tx.actor
  const changed = [change.changed_at, change.id] as const
  // An interaction may be some minutes in the future, because clocks differ. A change after its recording is the later one then.
  const [occurredAt = latest.occurred_at] = [latest.occurred_at, latest.created_at].toSorted()
  if (isLater([occurredAt, latest.id], changed)) return false
  if (latest.corrects_id === null && latest.follow_up_on !== null && isLater([latest.created_at, latest.id], changed))
    return false
  const { rows } = await sql<{ found: number }>`
    WITH RECURSIVE chain (id) AS (
      SELECT ${latest.id}
      UNION
      SELECT i.corrects_id FROM chain ${thenJoin} interactions AS i ON i.tenant_id = ${tenantId} AND i.id = chain.id
      WHERE i.corrects_id IS NOT NULL)
    SELECT 1 AS found FROM chain
      ${thenJoin} interactions AS i ON i.tenant_id = ${tenantId} AND i.id = chain.id
      ${thenJoin} interactions AS corrected ON corrected.tenant_id = ${tenantId} AND corrected.id = i.corrects_id
    WHERE i.follow_up_on IS DISTINCT FROM corrected.follow_up_on
      AND (i.created_at > ${change.changed_at} OR (i.created_at = ${change.changed_at} AND i.id > ${change.id})) LIMIT 1`.execute(
    tx.db,
  )
  return rows.length === 0
}

type Moment = readonly [at: string, id: string]
const isLater = ([at, id]: Moment, [otherAt, otherId]: Moment): boolean =>
  at === otherAt ? id > otherId : at > otherAt
