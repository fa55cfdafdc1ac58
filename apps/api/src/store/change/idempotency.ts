import { type Kysely, sql } from 'kysely'
import { type Actor, actorKey } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { createBreather } from '../../lib/event-loop.ts'
import type { Database } from '../database.ts'
import { alongIndex, contains, elementsOf, flag, inList } from '../engine/dialect.ts'
import { prepared, preparedInsert } from '../engine/prepared.ts'

export const IDEMPOTENCY_KEYS_KEPT_DAYS = 7

/**
 * Maximum size of a stored result, as JSON. A result consists of ids and of what cannot be read again. A larger one contains records, which would
 * outlive a suppression or an erasure.
 */
export const MAX_STORED_RESULT_BYTES = 4_096

/** Number of stored results that one query searches. They are below 100 kB as a rule, which takes about a millisecond per searched record. */
const RESULTS_AT_ONCE = 500

/** Value that replaces an erased fingerprint and result. It equals no fingerprint and is not valid JSON. */
const GONE = ''

/** The idempotency key of a request, with the fingerprint by which an identical request is recognized. */
export type IdempotencyKey = {
  key: string
  fingerprint: string
  /** true if another person who sends an identical request also gets the stored result; by default only the first user of the key gets it */
  answersAnybody?: boolean
}

const keptUnder = prepared<{ tenantId: string; key: string }>()((db, param) =>
  db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'result', 'used_by as usedBy'])
    .where('tenant_id', '=', param('tenantId'))
    .where('key', '=', param('key')),
)

/**
 * Returns the stored result of an earlier request with this key. Errors: `idempotency_key_reused` for another payload, for another person (unless
 * `answersAnybody`), and for an erased result, because running the request again would restore erased data or do its work twice.
 */
export async function findIdempotentResult<T>(
  db: Kysely<Database>,
  actor: Actor,
  { key, fingerprint, answersAnybody = false }: IdempotencyKey,
): Promise<{ value: T } | undefined> {
  const [row] = await keptUnder(db, { tenantId: actor.tenantId, key })
  if (row === undefined) return undefined
  // The person is checked first, so that another person learns neither whether the request was identical nor that its result was erased.
  if (row.usedBy !== actorKey(actor) && !answersAnybody) throw keyReused()
  if (row.result === GONE) {
    throw new AppError(
      'idempotency_key_reused',
      'The request with this Idempotency-Key was carried out, but its result has been erased. Check what it did before you send a new key.',
    )
  }
  if (row.fingerprint !== fingerprint) throw keyReused()
  return { value: JSON.parse(row.result) }
}

/**
 * Returns the error for a reused key. It is the same for another payload and for another person, so that it reveals nothing about the first request.
 */
export function keyReused(): AppError {
  return new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key was already used, for another request or by another person. Send a new key.',
  )
}

const insertKey = preparedInsert('idempotency_keys', [
  'tenant_id',
  'key',
  'fingerprint',
  'result',
  'created_at',
  'used_by',
])

/**
 * Stores the result of a request under its key. Throws if the result is larger than `MAX_STORED_RESULT_BYTES`, which is a programming error of the
 * route: the change is then rolled back.
 */
export async function saveIdempotentResult(
  db: Kysely<Database>,
  actor: Actor,
  { key, fingerprint }: IdempotencyKey,
  result: unknown,
  at: string,
): Promise<void> {
  const stored = JSON.stringify(result)
  const bytes = Buffer.byteLength(stored)
  if (bytes > MAX_STORED_RESULT_BYTES)
    throw new Error(
      `A result of ${bytes} bytes cannot be stored under an Idempotency-Key; the limit is ${MAX_STORED_RESULT_BYTES}. Store ids and read the answer again.`,
    )
  await insertKey(db, {
    tenant_id: actor.tenantId,
    key,
    fingerprint,
    result: stored,
    created_at: at,
    used_by: actorKey(actor),
  })
}

export async function hasIdempotencyKeyBefore(db: Kysely<Database>, before: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM idempotency_keys WHERE created_at < ${before} LIMIT 1`.execute(db)
  return rows.length > 0
}

/** Deletes at most `limit` expired keys and returns their number. No audit event records it, because keys contain no decision. */
export async function pruneIdempotencyKeys(db: Kysely<Database>, before: string, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM idempotency_keys WHERE (tenant_id, key) IN (
      SELECT tenant_id, key FROM idempotency_keys WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/**
 * Returns the keys whose stored result contains the id of any of these records. Reads all stored results of the tenant in parts, so that other
 * queries of the background reader run in between. Can miss results that are stored during the search.
 */
export async function findResultsAbout(
  db: Kysely<Database>,
  tenantId: string,
  ids: readonly string[],
): Promise<string[]> {
  const breathe = createBreather()
  const keys: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const part = await resultsAbout(db, tenantId, { ids, after })
    keys.push(...part.keys)
    after = part.last
    await breathe()
  }
  return keys
}

/** Returns the matching keys of the next part and the last key of that part; null after the last part. */
async function resultsAbout(
  db: Kysely<Database>,
  tenantId: string,
  { ids, after }: { ids: readonly string[]; after: string },
): Promise<{ keys: string[]; last: string | null }> {
  const { rows } = await sql<{ key: string; isNamed: 0 | 1 }>`
    SELECT found.key, ${flag(namesAny(ids))} AS "isNamed"
    FROM (
      SELECT key, result FROM idempotency_keys WHERE tenant_id = ${tenantId} AND key > ${after} ORDER BY key LIMIT ${RESULTS_AT_ONCE}
    ) found ORDER BY found.key`.execute(db)
  const keys = rows.filter(({ isNamed }) => isNamed === 1).map(({ key }) => key)
  return { keys, last: rows.at(-1)?.key ?? null }
}

/**
 * Erases the results of these keys, and all results about the records that were stored after `since`. The keys remain, because without them a late
 * repeat would restore erased data. The calling erasure records the audit event.
 */
export async function forgetResults(
  db: Kysely<Database>,
  tenantId: string,
  { keys, ids, since }: { keys: readonly string[]; ids: readonly string[]; since: string },
): Promise<void> {
  await sql`
    UPDATE idempotency_keys SET fingerprint = ${GONE}, result = ${GONE}
    WHERE tenant_id = ${tenantId} AND key IN ${inList(keys)}`.execute(db)
  await sql`
    UPDATE idempotency_keys AS k ${alongIndex('idempotency_keys_by_age')} SET fingerprint = ${GONE}, result = ${GONE}
    WHERE k.tenant_id = ${tenantId} AND k.created_at >= ${since} AND ${namesAny(ids)}`.execute(db)
}

function namesAny(ids: readonly string[]) {
  return sql`EXISTS (SELECT 1 FROM ${elementsOf(ids, 'one')} WHERE ${contains(sql.ref('result'), sql.ref('one.value'))})`
}

/** Registry of keys whose first request is still running in this process. `guard` refuses a second request instead of making it wait. */
export type InProgress = { guard<T>(tenantId: string, key: string | undefined, run: () => Promise<T>): Promise<T> }

export function createInProgress(): InProgress {
  const running = new Set<string>()
  return {
    async guard(tenantId, key, run) {
      if (key === undefined) return run()
      const name = `${tenantId}\n${key}`
      if (running.has(name)) {
        throw new AppError(
          'idempotency_in_progress',
          'A request with this Idempotency-Key is still running. Retry in a moment.',
        )
      }
      running.add(name)
      try {
        return await run()
      } finally {
        running.delete(name)
      }
    },
  }
}
