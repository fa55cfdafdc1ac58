import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import type { Outcome } from './write-queue.ts'

/**
 * The rows that a unit of work writes: those of one tenant, or those of a part of the system without a tenant. `accounts`: sessions and failed
 * sign-ins. `workers`: workers and their claims, over all tenants. `upkeep`: maintenance of the store. The embedded store has one writer for all
 * scopes; an engine with several writers would lock by scope.
 */
export type WriteScope = { tenantId: string } | 'accounts' | 'workers' | 'upkeep'

/**
 * Runs `work` in the next write transaction with the connection of that transaction. Resolves when the transaction is durable, rejects when it is
 * rolled back. It is for rows that need no audit event; a change of a record goes through `change()`.
 */
export type Write = <T>(scope: WriteScope, work: (db: Kysely<Database>) => Promise<Outcome<T>>) => Promise<T>
