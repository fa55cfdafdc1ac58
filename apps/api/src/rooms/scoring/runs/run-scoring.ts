import { AppError } from '../../../lib/app-error.ts'
import { createBreather } from '../../../lib/event-loop.ts'
import { newId } from '../../../lib/ids.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { slicesOf } from '../../../lib/slices.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { JobContext } from '../../jobs/jobs.ts'
import { contentOf, getVersionRow, requireApproved } from '../rule-sets/rule-sets.queries.ts'
import { ALGORITHM_VERSION } from '../rules/algorithm-version.ts'
import { settleChanges } from '../scores/settle-changes.ts'
import { activateRun } from './activate-run.ts'
import { RunStopped } from './collect-run.ts'
import { findRecordedSteps } from './read-back.queries.ts'
import {
  findActiveGeneration,
  findGenerationState,
  getRunRow,
  insertFailures,
  insertGeneration,
  updateGeneration,
  updateRun,
} from './runs.queries.ts'
import type { RunCounts } from './runs.schema.ts'
import type { RunCollected } from './score-thread.data.ts'
import { collectInThread } from './score-thread.ts'
import { findTenantNumber } from './tenant-number.ts'

const FAILURES_AT_ONCE = 500

/**
 * Scores every active record of the workspace by one approved version into a new generation, while the active scores remain visible. A lost attempt
 * restarts with an empty generation. If the run has already ended, the function does nothing. The run stops without changing the active scores if the
 * content differs from the approved one, or if a check of the snapshot, the tenant scope, the suppression gate or the audit fails (specification,
 * Phase 10 §3).
 */
export async function runScoring(context: JobContext, runId: string): Promise<JsonObject> {
  const { store, tenantId } = context
  const row = await getRunRow(store.reader, { tenantId, id: runId })
  try {
    if (row.status !== 'complete' && row.status !== 'partial') await scoreAll(context, runId)
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error
    await stopRun(context, runId, error.message)
    throw new AppError('conflict', `${error.message} The active scores are unchanged.`)
  }
  return { runId, ...(await activateWhenWanted(context, runId)) }
}

async function scoreAll(context: JobContext, runId: string): Promise<void> {
  const { store, tenantId, effect } = context
  const now = store.clock()
  const attempt = newId()
  const { generation, content } = await effect(`start ${attempt}`, { action: 'scoring_run.start' }, (tx) =>
    startRun(tx, runId, now.toISOString()),
  )
  const active = await findActiveGeneration(store.reader, tenantId)
  const collected = await collectInThread(context, {
    mode: 'run',
    tenantId,
    tenant: await findTenantNumber(store.reader, tenantId),
    now: now.getTime(),
    content,
    runId,
    generation,
    comparedWith: active === undefined ? null : { generation: active.number, bands: active.bands },
  })
  await effect('end', { action: 'scoring_run.end' }, (tx) =>
    endRun(tx, runId, { generation, collected, comparedWith: active?.runId ?? null }),
  )
}

/** Creates an empty generation for this attempt. Errors: `RunStopped` (the version differs from the requested one). */
async function startRun(tx: Tx, runId: string, cutoffAt: string) {
  const { tenantId } = tx.actor
  const run = await getRunRow(tx.db, { tenantId, id: runId })
  const version = await getVersionRow(tx.db, { tenantId, ruleSetId: run.rule_set_id, number: run.number })
  const content = readApproved(version, run.content_hash)
  const generation = await insertGeneration(tx.db, {
    tenant_id: tenantId,
    run_id: runId,
    rule_set_id: run.rule_set_id,
    rule_version: run.number,
    algorithm_version: ALGORITHM_VERSION,
    bands: JSON.stringify(content.bands),
  })
  await updateRun(
    tx.db,
    { tenantId, id: runId },
    { status: 'running', generation, algorithm_version: ALGORITHM_VERSION, started_at: tx.at, cutoff_at: cutoffAt },
  )
  await tx.record({
    subject: { type: 'scoring_run', id: runId },
    after: {
      ruleSetId: run.rule_set_id,
      version: run.number,
      contentHash: run.content_hash,
      algorithmVersion: ALGORITHM_VERSION,
      cutoffAt,
    },
    reason: run.reason,
  })
  return { generation, content }
}

