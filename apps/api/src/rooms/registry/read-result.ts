import { renameSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { createBreather } from '../../lib/event-loop.ts'
import { newId } from '../../lib/ids.ts'
import { numeral } from '../../lib/numeral.ts'
import { slicesOf } from '../../lib/slices.ts'
import { syncFolder } from '../../store/files/durable-files.ts'
import { draftOf, removeDraftsOf } from '../../store/files/named-files.ts'
import { createFileWriter, type WrittenFile } from '../../store/files/write-file.ts'
import { gate } from '../contact-gate/contact-gate.ts'
import { csvFaultSentence, openCsv } from '../csv-preview/csv-preview.ts'
import type { JobContext } from '../jobs/jobs.ts'
import { entryOf } from '../suppression/suppression.ts'
import { recordRefusal } from './record-refusal.ts'
import { getRoundRow, type RoundRow, updateRound } from './registry.queries.ts'
import { findResultForm, keyOf, type RoundValue, readResultLine } from './registry.rules.ts'
import { limits, type ResultCounts, readKinds, readResultColumn, type StoredResult } from './registry.schema.ts'
import { filesOf, registryFolder } from './registry-files.ts'
import { requireNoErasureSince, requireState, wrongState } from './round-guards.ts'
import { heldValues } from './values.queries.ts'

/** Values per query of the gate. */
const ASKED_AT_ONCE = 50

/** Thrown for a file that is no result of the round. The sentence is shown with the round. */
class Refused extends Error {}

/** Content of a result file, before its values are compared with those of the workspace. */
type Listed = { keys: Set<string>; lines: number; clear: number; unreadable: number; repeated: number }

type Compared = Pick<ResultCounts, 'hits' | 'alreadyBlocked'> & { found: number; unblockable: number }

/**
 * Reads an uploaded result, compares it with the values of the workspace, and stores its counts with the list of hits for the confirmed run. Nothing is
 * blocked. An interrupted run starts again from the uploaded file.
 */
export async function readResult(context: JobContext, roundId: string, resultId: string) {
  const { store, tenantId, jobId, effect } = context
  const row = await getRoundRow(store.reader, tenantId, roundId)
  const result = requireCurrent(row, resultId)
  const files = filesOf(store.dataDir, roundId)
  const folder = registryFolder(store.dataDir)
  const begunAt = store.clock().toISOString()
  const draft = draftOf(files.hits, `${jobId}-${newId()}`)
  removeDraftsOf(folder, roundId)
  const upload = files.upload(resultId)
  try {
    const listed = await readLines(context, row, result, upload)
    const { compared, hits } = await writeHits(context, row, listed.keys, draft)
    const counts = countsOf(listed, compared)
    return await effect('result', { action: 'registry_round.read' }, async (tx) => {
      const current = await getRoundRow(tx.db, tenantId, roundId)
      requireCurrent(current, resultId)
      await requireNoErasureSince(tx, begunAt)
      const read: StoredResult = { ...result, counts, hitsSha256: hits.sha256, readAt: tx.at, begunAt }
      await updateRound(tx.db, row, { result: JSON.stringify(read) })
      await tx.record({
        subject: { type: 'registry_round', id: roundId },
        after: { resultSha256: result.sha256, ...counts },
      })
      renameSync(draft, files.hits)
      syncFolder(folder)
      tx.afterCommit(() => void rm(upload, { force: true }))
      return { roundId, ...counts }
    })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return await effect('refusal', { action: 'registry_round.read' }, async (tx) => {
      requireCurrent(await getRoundRow(tx.db, tenantId, roundId), resultId)
      await updateRound(tx.db, row, { result: JSON.stringify({ ...result, refusal: error.message }) })
      await recordRefusal(tx, roundId, error.message)
      tx.afterCommit(() => void rm(upload, { force: true }))
      return { roundId, refused: true }
    })
  } finally {
    await rm(draft, { force: true })
  }
}

function requireCurrent(row: RoundRow, resultId: string): StoredResult {
  requireState(row, 'awaiting_result')
  const result = row.result === null ? null : readResultColumn(row.result)
  if (result?.id === resultId) return result
  throw wrongState('Another result was uploaded meanwhile.')
}

async function readLines(
  { signal, progress }: JobContext,
  row: RoundRow,
  { phoneRegion, bytes: total }: StoredResult,
  path: string,
): Promise<Listed> {
  const listed: Listed = { keys: new Set(), lines: 0, clear: 0, unreadable: 0, repeated: 0 }
  const breathe = createBreather()
  const isHashed = row.salt !== null
  let isLastUnreadable = false
  try {
    const csv = openCsv(path)
    try {
      const form = findResultForm(csv.columns)
      if (!isHashed && form.values.length === 0)
        throw new Refused(
          'No column of this file contains the values. Name it “value” in the first line, and upload the file again.',
        )
      const options = { form, roundId: row.id, isHashed, phoneRegion }
      const take = (cells: readonly string[], isHeader = false) => {
        const read = readResultLine(cells, options)
        if (isHeader && (typeof read === 'string' || read.keys.length === 0)) return
        listed.lines += 1
        if (listed.lines > limits.resultLines) throw tooManyLines()
        isLastUnreadable = read === 'unreadable'
        if (read === 'other_round')
          throw new Refused(
            `Line ${numeral(listed.lines)} of this file is of another round. Upload the result of this round.`,
          )
        if (read === 'clear') listed.clear += 1
        else if (read === 'unreadable') listed.unreadable += 1
        else if (read.keys.every((key) => listed.keys.has(key))) listed.repeated += 1
        else for (const key of read.keys) listed.keys.add(key)
      }
      // A file without column names can have its first value where they would be.
      take(
        csv.columns.map(({ name }) => name ?? ''),
        true,
      )
      for (const { rows, malformed, bytes } of csv.pieces()) {
        signal.throwIfAborted()
        for (const { cells } of rows) {
          take(cells)
          await breathe()
        }
        listed.lines += malformed
        listed.unreadable += malformed
        if (malformed > 0) isLastUnreadable = true
        progress({ done: bytes, total, unit: 'bytes' })
      }
    } finally {
      csv.close()
    }
  } catch (error) {
    const sentence = csvFaultSentence(error)
    if (sentence === undefined) throw error
    throw new Refused(`${sentence} Nothing of this file was used.`)
  }
  if (isLastUnreadable && !(await endsALine(path)))
    throw new Refused('The last line of this file ends in the middle: the file is not complete. Upload the whole file.')
  return listed
}

/** True if the last bytes of a file are a line end, in any encoding. */
async function endsALine(path: string): Promise<boolean> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, Math.max(0, size - 2))
    return buffer.subarray(0, bytesRead).some((byte) => byte === 0x0a || byte === 0x0d)
  } finally {
    await handle.close()
  }
}

