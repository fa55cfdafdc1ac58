import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import canonicalize from 'canonicalize'
import { fingerprint } from '../../../lib/hashing.ts'
import { type SizeLimit, tooLarge } from '../../../lib/limit-reached.ts'
import type { Db } from '../../../store/database.ts'
import { familyOf, getStoredRecord, MAX_FAMILY, type StoredRecord } from '../../businesses/businesses.ts'
import { type BusinessChild, businessChildNames, businessChildren } from '../../facts.ts'

/** Children of one kind, all of which are write-once: their count, their ids, and one hash over all their columns. */
export type Kept = { count: number; ids: string[]; hash: string }

/**
 * One record with all its children. The texts of the children stay in their own append-only tables. Ids and a hash prove that no child is missing or
 * changed, and a sensitive note is not copied.
 */
export type RecordGraph = StoredRecord & {
  children: Readonly<Partial<Record<BusinessChild, Kept>>>
  /** the source references of its evidence */
  sources: Kept
  audit: { count: number; lastSequence: number }
  /** ids of the suppression entries that match the record at this time */
  suppressions: string[]
}

/** Content of a merge snapshot: both records, and all records merged into either of them, as they were before the merge. */
export type MergeSnapshot = {
  format: 1
  survivorId: string
  loserId: string
  /** ids of both families; in each, the record itself comes first */
  survivorFamily: string[]
  loserFamily: string[]
  records: RecordGraph[]
}

export const familySize: SizeLimit = {
  name: 'merged_records',
  subject: 'This merge',
  unit: 'records that one record combines',
  remedy: 'Merge with another record, or reverse an earlier merge.',
}
export const childSize: SizeLimit = {
  name: 'merge_children',
  subject: 'One of the two records',
  unit: 'rows of one kind',
  remedy: 'These two records cannot be merged.',
}

/** Maximum number of children of one kind per merge. A merge with more would block all other writers for too long, so it is refused. */
export const MAX_CHILDREN = 20_000
/** Number of rows that are read and hashed before the event loop can serve requests. A batch takes some milliseconds. */
const READ_AT_ONCE = 500

/**
 * Reads both records, all records merged into them and all their children. Errors: `too_large` (a record has more children than the limit of a
 * merge).
 */
export async function takeSnapshot(
  db: Db,
  tenantId: string,
  survivorId: string,
  loserId: string,
): Promise<MergeSnapshot> {
  const survivorFamily = await familyOf(db, tenantId, survivorId)
  const loserFamily = await familyOf(db, tenantId, loserId)
  const size = survivorFamily.length + loserFamily.length
  if (size > MAX_FAMILY) throw tooLarge(familySize, { size, max: MAX_FAMILY })
  const records: RecordGraph[] = []
  for (const id of [...survivorFamily, ...loserFamily]) records.push(await recordGraph(db, tenantId, id))
  return { format: 1, survivorId, loserId, survivorFamily, loserFamily, records }
}

export function snapshotHash(snapshot: MergeSnapshot): string {
  return fingerprint(snapshot)
}

export async function recordGraph(db: Db, tenantId: string, id: string): Promise<RecordGraph> {
  const stored = await getStoredRecord(db, tenantId, id)
  const children: Partial<Record<BusinessChild, Kept>> = {}
  const sources = tally()
  for (const kind of businessChildNames) {
    const found = tally()
    await eachChild(db, kind, tenantId, id, (row) => {
      found.add(row.id, withoutNulls(row))
      if ('source_reference' in row && row.source_reference !== null) sources.add(row.id, row.source_reference)
    })
    children[kind] = found.kept()
  }
  return {
    ...stored,
    children,
    sources: sources.kept(),
    audit: await auditOf(db, tenantId, id),
    suppressions: await suppressionsOf(db, tenantId, id),
  }
}

/** Returns the children of one kind in a snapshot. They are empty if the snapshot is older than this kind of child. */
export function keptOf({ children }: Pick<RecordGraph, 'children'>, kind: BusinessChild): Kept {
  return children[kind] ?? tally().kept()
}

/** Requires that the number of children is within the limit of a merge. Errors: `too_large`. */
export function requireNoMore(kind: BusinessChild, count: number): void {
  if (count <= MAX_CHILDREN) return
  throw tooLarge({ ...childSize, unit: kind }, { size: undefined, max: MAX_CHILDREN })
}

function tally() {
  const hash = createHash('sha256')
  const ids: string[] = []
  return {
    add: (id: string, row: unknown) => {
      ids.push(id)
      hash.update(`${canonicalize(row)}\n`)
    },
    kept: (): Kept => ({ count: ids.length, ids, hash: hash.digest('hex') }),
  }
}

/** Returns the row without its NULLs. A column added by a later release is NULL in existing rows, so it does not change their hash. */
function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

async function eachChild(
  db: Db,
  kind: BusinessChild,
  tenantId: string,
  businessId: string,
  take: (row: { id: string }) => void,
): Promise<void> {
  let after = ''
  let count = 0
  for (;;) {
    const rows = await selectChildren(db, kind, tenantId, businessId, after)
    for (const row of rows) take(row)
    count += rows.length
    requireNoMore(kind, count)
    const last = rows.at(-1)
    if (last === undefined || rows.length < READ_AT_ONCE) return
    after = last.id
    await nextTurn()
  }
}

function selectChildren(db: Db, kind: BusinessChild, tenantId: string, businessId: string, after: string) {
  return db
    .selectFrom(businessChildren[kind].table)
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(READ_AT_ONCE)
    .execute()
}

/** Returns the suppression entries that currently match a business. */
export async function suppressionsOf(db: Db, tenantId: string, businessId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('suppression_matches')
    .select('suppression_id')
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .where('live', '=', 1)
    .orderBy('suppression_id')
    .execute()
  return rows.map(({ suppression_id: id }) => id)
}

async function auditOf(db: Db, tenantId: string, businessId: string): Promise<RecordGraph['audit']> {
  const { count, last } = await db
    .selectFrom('audit_events')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('sequence').as('last')])
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .executeTakeFirstOrThrow()
  return { count, lastSequence: last ?? 0 }
}
