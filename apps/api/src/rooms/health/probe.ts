import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { MAX_COUNTED } from '../../http/pagination.ts'
import { AppError } from '../../lib/app-error.ts'
import { CLOCKS_DIFFER_MS, type Clock, DAY_MS } from '../../lib/clock.ts'
import { storeFailure } from '../../store/engine/failures.ts'
import { findKeys } from '../../store/files/keys.ts'
import { checkpointStates, missingChainSentence, missingChains, newestEventAt } from '../audit/audit.ts'
import {
  findLastCopy,
  findNewestBackup,
  LAST_DRILL_FILE,
  requireFileSizes,
  requireSignature,
  standingOfAge,
} from '../backup/backup.ts'
import { watchPolicyReviews } from '../drafts/drafts.ts'
import { inspectCompanyKeys, listTenants } from '../identity/identity.ts'
import { watchRegistry } from '../registry/registry.ts'
import { countOverdue } from '../requests/requests.ts'
import { checkRecords } from './integrity/check-records.ts'
import { folderOfBackups, readSpace } from './read-space.ts'
import { readStore } from './read-store.ts'

/** Severities for monitoring tools, in the order of the exit codes 0, 1, 2 and 3. */
export const severities = ['ok', 'warning', 'critical', 'unknown'] as const
export type Severity = (typeof severities)[number]
export type Finding = { check: string; standing: Severity; found: string }

const HOUR_MS = 3_600_000
const HTTP_PATIENCE_MS = 5_000
const DRILL_WARNING_DAYS = 92
const SPACE_WARNING_SHARE = 0.2
const SPACE_CRITICAL_SHARE = 0.05
/** Reasons of errors that prove a failure. */
const DAMAGE = new Set(['storage_damaged', 'backup_damaged'])

/**
 * Options of the probe. `withRecords`: also check every record, which takes time proportional to their number. `companySignIn`: the settings of
 * company sign-in, if it is on.
 */
export type ProbeOptions = StoreToRead & {
  shelf: string
  apiUrl: string
  webUrl: string
  withRecords: boolean
  companySignIn?: Config['companySignIn']
}

type StoreToRead = Parameters<typeof readStore>[0]

/**
 * Checks everything that an operator can observe. Changes nothing except the row that the readiness check writes to test the store. Never throws,
 * because a failed check is reported as a finding.
 */
export async function probe(options: ProbeOptions, clock: Clock): Promise<Finding[]> {
  const { dataDir, shelf, apiUrl, webUrl, withRecords, companySignIn } = options
  const checks: Check[] = [
    ['API alive', () => answers(`${apiUrl}/api/v1/health/live`)],
    ['API ready', () => answers(`${apiUrl}/api/v1/health/ready`)],
    ['web alive', () => answers(`${webUrl}/healthz`)],
    ['space of the store', () => space(dataDir)],
    ['space of the backups', () => space(folderOfBackups(shelf, dataDir))],
    ['last backup', async () => lastBackup(dataDir, shelf, clock())],
    ['backups off this host', async () => offHost(shelf, clock())],
    ['last restore drill', async () => lastDrill(shelf, clock())],
    ['audit checkpoints', () => checkpoints(options, clock())],
    ['subject requests', () => subjectRequests(options, clock())],
    ['registry rounds', () => registryRounds(options, clock())],
    ['sources of draft policies', () => policyReviews(options, clock())],
    ['keys of company sign-in', () => companyKeys(companySignIn, clock())],
    ['clock', () => clockOf(options, apiUrl, clock)],
  ]
  const findings = await Promise.all(checks.map(take))
  // Check the records last, because reading them blocks this process for longer than the timeout of a server's response.
  return withRecords ? [...findings, await take(['records', () => records(options)])] : findings
}

type Check = [name: string, look: () => Promise<Omit<Finding, 'check'>>]

async function take([check, look]: Check): Promise<Finding> {
  try {
    return { check, ...(await look()) }
  } catch (error) {
    return { check, ...notSeen(error) }
  }
}

/**
 * Returns the finding for a check that failed to run. A damaged store or backup is a proven failure; for any other cause the state is unknown. The
 * message can name the file of a backup, which operators may see.
 */
export function notSeen(thrown: unknown): Omit<Finding, 'check'> {
  const error = storeFailure(thrown)
  const isDamage = error instanceof AppError && DAMAGE.has(error.details.reason ?? '')
  const told = thrown instanceof Error && 'path' in thrown ? thrown : error
  const found = told instanceof Error ? told.message : String(told)
  return { standing: isDamage ? 'critical' : 'unknown', found }
}

