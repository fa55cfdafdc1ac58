import { AppError } from '../../lib/app-error.ts'
import { createBreather } from '../../lib/event-loop.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Tx } from '../../store/change/change.ts'
import { openUnaltered } from '../../store/files/open-unaltered.ts'
import type { JobContext } from '../jobs/jobs.ts'
import { addOrConfirmEntry, entryOf } from '../suppression/suppression.ts'
import { findRegistration, getRoundRow, type RoundRow, updateRound } from './registry.queries.ts'
import { type RoundValue, readHit } from './registry.rules.ts'
import {
  type Outcome,
  readConfirmationColumn,
  readResultColumn,
  type StoredConfirmation,
  type StoredResult,
} from './registry.schema.ts'
import { filesOf, removeRoundFiles } from './registry-files.ts'
import { requireNoErasureSince, requireState, wrongState } from './round-guards.ts'

/** Values that one change adds. Other changes are written in between. */
const VALUES_A_PART = 100

type Confirmed = { row: RoundRow; result: StoredResult; confirmation: StoredConfirmation }

/**
 * Adds an entry for every hit of the confirmed result, in parts that each run once, and closes the round. A run that was killed continues behind its
 * last part. Errors: `registry_file_gone` (the list of hits is missing, for example after a restore), `registry_file_outdated`.
 */
export async function addHits(context: JobContext, roundId: string, resultId: string) {
  const { store, tenantId, effect, progress, checkpoint, resume, signal } = context
  const { result } = requireConfirmed(await getRoundRow(store.reader, tenantId, roundId), resultId)
  const total = result.counts?.hits ?? 0
  const parts = await readParts(filesOf(store.dataDir, roundId).hits, result.hitsSha256)
  const sum = outcomeIn(resume)
  for (let part = numberIn(resume, 'part'); part < parts.length; part++) {
    signal.throwIfAborted()
    const values = parts[part] ?? []
    const added = await effect(`part ${part}`, { action: 'suppression.add' }, (tx) =>
      addPart(tx, roundId, resultId, values),
    )
    sum.added += added.added
    sum.alreadyBlocked += added.alreadyBlocked
    sum.marked += added.marked
    progress({ done: sum.added + sum.alreadyBlocked, total, unit: 'values' })
    await checkpoint({ part: part + 1, ...sum })
  }
  return effect('close', { action: 'registry_round.close' }, (tx) =>
    closeRound(tx, roundId, resultId, sum, store.dataDir),
  )
}

async function addPart(tx: Tx, roundId: string, resultId: string, values: readonly RoundValue[]): Promise<Outcome> {
  const { result, confirmation } = requireConfirmed(await getRoundRow(tx.db, tx.actor.tenantId, roundId), resultId)
  await requireNoErasureSince(tx, result.begunAt ?? confirmation.at)
  const breathe = createBreather()
  const done: Outcome = { added: 0, alreadyBlocked: 0, marked: 0 }
  for (const value of values) {
    const entry = entryOf(value)
    if (entry === undefined) throw new Error('A hit of a registry result has no entry.')
    const { created, marked } = await addOrConfirmEntry(tx, entry, {
      reason: confirmation.reason,
      requestedBy: null,
      channel: 'registry',
      reference: roundId,
      requestedAt: confirmation.at,
    })
    if (created) done.added += 1
    else done.alreadyBlocked += 1
    done.marked += marked
    await breathe()
  }
  return done
}

async function closeRound(tx: Tx, roundId: string, resultId: string, outcome: Outcome, dataDir: string) {
  const { tenantId } = tx.actor
  const { row, result } = requireConfirmed(await getRoundRow(tx.db, tenantId, roundId), resultId)
  const held = await findRegistration(tx.db, tenantId)
  const registration =
    held === undefined || held.number === null ? null : { number: held.number, validUntil: held.valid_until }
  const event = await tx.record({
    subject: { type: 'registry_round', id: roundId },
    before: { state: 'confirming' },
    after: { state: 'closed', resultSha256: result.sha256, ...result.counts, ...outcome, registration },
  })
  await updateRound(tx.db, row, {
    state: 'closed',
    outcome: JSON.stringify(outcome),
    registration: registration === null ? null : JSON.stringify(registration),
    closed_at: tx.at,
    closed_event: event,
  })
  tx.afterCommit(() => removeRoundFiles(dataDir, roundId))
  return { roundId, ...outcome }
}

/** Errors: `registry_round_state`. */
function requireConfirmed(row: RoundRow, resultId: string): Confirmed {
  requireState(row, 'confirming')
  const result = row.result === null ? null : readResultColumn(row.result)
  const confirmation = row.confirmation === null ? null : readConfirmationColumn(row.confirmation)
  if (result === null || confirmation === null || result.id !== resultId)
    throw wrongState('Another result of this round was confirmed.')
  return { row, result, confirmation }
}

async function readParts(path: string, sha256: string | null): Promise<RoundValue[][]> {
  const handle = await openUnaltered(path, sha256, () => lost())
  const parts: RoundValue[][] = []
  try {
    for await (const line of handle.readLines({ start: 0, autoClose: false })) {
      const open = parts.at(-1)
      if (open === undefined || open.length === VALUES_A_PART) parts.push([readHit(line)])
      else open.push(readHit(line))
    }
  } finally {
    await handle.close()
  }
  return parts
}

function lost(): AppError {
  return new AppError(
    'registry_file_gone',
    'The list of hits is missing or damaged. Upload the result again, and confirm it; what was added stays.',
  )
}

const numberIn = (state: JsonObject | null, name: string): number => {
  const value = state?.[name]
  return typeof value === 'number' ? value : 0
}

const outcomeIn = (state: JsonObject | null): Outcome => ({
  added: numberIn(state, 'added'),
  alreadyBlocked: numberIn(state, 'alreadyBlocked'),
  marked: numberIn(state, 'marked'),
})
