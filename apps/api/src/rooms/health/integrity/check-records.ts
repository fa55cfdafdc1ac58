import { createBreather } from '../../../lib/event-loop.ts'
import { findMissingMatches, isEvaluated } from '../../suppression/suppression.ts'
import type { Reading } from '../read-store.ts'
import { countDisagreements } from './counts.queries.ts'
import { readEntries, readMissingEntries } from './entries.queries.ts'
import {
  type BlockEvent,
  type Disagreement,
  type Entry,
  entryDisagreement,
  lostBlock,
  type Mark,
  markDisagreements,
  missingEntry,
  unmatched,
} from './integrity.rules.ts'
import { countRecords, readBlocks, readMarks } from './marks.queries.ts'

/**
 * Result of the check of a tenant's records. `comparesValues` is false while the tenant's suppressions wait for an evaluation by new rules, because
 * more values then match than are marked.
 */
export type RecordsChecked = {
  tenantId: string
  records: number
  comparesValues: boolean
  disagreements: number
  first: Disagreement | null
}

/**
 * Compares the records of a tenant with its audit events, its suppressions and its stored counts. It detects edits that bypassed the product; the
 * verification of the audit detects only edits of events. Reads one page at a time, each as one snapshot, while the API runs. Memory does not grow
 * with the tenant.
 */
export async function checkRecords(reading: Reading, tenantId: string): Promise<RecordsChecked> {
  const { db } = reading
  const comparesValues = await isEvaluated(db, tenantId)
  const records = await countRecords(db, tenantId)
  const checked: RecordsChecked = { tenantId, records, comparesValues, disagreements: 0, first: null }
  const parts = [
    marks(reading, tenantId),
    blocks(reading, tenantId),
    entries(reading, tenantId),
    ...(comparesValues ? [values(reading, tenantId)] : []),
    countDisagreements(reading, tenantId),
  ]
  for (const part of parts) {
    for await (const disagreement of part) {
      checked.disagreements += 1
      checked.first ??= disagreement
    }
  }
  return checked
}

/** Compares the do not contact mark of each record with the suppression entries that match it and with the audit event that marked it. */
async function* marks({ db }: Reading, tenantId: string): AsyncGenerator<Disagreement> {
  for await (const mark of pages((last?: Mark) => readMarks(db, tenantId, last?.id ?? '')))
    yield* markDisagreements(mark)
}

/** Checks that each record is blocked if an audit event blocked it manually and no later event lifted the block. */
async function* blocks({ db }: Reading, tenantId: string): AsyncGenerator<Disagreement> {
  for await (const block of pages((last?: BlockEvent) => readBlocks(db, tenantId, last))) {
    const lost = lostBlock(block)
    if (lost !== null) yield lost
  }
}

/** Compares the keys and matches of each suppression entry with its status, and the status with the last event about the entry. */
async function* entries({ db }: Reading, tenantId: string): AsyncGenerator<Disagreement> {
  for await (const entry of pages((last?: Entry) => readEntries(db, tenantId, last?.id ?? ''))) {
    const disagreement = entryDisagreement(entry)
    if (disagreement !== null) yield disagreement
  }
  for (const event of await readMissingEntries(db, tenantId)) yield missingEntry(event)
}

/** Checks that each record is marked by every suppression entry that matches one of its contact values. */
async function* values({ db, keys, connection }: Reading, tenantId: string): AsyncGenerator<Disagreement> {
  const breathe = createBreather()
  for (let after: string | null = ''; after !== null; await breathe()) {
    // Read values, entries and matches in one snapshot.
    connection.exec('BEGIN')
    const page = await findMissingMatches({ db, keys }, tenantId, after).finally(() => connection.exec('COMMIT'))
    for (const match of page.missing) yield unmatched(match)
    after = page.after
  }
}

async function* pages<Row>(read: (last?: Row) => Promise<Row[]>): AsyncGenerator<Row> {
  const breathe = createBreather()
  for (let rows = await read(undefined); rows.length > 0; rows = await read(rows.at(-1))) {
    yield* rows
    await breathe()
  }
}
