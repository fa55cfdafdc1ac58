import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createWriteQueue, type Work, type WriteQueueOptions } from '../src/store/change/write-queue.ts'
import { type Connection, openConnection } from '../src/store/engine/connection.ts'
import { temporaryFolder } from './temporary-store.ts'

/** Creates a write queue on one table of texts, and a second connection, which sees only committed rows. */
export function queueOfWords(options: WriteQueueOptions = {}) {
  const file = join(temporaryFolder(), 'test.sqlite')
  const connection = openConnection(file)
  connection.exec('CREATE TABLE words (word TEXT NOT NULL) STRICT')
  const other = openConnection(file)
  onTestFinished(() => {
    other.close()
    connection.close()
  })
  // Without a time limit, concurrent changes form one batch on any machine.
  const queue = createWriteQueue(connection, { maxBatchMs: Number.POSITIVE_INFINITY, ...options })
  return { file, connection, other, queue, committed: () => wordsIn(other) }
}

export function wordsIn(connection: Connection): unknown[] {
  return connection.prepare('SELECT word FROM words ORDER BY rowid').pluck().all()
}

export function adds(connection: Connection, word: string): Work<string> {
  return async () => {
    connection.prepare('INSERT INTO words VALUES (?)').run(word)
    return { keep: true, value: word }
  }
}

export function addsAndThrows(connection: Connection, word: string, error: Error): Work<never> {
  return async () => {
    connection.prepare('INSERT INTO words VALUES (?)').run(word)
    throw error
  }
}

/** A text that is larger than any free space in the file. */
export const LARGE = 'x'.repeat(1_000_000)

export const unavailable = (reason: string) => ({ code: 'unavailable', details: { reason } })
