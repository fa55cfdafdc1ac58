import { randomUUID } from 'node:crypto'
import {
  type Answer,
  expectRefusal,
  expectStatus,
  expectThat,
  find,
  listAt,
  textAt,
} from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'
import { untilThere } from '../../acceptance/patience.ts'
import { daysAfter } from '../../lib/clock.ts'

export const gates: readonly Gate[] = [
  {
    phase: 10,
    checks: [
      {
        name: 'rules are approved by a second person, run over the workspace, activated, explained and rolled back',
        run: approveRunAndRollBack,
      },
      {
        name: 'the same input gives the same score, stale evidence keeps its state and reason, and a suppressed record is blocked',
        run: scoreTwice,
      },
    ],
  },
]

/** Age in days at which the rules of this run treat evidence as stale but not yet as expired. */
const STALE_DAYS = 200

const key = () => ({ 'idempotency-key': randomUUID() })

/** Runs one approved version twice: the second run replaces the first, and activating the first again is the rollback. */
async function approveRunAndRollBack(world: World): Promise<string> {
  const { administrator, manager, operator, neighbour } = world
  const businessId = await newProspect(world, { phones: [{ value: '+27 21 555 0177' }] })
  const create = await administrator.post('/scoring/rule-sets', { name: 'Acceptance', template: 'reachable' })
  const ruleSetId = textAt(expectStatus(create, 201, 'a rule set').body, 'id')
  const path = `/scoring/rule-sets/${ruleSetId}/versions/1`
  const plan = { rollbackPlan: 'Activate the run before.' }
  expectStatus(await administrator.send('PATCH', path, { body: plan, headers: { 'if-match': '"1"' } }), 200, 'the plan')
  const preview = expectStatus(await administrator.post(`${path}/previews`, {}, key()), 202, 'a preview')
  const previewId = textAt(preview.body, 'id')
  await untilThere(
    async () => find((await administrator.get(`/scoring/previews/${previewId}`)).body, 'result') ?? undefined,
  )
  const submitted = expectStatus(await administrator.post(`${path}/submission`), 200, 'a submission')
  const approval = { contentHash: textAt(submitted.body, 'contentHash'), previewId, reason: 'Agreed.' }
  expectRefusal(
    await administrator.post(`${path}/approval`, approval),
    422,
    'own_approval',
    'an approval by the author',
  )
  expectRefusal(
    await operator.post(`${path}/approval`, approval),
    403,
    'permission_denied',
    'an approval by an operator',
  )
  expectStatus(await manager.post(`${path}/approval`, approval), 200, 'an approval by a second person')

  const first = await runOf(world, ruleSetId)
  const second = await runOf(world, ruleSetId)
  const activate = (runId: string, expectedActiveRunId: string | null) =>
    manager.post(`/scoring/runs/${runId}/activation`, { expectedActiveRunId, reason: 'Acceptance.' })
  expectStatus(await activate(first, null), 200, 'an activation')
  expectStatus(await activate(second, first), 200, 'the activation of another run')
  expectRefusal(await activate(first, null), 409, 'active_run_changed', 'an activation over a run that was not seen')
  expectStatus(await activate(first, second), 200, 'a rollback')

  const { body: score } = expectStatus(await operator.get(`/businesses/${businessId}/score`), 200, 'a score')
  expectThat(find(score, 'runId') === first, 'The score is not one of the run that was rolled back to.')
  for (const field of ['algorithmVersion', 'scoredAt']) textAt(score, field)
  const rules = listAt(score, 'rules').length
  expectThat(rules > 0, 'The score names no rule.')
  const { body: list } = await operator.get('/businesses?sort=-score&limit=200')
  const runs = new Set(listAt(list, 'items').map((item) => find(item, 'score.runId') ?? first))
  expectThat(runs.size === 1, 'A list shows the scores of two runs.')
  const { headers } = expectStatus(await administrator.get(path), 200, 'the version')
  const edit = { body: plan, headers: { 'if-match': headers.get('etag') ?? '' } }
  expectRefusal(await administrator.send('PATCH', path, edit), 409, 'conflict', 'an edit of a used version')
  expectRefusal(await neighbour.get(`/scoring/runs/${first}`), 404, 'not_found', 'a run for a neighbour')
  expectRefusal(await neighbour.get(path), 404, 'not_found', 'a version for a neighbour')
  return `The author's own approval and an edit of the used version were refused; two runs were activated and the first one again; a score names ${rules} rules; a neighbour finds nothing.`
}

