import type { UserActor } from '../../../lib/actor.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { bandId } from '../../../lib/score-codes.ts'
import { writeDerived } from '../../../store/change/write-derived.ts'
import type { Store } from '../../../store/store.ts'
import { getBusiness } from '../../businesses/businesses.ts'
import { HIDDEN, hidesValuesFrom } from '../../contact-gate/contact-gate.ts'
import { readRecords } from '../records/read-records.ts'
import { everything } from '../records/record-rows.queries.ts'
import type { ScoringRecord } from '../records/scoring-record.ts'
import { requireEvaluable } from '../rule-sets/require-evaluable.ts'
import { contentOf, getVersionRow, type VersionKey } from '../rule-sets/rule-sets.queries.ts'
import { ALGORITHM_VERSION } from '../rules/algorithm-version.ts'
import { compile } from '../rules/evaluate.rules.ts'
import { explain, nothingExplained } from './explain.rules.ts'
import { findActiveScores, findScoreOf, findWaiting, toScore } from './score-columns.ts'
import type { ExplainedScore, Trial, TrialRequest } from './scores.schema.ts'
import { type StoredResult, storedOf } from './stored-result.ts'

/**
 * Explains the stored score of one record by running the evaluator again, as of the time when the score was computed. If the result differs from the
 * stored row, the response reports the difference and the record is queued for scoring. For a record without a score, the response has only status
 * and reason. Errors: `not_found`.
 */
export async function explainScore(store: Store, actor: UserActor, businessId: string): Promise<ExplainedScore> {
  const db = store.reader
  const { tenantId } = actor
  const business = await getBusiness(db, tenantId, businessId)
  const scores = await findActiveScores(db, tenantId)
  const columns = scores === undefined ? undefined : await findScoreOf(db, scores, businessId)
  const isWaiting = scores !== undefined && (await findWaiting(db, tenantId, scores, [businessId])).has(businessId)
  const score = toScore(columns ?? unscored, scores, {
    isBlocked: business.doNotContact !== null || business.survivorDoNotContact === true,
    isActive: business.status === 'active',
    isWaiting,
    now: store.clock().getTime(),
  })
  if (scores === undefined || score.low === null || columns?.score_at == null)
    return { ...score, ...nothingExplained, differs: false }
  const key = { tenantId, ruleSetId: scores.ruleSetId, number: scores.version }
  const content = contentOf(await getVersionRow(db, key))
  const [record] = await readRecords(db, tenantId, [businessId], everything, () => undefined)
  if (record === undefined) return { ...score, ...nothingExplained, differs: false }
  const evaluator = compile(content)
  const now = columns.score_at
  const isComparable = !isWaiting && scores.algorithmVersion === ALGORITHM_VERSION
  const differs = isComparable && isOther(storedOf(evaluator.evaluate(record, now)), columns)
  if (differs) await noteChange(store, tenantId, businessId)
  return { ...score, ...shown(actor, explain(content, evaluator, record, now)), differs }
}

const unscored = {
  score_eligibility: null,
  score_low: null,
  score_high: null,
  score_priority: null,
  score_reachable: null,
  score_completeness: null,
  score_at: null,
  score_until: null,
}

type Columns = Awaited<ReturnType<typeof findScoreOf>>

function isOther(result: StoredResult, columns: Columns): boolean {
  return (
    result.eligibility !== columns.score_eligibility ||
    result.low !== columns.score_low ||
    result.high !== columns.score_high ||
    result.priority !== columns.score_priority ||
    result.reachable !== columns.score_reachable ||
    result.completeness !== columns.score_completeness ||
    result.holds_until !== columns.score_until
  )
}

/** Queues the record for scoring by inserting a score change. */
async function noteChange(store: Store, tenantId: string, businessId: string): Promise<void> {
  await writeDerived(store, tenantId, async (db) => {
    await db.insertInto('score_changes').values({ tenant_id: tenantId, business_id: businessId }).execute()
  })
}

/**
 * Evaluates one record by the stored or given content of a version. Stores nothing. Errors: `not_found`, `invalid_request` (problems in the content),
 * `business_not_active`.
 */
export async function tryVersion(store: Store, actor: UserActor, key: VersionKey, asked: TrialRequest): Promise<Trial> {
  const db = store.reader
  const { businessId } = asked
  const row = await getVersionRow(db, key)
  const content = asked.content ?? contentOf(row)
  requireEvaluable(content)
  const business = await getBusiness(db, key.tenantId, businessId)
  if (business.status !== 'active') {
    throw new AppError('business_not_active', 'Only active prospects have scores. Choose another prospect.')
  }
  const [record] = await readRecords(db, key.tenantId, [businessId], everything, () => undefined)
  if (record === undefined) throw notFound()
  const now = store.clock()
  const evaluator = compile(content)
  const guarded: ScoringRecord = { ...record, isDoNotContact: record.isDoNotContact || record.isMatched }
  const result = evaluator.evaluate(guarded, now.getTime())
  const isBlocked = result.eligibility === 'blocked'
  return {
    eligibility: result.eligibility,
    low: result.low,
    high: result.high,
    priority: result.priority === null ? null : bandId(content.bands, result.priority),
    reachable: result.reachable === null ? null : bandId(content.bands, result.reachable),
    completeness: result.completeness / 100,
    asOf: now.toISOString(),
    ...(isBlocked ? nothingExplained : shown(actor, explain(content, evaluator, guarded, now.getTime()))),
  }
}

type Explained = ReturnType<typeof explain>
type ShownRest = { evidenceId: string; source: string; capturedAt: string; agrees: boolean }
type Shown<Part extends { restsOn: unknown }> = Omit<Part, 'restsOn'> & { restsOn: ShownRest[] }

/**
 * Returns the explanation with hidden parts that this actor may not see. The source of evidence can name a page or a person. It is hidden if the
 * evidence's record is do not contact and the actor may not see its values.
 */
function shown(
  actor: UserActor,
  { rules, gates, ...rest }: Explained,
): Omit<Explained, 'rules' | 'gates'> & {
  rules: Shown<Explained['rules'][number]>[]
  gates: Shown<Explained['gates'][number]>[]
} {
  const hides = hidesValuesFrom(actor, { doNotContact: true })
  const withTimes = <Part extends { restsOn: Explained['rules'][number]['restsOn'] }>(part: Part): Shown<Part> => ({
    ...part,
    restsOn: part.restsOn.map(({ evidenceId, source, capturedAt, agrees, isOfBlocked }) => ({
      evidenceId,
      source: hides && isOfBlocked ? HIDDEN : source,
      capturedAt: new Date(capturedAt).toISOString(),
      agrees,
    })),
  })
  return { ...rest, rules: rules.map(withTimes), gates: gates.map(withTimes) }
}
