import { sql } from 'kysely'
import { z } from 'zod'
import { actorRef } from '../../../lib/actor.ts'
import { dayCounts } from '../../../store/change/day-counts.ts'
import type { Db } from '../../../store/database.ts'
import { inList } from '../../../store/engine/dialect.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import { repeatsBy, suspicions } from '../pages/page-facts.ts'
import { scanReasons } from '../reasons.ts'
import type {
  ScanHopTable,
  ScanOrigin,
  ScanPageTable,
  ScanResultTable,
  ScanState,
  ScanTable,
} from '../scanning.table.ts'
import { readBudgets, reasonsSchema, type Scan, spentSchema, storedFactsSchema } from './scans.schema.ts'

export type ScanKey = { tenantId: string; id: string }

/** A scan as stored. `hosts`: the known hosts of its pages and redirects. */
type StoredPage = Omit<Scan['pages'][number], 'opening'>

export type StoredScan = Omit<Scan, 'freshness' | 'cacheStatus' | 'ageSeconds' | 'valuesHidden' | 'pages'> & {
  pages: StoredPage[]
  storedCacheStatus: ScanResultTable['cache_status']
}

export const readStoredFacts = jsonColumn(storedFactsSchema)
export const readReasons = jsonColumn(reasonsSchema)
const readSuspected = jsonColumn(z.array(z.enum(suspicions)))
const readSpent = jsonColumn(spentSchema)

export async function insertScan(db: Db, scan: ScanTable, result: Omit<ScanResultTable, 'scan_id' | 'tenant_id'>) {
  await db.insertInto('scans').values(scan).execute()
  await db
    .insertInto('scan_results')
    .values({ tenant_id: scan.tenant_id, scan_id: scan.id, ...result })
    .execute()
}

export async function insertPage(db: Db, page: ScanPageTable, hops: readonly ScanHopTable[] = []): Promise<void> {
  await db.insertInto('scan_pages').values(page).execute()
  if (hops.length > 0)
    await db
      .insertInto('scan_hops')
      .values([...hops])
      .execute()
}

function scansWithResults(db: Db) {
  return db
    .selectFrom('scans as s')
    .innerJoin('scan_results as r', (join) =>
      join.onRef('r.tenant_id', '=', 's.tenant_id').onRef('r.scan_id', '=', 's.id'),
    )
    .leftJoin('users as u', 'u.id', 's.requested_by')
    .selectAll('s')
    .select(['r.state', 'r.reasons', 'r.observed_at', 'r.ended_at', 'r.scanner_version', 'r.policy_version'])
    .select(['r.address_policy_version', 'r.dns_policy_version', 'r.applied', 'r.spent', 'r.expires_at'])
    .select(['r.cache_status', 'r.delete_after', 'r.emptied_at', 'u.name as actor_name'])
}

export async function findScan(db: Db, { tenantId, id }: ScanKey): Promise<StoredScan | undefined> {
  const rows = await scansWithResults(db).where('s.tenant_id', '=', tenantId).where('s.id', '=', id).execute()
  return (await withPages(db, tenantId, rows))[0]
}

/** Versions of the rules of scans. `policy`: the current scan policy of the workspace, 0 for the built-in defaults. */
export type Versions = { scanner: number; address: number; dns: number; policy: number }

export type WantedScans = {
  tenantId: string
  businessIds: readonly string[] | undefined
  origin: ScanOrigin | undefined
  state: ScanState | undefined
  freshness: 'fresh' | 'stale' | 'policy_changed' | undefined
  now: string
  versions: Versions
}

/** Returns scans, newest first. */
export async function selectScans(
  db: Db,
  wanted: WantedScans & { before: string | undefined; limit: number },
): Promise<StoredScan[]> {
  const { tenantId, before, limit } = wanted
  const rows = await scansOf(db, wanted)
    .$if(before !== undefined, (query) => query.where('s.id', '<', before ?? ''))
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute()
  return withPages(db, tenantId, rows)
}

function scansOf(db: Db, wanted: WantedScans) {
  return scansOfBusinesses(db, wanted).where(sql.join<boolean>(scanConditions(wanted), sql` AND `))
}

/** Selects the scans that a list chooses from, with the mark `is_wanted` for those that it shows. No index has their states. */
export function markedScans(db: Db, wanted: WantedScans) {
  return scansOfBusinesses(db, wanted).select(sql.join(scanConditions(wanted), sql` AND `).as('is_wanted'))
}

