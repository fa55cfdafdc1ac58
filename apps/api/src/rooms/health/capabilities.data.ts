import type { Capability } from '../define-facts.ts'
import { roomCapabilities } from '../facts.ts'

/** The capabilities of this build, sorted by phase of the specification. Each room declares in its facts the phases that it implements. */
export const capabilities: readonly Required<Capability>[] = roomCapabilities
  .map((one: Capability) => ({ pilot: null, ...one }))
  .toSorted((one, other) => one.phase - other.phase)
