import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Cursors, newestFirst, type Page, type PageQuery } from '../../http/pagination.ts'
import { actorKey, type UserActor } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import type { SizeLimit } from '../../lib/limit-reached.ts'
import { type ChangeOptions, type ChangeResult, change, type Tx } from '../../store/change/change.ts'
import { requireRoom } from '../../store/change/quota.ts'
import type { Store } from '../../store/store.ts'
import { receiveUpload, type Upload } from '../csv-preview/csv-preview.ts'
import { DEFAULT_COUNTRY } from '../identity/identity.ts'
import { cancelNewestAttempt, createJob } from '../jobs/jobs.ts'
import { registryConfirmationJob, registryFileJob, registryResultJob } from './registry.jobs.ts'
import {
  findOpenRound,
  getRoundRow,
  insertRound,
  roundsOf,
  selectClosedRounds,
  selectRounds,
  toRound,
  updateRound,
} from './registry.queries.ts'
import { registryRoundQuota } from './registry.quota.ts'
import {
  type ConfirmRound,
  limits,
  type Round,
  readResultColumn,
  type StartRound,
  type StoredConfirmation,
  type StoredResult,
} from './registry.schema.ts'
import { filesOf, registryFolder, removeRoundFiles } from './registry-files.ts'
import { requireState, wrongState } from './round-guards.ts'

const SALT_BYTES = 16

/*
 * Registry rounds: the contact values of the workspace go to the registry as a file, its answer comes back as a file, and what it lists is blocked after a
 * person confirmed it. A person carries both files; nothing here opens a connection.
 */

/** Starts a round and queues the job that writes its file. Errors: `registry_round_open`, `rate_limited`, `queue_full`. */
export async function startRound(tx: Tx, input: StartRound): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const open = await findOpenRound(tx.db, tenantId)
  if (open !== undefined)
    throw new AppError(
      'registry_round_open',
      'Another round of this workspace is open. Close or cancel that round first.',
    )
  await requireRoom(tx, registryRoundQuota)
  const id = newId()
  const { id: jobId } = await createJob(tx, { kind: registryFileJob, input: { roundId: id } })
  const { kinds, form, states, columns } = input
  await insertRound(tx.db, {
    tenant_id: tenantId,
    id,
    job_id: jobId,
    state: 'preparing',
    kinds: JSON.stringify(kinds),
    form,
    states: JSON.stringify(states),
    columns: JSON.stringify(columns),
    salt: form === 'plain' ? null : randomBytes(SALT_BYTES).toString('hex'),
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    begun_at: null,
    begun_sequence: null,
    begun_id: null,
    file: null,
    result: null,
    result_by: null,
    confirmation: null,
    confirmed_by: null,
    outcome: null,
    registration: null,
    closed_at: null,
    closed_event: null,
    cancelled_at: null,
    cancelled_because: null,
  })
  await tx.record({ subject: { type: 'registry_round', id }, after: { state: 'preparing', ...input, jobId } })
  return { id }
}

export async function getRound(store: Store, tenantId: string, id: string): Promise<Round> {
  return toRound(await getRoundRow(store.reader, tenantId, id), store.clock().toISOString())
}

export function listRounds(store: Store, cursors: Cursors, tenantId: string, query: PageQuery): Promise<Page<Round>> {
  const now = store.clock().toISOString()
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['registry-rounds', tenantId],
    query,
    fetch: (before, limit) => selectRounds(store.reader, { tenantId, before, limit }),
    count: (db) => roundsOf(db, tenantId),
    toItem: (row) => toRound(row, now),
  })
}

/** Cancels a round that is not closed and whose confirmed run is not under way. Entries of a run that stopped stay. Errors: `not_found`, `registry_round_state`. */
export async function cancelRound(tx: Tx, dataDir: string, id: string, reason: string): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const row = await getRoundRow(tx.db, tenantId, id)
  requireState(row, 'preparing', 'awaiting_result')
  await updateRound(tx.db, row, { state: 'cancelled', cancelled_at: tx.at, cancelled_because: reason })
  await tx.record({
    subject: { type: 'registry_round', id },
    before: { state: row.state },
    after: { state: 'cancelled' },
    reason,
  })
  const result = row.result === null ? null : readResultColumn(row.result)
  if (row.state === 'preparing') await cancelNewestAttempt(tx, registryFileJob, row.job_id)
  else if (result !== null && result.counts === null && result.refusal === null)
    await cancelNewestAttempt(tx, registryResultJob, result.jobId)
  tx.afterCommit(() => removeRoundFiles(dataDir, id))
  return { id }
}

export const resultSize: SizeLimit = {
  name: 'registry_result',
  subject: 'This file',
  unit: 'bytes',
  remedy: 'Divide it, and close a round with each part.',
}

export type UploadWanted = {
  actor: UserActor
  roundId: string
  phoneRegion: string | undefined
  /** checks the user again after the upload, because the session may have ended or the role may have changed meanwhile */
  admitAgain: () => Promise<UserActor>
  idempotency: (upload: Upload) => ChangeOptions['idempotency']
}

/** Rounds that receive a file in this process. One at a time, because each can occupy the disk with a file of the maximum size. */
const receiving = new Set<string>()