function scansOfBusinesses(db: Db, { tenantId, businessIds }: WantedScans) {
  const query = scansWithResults(db).where('s.tenant_id', '=', tenantId)
  return businessIds === undefined ? query : query.where('s.business_id', 'in', inList(businessIds))
}

function scanConditions({ origin, state, freshness, now, versions }: WantedScans) {
  const isOther = sql<boolean>`(r.scanner_version <> ${versions.scanner} OR r.address_policy_version <> ${versions.address}
    OR r.policy_version <> ${versions.policy} OR (r.dns_policy_version IS NOT NULL AND r.dns_policy_version <> ${versions.dns}))`
  const isStale = sql<boolean>`(r.state <> 'complete' OR r.expires_at IS NULL OR r.expires_at <= ${now})`
  const conditions = [sql<boolean>`1 = 1`]
  if (origin !== undefined) conditions.push(sql`s.origin = ${origin}`)
  if (state !== undefined) conditions.push(sql`r.state = ${state}`)
  if (freshness === 'policy_changed') conditions.push(isOther)
  if (freshness === 'stale') conditions.push(sql`NOT ${isOther} AND ${isStale}`)
  if (freshness === 'fresh') conditions.push(sql`NOT ${isOther} AND NOT ${isStale}`)
  return conditions
}

type Row = Awaited<ReturnType<ReturnType<typeof scansWithResults>['execute']>>[number]

async function withPages(db: Db, tenantId: string, rows: readonly Row[]): Promise<StoredScan[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const pages = await db
    .selectFrom('scan_pages')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('scan_id', 'in', inList(ids))
    .orderBy('scan_id')
    .orderBy('position')
    .execute()
  const hops = await db
    .selectFrom('scan_hops')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('scan_id', 'in', inList(ids))
    .orderBy('scan_id')
    .orderBy('page')
    .orderBy('position')
    .execute()
  const pagesOf = Map.groupBy(pages, ({ scan_id }) => scan_id)
  const hopsOf = Map.groupBy(hops, ({ scan_id, page }) => `${scan_id} ${page}`)
  return rows.map((row) =>
    toScan(
      row,
      (pagesOf.get(row.id) ?? []).map((page) =>
        toPage(page, hopsOf.get(`${row.id} ${page.position}`) ?? [], row.scanner_version),
      ),
    ),
  )
}

function toPage(row: ScanPageTable, hops: readonly ScanHopTable[], scannerVersion: number): StoredPage {
  return {
    url: row.url,
    role: row.role,
    outcome: row.outcome,
    hops: hops.map(({ url, status, address, verdict, reason }) => ({
      url,
      status,
      address,
      verdict,
      reason: reason === null ? null : z.enum(scanReasons).parse(reason),
    })),
    facts: row.facts === null ? null : shownFacts(readStoredFacts(row.facts), scannerVersion),
    class: row.class,
    suspected: readSuspected(row.suspected),
    reasons: readReasons(row.reasons),
    retryAt: row.retry_at,
  }
}

function shownFacts({ words: _words, ...facts }: ReturnType<typeof readStoredFacts>, scannerVersion: number) {
  return { ...facts, repeats: repeatsBy(scannerVersion, facts.repeats) }
}

function toScan(row: Row, pages: StoredPage[]): StoredScan {
  const requestedBy = actorRef(row.requested_by, row.actor_name)
  return {
    id: row.id,
    businessId: row.business_id,
    origin: row.origin,
    requestedBy,
    suppliedBy: row.origin === 'supplied' ? requestedBy : null,
    requestedAt: row.requested_at,
    url: row.url,
    state: row.state,
    reasons: readReasons(row.reasons),
    observedAt: row.observed_at,
    endedAt: row.ended_at,
    scannerVersion: row.scanner_version,
    policyVersion: row.policy_version,
    addressPolicyVersion: row.address_policy_version,
    dnsPolicyVersion: row.dns_policy_version,
    budgets: { applied: readBudgets(row.applied), spent: readSpent(row.spent) },
    expiresAt: row.expires_at,
    pages,
    jobId: row.job_id,
    deleteAfter: row.delete_after,
    emptiedAt: row.emptied_at,
    storedCacheStatus: row.cache_status,
  }
}

/** Scans of each day, by origin. All tenants share a limit of fetched ones. */
export const scanCounts = dayCounts('scan_counts', ['fetched', 'supplied'])

