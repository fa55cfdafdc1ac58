import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import { addEvidenceTo, addInteractionTo, createProspect, endProspect, moveTo } from '../../../../test/prospects.ts'
import { createCursors, type Total } from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { newId } from '../../../lib/ids.ts'
import { pipelineStates } from '../../../lib/pipeline-state.ts'
import type { Business } from '../../businesses/businesses.schema.ts'
import { permissionsOf } from '../../identity/permissions.ts'
import { compileConditions } from '../conditions/compile-conditions.ts'
import { type Condition, conditionsSchema } from '../conditions/conditions.schema.ts'
import { conditionsOfQuery } from '../conditions/query-conditions.ts'
import { createBusinessLister, type ListBounds } from '../list/list-businesses.ts'
import { orders, planOf } from '../list/list-plan.ts'
import { type BusinessSummary, listBusinessesQuery, sorts } from '../prospect-list.schema.ts'

/*
 * Compares every list with an oracle: the whole tenant filtered and sorted in memory. The records are few and have many ties: equal names, equal
 * times, tags in several cases.
 */

const tagsInUse = ['Farm', 'farm', 'FARM', 'Café', 'wind', 'Wind & water']
const provinces = ['Gauteng', 'wes-kaap', 'KwaZulu Natal', 'Nova Scotia', 'EC']
const names = ['Karoo', 'karoo', 'Kalahari', 'Élan', 'elan', 'ZZ', '4 Seasons', 'Änderung', 'Karoo Wind', 'k']
const cities = ['Caledon', 'caledon', 'Gqeberha', 'George']
const industries = ['Farming', 'farming machines', 'Retail']
const sources = ['A visit', 'The trade list']
/** Dates around the time of these tests' clock: 21 November 2026, a Saturday. */
const followUps = ['2026-11-02', '2026-11-20', '2026-11-21', '2026-11-22', '2026-12-01']
const headcounts = [0, 9, 10, 250]
const outcomesInUse = ['no_answer', 'connected', 'other']
const road = ['contacted', 'qualified', 'proposal']

type Blueprint = {
  name: string
  province: string | null
  tag: string | null
  assignee: number | null
  ahead: number
  evidence: number
  isBlocked: boolean
  isEnded: boolean
  city: string | null
  industry: string | null
  source: string
  followUpOn: string | null
  contact: string | null
  phone: string | null
  employees: number | null
}
const blueprint: fc.Arbitrary<Blueprint> = fc.record({
  name: fc.constantFrom(...names),
  province: fc.option(fc.constantFrom(...provinces)),
  tag: fc.option(fc.constantFrom(...tagsInUse)),
  assignee: fc.option(fc.nat(1)),
  ahead: fc.constantFrom(0, 0, 0, 1, 2, 3),
  evidence: fc.constantFrom(0, 0, 0, 1, 3),
  isBlocked: fc.constantFrom(true, false, false, false),
  city: fc.option(fc.constantFrom(...cities)),
  industry: fc.option(fc.constantFrom(...industries)),
  source: fc.constantFrom(...sources),
  followUpOn: fc.option(fc.constantFrom(...followUps)),
  contact: fc.constantFrom(null, null, ...outcomesInUse),
  phone: fc.constantFrom(null, '+27 21 555 0199', '021 555'),
  employees: fc.option(fc.constantFrom(...headcounts)),
  isEnded: fc.constantFrom(true, ...Array.from({ length: 12 }, () => false)),
})

type Row = Business & { evidenceCount: number; source: string | null; lastOutcome: string | null }
type World = { t: TestApp; rows: Row[]; assignees: string[] }

const PROSPECTS = 160
const AT_ONCE = 8

/** Creates records from one seed, so that failures are reproducible. */
async function makeWorld(): Promise<World> {
  const t = await buildTestApp()
  const [operator, other] = [await t.as('operator'), await t.as('operator', 'other')]
  const { users } = t.tenants.home
  const assignees = [users.operator.id, users.manager.id]
  const rows: Row[] = []
  const blueprints = fc.sample(blueprint, { numRuns: PROSPECTS, seed: 7 })
  for (let at = 0; at < blueprints.length; at += AT_ONCE) {
    const made = await Promise.all(
      blueprints.slice(at, at + AT_ONCE).map((plan) => build(t, operator, plan, assignees)),
    )
    rows.push(...made.filter((row) => row !== undefined))
    await createProspect(other, { name: names[at % names.length], tags: ['Farm'], address: { province: 'Gauteng' } })
    if (at % 3 !== 0) t.clock.advance(1_000)
  }
  return { t, rows, assignees }
}