/** Compares every value of the workspace with the listed keys, and writes those that are not blocked yet to the list of hits. */
async function writeHits(
  { store, tenantId, signal, progress }: JobContext,
  row: RoundRow,
  keys: ReadonlySet<string>,
  path: string,
): Promise<{ compared: Compared; hits: WrittenFile }> {
  const compared: Compared = { hits: 0, alreadyBlocked: 0, found: 0, unblockable: 0 }
  const breathe = createBreather()
  const db = store.backgroundOf(tenantId)
  const hits = await createFileWriter(path, {
    maxBytes: limits.fileBytes,
    subject: 'The list of hits',
    remedy: 'Divide the result into smaller files.',
  })
  let done = 0
  try {
    for (const kind of readKinds(row.kinds)) {
      for await (const part of heldValues(db, { tenantId, kind })) {
        signal.throwIfAborted()
        const found: RoundValue[] = []
        for (const { normalized } of part) {
          if (keys.has(keyOf({ kind, normalized }, row.salt))) found.push({ kind, normalized })
          await breathe()
        }
        compared.found += found.length
        for (const slice of slicesOf(found, ASKED_AT_ONCE)) {
          const asked = slice.map(({ normalized: value }) => ({ kind, value }))
          const matches = await gate({ db, keys: store.keys }, tenantId, asked)
          const blocked = new Set(matches.map(({ index }) => index))
          const free = slice.filter((_, index) => !blocked.has(index))
          const blockable = free.filter((value) => entryOf(value) !== undefined)
          compared.alreadyBlocked += blocked.size
          compared.unblockable += free.length - blockable.length
          compared.hits += blockable.length
          await hits.write(blockable.map((value) => `${JSON.stringify([value.kind, value.normalized])}\n`).join(''))
          await breathe()
        }
        done += part.length
        progress({ done, total: null, unit: 'values' })
      }
    }
    return { compared, hits: await hits.finish() }
  } finally {
    await hits.close()
  }
}

function countsOf({ keys, lines, clear, unreadable, repeated }: Listed, compared: Compared): ResultCounts {
  const { hits, alreadyBlocked, found, unblockable } = compared
  const unknown = keys.size - found
  if (keys.size > 0 && found === 0)
    throw new Refused(
      'No line of this file is a value of this workspace. It may be the result of another round or of another salt. Upload the result of this round.',
    )
  return { lines, hits, alreadyBlocked, unknown, clear, unreadable: unreadable + unblockable, repeated }
}

function tooManyLines(): Refused {
  return new Refused(
    `This file has more than ${numeral(limits.resultLines)} lines. Divide it, and close a round with each part.`,
  )
}