/** Returns the ids of the businesses' scans. */
export async function selectScanIds(db: Db, tenantId: string, businessIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('scans')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', inList(businessIds))
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns scans past their retention period. */
export async function selectDueScans(
  db: Db,
  { tenantId, now, limit }: { tenantId: string; now: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('scan_results')
    .select('scan_id')
    .where('tenant_id', '=', tenantId)
    .where('emptied_at', 'is', null)
    .where('delete_after', '<=', now)
    .orderBy('delete_after')
    .limit(limit)
    .execute()
  return rows.map(({ scan_id }) => scan_id)
}

export async function updateResult(
  db: Db,
  { tenantId, id }: ScanKey,
  changed: Partial<Omit<ScanResultTable, 'tenant_id' | 'scan_id'>>,
): Promise<void> {
  await db
    .updateTable('scan_results')
    .set(changed)
    .where('tenant_id', '=', tenantId)
    .where('scan_id', '=', id)
    .execute()
}

type PageKey = { tenantId: string; scanId: string; position: number }

/** Stores the outcome of a page that was begun. */
export async function updatePage(
  db: Db,
  { tenantId, scanId, position }: PageKey,
  changed: Partial<Omit<ScanPageTable, 'tenant_id' | 'scan_id' | 'position'>>,
  hops: readonly ScanHopTable[],
): Promise<void> {
  await db
    .updateTable('scan_pages')
    .set(changed)
    .where('tenant_id', '=', tenantId)
    .where('scan_id', '=', scanId)
    .where('position', '=', position)
    .execute()
  if (hops.length > 0)
    await db
      .insertInto('scan_hops')
      .values([...hops])
      .execute()
}

/** Marks unfinished pages as interrupted; they are not requested again. */
export async function interruptPages(db: Db, { tenantId, id }: ScanKey): Promise<void> {
  await db
    .updateTable('scan_pages')
    .set({ outcome: 'interrupted', reasons: '["interrupted"]' })
    .where('tenant_id', '=', tenantId)
    .where('scan_id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}

/** Returns the jobs of scans that have not ended. */
export async function selectOpenJobs(db: Db, tenantId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('scan_results as r')
    .innerJoin('scans as s', (join) => join.onRef('s.tenant_id', '=', 'r.tenant_id').onRef('s.id', '=', 'r.scan_id'))
    .select('s.job_id')
    .where('r.tenant_id', '=', tenantId)
    .where('r.ended_at', 'is', null)
    .orderBy('r.scan_id')
    .limit(limit)
    .execute()
  return rows.flatMap(({ job_id }) => job_id ?? [])
}

/** Returns the versions as one text, which is stored with a scan that was evaluated by them. */
export function versionsText({ scanner, address, dns, policy }: Versions): string {
  return `${scanner}.${address}.${dns}.${policy}`
}

/** Returns ended scans that the present versions of the rules have not evaluated yet. */
export async function selectEvaluable(
  db: Db,
  { tenantId, versions, limit }: { tenantId: string; versions: Versions; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('scan_results')
    .select('scan_id')
    .where('tenant_id', '=', tenantId)
    .where('ended_at', 'is not', null)
    .where('emptied_at', 'is', null)
    .where(({ or, eb }) =>
      or([
        eb('scanner_version', '<>', versions.scanner),
        eb('address_policy_version', '<>', versions.address),
        eb('dns_policy_version', '<>', versions.dns),
        eb('policy_version', '<>', versions.policy),
      ]),
    )
    .where(({ or, eb }) => or([eb('evaluated_by', 'is', null), eb('evaluated_by', '<>', versionsText(versions))]))
    .limit(limit)
    .execute()
  return rows.map(({ scan_id }) => scan_id)
}

export async function selectRawPages(db: Db, { tenantId, id }: ScanKey) {
  const { state, reasons, scanner_version, delete_after, requested_at } = await scansWithResults(db)
    .where('s.tenant_id', '=', tenantId)
    .where('s.id', '=', id)
    .executeTakeFirstOrThrow()
  const pages = await db
    .selectFrom('scan_pages')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('scan_id', '=', id)
    .execute()
  const hops = await db
    .selectFrom('scan_hops')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('scan_id', '=', id)
    .execute()
  return {
    state,
    reasons,
    scannerVersion: scanner_version,
    requestedAt: requested_at,
    deleteAfter: delete_after,
    pages,
    hops,
  }
}

/** Stores the result of another evaluation of a page. */
export async function updateJudged(
  db: Db,
  key: PageKey,
  judged: Pick<ScanPageTable, 'class' | 'facts'>,
): Promise<void> {
  await updatePage(db, key, judged, [])
}