async function build(t: TestApp, client: TestClient, plan: Blueprint, assignees: string[]): Promise<Row | undefined> {
  const { id } = await createProspect(client, {
    name: plan.name,
    address: { province: plan.province, city: plan.city },
    industry: plan.industry,
    employees: plan.employees,
    phones: plan.phone === null ? [] : [{ value: plan.phone }],
    tags: plan.tag === null ? [] : [plan.tag],
    assigneeId: plan.assignee === null ? null : assignees[plan.assignee],
  })
  for (const state of road.slice(0, plan.ahead)) await moveTo(client, id, state)
  for (let at = 0; at < plan.evidence; at++) await addEvidenceTo(client, id, { sourceLabel: plan.source })
  const { contact: outcome, followUpOn } = plan
  if (outcome !== null) await addInteractionTo(client, id, { outcome, followUpOn, acceptPastFollowUp: true })
  if (plan.isBlocked) await client.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  if (plan.isEnded) await endProspect(t, id, { status: 'inactive' })
  const { body } = await client.get<Business>(`/businesses/${id}`)
  return plan.isEnded
    ? undefined
    : {
        ...body,
        evidenceCount: plan.evidence,
        source: plan.evidence > 0 ? plan.source : null,
        lastOutcome: outcome,
      }
}

type Query = Record<string, string>

function folded(value: string): string {
  return value
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}

function matches(row: Row, query: Query, me: string): boolean {
  const conditions = query.conditions === undefined ? [] : conditionsSchema.parse(JSON.parse(query.conditions))
  const { q, state, assignee, tag, province, doNotContact, hasEvidence, updatedFrom, updatedTo } = query
  const wanted = assignee === 'me' ? me : assignee === 'none' ? undefined : assignee
  const sameTag = (one: string) => one.toLowerCase() === tag?.toLowerCase()
  return [
    q === undefined ||
      (q.length < 3 ? folded(row.name).startsWith(folded(q)) : wordsOf(q).every(isIn(folded(row.name)))),
    state === undefined || row.pipelineState === state,
    assignee === undefined || row.assignee?.id === wanted,
    tag === undefined || row.tags.some(sameTag),
    province === undefined || (row.provinceCode ?? 'none') === province,
    doNotContact === undefined || String(row.doNotContact !== null) === doNotContact,
    hasEvidence === undefined || String(row.evidenceCount > 0) === hasEvidence,
    updatedFrom === undefined || row.updatedAt >= updatedFrom,
    updatedTo === undefined || row.updatedAt <= updatedTo,
    conditions.every((condition) => meets(row, condition)),
  ].every(Boolean)
}

/** Returns the texts of a record in the field of a condition. */
function textsOf(row: Row, field: Condition['field']): (string | null)[] {
  switch (field) {
    case 'city':
      return [row.address.city]
    case 'industry':
      return [row.industry]
    case 'sourceLabel':
      return [row.source]
    case 'state':
      return [row.pipelineState]
    case 'assignee':
      return [row.assignee?.id ?? null]
    case 'province':
      return [row.provinceCode]
    case 'tag':
      return row.tags
    case 'followUp':
      return [row.followUpOn]
    case 'createdAt':
      return [row.createdAt]
    case 'lastInteraction':
      return [row.lastInteractionAt]
    case 'lastOutcome':
      return [row.lastOutcome]
    case 'doubts':
      return [
        row.placeDoubts.length > 0 ? 'place' : null,
        row.phones.some(({ normalized }) => normalized === null) ? 'phone' : null,
      ]
    case 'identifiers':
      return [row.phones.length > 0 ? 'phone' : null, row.registrationNumber === null ? null : 'registrationNumber']
    default:
      throw new Error(`The oracle does not know ${field}.`)
  }
}

const dueDays = {
  overdue: ['', '2026-11-20'],
  today: ['2026-11-21', '2026-11-21'],
  this_week: ['2026-11-16', '2026-11-22'],
} as const

