import type { Store } from '../../../store/store.ts'
import { getRuleSet } from '../rule-sets/rule-sets.queries.ts'
import { ALGORITHM_VERSION } from '../rules/algorithm-version.ts'
import { findActiveScores } from '../scores/score-columns.ts'
import { findWaitingScores } from '../scores/waiting-scores.ts'
import { distributionOf } from './distribution.rules.ts'
import { findActiveGeneration, getRun, selectCounts } from './runs.queries.ts'
import type { ActiveScoring } from './runs.schema.ts'

/** Describes the version whose scores are visible; `active` is null before the first activation. */
export async function describeActive(store: Store, tenantId: string): Promise<ActiveScoring> {
  const db = store.reader
  const generation = await findActiveGeneration(db, tenantId)
  const scores = await findActiveScores(db, tenantId)
  if (generation === undefined || scores === undefined) return { active: null }
  const waiting = await findWaitingScores(store, tenantId, scores)
  const run = await getRun(db, { tenantId, id: generation.runId })
  const { id, name } = await getRuleSet(db, tenantId, generation.rule_set_id)
  const previous =
    generation.previousRunId === null ? null : await getRun(db, { tenantId, id: generation.previousRunId })
  return {
    active: {
      ruleSet: { id, name },
      version: generation.rule_version,
      contentHash: run.contentHash,
      runId: run.id,
      previousRunId: previous?.isKept === true ? previous.id : null,
      algorithmVersion: generation.algorithm_version,
      asOf: run.cutoff?.at ?? run.createdAt,
      activatedAt: run.activatedAt ?? run.createdAt,
      sequence: generation.sequence,
      isCurrent: waiting === null,
      waiting,
      needsRecalculation: generation.algorithm_version !== ALGORITHM_VERSION,
      bands: generation.bands,
      distribution: distributionOf(await selectCounts(db, generation), generation.bands),
    },
  }
}
