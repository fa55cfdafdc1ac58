import type { Connection } from './connection.ts'

export type ReadTurn = {
  /** called before each read; opens the transaction if none is open */
  begin(): void
  /** SQLite's `data_version` as this transaction sees it: changes after every commit, by this process or another */
  version(): number
  /** ends the transaction, so that later reads see everything committed so far */
  end(): void
}

/**
 * Creates a read transaction that all reads of one turn of the event loop share. Opening and closing a transaction costs SQLite as much as finding a
 * row, and a request makes several reads. The transaction ends with the turn and with every commit of this thread, so no read sees an older state.
 */
export function createReadTurn(connection: Connection): ReadTurn {
  const begin = connection.prepare('BEGIN')
  // `END` is SQLite's synonym of COMMIT. The different word distinguishes this statement from the writer's in a log of statements.
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
