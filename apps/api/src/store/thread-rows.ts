import { join } from 'node:path'
import { type Connection, openConnection } from './engine/connection.ts'
import { STORE_FILE } from './files/store-files.ts'

/** Time that a reading thread waits for the store while another program locks it. */
const OPENING_PATIENCE_MS = 5_000

export type ThreadReading = { dataDir: string; cacheKib: number }

export type ThreadRows = {
  /** Prepares a statement that has `?` for parameters and returns rows as arrays. */
  rows<P extends unknown[], R>(text: string): (...parameters: P) => R[]
  /** starts a read transaction: every later read sees the present snapshot of the store */
  holdView(): void
  close(): void
}

/**
 * Opens the store for a worker thread that reads many rows by SQL text, where a query builder costs more than the rows. This module does not load the
 * query builder, which takes most of the start of a thread. The main thread must have opened, and so migrated, the store before.
 */
export function openThreadRows(options: ThreadReading): ThreadRows {
  const connection = openReading(options)
  return {
    rows: <P extends unknown[], R>(text: string) => {
      const statement = connection.prepare<P, R>(text).raw()
      return (...parameters) => statement.all(...parameters)
    },
    holdView: () => connection.exec('BEGIN'),
    close: () => connection.close(),
  }
}

/** Opens a read-only connection for a worker thread. */
export function openReading({ dataDir, cacheKib }: ThreadReading): Connection {
  return openConnection(join(dataDir, STORE_FILE), { readonly: true, busyTimeoutMs: OPENING_PATIENCE_MS, cacheKib })
}
