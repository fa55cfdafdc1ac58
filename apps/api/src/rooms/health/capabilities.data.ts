import type { Capability } from '../define-facts.ts'
import { roomCapabilities } from '../facts.ts'

/** The capabilities of this build by phase of the specification. Each room declares the phases that it implements in its facts. */
export const capabilities: readonly Capability[] = roomCapabilities.toSorted((one, other) => one.phase - other.phase)
