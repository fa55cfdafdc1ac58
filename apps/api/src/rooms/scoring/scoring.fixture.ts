import { newId } from '../../lib/ids.ts'
import type { Store } from '../../store/store.ts'
import { idIn, type RoomFixture } from '../fixture.ts'
import { contentHashOf } from './rules/content.rules.ts'
import type { Content } from './rules/content.ts'

declare module '../fixture.ts' {
  interface Place {
    /** id of a rule set that has a draft, a version submitted by another person, and an approved version */
    ruleSetId: string
    version: string
    submittedRuleSetId: string
    rejectableRuleSetId: string
    approvedRuleSetId: string
    retirableRuleSetId: string
    /** id of a rule set whose version the fixture's own user submitted */
    withdrawableRuleSetId: string
    scoringContentHash: string
    scoringPreviewId: string
    /** id of a run with ready scores and failures */
    runId: string
  }
}

const contentNamed = (name: string): Content => ({
  groups: [
    {
      id: 'contact',
      name,
      min: 0,
      max: 100,
      rules: [
        {
          id: 'phone',
          signal: 'record.phones',
          op: 'at_least',
          value: 1,
          points: 40,
          freshDays: 90,
          expireDays: 300,
          minConfidence: 'low',
        },
      ],
    },
  ],
  gates: [
    { id: 'open', signal: 'record.state', op: 'none_of', value: ['won'], kind: 'requires' },
    {
      id: 'named',
      signal: 'evidence.name.standing',
      op: 'is',
      value: 'contradicted',
      kind: 'excludes',
      freshDays: 30,
      expireDays: 60,
      minConfidence: 'high',
    },
  ],
  bands: [
    { id: 'A', name: 'A', from: 40 },
    { id: 'B', name: 'B', from: 0 },
  ],
  straddling: 'lowest',
  rounding: 'half_up',
  tieBreak: 'completeness',
  suppression: 'first',
})

const content = contentNamed('Contact')

export const fixture: RoomFixture = {
  records: async ({ client, unique, store, place }) => {
    if (store !== undefined) {
      const otherId = idIn(await client.post('/businesses', { name: `Scored ${unique()}` }))
      // The version number is unique and does not occur in any response by chance, so a version of one rule set cannot be found in another.
      const version = Number.parseInt(unique().slice(1, -1), 36) + 900_000_000
      const own = contentNamed(`Contact ${version}`)
      const stored = await storeRecords(store, version, own, [place.businessId, otherId])
      return { ...stored, version: String(version), scoringContentHash: contentHashOf(own) }
    }
    const create = async () => idIn(await client.post('/scoring/rule-sets', { name: `Fit ${unique()}` }))
    return { ruleSetId: await create(), version: '1', scoringContentHash: contentHashOf(content) }
  },
  cases: {
    listScoringSignals: { permission: 'scoring.read' },
    listScoringTemplates: { permission: 'scoring.read' },
    listRuleSets: { permission: 'scoring.read' },
    createRuleSet: {
      permission: 'scoring.write',
      fills: { rule_sets: {} },
      body: { name: 'Reach', description: 'Who can be reached.', template: 'reachable' },
      refersTo: { ownerId: { names: 'userId', answers: 404 } },
    },
    getRuleSet: { permission: 'scoring.read' },
    editRuleSet: {
      permission: 'scoring.write',
      body: { name: 'Other', description: 'Other words.' },
      refersTo: { ownerId: { names: 'userId', answers: 404 } },
    },
    listRuleSetVersions: { permission: 'scoring.read' },
    createRuleSetVersion: {
      permission: 'scoring.write',
      fills: { rule_set_versions: {} },
      body: ({ version }) => ({ basedOn: Number(version) }),
      otherBodies: [{ template: 'complete' }],
    },
    getRuleSetVersion: { permission: 'scoring.read' },
    tryRuleSetVersion: {
      permission: 'scoring.write',
      body: ({ businessId }) => ({ businessId, content }),
      refersTo: { businessId: { names: 'businessId', answers: 404 } },
      asksOnly: true,
    },
    sampleRuleSetVersion: { permission: 'scoring.write', body: { content }, asksOnly: true },
    createScoringPreview: {
      permission: 'scoring.write',
      body: { against: 'active' },
      otherBodies: [{ against: { version: 1 } }],
      refersTo: {
        'against.ruleSetId': { names: 'approvedRuleSetId', answers: 404, beside: { against: { version: 1 } } },
      },
    },
    submitRuleSetVersion: { permission: 'scoring.write', answersAgain: 409 },
    withdrawRuleSetVersion: {
      permission: 'scoring.write',
      path: ({ withdrawableRuleSetId, version }) => ({ ruleSetId: withdrawableRuleSetId, version }),
      answersAgain: 409,
    },
    approveRuleSetVersion: {
      permission: 'scoring.approve',
      path: ({ submittedRuleSetId, version }) => ({ ruleSetId: submittedRuleSetId, version }),
      body: ({ scoringContentHash, scoringPreviewId }) => ({
        contentHash: scoringContentHash,
        previewId: scoringPreviewId,
        reason: 'Seen.',
      }),
      refersTo: { previewId: { names: 'scoringPreviewId', answers: 422 } },
      answersAgain: 409,
    },
    rejectRuleSetVersion: {
      permission: 'scoring.approve',
      path: ({ rejectableRuleSetId, version }) => ({ ruleSetId: rejectableRuleSetId, version }),
      body: { reason: 'Too strict.' },
      answersAgain: 409,
    },
    getActiveScoring: { permission: 'scoring.read' },
    listScoringRuns: { permission: 'scoring.read' },
    getScoringRun: { permission: 'scoring.read' },
    listScoringFailures: { permission: 'scoring.read' },
    activateScoringRun: {
      permission: 'scoring.recalculate',
      body: { expectedActiveRunId: null, reason: 'Better.', acceptPartial: true },
      refersTo: { expectedActiveRunId: { names: 'runId', answers: 409 } },
      answersAgain: 409,
    },
    createScoringRun: {
      permission: 'scoring.recalculate',
      body: ({ approvedRuleSetId, version }) => ({
        ruleSetId: approvedRuleSetId,
        version: Number(version),
        reason: 'Monthly.',
        activate: 'by_hand',
      }),
      refersTo: { ruleSetId: { names: 'approvedRuleSetId', answers: 404 } },
      answersAgain: 409,
    },
    getScoringPreview: {
      permission: 'scoring.read',
      path: ({ scoringPreviewId }) => ({ previewId: scoringPreviewId }),
    },
    listScoringMoves: {
      permission: 'scoring.read',
      path: ({ scoringPreviewId }) => ({ previewId: scoringPreviewId }),
    },
    editRuleSetVersion: {
      permission: 'scoring.write',
      path: ({ withdrawableRuleSetId, version }) => ({ ruleSetId: withdrawableRuleSetId, version }),
      body: { content: { ...content, rounding: 'down' }, rollbackPlan: 'Activate the run before.' },
    },

    retireRuleSetVersion: {
      permission: 'scoring.approve',
      path: ({ retirableRuleSetId, version }) => ({ ruleSetId: retirableRuleSetId, version }),
      body: { reason: 'Replaced.' },
      answersAgain: 409,
    },
    getScore: { permission: 'scoring.read' },
    listScoreHistory: { permission: 'scoring.read' },
  },
}

