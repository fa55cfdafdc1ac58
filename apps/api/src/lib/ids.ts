import { randomUUID } from 'node:crypto'

/** The twelve bits behind the time; in a new millisecond they begin at random in their lower half, so that they seldom run out. */
const MAX_COUNTER = 0xfff

let lastMs = 0
let time = ''
let counter = 0

/**
 * A UUIDv7, larger than every one that this process made before: primary keys append instead of scattering over the tree, and
 * children of a record are listed in the order in which they were written. Node's own is random within a millisecond, and a commit
 * takes less than that, so two moves of one prospect could have shown in the wrong order (RFC 9562, 6.2, method 1).
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

/** Makes every identifier from now on larger than this one, which another process made: by a clock that was perhaps set back since. */
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
