import { type RawBuilder, sql, type UpdateResult } from 'kysely'
import { createBreather } from '../../lib/event-loop.ts'

/** Number of rows per statement. A statement blocks requests, and a record can have tens of thousands of rows. */
const ROWS_AT_ONCE = 250

/** Yields a list in parts, each as JSON, and lets the event loop serve requests between the parts. */
export async function* inParts(items: readonly unknown[]): AsyncGenerator<string> {
  const breathe = createBreather()
  for (let start = 0; start < items.length; start += ROWS_AT_ONCE) {
    yield JSON.stringify(items.slice(start, start + ROWS_AT_ONCE))
    await breathe()
  }
}

type Update = { executeTakeFirst(): Promise<UpdateResult> }

/** Updates these rows in parts and returns the number of changed rows. `update` receives the ids of one part, for use in `IN`. */
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
