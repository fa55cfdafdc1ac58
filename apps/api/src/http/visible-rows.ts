import { createBreather } from '../lib/event-loop.ts'
import type { Count } from '../store/engine/count-up-to.ts'

/*
 * Lists of which some rows are hidden by a check that no query can make, such as the suppression gate. A page is filled with the rows after the
 * hidden ones, up to a limit: otherwise one request could read a whole table for a reader from whom most of it is hidden.
 */

/** Limits of the work for one page or one count; `docs/limits.md` lists them. They do not depend on the length of the page. */
export const visibleRowLimits = { rowsRead: 5_000, rowsAtOnce: 500 } as const

type RowReader<Row> = {
  /** returns the rows after this one, in the order of the list */
  read(after: Row | undefined, limit: number): Promise<Row[]>
  /** returns those of the rows that are visible, in their order */
  onlyVisible(rows: readonly Row[]): Promise<Row[]>
}

/** `stoppedAfter`: the last row that was read, if the limit was reached before the page was full. The next page continues after it. */
export type VisibleRows<Row, Read = Row> = { rows: Row[]; stoppedAfter: Read | undefined }

/** Returns up to `limit` visible rows. */
export async function readVisibleRows<Row>(reader: RowReader<Row>, limit: number): Promise<VisibleRows<Row>> {
  const rows: Row[] = []
  let isFull = false
  const { isWhole, last } = await eachBatch(reader, limit, (visible) => {
    rows.push(...visible)
    isFull = rows.length >= limit
    return !isFull
  })
  return { rows: rows.slice(0, limit), stoppedAfter: isFull || isWhole ? undefined : last }
}

/** Counts the visible rows, up to `limit`. */
export async function countVisibleRows<Row>(reader: RowReader<Row>, limit: number): Promise<Count> {
  let count = 0
  const { isWhole } = await eachBatch(reader, visibleRowLimits.rowsAtOnce, (visible) => {
    count += visible.length
    return count <= limit
  })
  return { count: Math.min(count, limit), isWhole: isWhole && count <= limit }
}

/** Calls `take` with the visible rows of each batch until it returns false. `isWhole`: the last row of the list was read. */
async function eachBatch<Row>(
  { read, onlyVisible }: RowReader<Row>,
  first: number,
  take: (visible: Row[]) => boolean,
): Promise<{ isWhole: boolean; last: Row | undefined }> {
  const breathe = createBreather()
  let last: Row | undefined
  for (let [size, left]: [number, number] = [first, visibleRowLimits.rowsRead]; size > 0; ) {
    const rows = await read(last, size)
    last = rows.at(-1) ?? last
    const goesOn = take(await onlyVisible(rows))
    if (rows.length < size) return { isWhole: true, last }
    if (!goesOn) break
    left -= rows.length
    size = Math.min(left, visibleRowLimits.rowsAtOnce)
    await breathe()
  }
  return { isWhole: false, last }
}
