import { expect, test } from 'vitest'
import { createProspect, type ListPage } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import type { Preview, Sample } from '../previews/previews.schema.ts'
import type { RuleSet, Version } from '../rule-sets/rule-sets.schema.ts'
import type { Trial } from '../scores/scores.schema.ts'
import { ok, scoringWorld, simpleContent } from './scoring-world.ts'

test('a trial and a sample evaluate a content that is not saved, and store nothing of it', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  const { id } = await createProspect(manager, { tags: ['Mining'] })
  const version = await world.draft()
  const path = world.pathOf(version)
  const tried = async (body: object) => ok<Trial>(await manager.post(`${path}/trials`, { businessId: id, ...body }))
  const [group = { id: 'fit', name: 'Fit', min: 0, max: 100, rules: [] }] = simpleContent.groups
  const rules = group.rules.map((rule) => (rule.id === 'mine' ? { ...rule, points: 45 } : rule))
  const content = { ...simpleContent, groups: [{ ...group, rules }] }
  expect(await tried({})).toMatchObject({ low: 20, high: 80 })
  expect(await tried({ content })).toMatchObject({ low: 45, high: 100 })
  const sample = ok<Sample>(await manager.post(`${path}/sample-previews`, { content }))
  expect(sample.distribution.scores.find(({ count }) => count > 0)).toMatchObject({ from: 45 })
  expect(ok<Version>(await manager.get(path))).toMatchObject({ edit: version.edit, contentHash: version.contentHash })

  const reversed = { ...simpleContent, bands: simpleContent.bands.toReversed() }
  const refused = await manager.post<{ errors: { path: string }[] }>(`${path}/trials`, {
    businessId: id,
    content: reversed,
  })
  expect(refused.status).toBe(400)
  expect(refused.body.errors.map((error) => error.path)).toContain('content.bands.1.from')
})

test('a version names its newest full preview of exactly its content, also while it is made', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  const version = await world.draft()
  const path = world.pathOf(version)
  const current = async () => ok<Version>(await manager.get(path)).currentPreviewId
  expect(version.currentPreviewId).toBeNull()
  const { id, jobId } = ok<Preview>(await manager.post(`${path}/previews`, {}, { 'idempotency-key': newId() }))
  expect(await current()).toBe(id)
  await world.ended(jobId)
  expect(await current()).toBe(id)
  ok(await manager.patch(path, { content: { ...simpleContent, rounding: 'down' } }, { 'if-match': '"2"' }))
  expect(await current()).toBeNull()
})

test('a rule set names the state of its newest version', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  const version = await world.submitted()
  const newest = async () =>
    ok<ListPage<RuleSet>>(await manager.get('/scoring/rule-sets')).items.map((one) => [
      one.newestVersion,
      one.newestState,
    ])
  expect(await newest()).toEqual([[1, 'submitted']])
  ok(await manager.post(`/scoring/rule-sets/${version.ruleSetId}/versions`, {}))
  expect(await newest()).toEqual([[2, 'draft']])
})