/** Returns the worst severity. `unknown` is worse than a warning and better than a proven failure. */
export function worstOf(findings: readonly Finding[]): Severity {
  const order: Severity[] = ['critical', 'unknown', 'warning', 'ok']
  return order.find((standing) => findings.some((finding) => finding.standing === standing)) ?? 'ok'
}

async function answers(url: string): Promise<Omit<Finding, 'check'>> {
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(HTTP_PATIENCE_MS) })
    return { standing: status === 200 ? 'ok' : 'critical', found: `${url} answers ${status}` }
  } catch {
    return { standing: 'critical', found: `${url} does not respond` }
  }
}

async function space(folder: string): Promise<Omit<Finding, 'check'>> {
  const { freeBytes, sizeBytes } = await readSpace(folder)
  const share = freeBytes / sizeBytes
  const standing = share < SPACE_CRITICAL_SHARE ? 'critical' : share < SPACE_WARNING_SHARE ? 'warning' : 'ok'
  return {
    standing,
    found: `${Math.floor(freeBytes / 1_000_000)} MB free, ${Math.floor(share * 100)} % of ${folder}`,
  }
}

function lastBackup(dataDir: string, shelf: string, now: Date): Omit<Finding, 'check'> {
  const newest = findNewestBackup(shelf)
  if (newest === undefined) return { standing: 'critical', found: `there is no backup in ${shelf}` }
  const { folder, manifest } = newest
  if (manifest === undefined) return { standing: 'critical', found: `the manifest of ${folder} cannot be read` }
  requireFileSizes(folder, manifest)
  const keys = findKeys(dataDir)
  if (keys !== undefined) requireSignature(manifest, keys)
  const ageMs = now.getTime() - Date.parse(manifest.takenAt)
  const found = `${manifest.id}, ${(ageMs / HOUR_MS).toFixed(1)} hours old, verified when it was made${keys === undefined ? '' : ', signed by this server'}`
  return byAge(ageMs, found)
}

function byAge(ageMs: number, found: string): Omit<Finding, 'check'> {
  if (ageMs < -CLOCKS_DIFFER_MS) return { standing: 'warning', found: `${found}: it has a future time` }
  return { standing: standingOfAge(ageMs), found }
}

/** A backup on the same host is lost with it. The record says that a copy was made, and not that it is still there. */
function offHost(shelf: string, now: Date): Omit<Finding, 'check'> {
  const copy = findLastCopy(shelf)
  if (copy === undefined)
    return {
      standing: 'warning',
      found:
        'no copy off this host is recorded, so every backup is lost with it (script/off-host, BACKUP_COPY_TO, BACKUP_HOOK)',
    }
  const ageMs = now.getTime() - Date.parse(copy.takenAt)
  const found = `${copy.backup}, ${(ageMs / HOUR_MS).toFixed(1)} hours old, copied by ${copy.by}`
  return byAge(ageMs, found)
}

const drillSchema = z.object({ at: z.string(), backup: z.string(), brokenChains: z.int() })

function lastDrill(shelf: string, now: Date): Omit<Finding, 'check'> {
  const file = join(shelf, LAST_DRILL_FILE)
  if (!existsSync(file)) return { standing: 'warning', found: 'no drill was recorded here; they are due each quarter' }
  const { at, backup, brokenChains } = drillSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  const days = (now.getTime() - Date.parse(at)) / DAY_MS
  const found = `${days.toFixed(0)} days ago, of ${backup}`
  if (brokenChains > 0) return { standing: 'critical', found: `${found}: an audit chain was broken` }
  return { standing: days > DRILL_WARNING_DAYS ? 'warning' : 'ok', found }
}

async function checkpoints(store: StoreToRead, now: Date): Promise<Omit<Finding, 'check'>> {
  const [found, [gone]] = await readStore(store, async (from) => {
    const tenantIds = (await listTenants(from.db)).map(({ id }) => id)
    return [await checkpointStates(from, tenantIds, now), await missingChains(from)]
  })
  if (gone !== undefined)
    return { standing: 'critical', found: `tenant ${gone.tenantId}: ${missingChainSentence(gone)}` }
  const broken = found.find((tenant) => tenant.broken !== null)
  if (broken !== undefined) return { standing: 'critical', found: `tenant ${broken.tenantId}: ${broken.broken}` }
  const unproven = found.filter((tenant) => tenant.unproven !== null)
  const first = unproven.find(({ isCut }) => isCut) ?? unproven[0]
  if (first !== undefined) {
    const more = unproven.length > 1 ? ` (tenants: ${unproven.length})` : ''
    return {
      standing: first.isCut ? 'critical' : 'warning',
      found: `unproven, tenant ${first.tenantId}: ${first.unproven}${more}`,
    }
  }
  return { standing: 'ok', found: `match their chains, not compared with a copy (tenants: ${found.length})` }
}

