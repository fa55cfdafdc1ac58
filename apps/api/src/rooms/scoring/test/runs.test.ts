import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createProspect, endProspect, type ListPage, type Problem } from '../../../../test/prospects.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { newId } from '../../../lib/ids.ts'
import type { BusinessSummary } from '../../prospect-list/prospect-list.schema.ts'
import type { Run } from '../runs/runs.schema.ts'
import type { ExplainedScore } from '../scores/scores.schema.ts'
import { followScores } from '../scores/scoring-follower.ts'
import { ok, type ScoringWorld, scoringWorld, simpleContent } from './scoring-world.ts'

const refusal = ({ status, body }: { status: number; body: unknown }) => [status, (body as Problem).code]

async function write({ t: { store } }: ScoringWorld, statement: ReturnType<typeof sql>): Promise<void> {
  await store.write('upkeep', async (db) => {
    await statement.execute(db)
    return { keep: true, value: undefined }
  })
}

const rowsOf = (
  { t: { store } }: ScoringWorld,
  table: 'scores' | 'score_order' | 'score_due' | 'score_counts',
  generation: number,
) => store.reader.selectFrom(table).selectAll().where('generation', '=', generation).execute()

async function generationOf({ t: { store } }: ScoringWorld, runId: string): Promise<number> {
  const { generation } = await store.reader
    .selectFrom('scoring_runs')
    .select('generation')
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  return generation ?? 0
}

test('only approved versions are run, one run at a time, and a key that was used replays the run', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  const draft = await world.draft()
  const ask = (version: number, key: string) =>
    manager.post<Run>(
      '/scoring/runs',
      { ruleSetId: draft.ruleSetId, version, reason: 'Monthly' },
      { 'idempotency-key': key },
    )
  expect(refusal(await ask(1, 'a'))).toEqual([422, 'not_approved'])
  const approved = await world.approved(simpleContent, draft.ruleSetId)
  const first = await ask(approved.version, 'b')
  expect(first.status).toBe(202)
  expect((await ask(approved.version, 'b')).body.id).toBe(first.body.id)
  expect(refusal(await ask(approved.version, 'c'))).toEqual([409, 'conflict'])
  await world.ended(first.body.jobId)
  expect((await manager.post('/scoring/runs', {}, {})).status).toBe(400)
})

test('an activation names the active run that was seen: of two concurrent ones one is rejected', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  const version = await world.approved()
  const runs = [await world.ran(version), await world.ran(version)]
  const answers = await Promise.all(
    runs.map(({ id }) => manager.post(`/scoring/runs/${id}/activation`, { expectedActiveRunId: null, reason: 'Mine' })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.flatMap((answer) => (answer.status === 409 ? [refusal(answer)[1]] : []))).toEqual([
    'active_run_changed',
  ])
})

test('activation, and a run with automatic activation, require a recent proof of identity', async () => {
  const world = await scoringWorld()
  const version = await world.approved()
  const run = await world.ran(version)
  world.t.clock.advance(20 * 60_000)
  const manager = await world.t.as('manager')
  const body = { ruleSetId: version.ruleSetId, version: version.version, reason: 'Monthly' }
  expect(
    refusal(await manager.post(`/scoring/runs/${run.id}/activation`, { expectedActiveRunId: null, reason: 'Now' })),
  ).toEqual([403, 'step_up_required'])
  const key = { 'idempotency-key': newId() }
  expect(refusal(await manager.post('/scoring/runs', { ...body, activate: 'when_complete' }, key))).toEqual([
    403,
    'step_up_required',
  ])
  const { status, body: queued } = await manager.post<Run>('/scoring/runs', body, key)
  expect(status).toBe(202)
  await world.ended(queued.jobId)
})

test('records that cannot be scored make a run partial: they are listed, and activation must accept them', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  const broken = await createProspect(manager, { name: 'Broken' })
  await createProspect(manager, { name: 'Whole' })
  await write(world, sql`UPDATE businesses SET tags = '{}' WHERE id = ${broken.id}`)
  const version = await world.approved()
  const run = await world.ran(version, 'when_complete')
  expect(run).toMatchObject({ status: 'partial', isActive: false, counts: { processed: 2, succeeded: 1, failed: 1 } })
  const failures = ok<ListPage<{ name: string; reason: string }>>(await manager.get(`/scoring/runs/${run.id}/failures`))
  expect(failures.items).toMatchObject([{ name: 'Broken', reason: 'The tags of a record cannot be read.' }])
  const activate = (acceptPartial: boolean) =>
    manager.post(`/scoring/runs/${run.id}/activation`, { expectedActiveRunId: null, reason: 'Still', acceptPartial })
  expect(refusal(await activate(false))).toEqual([409, 'conflict'])
  ok(await activate(true))
  const rows = await world.t.store.reader.selectFrom('scores').select(['business_id', 'eligibility']).execute()
  expect(rows.find(({ business_id }) => business_id === broken.id)?.eligibility).toBe(4)
})

