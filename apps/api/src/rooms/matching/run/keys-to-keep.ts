import { ID_LENGTH, type KeyRows, keptKeysOf, keyRows, keysOf } from '../rules/match-keys.rules.ts'
import type { RecordValues } from '../rules/record-values.ts'
import type { KeptRow } from './match-inputs.stream.ts'
import { collectKeys, keyAt } from './sorted-keys.ts'

export type KeysMessage = { type: 'keys'; keys: KeyRows }

/** So few at once that writing them keeps others who write out for some milliseconds. */
const KEYS_AT_ONCE = 4_000

const LEAST_ROOM = 64
const GROWTH = 1.25

/** What records are looked up by, of those that were not looked at since they were written. */
export function createKeysToKeep() {
  const collected = collectKeys()
  /** Bytes and numbers side by side: a million texts would be objects of the heap. */
  let ids = Buffer.from(new ArrayBuffer(LEAST_ROOM * ID_LENGTH))
  let facts = new Float64Array(LEAST_ROOM)
  let count = 0
  const idAt = (at: number) => ids.toString('latin1', at * ID_LENGTH, (at + 1) * ID_LENGTH)
  let isLeftOut = new Uint8Array(0)
  let next = 0
  return {
    /** In the order of ids. */
    add: (values: RecordValues): void => {
      if (count === facts.length) {
        const more = Math.ceil(count * GROWTH)
        ids = Buffer.from(ids.buffer.transfer(more * ID_LENGTH))
        facts = new Float64Array(facts.buffer.transfer(more * Float64Array.BYTES_PER_ELEMENT))
      }
      collected.add(keysOf(keptKeysOf(values)), count)
      ids.write(values.id, count * ID_LENGTH, 'latin1')
      facts[count] = values.facts
      count += 1
    },
    /** What is kept already, in the order of ids, when all are added. */
    leaveOut: (rows: readonly KeptRow[]): void => {
      if (isLeftOut.length === 0) isLeftOut = new Uint8Array(count)
      for (const [id, kept, isCurrent] of rows) {
        while (next < count && idAt(next) < id) next += 1
        if (next < count && idAt(next) === id && facts[next] === kept && isCurrent) isLeftOut[next] = 1
      }
    },
    /** In the order of keys, so that many lie on one page. */
    messages: function* (): Generator<KeysMessage> {
      let rows: [key: number, businessId: string][] = []
      for (const part of collected.inOrder()) {
        for (let at = 0; at < part.length; at++) {
          const owner = part.owners[at] ?? 0
          if (isLeftOut[owner] === 1) continue
          rows.push([keyAt(part, at), idAt(owner)])
          if (rows.length < KEYS_AT_ONCE) continue
          yield { type: 'keys', keys: keyRows(rows) }
          rows = []
        }
      }
      if (rows.length > 0) yield { type: 'keys', keys: keyRows(rows) }
    },
  }
}
