import { type RawBuilder, sql, type UpdateResult } from 'kysely'
import { createBreather } from '../../lib/event-loop.ts'

/** Rows that one statement reads or changes, some milliseconds of work: a record may have tens of thousands, and nobody is answered meanwhile. */
const ROWS_AT_ONCE = 250

/** A list a part at a time, each as JSON, with room for requests in between. */
export async function* inParts(items: readonly unknown[]): AsyncGenerator<string> {
  const breathe = createBreather()
  for (let start = 0; start < items.length; start += ROWS_AT_ONCE) {
    yield JSON.stringify(items.slice(start, start + ROWS_AT_ONCE))
    await breathe()
  }
}

type Update = { executeTakeFirst(): Promise<UpdateResult> }

/** Updates these rows a part at a time; `update` takes the ids of a part, for `IN`. Answers how many rows were changed. */
export async function updateInParts(
  rows: readonly { id: string }[],
  update: (ids: RawBuilder<string>) => Update,
): Promise<number> {
  let changed = 0
  for await (const part of inParts(rows.map(({ id }) => id))) {
    const { numUpdatedRows } = await update(sql<string>`(SELECT value FROM json_each(${part}))`).executeTakeFirst()
    changed += Number(numUpdatedRows)
  }
  return changed
}
