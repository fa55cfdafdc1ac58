import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { UserActor } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { createBreather } from '../../lib/event-loop.ts'
import { change, type Unchanged, unchanged } from '../../store/change/change.ts'
import { openUnaltered } from '../../store/files/open-unaltered.ts'
import type { Store } from '../../store/store.ts'
import { getNewestSequence, hasHappenedSince } from '../audit/audit.ts'
import { gate } from '../contact-gate/contact-gate.ts'
import { withholdingActions } from '../facts.ts'
import { fileName, fileStatus, getRoundRow, type RoundRow } from './registry.queries.ts'
import { type RoundValue, readHit } from './registry.rules.ts'
import { readFileColumn, type StoredFile } from './registry.schema.ts'
import { fileGone, filesOf } from './registry-files.ts'
import { requireState } from './round-guards.ts'
import { isAnyHolderBlocked } from './values.queries.ts'

const ASKED_AT_ONCE = 200
/** Maximum number of checks of a file, which is checked again if a value was blocked meanwhile. */
const TRIES = 3

export type Download = { name: string; bytes: number; stream: Readable }

/**
 * Returns the file of a round after the gate was asked about every value in it again, and records the download. For a HEAD request the checks are the
 * same, and nothing is recorded. Errors: `not_found`, `registry_file_not_ready`, `registry_file_gone`, `registry_file_outdated`.
 */
export async function openRoundFile(store: Store, actor: UserActor, id: string, isHead: boolean): Promise<Download> {
  const { tenantId } = actor
  const row = await getRoundRow(store.reader, tenantId, id)
  const file = requireReady(row, store.clock().toISOString())
  const files = filesOf(store.dataDir, id)
  const handle = await openFile(files.content, file.sha256)
  try {
    const about = { name: fileName(row), bytes: file.bytes }
    if (isHead) {
      await requireStillAllowed(store, row, file, files.values)
      await handle.close()
      return { ...about, stream: Readable.from([]) }
    }
    for (let tries = 1; !(await recordDownload(store, actor, row, file, files.values)); tries++)
      if (tries === TRIES)
        throw new AppError(
          'conflict',
          'Values were blocked each time this file was checked. Request it again in a moment.',
        )
    return { ...about, stream: handle.createReadStream({ start: 0 }) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function openFile(path: string, sha256: string): Promise<FileHandle> {
  return openUnaltered(path, sha256, (fault) =>
    fileGone(
      fault === 'missing'
        ? 'The file no longer exists.'
        : 'The file is damaged. Cancel this round and start another one.',
    ),
  )
}

function requireReady(row: RoundRow, now: string): StoredFile {
  if (row.state === 'preparing') throw new AppError('registry_file_not_ready', 'This file is still being written.')
  if (row.closed_at !== null || row.cancelled_at !== null || row.file === null)
    throw fileGone('The file was deleted when the round ended.')
  requireState(row, 'awaiting_result', 'confirming')
  const file = readFileColumn(row.file)
  const status = fileStatus(file, now)
  if (status === 'ready') return file
  throw fileGone(
    status === 'expired'
      ? 'This file has expired. Cancel this round and start another one.'
      : 'This file was deleted before it expired. Cancel this round and start another one.',
  )
}

/** Records the download. Returns false if a value may have been blocked after the file was checked. */
async function recordDownload(
  store: Store,
  actor: UserActor,
  row: RoundRow,
  file: StoredFile,
  valuesFile: string,
): Promise<boolean> {
  const { tenantId } = actor
  const after = await getNewestSequence(store.reader, tenantId)
  await requireStillAllowed(store, row, file, valuesFile)
  const options = { permission: 'registry.manage', action: 'registry_round.download' } as const
  const { value } = await change(store, actor, options, async (tx): Promise<boolean | Unchanged<boolean>> => {
    requireReady(await getRoundRow(tx.db, tenantId, row.id), tx.at)
    if (await hasHappenedSince(tx.db, tenantId, { after, actions: withholdingActions })) return unchanged(false)
    const { values, bytes, sha256 } = file
    await tx.record({ subject: { type: 'registry_round', id: row.id }, after: { values, bytes, sha256 } })
    return true
  })
  return value
}

/**
 * Asks the gate about every value in the file, and whether a prospect with one of them is do not contact. A single match refuses the whole file. Errors:
 * `registry_file_outdated`, `registry_file_gone`.
 */
async function requireStillAllowed(
  store: Store,
  { tenant_id: tenantId }: RoundRow,
  { valuesSha256 }: StoredFile,
  valuesFile: string,
): Promise<void> {
  const db = store.backgroundOf(tenantId)
  const breathe = createBreather()
  let values: RoundValue[] = []
  const ask = async () => {
    const asked = values.map(({ kind, normalized: value }) => ({ kind, value }))
    if ((await gate({ db, keys: store.keys }, tenantId, asked)).length > 0) throw outdated()
    if (await isAnyHolderBlocked(db, tenantId, values)) throw outdated()
    values = []
    await breathe()
  }
  const handle = await openFile(valuesFile, valuesSha256)
  try {
    for await (const line of handle.readLines({ start: 0, autoClose: false })) {
      values.push(readHit(line))
      if (values.length === ASKED_AT_ONCE) await ask()
    }
    await ask()
  } finally {
    await handle.close()
  }
}

function outdated(): AppError {
  return new AppError(
    'registry_file_outdated',
    'This file was written before a value in it was blocked. Cancel this round and start another one.',
  )
}
