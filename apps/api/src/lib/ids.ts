import { randomUUIDv7 } from 'node:crypto'

/** A UUIDv7: ordered by creation, so primary keys append instead of scattering over the tree. */
export function newId(): string {
  return randomUUIDv7()
}
