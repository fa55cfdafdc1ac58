import { getBusiness } from '../../businesses/businesses.ts'
import type { HeldPart, HoldContext } from '../../held.ts'
import { findActiveScores, findScoreOf, toScore } from './score-columns.ts'

/** Returns the present score of each record. */
export async function holdScores({ db, tenantId, at, businessIds }: HoldContext): Promise<HeldPart[]> {
  const scores = await findActiveScores(db, tenantId)
  const rows = []
  for (const businessId of scores === undefined ? [] : businessIds) {
    const { doNotContact, status } = await getBusiness(db, tenantId, businessId)
    const columns = scores === undefined ? undefined : await findScoreOf(db, scores, businessId)
    if (columns === undefined) continue
    const record = {
      isBlocked: doNotContact !== null,
      isActive: status === 'active',
      isWaiting: false,
      now: Date.parse(at),
    }
    rows.push({ business_id: businessId, ...toScore(columns, scores, record) })
  }
  return [
    {
      key: 'scores',
      title: 'Score',
      permission: 'scoring.read',
      columns: {
        business_id: 'Record',
        status: 'Status',
        reason: 'Reason',
        eligibility: 'Eligibility',
        low: 'Lowest points',
        high: 'Highest points',
        priority: 'Priority',
        completeness: 'Completeness',
        scoredAt: 'Computed at',
        ruleSetId: 'Rule set',
        version: 'Version of the rules',
      },
      rows,
    },
  ]
}
