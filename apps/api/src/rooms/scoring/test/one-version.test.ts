import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createProspect, type ListPage } from '../../../../test/prospects.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import type { BusinessSummary } from '../../prospect-list/prospect-list.schema.ts'
import type { Run } from '../runs/runs.schema.ts'
import type { ExplainedScore } from '../scores/scores.schema.ts'
import { followScores } from '../scores/scoring-follower.ts'
import { ok, scoringWorld, simpleContent } from './scoring-world.ts'

/*
 * Runs paging, activating, editing, suppressing and re-scoring in any order (specification, Phase 10 §2 and §4). No list shows two versions, and no
 * blocked record shows a score in a list, on the record or in the store.
 */

const RECORDS = 6
const SORTS = ['-score', 'score', '-updatedAt', 'name'] as const

type Step =
  | { do: 'page'; list: number }
  | { do: 'restart'; list: number; sort: (typeof SORTS)[number] }
  | { do: 'activate'; run: number }
  | { do: 'edit' | 'block' | 'free' | 'suppress'; record: number }
  | { do: 'follow' | 'clean' }

const nat = (max: number) => fc.nat({ max })
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('page' as const), list: nat(1) }) },
    fc.record({ do: fc.constant('restart' as const), list: nat(1), sort: fc.constantFrom(...SORTS) }),
    { weight: 2, arbitrary: fc.record({ do: fc.constant('activate' as const), run: nat(1) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('edit' as const, 'block' as const, 'free' as const, 'suppress' as const),
        record: nat(RECORDS - 1),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('follow' as const, 'clean' as const) }) },
  ),
  { minLength: 5, maxLength: 25 },
)

test('no interleaving of paging, activating, editing and suppressing shows two versions in one list, or a score on a blocked record', async () => {
  const world = await scoringWorld()
  const { t } = world
  const manager = await t.as('manager')
  const administrator = await t.as('administrator')
  const ids: string[] = []
  for (let at = 0; at < RECORDS; at++)
    ids.push((await createProspect(manager, { name: `Prospect ${at}`, phones: [{ value: `+27 21 555 00${at}0` }] })).id)
  const first = await world.approved()
  const second = await world.approved(
    {
      ...simpleContent,
      bands: [
        { id: 'A', name: 'A', from: 90 },
        { id: 'C', name: 'C', from: 0 },
      ],
    },
    first.ruleSetId,
  )
  const runs: Run[] = [await world.ran(first)]
  await world.activated(runs[0] as Run)
  runs.push(await world.ran(second))

  const lists = SORTS.slice(0, 2).map((sort) => ({
    sort: sort as string,
    cursor: null as string | null,
    versions: new Set<number | null>(),
  }))
  const isBlocked = async (id: string) =>
    (
      await t.store.reader
        .selectFrom('businesses')
        .select('do_not_contact')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).do_not_contact === 1

  async function take(step: Step): Promise<void> {
    switch (step.do) {
      case 'restart':
      case 'page': {
        const list = lists[step.list]
        if (list === undefined) return
        if (step.do === 'restart') Object.assign(list, { sort: step.sort, cursor: null, versions: new Set() })
        const cursor = list.cursor === null ? '' : `&cursor=${list.cursor}`
        if (list.cursor === null) list.versions = new Set()
        const answer = await manager.get<ListPage<BusinessSummary>>(`/businesses?sort=${list.sort}&limit=2${cursor}`)
        if (answer.status === 409) {
          list.cursor = null
          return
        }
        const { items, page } = ok<ListPage<BusinessSummary>>(answer)
        list.cursor = page.nextCursor
        for (const { id, score } of items) {
          list.versions.add(score.version)
          if (await isBlocked(id)) expect([score.status, score.low, score.priority]).toEqual(['blocked', null, null])
        }
        expect(list.versions.size).toBe(1)
        return
      }
      case 'activate': {
        const run = runs[step.run] as Run
        const expectedActiveRunId = (await world.active())?.runId ?? null
        await manager.post(`/scoring/runs/${run.id}/activation`, { expectedActiveRunId, reason: 'Switch' })
        return
      }
      case 'edit': {
        const id = ids[step.record] as string
        const { version } = ok<{ version: number }>(await manager.get(`/businesses/${id}`))
        ok(
          await manager.patch(
            `/businesses/${id}`,
            { tags: version % 2 === 0 ? ['Mining'] : [] },
            { 'if-match': `"${version}"` },
          ),
        )
        return
      }
      case 'block':
        ok(await manager.post(`/businesses/${ids[step.record]}/do-not-contact`, { reason: 'Asked' }))
        return
      case 'free':
        await administrator.post(`/businesses/${ids[step.record]}/do-not-contact-removal`, { reason: 'Mistake' })
        return
      case 'suppress':
        await manager.post('/suppressions', {
          kind: 'phone',
          value: `+27 21 555 00${step.record}0`,
          reason: 'Asked',
          requestedBy: 'Them',
          channel: 'phone',
        })
        return
      case 'follow':
        return followScores(t.store)
      case 'clean':
        return upkeepOf('scoring', t.store)
    }
  }

  async function requireNoScoreOnBlocked(): Promise<void> {
    const stored = await t.store.reader
      .selectFrom('scores as s')
      .innerJoin('businesses as b', 'b.id', 's.business_id')
      .select(['s.low', 's.priority', 'b.do_not_contact', 's.business_id'])
      .where('b.do_not_contact', '=', 1)
      .execute()
    expect(stored.filter(({ low, priority }) => low !== -1 || priority !== -2)).toEqual([])
    for (const id of ids) {
      if (!(await isBlocked(id))) continue
      const score = ok<ExplainedScore>(await manager.get(`/businesses/${id}/score`))
      expect([score.status, score.low, score.rules]).toEqual(['blocked', null, []])
    }
    const orders = await t.store.reader
      .selectFrom('score_order')
      .select(['generation', 'eligibility', 'business_id'])
      .execute()
    const scores = await t.store.reader
      .selectFrom('scores')
      .select(['generation', 'eligibility', 'business_id'])
      .execute()
    const keyOf = (row: { generation: number; eligibility: number; business_id: string }) =>
      `${row.generation} ${row.eligibility} ${row.business_id}`
    expect(orders.map(keyOf).toSorted()).toEqual(scores.map(keyOf).toSorted())
    const counted = await t.store.reader
      .selectFrom('score_counts')
      .select(({ fn }) => fn.sum<number>('count').as('n'))
      .executeTakeFirst()
    expect(counted?.n ?? 0).toBe(scores.length)
  }

  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      for (const step of taken) await take(step)
      await requireNoScoreOnBlocked()
      await followScores(t.store)
      const { items } = ok<ListPage<BusinessSummary>>(await manager.get('/businesses?sort=-score'))
      expect(items.every(({ score }) => score.status === 'scored' || score.status === 'blocked')).toBe(true)
    }),
    { numRuns: 40, endOnFailure: true },
  )
}, 240_000)
