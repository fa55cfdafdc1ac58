import type { Capability } from '../define-facts.ts'
import { roomCapabilities } from '../facts.ts'

/**
 * Phases of the specification that no room implements. A room that implements one declares it in its facts, and its line is removed from this list.
 */
const unbuilt: readonly Capability[] = [
  {
    phase: 9,
    area: 'Official-site contact extraction',
    status: 'not_built',
    reason: 'No contact is extracted from any site; contacts are what operators type.',
  },
]

/** The capabilities of this build by phase of the specification. */
export const capabilities: readonly Capability[] = [...roomCapabilities, ...unbuilt].toSorted(
  (one, other) => one.phase - other.phase,
)
