import { expect, test } from 'vitest'
import { DAY_MS } from '../src/lib/clock.ts'
import { newId } from '../src/lib/ids.ts'
import { conditionsOfRow, getExportRow } from '../src/rooms/exports/exports.queries.ts'
import { exportQuota } from '../src/rooms/exports/exports.quota.ts'
import type { Export } from '../src/rooms/exports/exports.schema.ts'
import { memberActor } from '../src/rooms/identity/identity.ts'
import { conditionSchema } from '../src/rooms/prospect-list/conditions/conditions.schema.ts'
import { conditionsOfQuery, type FilterParameters } from '../src/rooms/prospect-list/conditions/query-conditions.ts'
import { readExportRecords } from '../src/rooms/prospect-list/list/export-records.ts'
import { type BusinessSummary, listBusinessesQuery } from '../src/rooms/prospect-list/prospect-list.schema.ts'
import type { Condition } from '../src/rooms/prospect-list/prospect-list.ts'
import { getPreviewRow, readRecords } from '../src/rooms/review/bulk/bulk.queries.ts'
import { openPreviewQuota } from '../src/rooms/review/bulk/bulk.quota.ts'
import type { BulkPreview } from '../src/rooms/review/bulk/bulk.schema.ts'
import type { SavedFilter } from '../src/rooms/review/filters/filters.schema.ts'
import { rejection, reviewed } from '../src/rooms/review/test/review-world.ts'
import { followScores } from '../src/rooms/scoring/scores/scoring-follower.ts'
import { ok, scoringWorld } from '../src/rooms/scoring/test/scoring-world.ts'
import { addEvidenceTo, addInteractionTo, createProspect, moveTo, walk } from './prospects.ts'
import { setMax } from './set-max.ts'

/*
 * Compares what a list shows with what a bulk action, an export, a saved filter and the review queue select: for every field and operator of the filter
 * grammar and for every parameter of the list. Both are taken from the schemas, so a new field fails this test until it has values here.
 */

type Field = Condition['field']
type Values = Partial<Record<Condition['op'], readonly unknown[]>>

/** Values of each field that match some of the records below, but not all. */
function valuesOf(ids: { manager: string; former: string; after: string }): Record<Field, Values | readonly unknown[]> {
  return {
    status: ['inactive'],
    q: ['solar'],
    state: ['contacted'],
    assignee: [ids.manager, ids.former],
    province: ['GP', 'other'],
    tag: ['Mining'],
    doNotContact: [true],
    hasEvidence: [true],
    hasPerson: [true],
    person: ['Thandi'],
    lastInteraction: {
      between: [null, ids.after],
      not_between: [null, ids.after],
      within_days: [30],
      not_within_days: [30],
    },
    lastOutcome: ['connected'],
    doubts: ['phone'],
    evidenceCount: { between: [1, null] },
    updatedAt: { between: [ids.after, null], within_days: [1] },
    createdAt: { between: [ids.after, null], within_days: [1] },
    city: ['Caledon'],
    industry: ['Farming'],
    employees: { between: [10, 50] },
    sourceLabel: ['The trade list'],
    role: ['Buyer'],
    identifiers: ['phone'],
    followUp: { any_of: ['overdue'], between: [null, '2026-12-31'] },
    review: ['rejected'],
    priority: ['A'],
    reachable: ['A'],
    eligibility: ['blocked'],
    score: { between: [60, null] },
  }
}

/** Values of each parameter of the list, as in an address. */
function parametersOf(ids: { manager: string; before: string; after: string }): Record<keyof FilterParameters, string> {
  return {
    ...{
      q: 'solar',
      state: 'contacted',
      assignee: ids.manager,
      tag: 'mining',
      province: 'Gauteng',
      status: 'inactive',
    },
    ...{
      doNotContact: 'true',
      hasEvidence: 'true',
      updatedFrom: ids.after,
      updatedTo: ids.before,
      updatedWithinDays: '1',
    },
    ...{ priority: 'A', reachable: 'A', eligibility: 'blocked', scoreFrom: '60', scoreTo: '50', review: 'rejected' },
  }
}

