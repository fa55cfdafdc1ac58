/** Ids and fact hashes of records by record number. The numbers follow the order of the ids, which are lower-case UUIDs. */
export type RecordColumns = {
  add(id: string, facts: number): void
  length(): number
  idOf(at: number): string
  factsOf(at: number): number
  /** returns -1 for an unknown id */
  indexOf(id: string): number
}

const ID_BYTES = 16
const digits = Buffer.from('0123456789abcdef')
const form = '00000000-0000-0000-0000-000000000000'
/** Positions of the two hex digits of each byte in the text of a UUID. */
const places = Uint8Array.from([...form.matchAll(/00/g)], ({ index }) => index)
const LEAST_ROOM = 64
const GROWTH = 1.25

/**
 * Stores the id and fact hash of each record outside the heap. On the heap, as strings and numbers, they would take three times the memory, and every
 * collection would scan a million of them.
 */
export function createRecordColumns(): RecordColumns {
  let ids = Buffer.from(new ArrayBuffer(LEAST_ROOM * ID_BYTES))
  let facts = new Float64Array(LEAST_ROOM)
  let length = 0
  const written = Buffer.from(form)
  const sought = Buffer.alloc(ID_BYTES)
  let found = -1
  const compare = (at: number) => ids.compare(sought, 0, ID_BYTES, at * ID_BYTES, (at + 1) * ID_BYTES)

  return {
    add: (id, standsOn) => {
      if (length === facts.length) {
        const room = Math.ceil(length * GROWTH)
        // The buffer is transferred and not copied, because the old buffer would occupy memory until the next collection.
        ids = Buffer.from(ids.buffer.transfer(room * ID_BYTES))
        facts = new Float64Array(facts.buffer.transfer(room * Float64Array.BYTES_PER_ELEMENT))
      }
      writeBytes(id, ids, length * ID_BYTES)
      facts[length] = standsOn
      length += 1
    },
    length: () => length,
    idOf: (at) => {
      for (const [byte, place] of places.entries()) {
        const value = ids[at * ID_BYTES + byte] ?? 0
        written[place] = digits[value >> 4] ?? 0
        written[place + 1] = digits[value & 0xf] ?? 0
      }
      return written.toString('latin1')
    },
    factsOf: (at) => facts[at] ?? 0,
    indexOf: (id) => {
      writeBytes(id, sought, 0)
      // Most lookups are sequential, so the record after the last one found is tried first.
      if (found + 1 < length && compare(found + 1) === 0) return ++found
      let [low, high] = [0, length - 1]
      while (low <= high) {
        const middle = (low + high) >> 1
        const order = compare(middle)
        if (order === 0) {
          found = middle
          return middle
        }
        if (order < 0) low = middle + 1
        else high = middle - 1
      }
      return -1
    },
  }
}

function writeBytes(id: string, bytes: Buffer, at: number): void {
  if (bytes.write(id.replaceAll('-', ''), at, ID_BYTES, 'hex') !== ID_BYTES) throw new Error(`${id} is not an id.`)
}
