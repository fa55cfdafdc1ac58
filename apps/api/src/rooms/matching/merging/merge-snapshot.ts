import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import canonicalize from 'canonicalize'
import type { Kysely } from 'kysely'
import { AppError } from '../../../lib/app-error.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import type { Database } from '../../../store/database.ts'
import { familyOf, getStoredRecord, MAX_FAMILY, type StoredRecord } from '../../businesses/businesses.ts'
import { type BusinessChild, businessChildNames, businessChildren } from '../../facts.ts'

type Db = Kysely<Database>

/** What hangs on a business and is written once: how many, which ones, and a hash over every column of all of them. */
export type Kept = { count: number; ids: string[]; hash: string }

/**
 * One record with all that hangs on it. Texts of children stay in their own tables, which nothing can rewrite: their ids and the hash
 * prove that none is missing or changed, without a second place where a sensitive note could be read.
 */
export type RecordGraph = StoredRecord & {
  children: Readonly<Partial<Record<BusinessChild, Kept>>>
  /** the source references of its evidence: where each observation came from */
  sources: Kept
  audit: { count: number; lastSequence: number }
  /** the suppression entries that match it */
  suppressions: string[]
}

/** Both records and all that were merged into either, as they were before the merge. */
export type MergeSnapshot = {
  format: 1
  survivorId: string
  loserId: string
  /** the survivor's family first */
  survivorFamily: string[]
  loserFamily: string[]
  records: RecordGraph[]
}

/** More children of one kind than this and a merge is refused instead of stopping everybody else. */
export const MAX_CHILDREN = 20_000
/** Some milliseconds of reading and hashing; then requests have a turn. */
const READ_AT_ONCE = 500

/** Errors: `too_large` when more hangs on a record than a merge takes. */
export async function takeSnapshot(
  db: Db,
  tenantId: string,
  survivorId: string,
  loserId: string,
): Promise<MergeSnapshot> {
  const survivorFamily = await familyOf(db, tenantId, survivorId)
  const loserFamily = await familyOf(db, tenantId, loserId)
  if (survivorFamily.length + loserFamily.length > MAX_FAMILY) {
    throw new AppError(
      'too_large',
      `One record stands for at most ${MAX_FAMILY} that were merged; these would be more.`,
    )
  }
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

/** Children of one kind in a graph; none where its snapshot was written before this kind existed. */
export function keptOf({ children }: Pick<RecordGraph, 'children'>, kind: BusinessChild): Kept {
  return children[kind] ?? tally().kept()
}

/** Errors: `too_large`. */
export function requireNoMore(kind: BusinessChild, count: number): void {
  if (count <= MAX_CHILDREN) return
  throw new AppError('too_large', `More than ${MAX_CHILDREN} ${kind} hang on one of the two; a merge takes no more.`)
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

/** A column that a later release adds is NULL in rows that were there before: left out, it does not change their hash. */
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

/** The entries that match a business now. */
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