/** Scores one prospect twice with a stored version and checks the results. These trials store nothing. */
async function scoreTwice(world: World): Promise<string> {
  const { administrator, manager, operator, neighbour } = world
  const phone = '+27 21 555 0178'
  const businessId = await newProspect(world, { phones: [{ value: phone }] })
  const seen = {
    ...{ field: 'phone', value: phone, sourceLabel: 'A visit', confidence: 'high' },
    capturedAt: daysAfter(Date.now(), -STALE_DAYS),
  }
  expectStatus(await operator.post(`/businesses/${businessId}/evidence`, seen), 201, 'old evidence')
  const create = await administrator.post('/scoring/rule-sets', { name: 'Acceptance', template: 'reachable' })
  const ruleSetId = textAt(expectStatus(create, 201, 'a rule set').body, 'id')
  const path = `/scoring/rule-sets/${ruleSetId}/versions/1/trials`
  const scored = async () => expectStatus(await manager.post(path, { businessId }), 200, 'a trial').body
  const [one, two] = [await scored(), await scored()]
  for (const part of ['low', 'high', 'priority', 'eligibility', 'completeness', 'rules'])
    expectThat(JSON.stringify(find(one, part)) === JSON.stringify(find(two, part)), `Two scores differ in ${part}.`)
  const rule = listAt(two, 'rules').find((item) => textAt(item, 'id') === 'phone')
  const [state, reason, words] = [textAt(rule, 'state'), textAt(rule, 'stateReason'), textAt(rule, 'stateWords')]
  expectThat(state === 'stale' && reason === 'stale', `Old evidence is ${state}: ${reason}.`)
  expectThat(find(rule, 'holds') === null, 'Stale evidence decides a rule.')
  expectRefusal(await neighbour.post(path, { businessId }), 404, 'not_found', 'a trial by a neighbour')
  expectStatus(
    await operator.post(`/businesses/${businessId}/do-not-contact`, { reason: 'They asked.' }),
    200,
    'a block',
  )
  const blocked = await scored()
  expectThat(
    textAt(blocked, 'eligibility') === 'blocked' && find(blocked, 'low') === null && find(blocked, 'priority') === null,
    'A do not contact record has a score.',
  )
  const { body: score } = expectStatus(await operator.get(`/businesses/${businessId}/score`), 200, 'the score')
  expectThat(find(score, 'low') === null, 'The record shows a score although it is do not contact.')
  expectRefusal(await neighbour.get(`/businesses/${businessId}/score`), 404, 'not_found', 'the score for a neighbour')
  return `Two trials gave the same score; evidence of ${STALE_DAYS} days ago decides nothing (${words}); the blocked record has no score.`
}

/** Requests a run of version 1 and returns its id once it is complete. */
async function runOf({ manager }: World, ruleSetId: string): Promise<string> {
  const body = { ruleSetId, version: 1, reason: 'Acceptance.', activate: 'by_hand' }
  const asked: Answer = expectStatus(await manager.post('/scoring/runs', body, key()), 202, 'a run')
  const runId = textAt(asked.body, 'id')
  const status = await untilThere(async () => {
    const now = textAt((await manager.get(`/scoring/runs/${runId}`)).body, 'status')
    return now === 'queued' || now === 'running' ? undefined : now
  })
  expectThat(status === 'complete', `The run ended as ${status}.`)
  return runId
}
