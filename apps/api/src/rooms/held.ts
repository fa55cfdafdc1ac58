import type { Permission } from '../lib/declared.ts'
import type { Db } from '../store/database.ts'
import type { Keys } from '../store/files/keys.ts'
import type { HeldRow, HeldTables } from '../store/held-rows.ts'

/** A contact value in normalized form, about which everything held is collected. */
export type HeldValue = { kind: 'email' | 'phone' | 'domain'; normalized: string }

/** The subject of a collection: records, including those merged into them, and the value if the collection is about a value. */
export type HoldContext = {
  /** connection that gives way to requests */
  db: Db
  keys: Keys
  tenantId: string
  /** time at which the collection began, RFC 3339 */
  at: string
  businessIds: readonly string[]
  value: HeldValue | null
}

/** A part of a collection that columns cannot express. `columns`: the label of each property of the rows. */
export type HeldPart = {
  key: string
  title: string
  permission: Permission
  columns: Readonly<Record<string, string>>
  /** those of the columns that contain JSON */
  json?: readonly string[]
  /** texts in place of codes, by column and code, for the form that people read */
  words?: Readonly<Record<string, Readonly<Record<string, string>>>>
  rows: readonly HeldRow[]
}

/** The part of a room that a collection of everything held reads: its tables, and what tables cannot express. */
export type HoldingRoom = {
  name: string
  /** tables of the room that a collection contains, in this order */
  holds?: HeldTables
  /** reads what `holds` cannot express. Every query must find its rows by an index */
  hold?(context: HoldContext): Promise<readonly HeldPart[]>
  /** tables of the room that belong to a business and of which a collection contains nothing, each with the reason */
  holdsNothing?: Readonly<Record<string, string>>
}
