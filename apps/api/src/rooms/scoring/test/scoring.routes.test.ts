import { expect, test } from 'vitest'
import { addEvidenceTo, createProspect, type ListPage, moveTo } from '../../../../test/prospects.ts'
import type { BusinessSummary } from '../../prospect-list/prospect-list.schema.ts'
import type { ExplainedScore, ScoreChange } from '../scores/scores.schema.ts'
import { followScores } from '../scores/scoring-follower.ts'
import { ok, scoringWorld, simpleContent } from './scoring-world.ts'

test('a version is previewed, submitted, approved by another person, run, activated, explained and rolled back', async () => {
  const world = await scoringWorld()
  const { t } = world
  const manager = await t.as('manager')
  const phoned = await createProspect(manager, {
    name: 'Phoned',
    phones: [{ value: '+27 21 555 0001' }],
    tags: ['Mining'],
  })
  const bare = await createProspect(manager, { name: 'Bare' })
  const blocked = await createProspect(manager, { name: 'Blocked', phones: [{ value: '+27 21 555 0002' }] })
  await manager.post(`/businesses/${blocked.id}/do-not-contact`, { reason: 'Asked' })

  const first = await world.approved()
  const run = await world.ran(first)
  expect(run).toMatchObject({
    status: 'complete',
    isActive: false,
    counts: { processed: 3, succeeded: 3, failed: 0, blocked: 1, unknown: 0 },
    readBack: { complete: true },
  })
  expect(await world.active()).toBeNull()
  await world.activated(run)
  expect(await world.active()).toMatchObject({
    runId: run.id,
    version: 1,
    distribution: { total: 3, eligibility: { eligible: 2, blocked: 1 } },
  })

  const list = ok<ListPage<BusinessSummary>>(await manager.get('/businesses?sort=-score'))
  expect(
    list.items.map(({ name, score }) => [
      name,
      score.status,
      score.low,
      score.high,
      score.priority,
      score.reachable,
      score.eligibility,
    ]),
  ).toEqual([
    ['Phoned', 'scored', 80, 80, 'A', 'A', 'eligible'],
    ['Bare', 'scored', 0, 60, 'C', 'A', 'eligible'],
    ['Blocked', 'blocked', null, null, null, null, 'blocked'],
  ])
  const explained = ok<ExplainedScore>(await manager.get(`/businesses/${bare.id}/score`))
  expect(explained).toMatchObject({ low: 0, high: 60, differs: false })
  expect(explained.rules.map(({ id, state, low, high }) => [id, state, low, high])).toEqual([
    ['phone', 'missing', 0, 60],
    ['mine', 'current', 0, 0],
  ])
  expect(explained.rules[0]?.wouldChange).toEqual({
    low: 60,
    high: 60,
    priority: 'A',
    words: 'Phones: at least 1: 0 → 60, priority A',
  })
  const hidden = ok<ExplainedScore>(await manager.get(`/businesses/${blocked.id}/score`))
  expect(hidden).toMatchObject({ status: 'blocked', reason: 'do_not_contact', rules: [], groups: [], gates: [] })

  const content = {
    ...simpleContent,
    bands: [
      { id: 'A', name: 'A', from: 90 },
      { id: 'C', name: 'C', from: 0 },
    ],
  }
  const second = await world.approved(content, first.ruleSetId)
  const next = await world.ran(second, 'when_complete')
  expect(next).toMatchObject({ status: 'complete', isActive: true })
  expect(ok<ExplainedScore>(await manager.get(`/businesses/${phoned.id}/score`))).toMatchObject({
    version: 2,
    low: 80,
    priority: 'C',
  })
  await world.activated(run)
  expect(ok<ExplainedScore>(await manager.get(`/businesses/${phoned.id}/score`))).toMatchObject({
    version: 1,
    low: 80,
    priority: 'A',
  })
  const history = ok<ListPage<ScoreChange>>(await manager.get(`/businesses/${phoned.id}/score/history`))
  expect(history.items.map(({ cause, version, from, to }) => [cause, version, from?.priority, to?.priority])).toEqual([
    ['activation', 1, 'C', 'A'],
    ['activation', 2, 'A', 'C'],
    ['activation', 1, undefined, undefined],
  ])
})

