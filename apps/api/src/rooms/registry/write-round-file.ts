import { renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { AppError } from '../../lib/app-error.ts'
import { quotedCell } from '../../lib/csv-cell.ts'
import { createBreather } from '../../lib/event-loop.ts'
import { newId } from '../../lib/ids.ts'
import { numeral } from '../../lib/numeral.ts'
import { slicesOf } from '../../lib/slices.ts'
import { syncFolder } from '../../store/files/durable-files.ts'
import { draftOf, removeDraftsOf } from '../../store/files/named-files.ts'
import { createFileWriter, type FileBound } from '../../store/files/write-file.ts'
import { getNewestSequence } from '../audit/audit.ts'
import { gate } from '../contact-gate/contact-gate.ts'
import type { JobContext } from '../jobs/jobs.ts'
import { getRoundRow, updateRound } from './registry.queries.ts'
import { type RoundValue, writtenForm } from './registry.rules.ts'
import { limits, type RegistryColumn, readColumns, readKinds, readStates, type StoredFile } from './registry.schema.ts'
import { filesOf, registryFolder } from './registry-files.ts'
import { requireNoErasureSince, requireState } from './round-guards.ts'
import { heldValues } from './values.queries.ts'

const HOUR_MS = 3_600_000
/** Values per query of the gate. */
const ASKED_AT_ONCE = 50

const fileBound: FileBound = {
  maxBytes: limits.fileBytes,
  subject: 'This file',
  remedy: 'Start a round for each kind of value, or for some pipeline states.',
}

/**
 * Writes the different contact values of a round to a file, without names. Values that are blocked are left out, so nothing is asked about them. An
 * interrupted run starts again. The files have temporary names until one change stores their counts. Errors: `too_large`, `registry_file_outdated`.
 */
export async function writeRoundFile(context: JobContext, roundId: string) {
  const { store, tenantId, jobId, signal, progress, effect } = context
  const row = await getRoundRow(store.reader, tenantId, roundId)
  requireState(row, 'preparing')
  const begun = {
    begun_at: store.clock().toISOString(),
    begun_sequence: await getNewestSequence(store.reader, tenantId),
    begun_id: newId(),
  }
  const files = filesOf(store.dataDir, roundId)
  const folder = registryFolder(store.dataDir)
  const claim = `${jobId}-${newId()}`
  const draft = { content: draftOf(files.content, claim), values: draftOf(files.values, claim) }
  removeDraftsOf(folder, roundId)
  const content = await createFileWriter(draft.content, fileBound)
  const values = await createFileWriter(draft.values, fileBound)
  try {
    const columns = readColumns(row.columns)
    const states = new Set<string>(readStates(row.states))
    const breathe = createBreather()
    const counts = { values: 0, leftOut: 0 }
    await content.write(lineOf(columns))
    for (const kind of readKinds(row.kinds)) {
      for await (const part of heldValues(store.backgroundOf(tenantId), { tenantId, kind })) {
        signal.throwIfAborted()
        const meant = part.filter((one) => states.size === 0 || states.intersection(one.states).size > 0)
        for (const slice of slicesOf(meant, ASKED_AT_ONCE)) {
          const free = await withoutBlocked(context, kind, slice)
          counts.leftOut += slice.length - free.length
          counts.values += free.length
          if (counts.values > limits.fileValues) throw tooManyValues()
          await content.write(free.map((value) => lineOf(cellsOf(columns, roundId, value, row.salt))).join(''))
          await values.write(free.map((value) => `${JSON.stringify([value.kind, value.normalized])}\n`).join(''))
          await breathe()
        }
        progress({ done: counts.values + counts.leftOut, total: null, unit: 'values' })
      }
    }
    const written = await content.finish()
    const { sha256: valuesSha256 } = await values.finish()
    return await effect('file', { action: 'registry_round.write' }, async (tx) => {
      requireState(await getRoundRow(tx.db, tenantId, roundId), 'preparing')
      await requireNoErasureSince(tx, begun.begun_at)
      const expiresAt = new Date(Date.parse(tx.at) + limits.fileHours * HOUR_MS).toISOString()
      const file: StoredFile = { ...counts, ...written, valuesSha256, writtenAt: tx.at, expiresAt, removedAt: null }
      await updateRound(tx.db, row, { ...begun, state: 'awaiting_result', file: JSON.stringify(file) })
      const after = { state: 'awaiting_result', columns, form: row.form, ...counts, ...written, expiresAt }
      await tx.record({ subject: { type: 'registry_round', id: roundId }, before: { state: 'preparing' }, after })
      // Only the owner of the lease reaches this line, so no file of another run is replaced.
      renameSync(draft.content, files.content)
      renameSync(draft.values, files.values)
      syncFolder(folder)
      return { roundId, ...counts, ...written }
    })
  } finally {
    await content.close()
    await values.close()
    await rm(draft.content, { force: true })
    await rm(draft.values, { force: true })
  }
}

/** Returns the values that no entry and no do-not-contact prospect blocks. */
async function withoutBlocked(
  { store, tenantId }: JobContext,
  kind: RoundValue['kind'],
  values: readonly { normalized: string; isBlocked: boolean }[],
): Promise<RoundValue[]> {
  const free = values.flatMap(({ normalized, isBlocked }) => (isBlocked ? [] : [{ kind, normalized }]))
  const asked = free.map(({ normalized: value }) => ({ kind, value }))
  const matches = await gate({ db: store.backgroundOf(tenantId), keys: store.keys }, tenantId, asked)
  const blocked = new Set(matches.map(({ index }) => index))
  return free.filter((_, index) => !blocked.has(index))
}

function cellsOf(columns: readonly RegistryColumn[], round: string, value: RoundValue, salt: string | null): string[] {
  const cells = { round, kind: value.kind, value: writtenForm(value, salt) }
  return columns.map((column) => cells[column])
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(quotedCell).join(',')}\r\n`
}

function tooManyValues(): AppError {
  return new AppError(
    'too_large',
    `This file would contain more than ${numeral(limits.fileValues)} values. Start a round for each kind of value, or for some pipeline states.`,
  )
}