function readApproved(
  version: Parameters<typeof contentOf>[0] & Parameters<typeof requireApproved>[0],
  contentHash: string,
) {
  try {
    requireApproved(version)
    if (version.content_hash !== contentHash)
      throw new AppError('content_changed', 'The content of the version differs from the requested content.')
    return contentOf(version)
  } catch (error) {
    throw error instanceof AppError ? new RunStopped(error.message) : error
  }
}

type Ended = { generation: number; collected: RunCollected; comparedWith: string | null }

/**
 * Makes the generation ready in one commit: applies the changes since the snapshot, so that no blocked or inactive record has a score; stores counts
 * and digest; reads the run's audit events back.
 */
async function endRun(tx: Tx, runId: string, { generation, collected, comparedWith }: Ended): Promise<null> {
  const { tenantId } = tx.actor
  const key = { tenantId, id: runId }
  const run = await getRunRow(tx.db, key)
  if (run.generation !== generation || (await findGenerationState(tx.db, generation)) !== 'building')
    throw new RunStopped('The scores of this run belong to another attempt.')
  const { sequence, changeNumber, processed, failed, blocked, unknown, digest, failures } = collected
  await updateGeneration(tx.db, generation, {
    state: 'ready',
    sequence,
    change_number: changeNumber,
    compared_with: comparedWith,
  })
  await settleChanges(tx.db, { tenantId, generation, after: changeNumber })
  const breathe = createBreather()
  for (const part of slicesOf(failures, FAILURES_AT_ONCE)) {
    await insertFailures(
      tx.db,
      part.map(({ businessId, reason }) => ({ tenant_id: tenantId, run_id: runId, business_id: businessId, reason })),
    )
    await breathe()
  }
  const counts: RunCounts = { processed, succeeded: processed - failed, failed, blocked, unknown }
  const status = failed === 0 ? 'complete' : 'partial'
  await tx.record({
    subject: { type: 'scoring_run', id: runId },
    after: { status, counts, digest, cutoff: { sequence, at: run.cutoff_at } },
  })
  const steps = await findRecordedSteps(tx.db, tenantId, runId)
  const isComplete = ['scoring_run.create', 'scoring_run.start', 'scoring_run.end'].every((step) =>
    steps.includes(step),
  )
  if (!isComplete) throw new RunStopped('The audit events of this run cannot be read back.')
  await updateRun(tx.db, key, {
    status,
    cutoff_sequence: sequence,
    ended_at: tx.at,
    counts: JSON.stringify(counts),
    digest,
    read_back: JSON.stringify({ events: steps.length, complete: isComplete }),
  })
  return null
}

async function stopRun({ effect, tenantId }: JobContext, runId: string, because: string): Promise<void> {
  await effect('stop', { action: 'scoring_run.stop' }, async (tx) => {
    await updateRun(tx.db, { tenantId, id: runId }, { status: 'stopped', stopped_because: because, ended_at: tx.at })
    await tx.record({ subject: { type: 'scoring_run', id: runId }, after: { status: 'stopped', because } })
    return null
  })
}

/** Activates a complete run that was requested with automatic activation, if the active run has not changed. */
async function activateWhenWanted({ store, tenantId, effect }: JobContext, runId: string): Promise<JsonObject> {
  const run = await getRunRow(store.reader, { tenantId, id: runId })
  const status = { status: run.status }
  if (run.activate !== 'when_complete') return status
  if (run.status !== 'complete') return { ...status, activated: false, because: 'Some records could not be scored.' }
  try {
    await effect('activate', { action: 'scoring_run.activate' }, async (tx) => {
      await activateRun(tx, runId, {
        expectedActiveRunId: run.active_when_created,
        reason: run.reason,
        acceptPartial: false,
      })
      return null
    })
    return { ...status, activated: true }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error
    return { ...status, activated: false, because: error.message }
  }
}
