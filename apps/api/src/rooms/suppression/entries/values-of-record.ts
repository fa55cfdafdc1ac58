import { sql } from 'kysely'
import type { UserActor } from '../../../lib/actor.ts'
import type { Db } from '../../../store/database.ts'
import { elementsOf, inList, thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import { familyOf, getBusiness } from '../../businesses/businesses.ts'
import {
  type ContactValue,
  gate,
  hidesValuesFrom,
  recordKeyRanges,
  type Scope,
} from '../../contact-gate/contact-gate.ts'
import { limits, type ValuesOfRecord } from '../suppression.schema.ts'
import { isRefused, type ReadEntry, type RefusedEntry } from './entry.rules.ts'
import { furtherValuesOf } from './further-values.ts'
import { countRecords } from './match.queries.ts'
import { readStoredValue } from './read-line.rules.ts'

type Row = Required<ContactValue> & { label: string | null }

/**
 * A contact value of a business and of the records merged into it. A request names a value by its kind and text. Its rows have this kind and text, and
 * differ in the region, for example if a duplicate was entered without a country.
 */
export type ValueOfRecord = Pick<Row, 'kind' | 'value' | 'label'> & {
  rows: [Required<ContactValue>, ...Required<ContactValue>[]]
}

type ReadEntries = [ReadEntry, ...ReadEntry[]]

type Wanted = {
  /** The texts to read; default: all. */
  texts?: readonly string[]
  /** Maximum number of identifiers to read. */
  limit?: number
}

/**
 * Returns the contact values of a business and of all records merged into it: those of the business first, of each emails, phones and domains, and
 * after them those of further tables of rooms.
 * `isComplete`: false if the limit left out identifiers.
 */
export async function valuesOfFamily(
  db: Db,
  tenantId: string,
  family: readonly string[],
  { texts, limit }: Wanted,
): Promise<{ values: ValueOfRecord[]; isComplete: boolean }> {
  const { rows } = await sql<Row>`
    SELECT i.kind, i.original AS value, i.label, i.region
    FROM ${elementsOf(family, 'member')} ${thenJoin} business_identifiers i
      ON i.tenant_id = ${tenantId} AND i.business_id = member.value
    ${texts === undefined ? sql`` : sql`WHERE i.original IN ${inList(texts)}`}
    ORDER BY member.key, CASE i.kind WHEN 'email' THEN 0 WHEN 'phone' THEN 1 ELSE 2 END, i.position
    ${limit === undefined ? sql`` : sql`LIMIT ${limit + 1}`}`.execute(db)
  const { rows: further } = await sql<Row>`
    SELECT kind, value, label, region FROM (${furtherValuesOf(tenantId, family)}) AS further
    ${texts === undefined ? sql`` : sql`WHERE value IN ${inList(texts)}`}
    ORDER BY place, kind, value
    ${limit === undefined ? sql`` : sql`LIMIT ${limit + 1}`}`.execute(db)
  const all = [...rows, ...further]
  const values = new Map<string, ValueOfRecord>()
  for (const { kind, value, label, region } of all.slice(0, limit)) {
    const key = JSON.stringify([kind, value])
    const known = values.get(key)
    if (known === undefined) values.set(key, { kind, value, label, rows: [{ kind, value, region }] })
    else {
      known.label ??= label
      if (known.rows.every((row) => row.region !== region)) known.rows.push({ kind, value, region })
    }
  }
  return { values: [...values.values()], isComplete: limit === undefined || all.length <= limit }
}

/** Returns the entries for a value, one for each different key. Returns the reason of a row if none of its rows can be read. */
export function entriesFor({ rows: [head, ...tail] }: ValueOfRecord, scope: Scope): ReadEntries | RefusedEntry {
  let first = readStoredValue({ ...head, scope })
  const others = new Map<string, ReadEntry>()
  for (const row of tail) {
    const read = readStoredValue({ ...row, scope })
    if (isRefused(first)) first = read
    else if (!isRefused(read) && read.key !== first.key) others.set(read.key, read)
  }
  return isRefused(first) ? first : [first, ...others.values()]
}

/**
 * Lists the contact values of a business and of all records merged into it, for a person who may suppress them: the form that an entry would have or
 * the reason why there can be none, whether an entry blocks the value already, and the number of other businesses that the entry would mark. The list
 * is empty if the values are hidden from the reader. Errors: `not_found`.
 */
export async function listValuesOfRecord(store: Store, actor: UserActor, businessId: string): Promise<ValuesOfRecord> {
  const { tenantId } = actor
  const db = store.reader
  await getBusiness(db, tenantId, businessId)
  // A merged record may be do not contact although its survivor is not, so the strictest rule applies.
  if (hidesValuesFrom(actor, { doNotContact: true })) return { items: [], isComplete: true }
  const family = await familyOf(db, tenantId, businessId)
  // In the background, because a family can have many identifiers, and the records of 200 values take longer to count than one step.
  const found = await valuesOfFamily(store.backgroundOf(tenantId), tenantId, family, {
    limit: limits.identifiersOfFamily,
  })
  const listed = found.values.slice(0, limits.valuesOfRecord)
  const rows = listed.flatMap((value) => value.rows)
  const matches = await gate({ db, keys: store.keys }, tenantId, rows)
  const suppressed = new Set(matches.map(({ index }) => rows[index]))
  const items: ValuesOfRecord['items'] = []
  for (const value of listed) {
    const { kind, value: text, label } = value
    const entries = entriesFor(value, kind === 'domain' ? 'with_subdomains' : 'exact')
    const shown = { kind, value: text, label, isSuppressed: value.rows.every((row) => suppressed.has(row)) }
    if (isRefused(entries)) {
      items.push({ ...shown, normalized: null, refusal: entries.message, others: 0 })
      continue
    }
    const ranges = entries.flatMap(({ key }) => recordKeyRanges(key))
    const others = await countRecords(store.backgroundOf(tenantId), tenantId, ranges, {
      except: family,
      onlyFree: true,
    })
    items.push({ ...shown, normalized: entries[0].normalized, refusal: null, others })
  }
  return { items, isComplete: found.isComplete && listed.length === found.values.length }
}
