/**
 * One step of the schema. Frozen once it has landed: a later change is a later step. `rewrites`: it drops or rebuilds a table that may
 * hold records, so the store is copied before it.
 */
export type Migration = { name: string; sql: string; rewrites?: true }