async function subjectRequests(store: StoreToRead, now: Date): Promise<Omit<Finding, 'check'>> {
  const overdue = await readStore(store, async ({ db }) => {
    const found: { tenantId: string; count: number }[] = []
    for (const { id: tenantId } of await listTenants(db)) {
      const count = await countOverdue(db, { tenantId, now: now.toISOString(), bound: MAX_COUNTED })
      if (count > 0) found.push({ tenantId, count })
    }
    return found
  })
  const [first] = overdue
  if (first === undefined) return { standing: 'ok', found: 'none is overdue' }
  const more = overdue.length > 1 ? ` (tenants with overdue requests: ${overdue.length})` : ''
  return { standing: 'warning', found: `overdue in tenant ${first.tenantId}: ${first.count}${more}` }
}

/** Tenants that never closed a round and entered no registration are not reported: the probe cannot know whether a registry applies to them. */
async function registryRounds(store: StoreToRead, now: Date): Promise<Omit<Finding, 'check'>> {
  const { rounds, registrations } = await readStore(store, ({ db }) => watchRegistry(db, now.toISOString()))
  const due = rounds.filter(({ isDue }) => isDue)
  const ending = registrations.filter(({ status }) => status === 'ended' || status === 'ends_soon')
  const [round] = due
  const [registration] = ending
  if (round !== undefined)
    return {
      standing: 'warning',
      found: `tenant ${round.tenantId}: another round is due, the last one was closed on ${round.closedAt} (tenants: ${due.length})`,
    }
  if (registration !== undefined)
    return {
      standing: 'warning',
      found: `tenant ${registration.tenantId}: the registration with the registry is valid until ${registration.validUntil} (tenants: ${ending.length})`,
    }
  return {
    standing: 'ok',
    found: rounds.length === 0 ? 'no tenant has closed one' : `recent (tenants: ${rounds.length})`,
  }
}

/** A policy without a date of review is not reported. */
async function policyReviews(store: StoreToRead, now: Date): Promise<Omit<Finding, 'check'>> {
  const due = await readStore(store, ({ db }) => watchPolicyReviews(db, now.toISOString()))
  const [first] = due
  if (first === undefined) return { standing: 'ok', found: 'no review is due' }
  return {
    standing: 'warning',
    found: `tenant ${first.tenantId}: the sources of the policy ${first.policy} were due to be compared with the law by ${first.reviewBy} (policies: ${due.length})`,
  }
}

async function companyKeys(settings: Config['companySignIn'], now: Date): Promise<Omit<Finding, 'check'>> {
  if (settings === undefined) return { standing: 'ok', found: 'company sign-in is off' }
  const { keys, ageDays, problem } = await inspectCompanyKeys(settings, now)
  if (problem === null) return { standing: 'ok', found: `${keys} keys, ${ageDays} days old` }
  return { standing: keys === null ? 'critical' : 'warning', found: problem }
}

async function records(store: StoreToRead): Promise<Omit<Finding, 'check'>> {
  const checked = await readStore(store, async (from) => {
    const results = []
    for (const { id } of await listTenants(from.db)) results.push(await checkRecords(from, id))
    return results
  })
  const wrong = checked.find(({ first }) => first !== null)
  if (wrong !== undefined) {
    const found = `tenant ${wrong.tenantId}: ${wrong.first} (disagreements: ${wrong.disagreements})`
    return { standing: 'critical', found }
  }
  const count = checked.reduce((sum, { records }) => sum + records, 0)
  return { standing: 'ok', found: `agree with suppressions, events and counts (records: ${count})` }
}

async function clockOf(store: StoreToRead, apiUrl: string, clock: Clock): Promise<Omit<Finding, 'check'>> {
  const newest = (await readStore(store, ({ db }) => newestEventAt(db))) ?? ''
  const aheadMs = newest === '' ? 0 : Date.parse(newest) - clock().getTime()
  if (aheadMs > CLOCKS_DIFFER_MS) {
    return {
      standing: 'critical',
      found: `the newest audit event is of ${newest}, which is in the future: the clock was set back`,
    }
  }
  const { headers } = await fetch(`${apiUrl}/api/v1/health/live`, { signal: AbortSignal.timeout(HTTP_PATIENCE_MS) })
  const skewMs = Math.abs(Date.parse(headers.get('date') ?? '') - clock().getTime())
  if (!(skewMs <= CLOCKS_DIFFER_MS))
    return { standing: 'warning', found: 'the clock of the API differs from the clock here' }
  return { standing: 'ok', found: 'not before the newest audit event, and equal to that of the API' }
}