function meets(row: Row, { field, op, values }: Condition): boolean {
  if (field === 'employees') return meetsNumber(row.employees, op, values)
  if (field === 'evidenceCount') return meetsNumber(row.evidenceCount, op, values)
  const texts = textsOf(row, field).filter((text) => text !== null)
  const lower = texts.map((text) => text.toLowerCase())
  const wanted = values.map((value) => String(value ?? '').toLowerCase())
  switch (op) {
    case 'is_empty':
      return texts.length === 0
    case 'is_not_empty':
      return texts.length > 0
    case 'contains':
      return lower.some((text) => wanted.some((part) => text.includes(part)))
    case 'between':
    case 'not_between': {
      const [from = '', to = ''] = values.map((value) => String(value ?? ''))
      const isIn = texts.some((text) => text >= from && (to === '' || text <= to))
      return isIn === (op === 'between')
    }
    case 'within_days':
      return texts.length > 0
    default: {
      const isOne =
        field === 'followUp'
          ? values.some((term) => {
              const [from, to] = dueDays[term as keyof typeof dueDays]
              return texts.some((text) => text >= from && text <= to)
            })
          : lower.some((text) => wanted.includes(text))
      return isOne === (op === 'any_of')
    }
  }
}

function meetsNumber(number: number | null, op: string, values: readonly unknown[]): boolean {
  if (op !== 'between') return (number === null) === (op === 'is_empty')
  const [from, to] = values.map((value) => (typeof value === 'number' ? value : null))
  return number !== null && (from == null || number >= from) && (to == null || number <= to)
}

/** Splits a search text into words. If any word has fewer than three characters, the whole text is one word. */
function wordsOf(q: string): string[] {
  const words = folded(q).split(' ')
  return words.every((word) => word.length >= 3) ? words : [words.join(' ')]
}

const isIn = (text: string) => (word: string) => text.includes(word)

/** Returns the value by which a record is sorted. Records without a value (null) are last in both directions. */
function sortedBy(row: Row, sort: string): string | number | null {
  switch (sort.replace('-', '')) {
    case 'name':
      return folded(row.name)
    case 'updatedAt':
      return row.updatedAt
    case 'state':
      return pipelineStates.indexOf(row.pipelineState)
    case 'assignee':
      return row.assignee?.name.toLowerCase() ?? null
    case 'city':
      return row.address.city?.toLowerCase() ?? null
    case 'lastInteractionAt':
      return row.lastInteractionAt
    case 'followUpOn':
      return row.followUpOn
    case 'mayBeCalled': {
      if (row.followUpOn === null) return null
      const hasHours = row.doNotContact === null && row.phones[0]?.normalized?.startsWith('+27') === true
      return `${hasHours ? 'first' : 'second'} ${row.followUpOn}`
    }
    case 'employees':
      return row.employees
    default:
      return row.createdAt
  }
}

/** Returns the order of records that have the same sort value. */
function tieOf(sort: string): string {
  return sort.endsWith('state') || sort.endsWith('assignee') ? '-updatedAt' : sort
}

