import { randomUUIDv7 } from 'node:crypto'

/** The twelve bits behind the time; in a new millisecond they begin at random in their lower half, so that they seldom run out. */
const MAX_COUNTER = 0xfff

let lastMs = 0
let counter = 0

/**
 * A UUIDv7, larger than every one that this process made before: primary keys append instead of scattering over the tree, and
 * children of a record are listed in the order in which they were written. `randomUUIDv7` alone is random within a millisecond,
 * and a commit takes less than that, so two moves of one prospect could have shown in the wrong order (RFC 9562, 6.2, method 1).
 */
export function newId(): string {
  const random = randomUUIDv7()
  const ms = Number.parseInt(random.slice(0, 8) + random.slice(9, 13), 16)
  if (ms > lastMs) {
    lastMs = ms
    counter = Number.parseInt(random.slice(15, 18), 16) >> 1
  } else if (counter < MAX_COUNTER) {
    counter += 1
  } else {
    lastMs += 1
    counter = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}${random.slice(18)}`
}
