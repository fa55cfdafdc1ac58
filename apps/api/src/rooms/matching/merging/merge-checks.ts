import { AppError, notFound } from '../../../lib/app-error.ts'
import { pipelineLabel } from '../../../lib/pipeline-state.ts'
import type { Db } from '../../../store/database.ts'
import { type Business, getBusiness } from '../../businesses/businesses.ts'
import { choosableFields } from './merge-plan.rules.ts'
import type { MergeBody } from './merges.schema.ts'
import { changesBetween, pairFingerprint } from './pair-fingerprint.ts'

export type CheckedPair = { survivor: Business; loser: Business; score: number }

/**
 * Checks that a merge is allowed as requested: the suggestion is open, both records are active, nothing changed since the person saw the pair, and every
 * required decision is made. Runs before the snapshot and again in the transaction of the merge.
 * Errors: `not_found`, `suggestion_not_open`, `invalid_request`, `business_not_active`, `pair_changed`, `conflicts_unresolved`.
 */
export async function checkMerge(
  db: Db,
  tenantId: string,
  suggestionId: string,
  body: MergeBody,
): Promise<CheckedPair> {
  const row = await db
    .selectFrom('match_suggestions as s')
    .leftJoin('users as u', 'u.id', 's.decided_by')
    .select(['s.business_a', 's.business_b', 's.status', 's.score', 's.evidence', 'u.name as decider'])
    .where('s.tenant_id', '=', tenantId)
    .where('s.id', '=', suggestionId)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  const pair = [
    await getBusiness(db, tenantId, row.business_a),
    await getBusiness(db, tenantId, row.business_b),
  ] as const
  if (row.status !== 'open') throw new AppError('suggestion_not_open', decidedWords(row.status, row.decider))
  requireOfThePair(body, pair)
  for (const { status, name } of pair) {
    if (status !== 'active')
      throw new AppError('business_not_active', `“${name}” is ${status}, so it cannot be merged.`)
  }
  const now = await pairFingerprint(db, tenantId, pair, row)
  if (now !== body.fingerprint) throw pairChanged(changesBetween(body.fingerprint, now, pair))
  const [a, b] = pair
  const [place, other] = [pipelineLabel(a), pipelineLabel(b)]
  if (place !== other && body.fields.pipelineState === undefined) {
    const message = `One is in the state ${place}, the other in ${other}: choose which state to use.`
    throw new AppError('conflicts_unresolved', message, {
      errors: [{ path: 'fields.pipelineState', code: 'conflict', message }],
    })
  }
  const [survivor, loser] = a.id === body.survivorId ? [a, b] : [b, a]
  return { survivor, loser, score: row.score }
}

function requireOfThePair({ survivorId, fields }: MergeBody, pair: readonly Business[]): void {
  const ids = new Set(pair.map(({ id }) => id))
  const strangers = [
    ...(ids.has(survivorId) ? [] : ['survivorId']),
    ...choosableFields.flatMap((field) => {
      const chosen = fields[field]
      return chosen === undefined || ids.has(chosen) ? [] : [`fields.${field}`]
    }),
  ]
  if (strangers.length === 0) return
  const message = 'Choose one of the two records of this suggestion.'
  throw new AppError('invalid_request', message, {
    errors: strangers.map((path) => ({ path, code: 'not_of_the_pair', message })),
  })
}

function decidedWords(status: string, decider: string | null): string {
  const by = decider === null ? '' : ` by ${decider}`
  if (status === 'merged') return `These two records were already merged${by}.`
  if (status === 'rejected') return `This suggestion was rejected${by}: these are two businesses.`
  return 'The evidence for this suggestion changed, so the suggestion is no longer open. Reload the list.'
}

export function pairChanged(changes: readonly string[]): AppError {
  const said = changes.length === 0 ? 'One of the two records changed.' : changes.join(' ')
  return new AppError('pair_changed', `After you opened this pair: ${said} Review both records again, then decide.`, {
    errors: changes.map((message) => ({ path: 'fingerprint', code: 'changed', message })),
  })
}
