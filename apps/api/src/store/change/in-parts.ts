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
