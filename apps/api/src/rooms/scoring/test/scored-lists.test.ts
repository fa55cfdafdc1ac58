import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addEvidenceTo, createProspect, moveTo } from '../../../../test/prospects.ts'
import { createCursors, type Page, type Total } from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { newId } from '../../../lib/ids.ts'
import { permissionsOf } from '../../identity/permissions.ts'
import { createBusinessLister } from '../../prospect-list/list/list-businesses.ts'
import type { ScoreBounds } from '../../prospect-list/list/list-by-score.ts'
import { type BusinessSummary, listBusinessesQuery } from '../../prospect-list/prospect-list.schema.ts'
import { followScores } from '../scores/scoring-follower.ts'
import { ok, scoringWorld, simpleContent } from './scoring-world.ts'

type Query = Record<string, string>

/** Bounds with which most lists read a few rows of the order and then gather the matches, and with which they read all rows of the order. */
const ways: readonly ScoreBounds[] = [{ walkedFirst: 4 }, { walkedFirst: 1_000 }]

async function build() {
  const world = await scoringWorld()
  const { t } = world
  const manager = await t.as('manager')
  const content = {
    ...simpleContent,
    straddling: 'unknown' as const,
    groups: [
      {
        id: 'fit',
        name: 'Fit',
        min: -100,
        max: 100,
        rules: [
          { id: 'phone', signal: 'record.phones', op: 'at_least' as const, value: 1, points: 40 },
          { id: 'mine', signal: 'record.tags', op: 'has_any' as const, value: ['Mining'], points: 60 },
          { id: 'farm', signal: 'record.tags', op: 'has_any' as const, value: ['Farm'], points: 25 },
          { id: 'moved', signal: 'record.state', op: 'is' as const, value: 'contacted', points: -60 },
        ],
      },
    ],
    gates: [
      ...simpleContent.gates,
      {
        id: 'named',
        signal: 'evidence.name.standing',
        op: 'is' as const,
        value: 'supported',
        minConfidence: 'high' as const,
        kind: 'requires' as const,
      },
    ],
  }
  for (let at = 0; at < 40; at++) {
    const business = await createProspect(manager, {
      name: `Prospect ${at % 7}`,
      ...(at % 3 === 0 ? { phones: [{ value: `+27 21 555 ${1_000 + at}` }] } : {}),
      tags: at % 4 === 0 ? ['Mining'] : at % 5 === 0 ? ['Farm'] : [],
      address: { province: at % 2 === 0 ? 'Gauteng' : 'Western Cape' },
    })
    if (at % 6 === 0)
      await addEvidenceTo(manager, business.id, {
        field: 'name',
        value: `Prospect ${at % 7}`,
        confidence: at % 12 === 0 ? 'high' : 'low',
      })
    if (at % 8 === 0) await moveTo(manager, business.id, 'contacted')
    if (at % 9 === 0) ok(await manager.post(`/businesses/${business.id}/do-not-contact`, { reason: 'Asked' }))
    t.clock.advance(1_000)
  }
  await world.activated(await world.ran(await world.approved(content)))
  await createProspect(manager, { name: 'Prospect 1', tags: ['Mining'] })
  await followScores(t.store)
  return world
}

function matches({ score, ...row }: BusinessSummary, query: Query): boolean {
  const { priority, reachable, eligibility, scoreFrom, scoreTo, tag, province, state, q } = query
  return [
    priority === undefined || score.priority === priority,
    reachable === undefined || score.reachable === reachable,
    eligibility === undefined || score.eligibility === eligibility,
    scoreFrom === undefined || (score.low !== null && score.low >= Number(scoreFrom)),
    scoreTo === undefined || (score.low !== null && score.low <= Number(scoreTo)),
    tag === undefined || row.tags.includes(tag),
    province === undefined || row.provinceCode === province,
    state === undefined || row.pipelineState === state,
    q === undefined || row.name.includes(q),
  ].every(Boolean)
}

/** Sorts best score first and records without a score last; among equal scores the newest record first. */
function sorted(rows: readonly BusinessSummary[], sort: string): BusinessSummary[] {
  const direction = sort === '-score' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [left, right] = [a.score.low, b.score.low]
    if ((left === null) !== (right === null)) return left === null ? 1 : -1
    const tie = left === null ? 0 : Date.parse(b.createdAt) - Date.parse(a.createdAt)
    return direction * ((right ?? 0) - (left ?? 0) || tie || (a.id < b.id ? -1 : 1))
  })
}

