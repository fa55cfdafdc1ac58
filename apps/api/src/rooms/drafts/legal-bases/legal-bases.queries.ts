import { z } from 'zod'
import type { Db } from '../../../store/database.ts'
import { inList } from '../../../store/engine/dialect.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import { wholeFamilyOf } from '../../businesses/businesses.ts'
import { readBlockedReach } from '../../people/people.ts'
import { type StoredRecipient, storedContactsOf } from '../content/recipient-gate.ts'
import {
  type BasisForm,
  type BasisKind,
  type Channel,
  channels,
  type LegalBasisTable,
  type Purpose,
} from '../drafts.table.ts'
import { limits } from '../limits.ts'
import { addedIn, firstObjectionAfter, type Objection, readObjections } from './objections.queries.ts'

export const readChannels = jsonColumn(z.array(z.enum(channels)))

export type BasisRow = LegalBasisTable & {
  creator_name: string | null
  withdrawn_at: string | null
  withdrawn_by: string | null
  withdrawer_name: string | null
  withdrawal_reason: string | null
  /** time of the objection that ended the basis; null if there was none since the basis was added */
  objected_at: string | null
}

function basesWithNames(db: Db) {
  return db
    .selectFrom('legal_bases as b')
    .leftJoin('legal_basis_withdrawals as w', (join) =>
      join.onRef('w.tenant_id', '=', 'b.tenant_id').onRef('w.basis_id', '=', 'b.id'),
    )
    .leftJoin('users as creator', 'creator.id', 'b.created_by')
    .leftJoin('users as withdrawer', 'withdrawer.id', 'w.actor')
    .selectAll('b')
    .select(['w.at as withdrawn_at', 'w.actor as withdrawn_by', 'w.reason as withdrawal_reason'])
    .select(['creator.name as creator_name', 'withdrawer.name as withdrawer_name'])
    .select(addedIn('b').as('added_in'))
}

type StoredRow = Omit<BasisRow, 'objected_at'> & { added_in: number | null }

/**
 * Returns a function that returns the time of the objection that ended a basis; null if none did. A person at the prospect who was marked do not contact
 * ends the bases whose recipient reaches this person.
 */
async function objectionTo(
  db: Db,
  of: { tenantId: string; family: readonly string[] },
  rows: readonly { added_in: number | null }[],
): Promise<(row: StoredRecipient & { added_in: number | null }) => string | null> {
  const after = Math.min(...rows.map(({ added_in: sequence }) => sequence ?? 0))
  const objections = await readObjections(db, { ...of, after })
  const blockedSince = await readBlockedReach(db, of.tenantId, of.family)
  return (row) => {
    const at = blockedSince(storedContactsOf(row))
    const ofPerson: Objection[] = at === null ? [] : [{ at, until: Infinity }]
    return firstObjectionAfter([...objections, ...ofPerson], row.added_in)
  }
}

/** Adds to the bases of one record the objections of its whole family. */
async function withObjections(
  db: Db,
  key: { tenantId: string; businessId: string },
  rows: readonly StoredRow[],
): Promise<BasisRow[]> {
  if (rows.length === 0) return []
  const family = await wholeFamilyOf(db, key.tenantId, key.businessId)
  const objectedAt = await objectionTo(db, { tenantId: key.tenantId, family }, rows)
  return rows.map(({ added_in, ...row }) => ({ ...row, objected_at: objectedAt({ ...row, added_in }) }))
}

/** One legal basis of this record; not found under another one. */
export async function findBasis(
  db: Db,
  { tenantId, businessId, id }: { tenantId: string; businessId: string; id: string },
): Promise<BasisRow | undefined> {
  const row = await basesWithNames(db)
    .where('b.tenant_id', '=', tenantId)
    .where('b.business_id', '=', businessId)
    .where('b.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const [found] = await withObjections(db, { tenantId, businessId }, [row])
  return found
}

export async function selectBases(
  db: Db,
  wanted: { tenantId: string; businessId: string; before: string | undefined; limit: number },
): Promise<BasisRow[]> {
  const { tenantId, businessId, before, limit } = wanted
  const rows = await basesWithNames(db)
    .where('b.tenant_id', '=', tenantId)
    .where('b.business_id', '=', businessId)
    .$if(before !== undefined, (query) => query.where('b.id', '<', before ?? ''))
    .orderBy('b.id', 'desc')
    .limit(limit)
    .execute()
  return withObjections(db, { tenantId, businessId }, rows)
}

/** A legal basis as the checks read it. */
export type ActiveBasis = {
  id: string
  kind: BasisKind
  form: BasisForm
  channels: readonly Channel[]
  purpose: Purpose
  jurisdiction: string
  /** normalized; null: every recipient */
  recipient: { kind: string; normalized: string } | null
  from: string
  until: string
  isWithdrawn: boolean
  /** time of the objection that ended it; null: none did */
  objectedAt: string | null
}

/** The legal bases of these records for one purpose and jurisdiction, including those that were withdrawn or ended by an objection. */
export async function selectActiveBases(
  db: Db,
  wanted: { tenantId: string; family: readonly string[]; purpose: Purpose; jurisdiction: string },
): Promise<ActiveBasis[]> {
  const { tenantId, family, purpose, jurisdiction } = wanted
  const rows = await db
    .selectFrom('legal_bases as b')
    .leftJoin('legal_basis_withdrawals as w', (join) =>
      join.onRef('w.tenant_id', '=', 'b.tenant_id').onRef('w.basis_id', '=', 'b.id'),
    )
    .selectAll('b')
    .select('w.at as withdrawn_at')
    .select(addedIn('b').as('added_in'))
    .where('b.tenant_id', '=', tenantId)
    .where('b.business_id', 'in', inList(family))
    .where('b.purpose', '=', purpose)
    .where('b.jurisdiction', '=', jurisdiction)
    .orderBy('b.id', 'desc')
    .limit(limits.legalBasesOfBusiness)
    .execute()
  if (rows.length === 0) return []
  const objectedAt = await objectionTo(db, { tenantId, family }, rows)
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    form: row.form,
    channels: readChannels(row.channels),
    purpose: row.purpose,
    jurisdiction: row.jurisdiction,
    recipient:
      row.recipient_kind === null ? null : { kind: row.recipient_kind, normalized: row.recipient_normalized ?? '' },
    from: row.valid_from,
    until: row.valid_until,
    isWithdrawn: row.withdrawn_at !== null,
    objectedAt: objectedAt(row),
  }))
}

export async function countBases(db: Db, tenantId: string, businessId: string): Promise<number> {
  const { count } = await db
    .selectFrom('legal_bases')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertBasis(db: Db, row: LegalBasisTable): Promise<void> {
  await db.insertInto('legal_bases').values(row).execute()
}

export async function insertWithdrawal(
  db: Db,
  row: { tenant_id: string; basis_id: string; at: string; actor: string; reason: string },
): Promise<void> {
  await db.insertInto('legal_basis_withdrawals').values(row).execute()
}