function sorted(rows: readonly Row[], asked: string): Row[] {
  const sort = asked.endsWith('score') ? '-createdAt' : asked
  const direction = sort.startsWith('-') ? -1 : 1
  const byValue = (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : Buffer.compare(Buffer.from(`${a}`), Buffer.from(`${b}`))
  const byTie = (a: Row, b: Row) => {
    if (tieOf(sort) === sort) return direction * (a.id < b.id ? -1 : 1)
    return byValue(b.updatedAt, a.updatedAt) || (a.id < b.id ? 1 : -1)
  }
  return rows.toSorted((a, b) => {
    const [one, two] = [sortedBy(a, sort), sortedBy(b, sort)]
    if (one === null && two === null) return tieOf(sort) === sort ? (a.id < b.id ? 1 : -1) : byTie(a, b)
    if (one === null || two === null) return one === null ? 1 : -1
    return direction * byValue(one, two) || byTie(a, b)
  })
}

/** Generates conditions: for each field, with each of its operators. */
function anyConditions(times: readonly string[], assignees: readonly string[]): fc.Arbitrary<unknown[]> {
  const of = (field: string, op: string, values: readonly unknown[]) => ({ field, op, values })
  const choices = (field: string, all: readonly unknown[], ops: readonly string[]) =>
    fc
      .tuple(
        fc.constantFrom(...ops),
        fc.shuffledSubarray([...all], { minLength: Math.min(1, all.length), maxLength: Math.min(2, all.length) }),
      )
      .map(([op, values]) => of(field, op, op.startsWith('is_') ? [] : values))
  const texts = ['any_of', 'none_of', 'contains', 'is_empty', 'is_not_empty']
  const optional = ['any_of', 'none_of', 'is_empty', 'is_not_empty']
  const ranges = (field: string, all: readonly string[]) =>
    fc
      .tuple(fc.constantFrom(null, ...all), fc.constantFrom(...all))
      .map(([from, to]) => of(field, 'between', from === null || from <= to ? [from, to] : [to, null]))
  return fc
    .tuple(
      choices('city', ['caledon', 'CALEDON', 'George', 'ber', 'Nowhere'], texts),
      choices('industry', ['farming', 'Retail', 'arm'], texts),
      choices('sourceLabel', ['a visit', 'The trade list', 'list'], texts),
      choices('identifiers', ['phone', 'registrationNumber'], ['any_of', 'none_of']),
      choices('doubts', ['place', 'phone'], ['any_of', 'none_of']),
      choices('state', ['new', ...road], ['any_of', 'none_of']),
      choices('assignee', assignees, optional),
      choices('province', ['GP', 'EC', 'other'], optional),
      choices('followUp', ['overdue', 'today', 'this_week'], ['any_of', 'is_empty', 'is_not_empty']),
      ranges('followUp', followUps),
      ranges('createdAt', times),
      choices('employees', [], ['is_empty', 'is_not_empty']),
      choices('lastInteraction', [], ['is_empty', 'is_not_empty']),
      choices('lastOutcome', [...outcomesInUse, 'won'], optional),
      fc
        .tuple(fc.constantFrom('between', 'not_between'), fc.constantFrom(null, ...times), fc.constantFrom(...times))
        .map(([op, from, to]) => of('lastInteraction', op, from === null || from <= to ? [from, to] : [to, null])),
      fc
        .tuple(fc.constantFrom(null, 0, 1, 2), fc.constantFrom(null, 1, 3))
        .filter((ends) => ends.some((end) => end !== null))
        .map((ends) => of('evidenceCount', 'between', ends)),
      fc
        .tuple(fc.constantFrom(null, ...headcounts), fc.constantFrom(...headcounts))
        .map(([from, to]) => of('employees', 'between', from === null || from <= to ? [from, to] : [to, null])),
    )
    .chain((all) => fc.shuffledSubarray(all, { minLength: 1, maxLength: 2 }))
    .filter((some) => new Set(some.map(({ field }) => field)).size === some.length)
}

function anyQuery({ rows, assignees }: World): fc.Arbitrary<Query> {
  const times = [...new Set(rows.map(({ updatedAt }) => updatedAt))]
  const filters = fc.record(
    {
      q: fc.constantFrom(
        'k',
        'ka',
        'kar',
        'KAROO',
        'lan',
        'éla',
        '4 s',
        'zzz',
        'wind',
        'É',
        'wind karoo',
        'roo kar',
        'zzz wind',
      ),
      state: fc.constantFrom('new', ...road, 'won'),
      assignee: fc.constantFrom('me', 'none', newId(), ...assignees),
      tag: fc.constantFrom(...tagsInUse, 'nowhere'),
      province: fc.constantFrom('GP', 'WC', 'KZN', 'other', 'none', 'EC', 'LP'),
      doNotContact: fc.constantFrom('true', 'false'),
      hasEvidence: fc.constantFrom('true', 'false'),
      updatedFrom: fc.constantFrom(...times, '2100-01-01T00:00:00.000Z'),
      updatedTo: fc.constantFrom(...times),
      conditions: anyConditions(times, assignees).map((some) => JSON.stringify(some)),
    },
    { requiredKeys: [] },
  )
  // Combine at most three filters, because all of them together would match nothing.
  const few = fc.tuple(filters, fc.shuffledSubarray(filterNames, { maxLength: 3 })).map(([all, kept]): Query => {
    return Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name)))
  })
  return fc.tuple(few, fc.option(fc.constantFrom(...sorts), { nil: undefined })).map(([query, sort]): Query => {
    return sort === undefined ? query : { ...query, sort }
  })
}

