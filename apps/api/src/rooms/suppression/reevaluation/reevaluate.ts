import { type Kysely, sql } from 'kysely'
import { createBreather } from '../../../lib/event-loop.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import type { Database } from '../../../store/database.ts'
import { markByEntry, markInStep } from '../../businesses/businesses.ts'
import {
  type ContactValue,
  gate,
  insertEntryKeys,
  insertEvidenceKeys,
  insertHistory,
  RULES_VERSION,
  recordKeyRanges,
  recordKeysOf,
  replaceRecordKeys,
  saveEntryRules,
} from '../../contact-gate/contact-gate.ts'
import { isRefused, readEntry } from '../entries/entry.rules.ts'
import { furtherValuesOf } from '../entries/further-values.ts'
import { saveEvaluation } from './evaluation.queries.ts'

/*
 * Adds the keys of new rules to entries and records. It works in steps, so that other changes can be written in between. Keys are only added: matches
 * by older rules stay, and no block is lifted.
 */

const ENTRIES_A_STEP = 50
const RECORDS_A_STEP = 100

/** The result of a step. `after`: start of the next step; null after the last one. */
export type Step = { done: number; marked: number; after: string | null }

/** Evaluates entries after `after` whose keys are of other rules. A tombstone gets no new keys, because its value is unknown. */
export async function reevaluateEntries(tx: Tx, after: string): Promise<Step | Unchanged<Step>> {
  const { tenantId } = tx.actor
  const entries = await tx.db
    .selectFrom('suppressions')
    .select(['id', 'kind', 'scope', 'original', 'region'])
    .where('tenant_id', '=', tenantId)
    .where('id', '>', after)
    .where('rules_version', '!=', RULES_VERSION)
    .where('status', '=', 'active')
    .where('tombstone', '=', 0)
    .orderBy('id')
    .limit(ENTRIES_A_STEP)
    .execute()
  if (entries.length === 0) return unchanged({ done: 0, marked: 0, after: null })
  let marked = 0
  for (const { id, kind, scope, original, region } of entries) {
    const read =
      original === null ? undefined : readEntry({ kind, scope, value: original, region, acceptUnknownSuffix: true })
    // An entry that the new rules would refuse still blocks by its existing keys.
    if (read !== undefined && !isRefused(read)) {
      await insertEntryKeys(tx, id, [read.key])
      const found = await markByEntry(tx, id, recordKeyRanges(read.key), 'reevaluation')
      marked += found
      const reason = `Re-evaluated by the rules ${RULES_VERSION}.`
      await insertHistory(tx, id, { action: 'reevaluated', reason, records: found })
    }
    await saveEntryRules(tx, id)
  }
  await recordStep(tx, { entries: entries.length, businessesMarked: marked })
  const last = entries.at(-1)?.id ?? null
  return { done: entries.length, marked, after: entries.length < ENTRIES_A_STEP ? null : last }
}

/** Evaluates businesses after `after`: inserts the keys of their identifiers and evidence, and checks all of these values with the gate. */
export async function reevaluateRecords(tx: Tx, after: string): Promise<Step | Unchanged<Step>> {
  const { tenantId } = tx.actor
  const businesses = await tx.db
    .selectFrom('businesses')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(RECORDS_A_STEP)
    .execute()
  if (businesses.length === 0) return unchanged({ done: 0, marked: 0, after: null })
  const breathe = createBreather()
  let marked = 0
  for (const { id } of businesses) {
    const { own, claimed } = await contactValuesOf(tx.db, tenantId, id)
    await replaceRecordKeys(tx, id, { before: [], after: own.flatMap(recordKeysOf) })
    for (const value of claimed) await insertEvidenceKeys(tx, id, value)
    marked += await markInStep(tx, id, await gate(tx, tenantId, [...own, ...claimed]))
    await breathe()
  }
  await recordStep(tx, { businesses: businesses.length, businessesMarked: marked })
  const last = businesses.at(-1)?.id ?? null
  return { done: businesses.length, marked, after: businesses.length < RECORDS_A_STEP ? null : last }
}

/** Records that the whole tenant was evaluated by the present rules. */
export async function finishReevaluation(tx: Tx): Promise<{ rulesVersion: string }> {
  await saveEvaluation(tx.db, tx.actor.tenantId, RULES_VERSION, tx.at)
  await recordStep(tx, { finished: true })
  return { rulesVersion: RULES_VERSION }
}

function recordStep(tx: Tx, after: Record<string, unknown>): Promise<string> {
  const subject = { type: 'tenant', id: tx.actor.tenantId } as const
  return tx.record({ action: 'suppression.reevaluate', subject, after: { rulesVersion: RULES_VERSION, ...after } })
}

/** Returns the contact values of a business: its own values, and those that its evidence and further tables of rooms state. */
export async function contactValuesOf(
  db: Kysely<Database>,
  tenantId: string,
  businessId: string,
): Promise<{ own: ContactValue[]; claimed: ContactValue[] }> {
  const identifiers = await db
    .selectFrom('business_identifiers')
    .select(['kind', 'original', 'region'])
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .execute()
  const { rows } = await sql<{ kind: ContactValue['kind']; value: string }>`
    SELECT field AS kind, value FROM evidence
    WHERE tenant_id = ${tenantId} AND business_id = ${businessId}
      AND field IN ('email', 'phone', 'domain') AND value IS NOT NULL`.execute(db)
  const { rows: further } = await furtherValuesOf(tenantId, [businessId]).execute(db)
  // Made unique here, because SQLite would sort them.
  const claimed = new Map(rows.map((row) => [`${row.kind} ${row.value}`, row])).values()
  return {
    own: identifiers.map(({ kind, original, region }) => ({ kind, value: original, region })),
    claimed: [...claimed, ...further.map(({ kind, value, region }) => ({ kind, value, region }))],
  }
}
