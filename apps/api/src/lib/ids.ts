import { randomUUID } from 'node:crypto'

/** Maximum of the twelve bits after the time. In a new millisecond they start at a random number in the lower half, so that they rarely overflow. */
const MAX_COUNTER = 0xfff

let lastMs = 0
let time = ''
let counter = 0

/**
 * Returns a UUIDv7 that is larger than every earlier one of this process. New rows are therefore appended at the end of a primary key, and children
 * of a record are listed in the order of their creation. Node's own UUIDv7 is random within a millisecond, and a commit takes less than that. Two
 * moves of one prospect could then appear in the wrong order (RFC 9562, 6.2, method 1).
 */
export function newId(): string {
  const random = randomUUID()
  const ms = Date.now()
  if (ms > lastMs) {
    begin(ms, Number.parseInt(random.slice(0, 3), 16) >> 1)
  } else if (counter < MAX_COUNTER) {
    counter += 1
  } else {
    begin(lastMs + 1, 0)
  }
  return `${time}-7${counter.toString(16).padStart(3, '0')}${random.slice(18)}`
}

/** Makes every later id larger than `id`, which another process created and whose clock may have been ahead. */
export function makeIdsAfter(id: string): void {
  const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
  if (ms >= lastMs) begin(ms + 1, 0)
}

function begin(ms: number, first: number): void {
  lastMs = ms
  counter = first
  const digits = ms.toString(16).padStart(12, '0')
  time = `${digits.slice(0, 8)}-${digits.slice(8)}`
}
