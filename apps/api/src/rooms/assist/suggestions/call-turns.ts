import { MAX_CONCURRENT_CALLS } from '@prospect/adapter-contract/prompt'
import { createTenantTurns, type Share } from '../../../lib/tenant-turns.ts'

/*
 * Calls of this process take turns, so that accepted requests wait instead of being refused. The bound over all processes is the count of
 * open reservations.
 */

/** Runs a call in the tenant's turn. Errors: the reason of the signal. */
export const callTurns = createTenantTurns<Share>({ isFree: (_, running) => running.size < MAX_CONCURRENT_CALLS })