test('lists by score and filters of scores return the same records in the same order with every plan', async () => {
  const { t } = await build()
  const { tenants, store } = t
  const actor: UserActor = {
    kind: 'user',
    tenantId: tenants.home.id,
    userId: tenants.home.users.manager.id,
    correlationId: newId(),
    permissions: permissionsOf('manager'),
  }
  const lister = (byScore: ScoreBounds) =>
    createBusinessLister(store, createCursors(store.keys), { smallSet: 10, byScore })
  async function walkAll(query: Query, limit: number, byScore: ScoreBounds) {
    const list = lister(byScore)
    const parsed = listBusinessesQuery.parse({ ...query, limit })
    const items: BusinessSummary[] = []
    const totals: Total[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { items: some, page } = await list(actor, cursor === undefined ? parsed : { ...parsed, cursor })
      items.push(...some)
      if (page.total !== null) totals.push(page.total)
      cursor = page.nextCursor
    }
    return { items, totals }
  }
  const [first] = ways
  const all = (await walkAll({ sort: '-createdAt' }, 7, first as ScoreBounds)).items
  expect(new Set(all.map(({ score }) => score.eligibility))).toEqual(new Set(['eligible', 'unknown', 'blocked']))
  expect(new Set(all.map(({ score }) => score.priority)).size).toBeGreaterThan(3)

  const filters = fc.record(
    {
      priority: fc.constantFrom('A', 'B', 'C', 'unknown', 'Z'),
      reachable: fc.constantFrom('A', 'B', 'C'),
      eligibility: fc.constantFrom('eligible', 'ineligible', 'unknown', 'blocked'),
      scoreFrom: fc.constantFrom('0', '20', '60', '61'),
      scoreTo: fc.constantFrom('0', '59', '60', '100'),
      tag: fc.constantFrom('Mining', 'Farm'),
      province: fc.constantFrom('GP', 'WC'),
      state: fc.constantFrom('new', 'contacted', 'won'),
      q: fc.constantFrom('Prospect 1', 'Prospect'),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(
      filters,
      fc.constantFrom('-score', 'score', '-createdAt'),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(...ways),
      async (query, sort, limit, way) => {
        const expected = all.filter((row) => matches(row, query))
        const { items, totals } = await walkAll({ ...query, sort }, limit, way)
        const inOrder = sort.endsWith('score') ? sorted(expected, sort) : expected
        expect(items.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id))
        expect(totals.filter(({ value }) => value !== expected.length)).toEqual([])
      },
    ),
    { numRuns: 300 },
  )
}, 120_000)

test('the total of a list by score contains a record that waits for its score', async () => {
  const { t } = await build()
  const manager = await t.as('manager')
  await createProspect(manager, { name: 'Prospect without a score', tags: ['Waiting'] })
  const conditions = encodeURIComponent(JSON.stringify([{ field: 'tag', op: 'any_of', values: ['Waiting'] }]))
  for (const sort of ['-score', '-createdAt']) {
    const list = await manager.get<{ page: { total: { value: number } | null } }>(
      `/businesses?sort=${sort}&conditions=${conditions}`,
    )
    expect([sort, list.body.page.total?.value]).toEqual([sort, 1])
  }
})

test('the order of calls begins with the best priority, also with other conditions and over several pages', async () => {
  const { t } = await build()
  const manager = await t.as('manager')
  const rows = async (query: string) => {
    const found: BusinessSummary[] = []
    for (let cursor = ''; ; ) {
      const { items, page } = ok<Page<BusinessSummary>>(
        await manager.get(`/businesses?sort=mayBeCalled&limit=3${query}${cursor}`),
      )
      found.push(...items)
      if (page.nextCursor === null) return found
      cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
    }
  }
  const every = await rows('')
  for (const [index, { id, version }] of every.entries()) {
    if (index % 3 === 0) continue
    const followUpOn = `2026-12-${String(28 - (index % 20)).padStart(2, '0')}`
    ok(await manager.put(`/businesses/${id}/follow-up`, { followUpOn }, { 'if-match': `"${version}"` }))
  }
  await followScores(t.store)
  const place = ({ followUpOn, callCountry, score }: BusinessSummary) => {
    if (followUpOn === null) return 'without'
    const priority = score.priority === null || score.priority === 'unknown' ? 'Z' : score.priority
    return `${callCountry === 'ZA' ? 'first' : 'second'} ${priority} ${followUpOn}`
  }
  for (const query of ['', '&doNotContact=false', '&priority=A', '&province=GP&doNotContact=false']) {
    const places = (await rows(query)).map(place)
    const dated = places.filter((one) => one !== 'without')
    expect(places, query).toEqual([...dated.toSorted(), ...places.slice(dated.length)])
    expect(places.slice(dated.length).every((one) => one === 'without')).toBe(true)
  }
  const plan = (await rows('')).filter(({ followUpOn }) => followUpOn !== null)
  expect(new Set(plan.map(({ score }) => score.priority)).size).toBeGreaterThan(3)
  expect(plan).toHaveLength(every.filter((_, index) => index % 3 !== 0).length)
})