test('changes of records during a run are in its scores when they are ready', async () => {
  const made: string[] = []
  const world = await scoringWorld({
    beforeEnd: async (t) => {
      const [blocked = '', inactive = '', merged = '', into = ''] = made
      ok(await (await t.as('manager')).post(`/businesses/${blocked}/do-not-contact`, { reason: 'Asked' }))
      await endProspect(t, inactive, { status: 'inactive' })
      await endProspect(t, merged, { status: 'merged', into })
      t.clock.advance(-50_000)
    },
  })
  const manager = await world.t.as('manager')
  for (const name of ['blocked', 'inactive', 'merged', 'into']) made.push((await createProspect(manager, { name })).id)
  const run = await world.ran(await world.approved())
  expect(run.status).toBe('complete')
  const generation = await generationOf(world, run.id)
  const [blocked, , , into] = made
  const rows = await rowsOf(world, 'scores', generation)
  expect(rows.map((row) => [row.business_id, row.eligibility])).toEqual([
    [blocked, 3],
    [into, 0],
  ])
  expect(
    (await rowsOf(world, 'score_order', generation)).map((row) => [row.business_id, row.eligibility]).toSorted(),
  ).toEqual(
    [
      [blocked, 3],
      [into, 0],
    ].toSorted(),
  )
  await world.activated(run)
  const { items } = ok<ListPage<BusinessSummary>>(await manager.get('/businesses?sort=-score'))
  expect(items.map(({ name, score }) => [name, score.low])).toEqual([
    ['into', 0],
    ['blocked', null],
  ])
})

test('a run stops, and the active scores stay, when the gate matches a record without its mark', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  const business = await createProspect(manager, { phones: [{ value: '+27 21 555 0001' }] })
  const version = await world.approved()
  const first = await world.ran(version)
  await world.activated(first)
  ok(
    await manager.post('/suppressions', {
      kind: 'phone',
      value: '+27 21 555 0001',
      reason: 'Asked',
      requestedBy: 'Them',
      channel: 'phone',
    }),
  )
  const { rows: triggers } = await sql<{ name: string; sql: string }>`
    SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'businesses' AND sql LIKE '%RAISE%'`.execute(
    world.t.store.reader,
  )
  for (const { name } of triggers) await write(world, sql`DROP TRIGGER ${sql.ref(name)}`)
  await write(world, sql`UPDATE businesses SET do_not_contact = 0, blocked_through = NULL WHERE id = ${business.id}`)
  const stopped = await world.ran(version)
  expect(stopped).toMatchObject({ status: 'stopped', counts: null })
  expect(stopped.stoppedBecause).toContain('suppression gate')
  expect(await world.active()).toMatchObject({ runId: first.id })
  const actions = await world.t.store.reader
    .selectFrom('audit_events')
    .select('action')
    .where('subject_id', '=', stopped.id)
    .orderBy('sequence')
    .execute()
  expect(actions.map(({ action }) => action)).toEqual(['scoring_run.create', 'scoring_run.start', 'scoring_run.stop'])
})

test('the same inputs, version and cutoff give the same digest', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  for (const name of ['a', 'b', 'c']) await createProspect(manager, { name, phones: [{ value: '+27 21 555 0001' }] })
  const version = await world.approved()
  const [first, second] = [await world.ran(version), await world.ran(version)]
  expect(first.digest).toMatch(/^[0-9a-f]{64}$/)
  expect(second.digest).toBe(first.digest)
  await createProspect(manager, { name: 'd' })
  expect((await world.ran(version)).digest).not.toBe(first.digest)
})