/** Records that differ in every field. Half of them are two days older than the rest. */
async function makeWorld() {
  for (const quota of [openPreviewQuota, exportQuota]) setMax(quota, Number.MAX_SAFE_INTEGER)
  const world = await scoringWorld()
  const { t } = world
  const { id: tenantId, users } = t.tenants.home
  // A session of its own, because it ends before the later records are created.
  let manager = t.withSession(await t.startSession({ tenantId, userId: users.manager.id, role: 'manager' }))
  const former = users.viewer.id
  const make = async (body: object = {}) => (await createProspect(manager, { address: { province: 'EC' }, ...body })).id
  await make()
  await moveTo(manager, await make({ name: 'Solar Fields' }), 'contacted')
  await make({ tags: ['Mining'], phones: [{ value: '+27 21 555 0199' }] })
  await make({ phones: [{ value: '021 555' }] })
  await make({ assigneeId: former })
  await make({ assigneeId: users.manager.id, address: { city: 'Caledon' }, industry: 'Farming', employees: 20 })
  ok(await manager.post(`/businesses/${await make()}/people`, { name: 'Thandi Nkosi', role: 'Buyer' }))
  ok(await manager.post(`/businesses/${await make()}/do-not-contact`, { reason: 'They asked.' }))
  await addInteractionTo(manager, await make({ address: { province: 'GP' } }), { followUpOn: '2026-11-22' })
  const before = t.store.clock().toISOString()
  t.clock.advance(2 * DAY_MS)
  manager = await t.as('manager')
  const after = t.store.clock().toISOString()
  await addEvidenceTo(manager, await make({ address: { province: 'Nova Scotia' } }), { sourceLabel: 'The trade list' })
  await reviewed(manager, await make(), rejection)
  ok(await manager.post(`/businesses/${await make()}/deactivation`, { reason: 'Entered twice.' }))
  await t.store.write({ tenantId }, async (db) => {
    await db.updateTable('memberships').set({ status: 'disabled' }).where('user_id', '=', former).execute()
    return { keep: true, value: undefined }
  })
  await world.activated(await world.ran(await world.approved()))
  await followScores(t.store)
  const actor = await memberActor(t.store.reader, { tenantId, userId: users.manager.id }, newId())
  if (actor === undefined) throw new Error('The manager is a member.')

  const idsOf = async (path: string) => (await walk<BusinessSummary>(manager, path, 200)).map(({ id }) => id).toSorted()
  let filter = ok<SavedFilter>(await manager.post('/saved-filters', { desk: 'prospects', name: 'All', filter: [] }))
  const query = (conditions: readonly Condition[]) => `conditions=${encodeURIComponent(JSON.stringify(conditions))}`
  /** Ids of the records that each part of the API selects by the same conditions. */
  const select = {
    list: (conditions: readonly Condition[]) => idsOf(`/businesses?${query(conditions)}`),
    queue: (conditions: readonly Condition[]) => idsOf(`/review-queue?${query(conditions)}`),
    'saved filter': async (conditions: readonly Condition[]) => {
      const headers = { 'if-match': `"${filter.version}"` }
      filter = ok(await manager.patch(`/saved-filters/${filter.id}`, { filter: conditions }, headers))
      return idsOf(`/review-queue?filterId=${filter.id}`)
    },
    'bulk action': async (conditions: readonly Condition[]) => {
      const selection = { filter: conditions, excludedIds: [] }
      const { id } = ok<BulkPreview>(await manager.post('/bulk-reviews/previews', { action: 'verify', selection }))
      return readRecords((await getPreviewRow(t.store.reader, tenantId, id)).records)
        .map(([one]) => one)
        .toSorted()
    },
    export: async (conditions: readonly Condition[]) => {
      const body = { source: 'prospects', format: 'csv', filter: conditions }
      const { id } = ok<Export>(await manager.post('/exports', body, { 'idempotency-key': newId() }))
      const found: string[] = []
      const asked = conditionsOfRow(await getExportRow(t.store.reader, tenantId, id))
      for await (const part of readExportRecords(t.store, actor, asked)) found.push(...part.map((one) => one.id))
      return found.toSorted()
    },
  }
  return { select, idsOf, ids: { manager: users.manager.id, former, before, after } }
}

const none: Partial<Record<Condition['op'], readonly unknown[]>> = { is_empty: [], is_not_empty: [] }

/** Each field of the grammar with each of its operators. */
function everyCondition(values: ReturnType<typeof valuesOf>): Condition[] {
  return conditionSchema.options.flatMap(({ shape }) => {
    const field = shape.field.value
    const ops: readonly Condition['op'][] = 'options' in shape.op ? shape.op.options : [shape.op.value]
    const given = values[field]
    return ops.map((op) => {
      const chosen = none[op] ?? ('length' in given ? given : (given as Values)[op])
      return conditionSchema.parse({ field, op, values: chosen })
    })
  })
}

test('a list, a bulk action, an export, a saved filter and the queue select the same records by the same conditions', {
  timeout: 60_000,
}, async () => {
  const { select, idsOf, ids } = await makeWorld()
  const unfiltered = await idsOf('/businesses')
  for (const condition of everyCondition(valuesOf(ids))) {
    const shown = await select.list([condition])
    // Otherwise a part that forgets the condition would not be noticed.
    expect([condition, shown]).not.toEqual([condition, unfiltered])
    for (const [part, of] of Object.entries(select))
      expect([part, condition, await of([condition])]).toEqual([part, condition, shown])
  }
})

test('each parameter of the list selects the records of its condition, also beside another condition of its field', async () => {
  const { select, idsOf, ids } = await makeWorld()
  const { conditions: _conditions, sort: _sort, limit: _limit, cursor: _cursor, ...shape } = listBusinessesQuery.shape
  const values: Record<string, string> = parametersOf(ids)
  expect(Object.keys(values).toSorted()).toEqual(Object.keys(shape).toSorted())
  const unfiltered = await idsOf('/businesses')
  for (const [name, value] of Object.entries(values)) {
    const shown = await idsOf(`/businesses?${name}=${encodeURIComponent(value)}`)
    expect([name, shown]).not.toEqual([name, unfiltered])
    const conditions = conditionsOfQuery(listBusinessesQuery.parse({ [name]: value }))
    for (const [part, of] of Object.entries(select))
      expect([part, name, await of(conditions)]).toEqual([part, name, shown])
  }

  // Two ranges of one field are combined.
  const pairs: Condition[][] = [
    [
      { field: 'updatedAt', op: 'within_days', values: [1] },
      { field: 'updatedAt', op: 'between', values: [null, ids.after] },
    ],
    [
      { field: 'score', op: 'between', values: [60, null] },
      { field: 'score', op: 'between', values: [null, 50] },
    ],
    [
      { field: 'followUp', op: 'is_empty', values: [] },
      { field: 'followUp', op: 'any_of', values: ['overdue'] },
    ],
  ]
  for (const pair of pairs) {
    const [first = [], second = []] = await Promise.all(pair.map((one) => select.list([one])))
    const both = first.filter((id) => second.includes(id))
    for (const [part, of] of Object.entries(select)) expect([part, pair, await of(pair)]).toEqual([part, pair, both])
  }
  const twice = `updatedWithinDays=1&updatedTo=${ids.after}`
  expect(await idsOf(`/businesses?${twice}`)).toEqual(await select.list(pairs[0] ?? []))
})
