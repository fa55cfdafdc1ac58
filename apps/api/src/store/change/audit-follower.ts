import type { FollowerPosition } from '../store.table.ts'
import type { FollowedEvent } from './follow-audit.queries.ts'

/** Work that is derived from the audit of each tenant. */
export type AuditFollower = {
  /** name of its positions */
  name: string
  /** version of the rules. For a tenant whose stored version differs, `begin` is called. */
  version?: string
  /** returns true for an event that `on` needs */
  wants(event: FollowedEvent): boolean
  /**
   * Derives what follows from these events, which are in order. It is called again with the same events after a failure, after a crash, and if
   * `isStopped` became true. Resolves to false if it wrote nothing; the position is then stored later.
   */
  on(tenantId: string, events: readonly FollowedEvent[], isStopped: () => boolean): Promise<unknown>
  /**
   * Returns where to begin with a tenant, after it has derived what earlier events do not tell; null if the tenant is not followed now. By default
   * the tenant is followed from its first event.
   */
  begin?(tenantId: string, beginning: Beginning): Promise<Begun | null>
}

export type Beginning = {
  /** `new`: without a position; `restored`: the position is beyond the newest event; `version`: by other rules */
  cause: 'new' | 'restored' | 'version'
  /** the stored position */
  stored: Begun | undefined
  /** sequence of the newest event */
  newest: number
  isStopped: () => boolean
}
/** A position, and the version of the rules by which everything up to it was derived. */
export type Begun = Pick<FollowerPosition, 'sequence' | 'version'>
