import { type Kysely, sql } from 'kysely'
import type { UserActor } from '../../../lib/actor.ts'
import type { Database } from '../../../store/database.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
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
import { countRecords } from './match.queries.ts'
import { readTypedValue } from './read-line.rules.ts'

type Db = Kysely<Database>

/** A contact value of a business, or of a record merged into it, with the entry that it would have. */
export type ValueOfRecord = Required<ContactValue> & { label: string | null }

/** Returns the contact values of a business and of all records merged into it: those of the business first, of each emails, phones and domains. A value
 * occurs once. */
export async function valuesOfFamily(db: Db, tenantId: string, family: readonly string[]): Promise<ValueOfRecord[]> {
  const { rows } = await sql<ValueOfRecord>`
    SELECT i.kind, i.original AS value, i.label, i.region
    FROM ${elementsOf(family, 'member')} ${thenJoin} business_identifiers i
      ON i.tenant_id = ${tenantId} AND i.business_id = member.value
    ORDER BY member.key, CASE i.kind WHEN 'email' THEN 0 WHEN 'phone' THEN 1 ELSE 2 END, i.position`.execute(db)
  return [...new Map(rows.map((row) => [JSON.stringify([row.kind, row.value, row.region]), row])).values()]
}

/** Reads a value of a business as an entry. */
export function entryFor(value: ContactValue, scope: Scope): ReadEntry | RefusedEntry {
  const { kind, value: typed, region = null } = value
  const read = readTypedValue({ kind, value: typed, region, scope })
  return 'code' in read ? read : read.entry
}

/**
 * Lists the contact values of a business and of all records merged into it, for a person who may suppress them: the form that an entry would have or
 * the reason why there can be none, whether an entry blocks the value already, and the number of other businesses that have it. The list is empty if
 * the values are hidden from the reader. Errors: `not_found`.
 */
export async function listValuesOfRecord(store: Store, actor: UserActor, businessId: string): Promise<ValuesOfRecord> {
  const { tenantId } = actor
  const db = store.reader
  await getBusiness(db, tenantId, businessId)
  // A merged record may be do not contact although its survivor is not, so the strictest rule applies.
  if (hidesValuesFrom(actor, { doNotContact: true })) return { items: [], isComplete: true }
  const family = await familyOf(db, tenantId, businessId)
  const values = await valuesOfFamily(db, tenantId, family)
  const listed = values.slice(0, limits.valuesOfRecord)
  const matches = await gate({ db, keys: store.keys }, tenantId, listed)
  const suppressed = new Set(matches.map(({ index }) => index))
  const items: ValuesOfRecord['items'] = []
  for (const [index, value] of listed.entries()) {
    const { kind, label } = value
    const entry = entryFor(value, 'exact')
    const shown = { kind, value: value.value, label, isSuppressed: suppressed.has(index) }
    items.push(
      isRefused(entry)
        ? { ...shown, normalized: null, refusal: entry.message, others: 0 }
        : {
            ...shown,
            normalized: entry.normalized,
            refusal: null,
            others: await countRecords(db, tenantId, recordKeyRanges(entry.key), { except: family }),
          },
    )
  }
  return { items, isComplete: listed.length === values.length }
}
