import { AppError } from '../../../lib/app-error.ts'
import { createBreather } from '../../../lib/event-loop.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { slicesOf } from '../../../lib/slices.ts'
import { unchanged } from '../../../store/change/change.ts'
import type { JobContext } from '../../jobs/jobs.ts'
import { contentOf, getVersionRow } from '../rule-sets/rule-sets.queries.ts'
import { ALGORITHM_VERSION } from '../rules/algorithm-version.ts'
import type { Content } from '../rules/content.ts'
import { distributionOf } from '../runs/distribution.rules.ts'
import type { MovesOfCell, PreviewCollected } from '../runs/score-thread.data.ts'
import { collectInThread } from '../runs/score-thread.ts'
import { findTenantNumber } from '../runs/tenant-number.ts'
import type { PreviewMoveTable } from '../scoring.table.ts'
import { cellNames } from './collect-preview.ts'
import { completePreview, getPreviewRow, insertMoves } from './previews.queries.ts'
import { endOfPreview, type PreviewResult, previewLimits, storedAgainstSchema } from './previews.schema.ts'

const MOVES_AT_ONCE = 500

type PreviewContext = Pick<JobContext, 'store' | 'tenantId' | 'signal' | 'progress' | 'effect'>

/**
 * Evaluates every active record by the version's content and by the compared version, and stores counts and the largest moves. Writes no score.
 * Errors: `content_changed` (the draft was edited since the request).
 */
export async function runPreview(context: PreviewContext, previewId: string): Promise<JsonObject> {
  const { store, tenantId, effect } = context
  const db = store.reader
  const now = store.clock()
  const row = await getPreviewRow(db, { tenantId, id: previewId }, now.toISOString())
  if (row.result !== null) return { previewId }
  const version = await getVersionRow(db, { tenantId, ruleSetId: row.rule_set_id, number: row.number })
  if (version.content_hash !== row.content_hash) {
    throw new AppError(
      'content_changed',
      'The draft was edited after this preview was requested. Request a new preview.',
    )
  }
  const content = contentOf(version)
  const against = row.against === null ? null : storedAgainstSchema.parse(JSON.parse(row.against))
  const compared =
    against === null
      ? null
      : contentOf(await getVersionRow(db, { tenantId, ruleSetId: against.ruleSetId, number: against.version }))
  const collected = await collectInThread(context, {
    mode: 'preview',
    tenantId,
    tenant: await findTenantNumber(db, tenantId),
    now: now.getTime(),
    content,
    against: compared,
    movesPerCell: previewLimits.movesPerCell,
  })
  const result = resultOf(collected, { content, compared, asOf: now.toISOString() })
  await effect('end', { action: 'scoring_preview.complete' }, async (tx) => {
    // The job and the sample data can both complete this preview; the second one does nothing.
    const { result: made } = await getPreviewRow(tx.db, { tenantId, id: previewId }, tx.at)
    if (made !== null) return unchanged(null)
    const breathe = createBreather()
    for (const part of slicesOf(moveRows(tenantId, previewId, collected.cells), MOVES_AT_ONCE)) {
      await insertMoves(tx.db, part)
      await breathe()
    }
    await completePreview(
      tx.db,
      { tenantId, id: previewId },
      {
        result: JSON.stringify(result),
        algorithm_version: ALGORITHM_VERSION,
        completed_at: tx.at,
        expires_at: endOfPreview(tx.at),
      },
    )
    await tx.record({
      subject: { type: 'scoring_rule_set', id: row.rule_set_id },
      after: { version: row.number, previewId, contentHash: row.content_hash, records: collected.records },
    })
    return null
  })
  return { previewId, records: collected.records, failed: collected.failed }
}

function resultOf(
  { records, failed, before, after, cells }: PreviewCollected,
  { content, compared, asOf }: { content: Content; compared: Content | null; asOf: string },
): PreviewResult {
  const names = cellNames(compared, content)
  return {
    asOf,
    records,
    failed,
    before: before === null || compared === null ? null : distributionOf(before, compared.bands),
    after: distributionOf(after, content.bands),
    priority: matrixOf('priority', names.priority, cells),
    eligibility: matrixOf('eligibility', names.eligibility, cells),
  }
}

function matrixOf(matrix: MovesOfCell['matrix'], cells: readonly string[], moves: readonly MovesOfCell[]) {
  const counted = new Map(
    moves.flatMap((one) => (one.matrix === matrix ? [[`${one.from} ${one.to}`, one.count] as const] : [])),
  )
  return { cells: [...cells], counts: cells.map((from) => cells.map((to) => counted.get(`${from} ${to}`) ?? 0)) }
}

function moveRows(tenantId: string, previewId: string, cells: readonly MovesOfCell[]): PreviewMoveTable[] {
  return cells.flatMap(({ matrix, from, to, moves }) =>
    moves.map(({ businessId, before, after }, at) => ({
      tenant_id: tenantId,
      preview_id: previewId,
      matrix,
      from_cell: from,
      to_cell: to,
      place: at + 1,
      business_id: businessId,
      from_low: before?.[0] ?? null,
      from_high: before?.[1] ?? null,
      to_low: after?.[0] ?? null,
      to_high: after?.[1] ?? null,
    })),
  )
}
