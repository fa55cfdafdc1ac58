import { expect, test } from 'vitest'
import { jobWorld } from '../../../test/job-world.ts'
import { createProspect, walk } from '../../../test/prospects.ts'
import { followChanges } from './follow-changes.ts'
import { matchRun } from './matching.jobs.ts'
import type { Suggestion, SuggestionSummary } from './matching.schema.ts'

const karoo = { name: 'Karoo Windpumps', phones: [{ value: '041 555 0101', region: 'ZA' }] }

async function setUp() {
  const world = await jobWorld([matchRun])
  world.work()
  const manager = await world.t.as('manager')
  const run = async () => world.ended((await world.create({}, manager)).id)
  const open = () => walk<SuggestionSummary>(manager, '/match-suggestions')
  return { ...world, manager, run, open }
}

test('a run over the whole tenant finds what the checks at creation find, and then has nothing to do', async () => {
  const { t, manager, run, open } = await setUp()
  for (const name of ['Karoo Windpumps', 'Karoo Windpmups CC', 'Protea Bakery'])
    await createProspect(manager, { ...karoo, name })
  const job = await run()
  expect(job.status).toBe('succeeded')
  expect(JSON.parse(job.result_json ?? '{}')).toMatchObject({ records: 3, created: 1, pairsLeftOut: 0 })
  const found = await open()
  expect(found).toHaveLength(1)
  expect(await followChanges(t.store)).toBe(0)
  expect(JSON.parse((await run()).result_json ?? '{}')).toMatchObject({
    created: 0,
    updated: 0,
    superseded: 0,
    passedBy: 1,
  })
  expect(await open()).toEqual(found)
})

test('a run ends suggestions that no longer hold and leaves what a person rejected', async () => {
  const { t, manager, run, open } = await setUp()
  await createProspect(manager, karoo)
  const b = await createProspect(manager, karoo)
  const c = await createProspect(manager, { ...karoo, name: 'Karoo Windpmups' })
  await run()
  const all = await open()
  expect(all).toHaveLength(3)
  const rejected = all.find(({ businesses }) => businesses.every(({ id }) => id !== c.id))
  await manager.post(`/match-suggestions/${rejected?.id}/rejection`, { reason: 'Two shops.' })
  await t.store.writes.write(async () => {
    await t.store.writer.updateTable('businesses').set({ name: 'Botha Attorneys' }).where('id', '=', c.id).execute()
    return { keep: true, value: undefined }
  })
  t.clock.advance(1_000)
  await run()
  expect(await open()).toEqual([])
  const { body } = await manager.get<Suggestion>(`/match-suggestions/${rejected?.id}`)
  expect([body.status, body.businesses.some(({ id }) => id === b.id)]).toEqual(['rejected', true])
})

test('an operator may not start a run', async () => {
  const { operator } = await setUp()
  const { status } = await operator.post('/jobs', { kind: 'match-run', input: {} }, { 'idempotency-key': 'one' })
  expect(status).toBe(403)
})
