import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import { findHolders, fold } from '../../businesses/businesses.ts'
import type { IdentifierKind } from '../../normalization/normalization.ts'
import { digitsKey, keptKeys } from '../rules/match-keys.rules.ts'
import type { MatchRecord } from '../rules/match-record.ts'

/** Maximum number of candidates that are looked up per shared value. A run over the whole tenant compares more. */
const MAX_PER_KEY = 24
/** Maximum number of candidates per check. Records with the same phone come first, records with a similar name last. */
const MAX_CANDIDATES = 120

type Look = { tenantId: string; limit: number }

/**
 * Condition for active businesses. The status is a literal, because the index covers active businesses only and SQLite cannot use it with a
 * parameter.
 */
const isActive = sql<boolean>`status = 'active'`

const withNameFrom = prepared<Look & { name: string; to: string }>()((db, param) =>
  db
    .selectFrom('businesses')
    .select('id')
    .where('tenant_id', '=', param('tenantId'))
    .where(isActive)
    .where('name_key', '>=', param('name'))
    .where('name_key', '<', param('to'))
    .orderBy('name_key')
    .orderBy('id')
    .limit(param('limit')),
)

const withNameBefore = prepared<Look & { name: string; from: string }>()((db, param) =>
  db
    .selectFrom('businesses')
    .select('id')
    .where('tenant_id', '=', param('tenantId'))
    .where(isActive)
    .where('name_key', '>=', param('from'))
    .where('name_key', '<', param('name'))
    .orderBy('name_key', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit')),
)

const withKey = prepared<Look & { key: number }>()((db, param) =>
  db
    .selectFrom('match_keys')
    .select('business_id as id')
    .where('tenant_id', '=', param('tenantId'))
    .where('key', '=', param('key'))
    .orderBy('business_id')
    .limit(param('limit')),
)

/** Minimum length of the beginning by which records with a similar name are found. A longer first word is used whole. */
const BEGINNING = 5
const NEIGHBOURS_A_SIDE = MAX_PER_KEY / 2

/** Returns the ids of all candidates of a business that an index finds, unique and without the business itself. */
export async function findCandidates(db: Db, tenantId: string, record: MatchRecord, name: string): Promise<string[]> {
  const found = new Set<string>()
  const key = fold(name)
  const look = { tenantId, limit: MAX_PER_KEY }
  const take = (rows: readonly { id: string }[]) => {
    for (const { id } of rows) if (id !== record.id && found.size < MAX_CANDIDATES) found.add(id)
  }
  const takeHolders = async (kind: IdentifierKind, normalized: string) =>
    take(await findHolders(db, { tenantId, kind, normalized }, MAX_PER_KEY))
  for (const { international, digits } of record.phones) {
    await takeHolders('phone', international ?? `+27${digits}`)
    take(await withKey(db, { ...look, key: digitsKey(digits) }))
  }
  const keys = keptKeys(record)
  take(await withKey(db, { ...look, key: keys.name_key }))
  if (keys.building_key !== null) take(await withKey(db, { ...look, key: keys.building_key }))
  for (const { address } of record.emails) await takeHolders('email', address)
  for (const { name: domain } of record.domains) await takeHolders('domain', domain)
  if (keys.number_key !== null) take(await withKey(db, { ...look, key: keys.number_key }))
  const beginning = beginningOf(key)
  if (beginning !== undefined) {
    const near = { tenantId, limit: NEIGHBOURS_A_SIDE, name: key }
    take(await withNameFrom(db, { ...near, to: `${beginning}\u{10ffff}` }))
    take(await withNameBefore(db, { ...near, from: beginning }))
  }
  return [...found].sort()
}

function beginningOf(name: string): string | undefined {
  const letters = [...name]
  if (letters.length < BEGINNING) return undefined
  return letters.slice(0, Math.max(BEGINNING, letters.indexOf(' '))).join('')
}

export async function findKeptFacts(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('match_records')
    .select(['facts', 'normalization_version'])
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', id)
    .executeTakeFirst()
}
