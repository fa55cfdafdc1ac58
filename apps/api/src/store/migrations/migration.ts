/**
 * One step of the schema. Frozen once it has landed: a later change is a later step. `rewrites`: it drops or rebuilds a table that may
 * hold records, so the store is copied before it. `editsSchema`: it edits the text of the schema itself; a statement that creates or drops
 * something must be among its own, by which other connections see that the schema is another one.
 */
export type Migration = { name: string; sql: string; rewrites?: true; editsSchema?: true }
