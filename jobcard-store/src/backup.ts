import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { existingTables } from './appendix.ts'
import type { Line } from './report.ts'
import { exitCodes, StoreError } from './store-error.ts'

const dumpHead = /^-- (MariaDB|MySQL) dump /
const dumpEnd = /^-- Dump completed/
const tableBegins = /^CREATE TABLE `([^`]+)`/

/**
 * Checks the backup that the operator names. A dump (.sql, .sql.gz, .sql.zst) must be complete and contain the tables that the upgrade uses. For any
 * other kind of backup it checks only that the file is not empty. Throws StoreError (`refused`) with a sentence.
 */
export async function checkBackup(file: string): Promise<Line> {
  const { size, mtime } = await stat(file).catch((cause: unknown) => {
    throw refuse(`The backup ${file} cannot be read.`, cause)
  })
  if (size === 0) throw refuse(`The backup ${file} is empty.`)
  const about = `${file}, ${Math.ceil(size / 1024)} KiB, written ${mtime.toISOString()}`
  const dump = await readDump(file)
  if (dump === undefined) return { mark: 'note', text: `backup: ${about}; not a dump, so it could not be looked into` }
  if (!dump.isComplete)
    throw refuse(`The backup ${file} is cut short: its last line does not say that the dump was completed.`)
  const absent = Object.keys(existingTables).filter((table) => !dump.tables.has(table))
  if (absent.length > 0)
    throw refuse(`The backup ${file} is of another database: it holds no table ${absent.join(', ')}.`)
  return { mark: 'ok', text: `backup: ${about}, a complete dump of ${dump.tables.size} tables` }
}

type Dump = { isComplete: boolean; tables: Set<string> }

/** Reads a dump to its end. Returns undefined if the file is not a dump. */
async function readDump(file: string): Promise<Dump | undefined> {
  const tables = new Set<string>()
  let lastLine = ''
  let isDump = false
  try {
    for await (const line of createInterface({ input: contentOf(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      isDump ||= dumpHead.test(line)
      const table = tableBegins.exec(line)?.[1]
      if (table !== undefined) tables.add(table)
      if (line !== '') lastLine = line
    }
  } catch (cause) {
    throw refuse(`The backup ${file} cannot be read to its end; is it whole?`, cause)
  }
  return isDump ? { isComplete: dumpEnd.test(lastLine), tables } : undefined
}

function contentOf(file: string): Readable {
  const bytes = createReadStream(file)
  if (!/\.(gz|zst)$/.test(file)) return bytes
  const unpack = file.endsWith('.gz') ? createGunzip() : createZstdDecompress()
  return bytes.on('error', (error) => unpack.destroy(error)).pipe(unpack)
}

function refuse(sentence: string, cause?: unknown): StoreError {
  return new StoreError(exitCodes.refused, sentence, { cause })
}
