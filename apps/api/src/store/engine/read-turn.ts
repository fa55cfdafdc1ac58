import type { Connection } from './connection.ts'

export type ReadTurn = {
  /** Called before each read. */
  begin(): void
  /** Another number than before whenever what the reads of this turn see was written to since, by this program or any other. */
  version(): number
  /** From here on reads see what has been committed since. */
  end(): void
}

/**
 * All reads of one turn of the event loop share a read transaction: to open and close one takes SQLite as long as to find a row, and a
 * request makes several reads. It ends with the turn, and with every commit of this thread, so nobody reads what is older than that.
 */
export function createReadTurn(connection: Connection): ReadTurn {
  const begin = connection.prepare('BEGIN')
  // SQLite's other word for it: COMMIT is what the writer does.
  const close = connection.prepare('END')
  const dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
  let isOpen = false
  let seen: number | undefined
  const end = () => {
    if (!isOpen) return
    isOpen = false
    seen = undefined
    if (connection.open && connection.inTransaction) close.run()
  }
  const open = () => {
    if (isOpen) return
    begin.run()
    isOpen = true
    setImmediate(end)
  }
  return {
    begin: open,
    version: () => {
      open()
      seen ??= dataVersion.get() ?? 0
      return seen
    },
    end,
  }
}