/**
 * Receives a result of a round and queues the job that reads it. It replaces a result that was uploaded before. The file is stored durably until it is
 * read, so that the job survives a kill. Errors: `not_found`, `registry_round_state`, `too_large`, `request_timeout`, `invalid_request`.
 */
export async function uploadResult(
  store: Store,
  body: Readable,
  { roundId, phoneRegion = DEFAULT_COUNTRY, ...wanted }: UploadWanted,
): Promise<ChangeResult<{ id: string }>> {
  const { tenantId } = wanted.actor
  requireUploadable(await getRoundRow(store.reader, tenantId, roundId))
  if (receiving.has(roundId)) throw wrongState('This round is receiving another file. Wait until it is there.')
  receiving.add(roundId)
  const resultId = newId()
  const path = filesOf(store.dataDir, roundId).upload(resultId)
  let isKept = false
  try {
    const file = await receiveUpload(body, path, limits.resultBytes, undefined, resultSize)
    const actor = await wanted.admitAgain()
    const options: ChangeOptions = {
      permission: 'registry.manage',
      action: 'registry_round.upload',
      idempotency: wanted.idempotency(file),
    }
    const uploaded = await change(store, actor, options, async (tx) => {
      const row = await getRoundRow(tx.db, tenantId, roundId)
      requireUploadable(row)
      await requireUnusedResult(tx, file.sha256)
      const { id: jobId } = await createJob(tx, { kind: registryResultJob, input: { roundId, resultId } })
      const result: StoredResult = {
        ...{ id: resultId, jobId, ...file, phoneRegion, receivedAt: tx.at },
        ...{ counts: null, hitsSha256: null, readAt: null, begunAt: null, refusal: null },
      }
      await updateRound(tx.db, row, { result: JSON.stringify(result), result_by: actorKey(actor) })
      await tx.record({ subject: { type: 'registry_round', id: roundId }, after: { ...file, jobId } })
      tx.afterCommit(() => void removeOtherUploads(store.dataDir, roundId, resultId))
      return { id: roundId }
    })
    isKept = !uploaded.replayed
    return uploaded
  } finally {
    receiving.delete(roundId)
    if (!isKept) await rm(path, { force: true })
  }
}

function requireUploadable(row: Parameters<typeof requireState>[0] & { result: string | null }): void {
  requireState(row, 'awaiting_result')
  const result = row.result === null ? null : readResultColumn(row.result)
  if (result !== null && result.counts === null && result.refusal === null)
    throw wrongState('A result of this round is being read. Wait until it is read, and then upload another one.')
}

/** Rounds whose results are compared with an uploaded one. */
const COMPARED_ROUNDS = 24

/** Throws if an earlier round was closed with the same file: it says nothing about the present one. Errors: `registry_round_state`. */
async function requireUnusedResult(tx: Tx, sha256: string): Promise<void> {
  for (const { result, closed_at } of await selectClosedRounds(tx.db, tx.actor.tenantId, COMPARED_ROUNDS))
    if (result !== null && readResultColumn(result).sha256 === sha256)
      throw wrongState(
        `This file is the result of the round that was closed on ${closed_at?.slice(0, 10)}. Upload the result of this round.`,
      )
}

async function removeOtherUploads(dataDir: string, roundId: string, resultId: string): Promise<void> {
  const folder = registryFolder(dataDir)
  for (const name of readdirSync(folder))
    if (name.startsWith(`${roundId}.`) && name.endsWith('.upload') && !name.includes(resultId))
      await rm(join(folder, name), { force: true })
}

/**
 * Confirms the result that the person has seen, and queues the run that adds its hits. Errors: `not_found`, `registry_round_state`,
 * `registry_result_changed`.
 */
export async function confirmRound(
  tx: Tx,
  id: string,
  { resultSha256, phoneRegion, reason }: ConfirmRound,
): Promise<{ id: string }> {
  const row = await getRoundRow(tx.db, tx.actor.tenantId, id)
  requireState(row, 'awaiting_result')
  const result = row.result === null ? null : readResultColumn(row.result)
  if (result === null || result.counts === null)
    throw wrongState(result?.refusal ?? 'Upload the result of the registry, and wait until it is read.')
  if (result.sha256 !== resultSha256 || (phoneRegion !== undefined && result.phoneRegion !== phoneRegion))
    throw new AppError(
      'registry_result_changed',
      'Another result was uploaded since you opened this one. Look at its counts first.',
    )
  const { id: jobId } = await createJob(tx, {
    kind: registryConfirmationJob,
    input: { roundId: id, resultId: result.id },
  })
  const confirmation: StoredConfirmation = { jobId, at: tx.at, reason, isStopped: false }
  await updateRound(tx.db, row, {
    state: 'confirming',
    confirmation: JSON.stringify(confirmation),
    confirmed_by: actorKey(tx.actor),
  })
  await tx.record({
    subject: { type: 'registry_round', id },
    before: { state: row.state },
    after: { state: 'confirming', resultSha256, phoneRegion: result.phoneRegion, hits: result.counts.hits, jobId },
    reason,
  })
  return { id }
}
