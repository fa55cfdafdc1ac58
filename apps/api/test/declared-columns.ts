import { columnsIn, tablesIn } from '../tables/table-file.ts'
import { committedFiles } from '../tables/table-files.ts'

/** A column of a table as its `*.table.ts` declares it. `type`: the words of its type, such as `string | null`. */
export type TypedColumn = { table: string; column: string; type: string }

/** Returns every column of the store with its declared type. Reads the declarations as text, because types are gone when a test runs. */
export function declaredColumns(): TypedColumn[] {
  return committedFiles().flatMap(({ text }) =>
    tablesIn(text).flatMap(({ table, typeName }) =>
      columnsIn(text, typeName).map(({ column, type }) => ({ table, column, type })),
    ),
  )
}