const filterNames = [
  'q',
  'state',
  'assignee',
  'tag',
  'province',
  'doNotContact',
  'hasEvidence',
  'updatedFrom',
  'updatedTo',
  'conditions',
]

type Way = 'direct' | 'gather' | 'scan'

/** Calls the list function directly, so that its limits can be low, and reports the method of its plan. */
function walker({ t }: World, bounds: ListBounds) {
  const { tenants, store } = t
  const { id: userId } = tenants.home.users.operator
  const permissions = permissionsOf('operator')
  const actor: UserActor = { kind: 'user', userId, tenantId: tenants.home.id, correlationId: newId(), permissions }
  const list = createBusinessLister(store, createCursors(store.keys), bounds)
  return async (query: Query, limit: number) => {
    const parsed = listBusinessesQuery.parse({ ...query, limit })
    const context = { scores: undefined, now: t.store.clock() }
    const { filter } = await compileConditions(store, actor, conditionsOfQuery(parsed), context)
    // Without scores, a list by score is sorted newest first. The total of a list in segments uses the same plan.
    const order = Object.entries(orders).find(([sort]) => sort === parsed.sort)?.[1] ?? orders['-createdAt']
    const plan = await planOf(store, filter, order, bounds.smallSet)
    const items: BusinessSummary[] = []
    const totals: (Total | null)[] = []
    let cursor: string | null = null
    do {
      const { items: some, page } = await list(actor, cursor === null ? parsed : { ...parsed, cursor })
      expect([page.limit, page.returned]).toEqual([limit, some.length])
      items.push(...some)
      totals.push(page.total)
      cursor = page.nextCursor
    } while (cursor !== null)
    return { items, totals, way: plan.way }
  }
}

/** Returns the values of a list row that the oracle derives from the record. */
function listed({ id, hasEvidence, evidenceCount, primaryPhone, primaryPhoneNormalized }: BusinessSummary) {
  return { id, hasEvidence, evidenceCount, primaryPhone, primaryPhoneNormalized }
}

function shownRow({ id, evidenceCount, phones: [phone] }: Row): ReturnType<typeof listed> {
  return {
    id,
    hasEvidence: evidenceCount > 0,
    evidenceCount,
    primaryPhone: phone?.value ?? null,
    primaryPhoneNormalized: phone?.normalized ?? null,
  }
}

test('any filter, sort and limit, page by page, returns the oracle’s prospects in the oracle’s order, each once, with the exact total', {
  timeout: 120_000,
}, async () => {
  const world = await makeWorld()
  const me = world.t.tenants.home.users.operator.id
  const ways: Record<Way, number> = { direct: 0, gather: 0, scan: 0 }
  const atSize: Record<string, ListBounds> = {
    'of a small tenant': { smallSet: 5_000 },
    'of a large tenant': { smallSet: 12, walkedFirst: 20 },
    'that is mostly scanned': { smallSet: 0, walkedFirst: 1 },
  }
  for (const [size, bounds] of Object.entries(atSize)) {
    const walk = walker(world, bounds)
    const check = async (query: Query, limit: number) => {
      const expected = sorted(
        world.rows.filter((row) => matches(row, query, me)),
        query.sort ?? '-updatedAt',
      )
      const { items, totals, way } = await walk(query, limit)
      ways[way] += 1
      expect([size, query, items.map(listed)]).toEqual([size, query, expected.map(shownRow)])
      // Later pages are not counted, unless a stored count states their total.
      for (const [page, total] of totals.entries())
        if (total !== null || page === 0)
          expect([size, query, total?.value, total?.counts]).toEqual([size, query, expected.length, 'matching_set'])
    }
    await fc.assert(fc.asyncProperty(anyQuery(world), fc.constantFrom(1, 7, 50, 200), check), {
      numRuns: 100,
    })
  }
  // About 13 of the 240 queries are gathered.
  for (const way of ['direct', 'gather', 'scan'] as const) expect([way, ways[way] > 3]).toEqual([way, true])
})