test('unused scores are deleted, and those for a rollback are kept', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  await createProspect(manager, { name: 'a' })
  const version = await world.approved()
  const runs: Run[] = []
  for (let at = 0; at < 3; at++) {
    const run = await world.ran(version)
    await world.activated(run)
    runs.push(run)
  }
  const waiting = await world.ran(version)
  await upkeepOf('scoring', world.t.store)
  const kept = async (run: Run) => ok<Run>(await manager.get(`/scoring/runs/${run.id}`)).isKept
  const [oldest, previous, active] = runs as [Run, Run, Run]
  expect([await kept(oldest), await kept(previous), await kept(active), await kept(waiting)]).toEqual([
    false,
    true,
    true,
    true,
  ])
  const generation = await generationOf(world, oldest.id)
  for (const table of ['scores', 'score_order', 'score_due', 'score_counts'] as const)
    expect(await rowsOf(world, table, generation)).toEqual([])
  const body = { expectedActiveRunId: active.id, reason: 'Back' }
  expect(refusal(await manager.post(`/scoring/runs/${oldest.id}/activation`, body))).toEqual([409, 'conflict'])
  ok(await manager.post(`/scoring/runs/${previous.id}/activation`, body))
})

test('a cancelled run ends as cancelled, and its rows are removed', async () => {
  let jobId = ''
  const world = await scoringWorld({
    beforeEnd: async (t, signal) => {
      ok(await (await t.as('manager')).post(`/jobs/${jobId}/cancellation`, {}))
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    },
  })
  const manager = await world.t.as('manager')
  await createProspect(manager)
  const version = await world.approved()
  const body = { ruleSetId: version.ruleSetId, version: 1, reason: 'Monthly' }
  const queued = ok<Run>(await manager.post('/scoring/runs', body, { 'idempotency-key': newId() }))
  jobId = queued.jobId
  await world.ended(jobId)
  expect(ok<Run>(await manager.get(`/scoring/runs/${queued.id}`))).toMatchObject({ status: 'cancelled', isKept: false })
  const generation = await generationOf(world, queued.id)
  expect(await rowsOf(world, 'scores', generation)).toHaveLength(1)
  await upkeepOf('scoring', world.t.store)
  expect(await rowsOf(world, 'scores', generation)).toEqual([])
})

test('a build that evaluates differently re-scores nothing and requires a recalculation', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  const business = await createProspect(manager, { name: 'a' })
  await world.activated(await world.ran(await world.approved()))
  await followScores(world.t.store)
  await write(world, sql`UPDATE score_generations SET algorithm_version = 'scoring-0'`)
  await manager.patch(`/businesses/${business.id}`, { phones: [{ value: '+27 21 555 0001' }] }, { 'if-match': '"1"' })
  await followScores(world.t.store)
  const score = ok<ExplainedScore>(await manager.get(`/businesses/${business.id}/score`))
  expect(score).toMatchObject({ status: 'stale', reason: 'recalculation_needed', low: 0 })
  expect(await world.active()).toMatchObject({ needsRecalculation: true, isCurrent: false })
})

test('a score ends when its evidence goes stale, and is computed again', async () => {
  const world = await scoringWorld()
  const { t } = world
  const manager = await t.as('manager')
  const rules = [{ id: 'young', signal: 'record.age_days', op: 'at_most' as const, value: 9, points: 50 }]
  const business = await createProspect(manager, { name: 'a' })
  await world.activated(
    await world.ran(
      await world.approved({ ...simpleContent, groups: [{ id: 'g', name: 'G', min: 0, max: 100, rules }] }),
    ),
  )
  await followScores(t.store)
  const scoreOf = async () => {
    const { id: tenantId, users } = t.tenants.home
    const client = t.withSession(await t.startSession({ tenantId, userId: users.manager.id, role: 'manager' }))
    return ok<ExplainedScore>(await client.get(`/businesses/${business.id}/score`))
  }
  expect(await scoreOf()).toMatchObject({ status: 'scored', low: 50 })
  t.clock.advance(11 * 86_400_000)
  expect(await scoreOf()).toMatchObject({ status: 'stale', reason: 'time_passed', low: 50 })
  await followScores(t.store)
  expect(await scoreOf()).toMatchObject({ status: 'scored', low: 0, holdsUntil: null })
})

test('a stored score that differs from a new evaluation is reported and computed again', async () => {
  const world = await scoringWorld()
  const manager = await world.t.as('manager')
  const business = await createProspect(manager, { phones: [{ value: '+27 21 555 0001' }] })
  await world.activated(await world.ran(await world.approved()))
  await followScores(world.t.store)
  await write(world, sql`UPDATE scores SET low = 10 WHERE business_id = ${business.id}`)
  const scoreOf = async () => ok<ExplainedScore>(await manager.get(`/businesses/${business.id}/score`))
  expect(await scoreOf()).toMatchObject({ low: 10, differs: true })
  await followScores(world.t.store)
  expect(await scoreOf()).toMatchObject({ low: 60, differs: false })
})
