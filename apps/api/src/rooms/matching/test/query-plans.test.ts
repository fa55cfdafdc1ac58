import { expect, test, vi } from 'vitest'
import { jobWorld } from '../../../../test/job-world.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import {
  addEvidenceTo,
  addInteractionTo,
  addNoteTo,
  createProspect,
  type ListPage,
} from '../../../../test/prospects.ts'
import {
  askedOf,
  findPlans,
  foundByIdentifier,
  plansByIdentifier,
  watchStatements,
} from '../../../../test/statement-plans.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { matchRun } from '../matching.jobs.ts'
import { openMatchInputs } from '../run/match-inputs.stream.ts'
import { followChanges } from '../suggestions/matching-follower.ts'

/* Checks the query plan of every statement of matching and merging, at creation, in a run over the whole tenant, and in every list. */

test('no statement of matching and merging scans a whole table or tenant, and none sorts', async () => {
  const statements = watchStatements()
  const world = await jobWorld([matchRun])
  const { t } = world
  world.work()
  const manager = await t.as('manager')
  const facts = {
    emails: [{ value: 'thabo@karoo.co.za' }],
    phones: [{ value: '041 555 0101' }, { value: '+27 41 555 0102' }],
    domains: [{ value: 'karoo.co.za' }],
    address: { street: '12 Main Road', city: 'Gqeberha' },
    tags: ['Wind'],
  }
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps', [facts, { ...facts, industry: 'Farming' }])
  for (const id of [a, b]) {
    await addNoteTo(manager, id)
    await addEvidenceTo(manager, id, { field: 'industry', value: 'Farming', sourceReference: 'https://karoo.co.za' })
    await addInteractionTo(manager, id)
  }
  const c = await createProspect(manager, { ...facts, name: 'Karoo Pumps' })
  await followChanges(t.store)
  const first = await suggestionOfPair(manager, a, b)
  await manager.get(`/match-suggestions/${first.id}/merge-preview`)
  const merge = await merged(askMerge(manager, first, a, { fields: { industry: b } }))
  await followChanges(t.store)
  const second = await merged(askMerge(manager, await suggestionOfPair(manager, a, c.id), a))
  await manager.get(`/merges/${merge.id}`)
  await world.ended((await world.create({}, manager)).id)
  for (const path of [
    '/match-suggestions',
    '/match-suggestions?band=strong',
    '/match-suggestions?band=review',
    '/match-suggestions?status=superseded',
    `/match-suggestions?businessId=${a}`,
    '/merges',
    '/merges?status=merged',
    `/merges?businessId=${a}`,
    '/merge-attempts',
    `/businesses/${a}/notes`,
    `/businesses/${a}/evidence`,
    `/businesses/${a}/interactions`,
    `/businesses/${a}/activity`,
  ]) {
    const join = path.includes('?') ? '&' : '?'
    const { body } = await manager.get<ListPage<unknown>>(`${path}${join}limit=1`)
    if (body.page.nextCursor !== null) await manager.get(`${path}${join}limit=1&cursor=${body.page.nextCursor}`)
  }
  for (const { id } of [second, merge]) expect((await askReversal(manager, id)).status).toBe(200)
  const again = await suggestionOfPair(manager, a, b)
  await manager.post(`/match-suggestions/${again.id}/rejection`, { reason: 'Two shops.' })
  await manager.patch(`/businesses/${c.id}`, { name: 'Botha Attorneys', emails: [], phones: [] }, { 'if-match': '"1"' })
  await world.ended((await world.create({}, manager)).id)
  await upkeepOf('matching', t.store)

  const inputs = openMatchInputs(t.store.dataDir, t.tenants.home.id)
  inputs.readAll(() => undefined)
  inputs.lastSequence()
  inputs.eachOpen(() => undefined)
  inputs.keptFacts(() => undefined)
  inputs.close()
  vi.restoreAllMocks()

  const asked = askedOf(statements).filter(({ sql }) => /match_|merge|businesses|business_identifiers/.test(sql))
  expect(asked.length).toBeGreaterThan(60)
  const { walking, sorting } = findPlans(t.store, asked)
  expect(walking).toEqual([])
  expect(sorting).toEqual([])
  expect(new Set(plansByIdentifier(t.store, asked))).toEqual(new Set([foundByIdentifier]))
})
