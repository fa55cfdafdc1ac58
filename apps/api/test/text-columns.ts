import { sql } from 'kysely'
import { declaredColumns } from './declared-columns.ts'
import { temporaryStore } from './temporary-store.ts'

/** A text column of the store. `type`: its type as `<room>.table.ts` declares it; absent for a table that no file declares. */
export type TextColumn = { table: string; name: string; type: string | undefined }

/** Names of columns that hold no text of a person: ids, actors, times, days, hashes and versions. */
const neverText =
  /(?:[._](?:id|actor|author|by|at|on|day|from|until|since|hash|sha256|digest|fingerprint|version|as_of)|_after)$/

/** Returns the text columns of the store with their declared types. */
export async function textColumns(): Promise<TextColumn[]> {
  const types = new Map(declaredColumns().map(({ table, column, type }) => [`${table}.${column}`, type]))
  const { rows } = await sql<{ table: string; name: string }>`
    SELECT t.name AS "table", t.name || '.' || c.name AS name FROM sqlite_schema t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND c.type NOT IN ('INTEGER', 'REAL', 'BLOB')
      AND t.name NOT LIKE 'business_search_index%' AND t.name NOT LIKE 'sqlite_%'`.execute(temporaryStore().reader)
  return rows.map(({ table, name }) => ({ table, name, type: types.get(name) }))
}

/** Returns true for a column that can hold any text: its type is no list of words, and its name is not that of an id, a time or a hash. */
export function isFreeText({ name, type }: TextColumn): boolean {
  return /\b(string|ContactText)\b/.test(type ?? 'string') && !neverText.test(name)
}
