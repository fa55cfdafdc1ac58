import { expect, test, vi } from 'vitest'
import { createProspect, endProspect } from '../../../../test/prospects.ts'
import { askedOf, watchStatements } from '../../../../test/statement-plans.ts'
import { actorIn } from '../../../../test/temporary-store.ts'
import { change } from '../../../store/change/change.ts'
import type { Tile } from '../../dashboard/dashboard.schema.ts'
import { findActiveScores } from '../scores/score-columns.ts'
import { followScores } from '../scores/scoring-follower.ts'
import { findWaitingScores, waitingWords } from '../scores/waiting-scores.ts'
import { ok, scoringWorld, simpleContent } from './scoring-world.ts'

async function build(content = simpleContent) {
  const world = await scoringWorld()
  const { t } = world
  const manager = await t.as('manager')
  const [one, two] = [await createProspect(manager), await createProspect(manager)]
  await world.activated(await world.ran(await world.approved(content)))
  await followScores(t.store)
  const { id: tenantId } = t.tenants.home
  const waiting = async (maxCounted?: number) => {
    const scores = await findActiveScores(t.store.reader, tenantId)
    if (scores === undefined) throw new Error('Scores are active.')
    return findWaitingScores(t.store, tenantId, scores, maxCounted)
  }
  const tag = async (id: string, version: number) =>
    ok(await manager.patch(`/businesses/${id}`, { tags: [`Tag ${version}`] }, { 'if-match': `"${version}"` }))
  return { ...world, manager, one, two, waiting, tag }
}

test('changed records wait until they are scored: their number and the time of the oldest change; other events leave the scores current', async () => {
  const { t, manager, one, two, active, tag, waiting } = await build()
  const administrator = await t.as('administrator')
  const tile = async () => ok<Tile>(await manager.get('/dashboard/tiles/priority'))
  const since = t.store.clock().toISOString()
  await tag(one.id, 1)
  t.clock.advance(60_000)
  await tag(one.id, 2)
  await tag(two.id, 1)
  expect(await active()).toMatchObject({ isCurrent: false, waiting: { count: 2, isExact: true, since } })
  const words = `2 prospects wait to be scored again, since ${since}.`
  expect(await tile()).toMatchObject({ status: 'stale', reason: words })
  expect(await waiting(1)).toMatchObject({ count: 1, isExact: false })
  await followScores(t.store)
  expect(await active()).toMatchObject({ isCurrent: true, waiting: null })

  const statements = watchStatements()
  expect(await waiting()).toBeNull()
  // Nothing was recorded since, so look-ups answer.
  expect(askedOf(statements).filter(({ where }) => where === 'background')).toEqual([])
  vi.restoreAllMocks()

  await t.startSession({ tenantId: t.tenants.home.id, userId: t.tenants.home.users.manager.id, role: 'manager' })
  ok(await manager.put('/dashboard/arrangement', { tiles: [{ key: 'priority' }] }, { 'if-match': '"0"' }))
  ok(await administrator.patch('/pipeline', { pausedEnabled: false }, { 'if-match': '"1"' }))
  // The position of the scores is behind these events, because storing it would be a write for each of them.
  await followScores(t.store)
  const scores = await findActiveScores(t.store.reader, t.tenants.home.id)
  expect(scores?.newestSequence).toBeGreaterThan(scores?.sequence ?? 0)
  expect(await active()).toMatchObject({ isCurrent: true, waiting: null })
  expect(await tile()).toMatchObject({ status: 'ready', reason: null })
})

test('a record waits that an entry of the suppression list marked, that was merged into another, or whose score has ended by time', async () => {
  const rules = [{ id: 'young', signal: 'record.age_days', op: 'at_most' as const, value: 9, points: 50 }]
  const { t, manager, one, two, waiting } = await build({
    ...simpleContent,
    groups: [{ id: 'g', name: 'G', min: 0, max: 100, rules }],
  })
  await createProspect(manager, { emails: [{ value: 'a@karoo.co.za' }] })
  await followScores(t.store)
  const entry = { kind: 'email', value: 'a@karoo.co.za', reason: 'Asked.', channel: 'email' }
  ok(await manager.post('/suppressions', entry))
  expect(await waiting()).toMatchObject({ count: 1 })
  await followScores(t.store)
  await endProspect(t, two.id, { status: 'merged', into: one.id })
  expect(await waiting()).toMatchObject({ count: 1 })
  await followScores(t.store)
  expect(await waiting()).toBeNull()
  t.clock.advance(10 * 86_400_000)
  expect(await waiting()).toMatchObject({ count: 1, since: expect.stringMatching(/^2026-/) })
  await followScores(t.store)
  expect(await waiting()).toBeNull()
})

test('the background reader reads the partners of all checked records that wait', async () => {
  const { t, one, waiting } = await build()
  const actor = actorIn(t.tenants.home.id)
  await change(t.store, actor, { permission: null, action: 'matching.check' }, (tx) =>
    tx.record({ subject: { type: 'business', id: one.id }, businessId: one.id }),
  )
  const statements = watchStatements()
  expect(await waiting()).toMatchObject({ count: 1 })
  const partners = askedOf(statements).filter(({ sql }) => sql.includes('match_suggestions'))
  expect(partners.map(({ where }) => where)).toEqual(['background'])
  vi.restoreAllMocks()
})

test('the sentence names one prospect, and a least number if more may wait', () => {
  expect(waitingWords({ count: 1, isExact: true, since: null })).toBe('1 prospect waits to be scored again.')
  expect(waitingWords({ count: 1_000, isExact: false, since: null })).toBe(
    'At least 1,000 prospects wait to be scored again.',
  )
})
