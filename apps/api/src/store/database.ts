import type { Kysely } from 'kysely'

/**
 * All tables by name. Each room adds its own rows from its `<room>.table.ts` by declaration merging, so that the store depends on no room and a room
 * declares its own columns.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the rooms
export interface Database {}

/** A connection, or a transaction. */
export type Db = Kysely<Database>
