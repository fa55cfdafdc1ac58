/** One step of the schema. Frozen once it has landed: a later change is a later step. */
export type Migration = { name: string; sql: string }