test('a changed record is scored again by the active version, and is out of date until then', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  const business = await createProspect(manager, { name: 'Changing' })
  await world.activated(await world.ran(await world.approved()))
  await followScores(world.t.store)
  await manager.patch(`/businesses/${business.id}`, { phones: [{ value: '+27 21 555 0001' }] }, { 'if-match': '"1"' })
  const scoreOf = async () => ok<ExplainedScore>(await manager.get(`/businesses/${business.id}/score`))
  expect(await scoreOf()).toMatchObject({ status: 'stale', reason: 'record_changed', low: 0, high: 60 })
  await followScores(world.t.store)
  expect(await scoreOf()).toMatchObject({
    status: 'scored',
    reason: null,
    low: 60,
    high: 60,
    priority: 'A',
    differs: false,
  })
  for (const to of ['contacted', 'qualified', 'proposal', 'negotiation', 'won'])
    await moveTo(manager, business.id, to, 'Going well')
  await followScores(world.t.store)
  expect(await scoreOf()).toMatchObject({ eligibility: 'ineligible', priority: 'A' })
  const history = ok<ListPage<ScoreChange>>(await manager.get(`/businesses/${business.id}/score/history`))
  expect(
    history.items.map(({ cause, from, to }) => [
      cause,
      from?.eligibility,
      to?.eligibility,
      from?.priority,
      to?.priority,
    ]),
  ).toEqual([
    ['record_changed', 'eligible', 'ineligible', 'A', 'A'],
    ['record_changed', 'eligible', 'eligible', 'C', 'A'],
    ['activation', undefined, undefined, undefined, undefined],
  ])
  const created = await createProspect(manager, { name: 'New', phones: [{ value: '+27 21 555 0003' }] })
  const summary = async () =>
    ok<ListPage<BusinessSummary>>(await manager.get('/businesses')).items.find(({ id }) => id === created.id)?.score
  expect(await summary()).toMatchObject({ status: 'not_scored', reason: 'new_record' })
  await followScores(world.t.store)
  expect(await summary()).toMatchObject({ status: 'scored', low: 60 })
})

test('do not contact removes score and band in the same transaction, in all stored generations', async () => {
  const world = await scoringWorld()
  const { t } = world
  const manager = await t.as('manager')
  const business = await createProspect(manager, { phones: [{ value: '+27 21 555 0001' }] })
  const version = await world.approved()
  await world.activated(await world.ran(version))
  await world.ran(version)
  ok(await manager.post(`/businesses/${business.id}/do-not-contact`, { reason: 'Asked' }))
  const rows = await t.store.reader
    .selectFrom('scores')
    .select(['generation', 'eligibility', 'low', 'priority'])
    .execute()
  expect(rows).toHaveLength(2)
  expect(rows.every(({ eligibility, low, priority }) => eligibility === 3 && low === -1 && priority === -2)).toBe(true)
  const { items } = ok<ListPage<BusinessSummary>>(await manager.get('/businesses?eligibility=blocked'))
  expect(items.map(({ id }) => id)).toEqual([business.id])
})

test('a list continues with the scores of its first page, or says that they were switched', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  for (const name of ['a', 'b', 'c']) await createProspect(manager, { name })
  const version = await world.approved()
  await world.activated(await world.ran(version))
  const next = await world.ran(version)
  for (const sort of ['-score', 'score', '-updatedAt']) {
    const first = ok<ListPage<BusinessSummary>>(await manager.get(`/businesses?sort=${sort}&limit=1`))
    const rest = ok<ListPage<BusinessSummary>>(
      await manager.get(`/businesses?sort=${sort}&limit=2&cursor=${first.page.nextCursor}`),
    )
    expect(new Set([...first.items, ...rest.items].map(({ name }) => name)).size).toBe(3)
  }
  const first = ok<ListPage<BusinessSummary>>(await manager.get('/businesses?limit=1'))
  await world.activated(next)
  const answer = await manager.get<{ code: string }>(`/businesses?limit=1&cursor=${first.page.nextCursor}`)
  expect([answer.status, answer.body.code]).toEqual([409, 'scores_switched'])
})

test('a contradiction leaves the rule undecided and names the evidence', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  const rules = [{ id: 'mining', signal: 'record.industry', op: 'is' as const, value: 'Mining', points: 50 }]
  const content = { ...simpleContent, groups: [{ id: 'g', name: 'Industry', min: 0, max: 100, rules }] }
  const business = await createProspect(manager, { industry: 'mining' })
  const evidence = await addEvidenceTo(manager, business.id, { field: 'industry', value: 'Farming' })
  await world.activated(await world.ran(await world.approved(content)))
  const explained = ok<ExplainedScore>(await manager.get(`/businesses/${business.id}/score`))
  expect(explained).toMatchObject({ low: 0, high: 50, completeness: 0 })
  expect(explained.rules[0]).toMatchObject({
    state: 'uncertain',
    stateReason: 'contradicted',
    restsOn: [{ evidenceId: evidence.id, agrees: false }],
  })
})