const SOMEBODY = 'sample data'
const setNames = ['draft', 'submitted', 'rejectable', 'approved', 'retirable', 'withdrawable'] as const

/** Inserts records that need a second person or a job: versions submitted by another person, a preview, and runs with their scores. */
async function storeRecords(store: Store, number: number, content: Content, businessIds: readonly string[]) {
  const at = store.clock().toISOString()
  const previewId = newId()
  const runIds = [newId(), newId()] as const
  const sets = Object.fromEntries(setNames.map((name) => [name, newId()])) as Record<(typeof setNames)[number], string>
  await store.write('upkeep', async (db) => {
    const { tenant_id, number: tenant } = await db
      .selectFrom('businesses as b')
      .innerJoin('tenants as t', 't.id', 'b.tenant_id')
      .select(['b.tenant_id', 't.number'])
      .where('b.id', '=', businessIds[0] ?? '')
      .executeTakeFirstOrThrow()
    const { user_id: administrator } = await db
      .selectFrom('memberships')
      .select('user_id')
      .where('tenant_id', '=', tenant_id)
      .where('role', '=', 'administrator')
      .orderBy('user_id')
      .executeTakeFirstOrThrow()
    const contentHash = contentHashOf(content)
    const made = { created_at: at, created_by: SOMEBODY, updated_at: at }
    const nothing = { submitted_at: null, submitted_by: null, preview_id: null }
    const undecided = { decided_at: null, decided_by: null, decision_reason: null }
    const submitted = { submitted_at: at, submitted_by: SOMEBODY, preview_id: previewId }
    const decided = { decided_at: at, decided_by: SOMEBODY, decision_reason: 'Agreed.' }
    const states = {
      draft: { state: 'draft', ...nothing, ...undecided },
      submitted: { state: 'submitted', ...submitted, ...undecided },
      rejectable: { state: 'submitted', ...submitted, ...undecided },
      approved: { state: 'approved', ...submitted, ...decided },
      retirable: { state: 'approved', ...submitted, ...decided },
      withdrawable: { state: 'submitted', ...submitted, submitted_by: administrator, ...undecided },
    } as const
    const versionOf = (rule_set_id: string, of: number) => ({
      tenant_id,
      rule_set_id,
      number: of,
      version: 1,
      based_on: null,
      template: null,
      content: JSON.stringify(content),
      content_hash: contentHash,
      rollback_plan: 'Activate the run before.',
      ...made,
      retired_at: null,
      retired_by: null,
      retirement_reason: null,
    })
    for (const name of setNames) {
      const id = sets[name]
      const ruleSet = {
        tenant_id,
        id,
        version: 1,
        name: `Fit ${id}`,
        description: null,
        owner_id: administrator,
        ...made,
      }
      await db.insertInto('scoring_rule_sets').values(ruleSet).execute()
      await db
        .insertInto('scoring_versions')
        .values({ ...versionOf(id, number), ...states[name] })
        .execute()
    }
    await db
      .insertInto('scoring_versions')
      .values({ ...versionOf(sets.draft, number + 1_000_000), ...states.draft })
      .execute()
    const own = { tenant_id, content_hash: contentHash, created_at: at, created_by: SOMEBODY }
    for (const rule_set_id of [sets.draft, sets.submitted, sets.rejectable]) {
      await db
        .insertInto('scoring_previews')
        .values({
          ...own,
          id: rule_set_id === sets.submitted ? previewId : newId(),
          rule_set_id,
          number,
          against: null,
          job_id: newId(),
          algorithm_version: 'scoring-1',
          result: JSON.stringify(nothingMoved),
          completed_at: at,
          expires_at: '2100-01-01T00:00:00.000Z',
        })
        .execute()
    }
    const cells = {
      matrix: 'priority',
      from_cell: 'A',
      to_cell: 'B',
      from_low: 40,
      from_high: 40,
      to_low: 0,
      to_high: 40,
    } as const
    for (const [place, business_id] of businessIds.entries())
      await db
        .insertInto('scoring_preview_moves')
        .values({ tenant_id, preview_id: previewId, ...cells, place, business_id })
        .execute()
    for (const id of runIds) {
      const run = {
        ...own,
        id,
        rule_set_id: sets.approved,
        number,
        job_id: newId(),
        reason: 'Monthly.',
        activate: 'by_hand',
      } as const
      const ends = {
        cutoff_sequence: 1,
        cutoff_at: at,
        started_at: at,
        ended_at: at,
        digest: contentHash,
        stopped_because: null,
      }
      await db
        .insertInto('scoring_runs')
        .values({
          ...run,
          ...ends,
          active_when_created: null,
          status: 'queued',
          generation: null,
          algorithm_version: 'scoring-1',
          counts: JSON.stringify(counted),
          read_back: JSON.stringify({ events: 3, complete: true }),
          activated_at: null,
          superseded_at: null,
        })
        .execute()
      const { number: generation } = await db
        .insertInto('score_generations')
        .values({
          tenant_id,
          run_id: id,
          state: 'ready',
          rule_set_id: sets.approved,
          rule_version: number,
          algorithm_version: 'scoring-1',
          bands: JSON.stringify(content.bands),
          sequence: 0,
          change_number: 0,
          compared_with: null,
        })
        .returning('number')
        .executeTakeFirstOrThrow()
      await db.updateTable('scoring_runs').set({ status: 'partial', generation }).where('id', '=', id).execute()
      for (const business_id of businessIds) {
        await db
          .insertInto('scoring_failures')
          .values({ tenant_id, run_id: id, business_id, reason: 'It cannot be read.' })
          .execute()
        const score = { eligibility: 0, low: 0, high: 40, priority: 1, reachable: 0, completeness: 0, tie: 0 }
        await db
          .insertInto('scores')
          .values({ tenant, generation, business_id, ...score, reviewed: 0, scored_at: 0, holds_until: null })
          .execute()
        await db
          .insertInto('score_order')
          .values({
            tenant,
            generation,
            business_id,
            reviewed: 0,
            eligibility: 0,
            rank: 100,
            tie_rank: 0,
            priority: 1,
            reachable: 0,
          })
          .execute()
      }
      await db
        .insertInto('score_counts')
        .values({ tenant, generation, eligibility: 0, priority: 1, reachable: 0, low: 0, count: businessIds.length })
        .execute()
    }
    for (const from_eligibility of [0, 1]) {
      await db
        .insertInto('score_history')
        .values({
          tenant_id,
          business_id: businessIds[0] ?? '',
          id: newId(),
          at,
          run_id: runIds[0],
          cause: 'record_changed',
          from_eligibility,
          to_eligibility: 1 - from_eligibility,
          from_priority: 'A',
          to_priority: 'B',
          from_low: 40,
          to_low: 0,
        })
        .execute()
    }
    return { keep: true, value: undefined }
  })
  return {
    ruleSetId: sets.draft,
    submittedRuleSetId: sets.submitted,
    rejectableRuleSetId: sets.rejectable,
    approvedRuleSetId: sets.approved,
    retirableRuleSetId: sets.retirable,
    withdrawableRuleSetId: sets.withdrawable,
    scoringPreviewId: previewId,
    runId: runIds[0],
  }
}

const counted = { processed: 2, succeeded: 0, failed: 2, blocked: 0, unknown: 0 }
const nobody = {
  total: 0,
  eligibility: { eligible: 0, unknown: 0, ineligible: 0, blocked: 0, notScored: 0 },
  priority: [],
  reachable: [],
  scores: [],
}
const noMatrix = { cells: [], counts: [] }
const nothingMoved = {
  asOf: '2026-11-20T09:00:00.000Z',
  records: 0,
  failed: 0,
  before: null,
  after: nobody,
  priority: noMatrix,
  eligibility: noMatrix,
}
