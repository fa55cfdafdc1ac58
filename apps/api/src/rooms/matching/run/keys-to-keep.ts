import { type KeyRows, keptKeysOf, keyRows, keysOf } from '../rules/match-keys.rules.ts'
import type { RecordValues } from '../rules/record-values.ts'
import type { KeptRow } from './match-inputs.stream.ts'
import { createRecordColumns } from './record-columns.ts'
import { collectKeys, keyAt } from './sorted-keys.ts'

export type KeysMessage = { type: 'keys'; keys: KeyRows }

/** Number of keys per batch. Writing a batch blocks other writers for one or two milliseconds. */
const KEYS_AT_ONCE = 1_000

/** Collects the lookup keys of records of which no row is stored yet. */
export function createKeysToKeep() {
  const collected = collectKeys()
  const columns = createRecordColumns()
  let isLeftOut = new Uint8Array(0)
  return {
    /** Adds the keys of a record. Call it in the order of ids. */
    add: (values: RecordValues): void => {
      collected.add(keysOf(keptKeysOf(values)), columns.length())
      columns.add(values.id, values.facts)
    },
    /** Removes the keys of records that already have a row. Call it in the order of ids after all records are added. */
    leaveOut: (rows: readonly KeptRow[]): void => {
      if (isLeftOut.length === 0) isLeftOut = new Uint8Array(columns.length())
      for (const [id, kept, isCurrent] of rows) {
        const at = columns.indexOf(id)
        if (at >= 0 && columns.factsOf(at) === kept && isCurrent) isLeftOut[at] = 1
      }
    },
    /** Yields batches in key order, so that many inserted keys share a page of the database. */
    messages: function* (): Generator<KeysMessage> {
      let rows: [key: number, businessId: string][] = []
      for (const part of collected.inOrder()) {
        for (let at = 0; at < part.length; at++) {
          const owner = part.owners[at] ?? 0
          if (isLeftOut[owner] === 1) continue
          rows.push([keyAt(part, at), columns.idOf(owner)])
          if (rows.length < KEYS_AT_ONCE) continue
          yield { type: 'keys', keys: keyRows(rows) }
          rows = []
        }
      }
      if (rows.length > 0) yield { type: 'keys', keys: keyRows(rows) }
    },
  }
}
