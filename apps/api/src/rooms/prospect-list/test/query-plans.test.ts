import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { addEvidenceTo, createProspect, happened, type ListPage, moveTo, seen } from '../../../../test/prospects.ts'
import {
  askedOf,
  findPlans,
  foundByIdentifier,
  planOf,
  plansByIdentifier,
  type Statement,
  walks,
  watchStatements,
} from '../../../../test/statement-plans.ts'
import { createCursors } from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { newId } from '../../../lib/ids.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'
import { permissionsOf } from '../../identity/permissions.ts'
import { conditionSchema } from '../conditions/conditions.schema.ts'
import { createBusinessLister } from '../list/list-businesses.ts'
import { listBusinessesQuery, sorts } from '../prospect-list.schema.ts'

/*
 * Checks the query plan of every statement of these rooms. Speed at a million rows depends on indexes, and tests on a small tenant would not show
 * that an index is missing.
 */

const of = (field: string, op: string, ...values: (string | number | boolean | null)[]) =>
  JSON.stringify([{ field, op, values }])

const filters: Record<string, string[]> = {
  q: ['karoo', 'ka', 'farm karoo'],
  state: ['new', 'won'],
  assignee: ['me'],
  tag: ['farm'],
  province: ['EC'],
  doNotContact: ['true', 'false'],
  hasEvidence: ['true', 'false'],
  updatedFrom: ['2026-01-01T00:00:00Z'],
  updatedTo: ['2027-01-01T00:00:00Z'],
  conditions: [
    of('city', 'any_of', 'Caledon'),
    of('city', 'contains', 'led'),
    of('industry', 'any_of', 'Farming'),
    of('employees', 'between', 10, 50),
    of('employees', 'is_empty'),
    of('sourceLabel', 'any_of', 'A visit'),
    of('person', 'contains', 'Thandi Nkosi'),
    of('identifiers', 'any_of', 'email', 'phone'),
    of('followUp', 'any_of', 'overdue', 'today'),
    of('followUp', 'is_empty'),
    of('createdAt', 'between', '2026-01-01T00:00:00Z', null),
    of('state', 'any_of', 'new', 'won'),
    of('assignee', 'is_empty'),
    of('province', 'none_of', 'EC', 'GP'),
  ],
  status: ['inactive'],
}

/** Conditions that are read alone: beside another one they have the plan of a field above. */
const alone = [
  of('status', 'any_of', 'inactive'),
  of('q', 'contains', 'karoo'),
  of('tag', 'any_of', 'farm', 'wind'),
  of('tag', 'none_of', 'farm'),
  of('tag', 'is_empty'),
  of('assignee', 'any_of', 'me'),
  of('assignee', 'is_not_empty'),
  of('city', 'is_empty'),
  of('industry', 'contains', 'arm'),
  of('sourceLabel', 'contains', 'visit'),
  of('sourceLabel', 'is_empty'),
  of('hasPerson', 'any_of', true),
  of('hasPerson', 'none_of', true),
  of('role', 'any_of', 'Buyer'),
  of('person', 'contains', 'Thandi', 'Sipho'),
  of('role', 'contains', 'uye'),
  of('role', 'is_empty'),
  of('identifiers', 'none_of', 'email'),
  of('followUp', 'between', '2026-11-01', '2026-12-31'),
  of('createdAt', 'within_days', 30),
  of('updatedAt', 'within_days', 30),
  of('lastInteraction', 'within_days', 30),
  of('lastInteraction', 'not_within_days', 30),
  of('lastInteraction', 'is_empty'),
  of('lastOutcome', 'any_of', 'no_answer', 'left_message'),
  of('lastOutcome', 'none_of', 'lost'),
  of('lastOutcome', 'is_empty'),
  of('doubts', 'any_of', 'place'),
  of('evidenceCount', 'between', 2, 5),
  of('updatedAt', 'between', null, '2027-01-01T00:00:00Z'),
  of('doNotContact', 'none_of', true),
  of('hasEvidence', 'none_of', true),
  of('review', 'any_of', 'due', 'unreviewed'),
  of('review', 'none_of', 'verified'),
  of('eligibility', 'any_of', 'eligible'),
  of('priority', 'any_of', 'a'),
  of('reachable', 'any_of', 'a'),
  of('score', 'between', 20, 80),
]

/** Returns no filter, each filter alone, and each pair of filters. A third filter does not change the plan. */
function combinations(): Record<string, string>[] {
  const singles = Object.entries(filters).flatMap(([name, values]) => values.map((value) => ({ [name]: value })))
  const pairs = singles.flatMap((one, index) =>
    singles.slice(index + 1).flatMap((two) => {
      const both = { ...one, ...two }
      return Object.keys(both).length === 2 ? [both] : []
    }),
  )
  return [{}, ...singles, ...pairs, ...alone.map((conditions) => ({ conditions }))]
}

/** Runs every change and every read of these rooms once, including later pages. */
async function liveADay(t: TestApp): Promise<void> {
  const [operator, administrator] = [await t.as('operator'), await t.as('administrator')]
  const body = {
    tags: ['Farm', 'Wind'],
    emails: [{ value: 'a@karoo.co.za' }],
    phones: [{ value: '+27821234567' }],
    domains: [{ value: 'karoo.co.za' }],
    address: { province: 'EC', city: 'Caledon' },
    industry: 'Farming',
    employees: 20,
    assigneeId: t.tenants.home.users.operator.id,
  }
  // Creates two records for each filter, so that there is a second page.
  for (let index = 0; index < 2; index++) {
    const { id } = await createProspect(operator, body)
    await addEvidenceTo(operator, id)
    await operator.post(`/businesses/${id}/people`, { name: 'Thandi Nkosi', role: 'Buyer' })
    await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
    await createProspect(operator)
  }
  const { id } = await createProspect(operator, body)
  const path = `/businesses/${id}`
  const edited = { ...body, name: 'Karoo Solar', emails: [], tags: ['Sun'] }
  await operator.patch(path, edited, { 'if-match': '"1"' })
  await operator.post('/businesses/duplicate-checks', {
    name: 'Karoo',
    emails: ['a@karoo.co.za'],
    phones: [{ value: '+27821234567' }],
  })
  const { id: supersedesId } = await addEvidenceTo(operator, id)
  await operator.post(
    `${path}/evidence`,
    { ...seen, field: 'name', value: 'Karoo', supersedesId },
    { 'idempotency-key': 'e' },
  )
  await operator.post(
    `${path}/evidence`,
    { ...seen, field: 'name', value: 'Karoo', supersedesId },
    { 'idempotency-key': 'e' },
  )
  for (const text of ['One', 'Two']) await operator.post(`${path}/notes`, { text })
  for (const outcome of ['connected', 'no_answer'])
    await operator.post(`${path}/interactions`, { ...happened, outcome }, { 'idempotency-key': outcome })
  await administrator.patch('/pipeline', { pausedEnabled: false }, { 'if-match': '"1"' })
  await administrator.patch('/pipeline', { disqualifiedEnabled: false }, { 'if-match': '"2"' })
  for (const to of ['contacted', 'qualified']) await moveTo(operator, id, to)
  for (let index = 0; index < 2; index++) {
    const other = await createProspect(operator, body)
    await operator.post(`/businesses/${other.id}/interactions`, { ...happened, followUpOn: '2026-12-01' })
    await operator.put(`/businesses/${other.id}/follow-up`, { followUpOn: null }, { 'if-match': '"1"' })
    const past = { followUpOn: '2026-11-01', acceptPastFollowUp: true }
    await operator.post(`/businesses/${other.id}/interactions`, { ...happened, ...past })
    const mistake = await createProspect(operator, body)
    await operator.post(`/businesses/${mistake.id}/deactivation`, { reason: 'Entered twice.' })
  }
  await operator.post(`${path}/do-not-contact`, { reason: 'They asked.' })
  await operator.get(`${path}/facts`)
  await operator.get(`${path}/evidence/${supersedesId}`)
  await operator.get('/pipeline')
  for (const list of [
    `${path}/evidence`,
    `${path}/notes`,
    `${path}/interactions`,
    `${path}/pipeline-transitions`,
    `${path}/activity`,
    '/businesses/tags',
  ]) {
    const { body: first } = await operator.get<ListPage<unknown>>(`${list}?limit=1`)
    expect((await operator.get(`${list}?limit=1&cursor=${first.page.nextCursor}`)).status).toBe(200)
  }
  await operator.get('/businesses/tags?prefix=fa')
  const viewer = await t.as('viewer')
  for (const client of [operator, viewer]) {
    for (const q of ['Caledoon', 'Karro Solr', 'Xyzzy Plugh Qqq']) await client.get(`/businesses/similar-names?q=${q}`)
    await client.get(`/businesses/removed-filter-values?conditions=${of('sourceLabel', 'any_of', 'A visit')}`)
  }
}

/** Reads every list in every order, its first page and a later one, with the plans of a small and of a large tenant. */
async function listEverything({ store, tenants }: TestApp): Promise<void> {
  const { id: userId } = tenants.home.users.operator
  const actorAs = (role: 'operator' | 'viewer'): UserActor => ({
    ...{ kind: 'user', userId, tenantId: tenants.home.id, correlationId: newId() },
    permissions: permissionsOf(role),
  })
  const actor = actorAs('operator')
  const viewer = actorAs('viewer')
  const cursors = createCursors(store.keys)
  const listers = [
    createBusinessLister(store, cursors),
    createBusinessLister(store, cursors, { smallSet: 0, walkedFirst: 0 }),
  ]
  for (const list of listers) {
    for (const filter of combinations()) {
      for (const sort of sorts) {
        const query = listBusinessesQuery.parse({ ...filter, sort, limit: 1 })
        const { nextCursor } = (await list(actor, query)).page
        if (nextCursor !== null) await list(actor, { ...query, cursor: nextCursor })
        if (namesHidden(filter)) await list(viewer, query)
      }
    }
  }
}

/** Returns true for filters with other statements for readers who may not see some values. Two of them have no further ones. */
function namesHidden(filter: Record<string, string>): boolean {
  return Object.keys(filter).length === 1 && ('q' in filter || /sourceLabel|person|role/.test(filter.conditions ?? ''))
}

test('only the background scans a tenant, by the index of all filterable values alone, and only gathering and scans sort', async () => {
  // Build one app before watching, because it creates the template store, whose statements are those of the schema and of new tenants.
  await buildTestApp()
  const statements = watchStatements()
  const t = await buildTestApp()
  await liveADay(t)
  await listEverything(t)
  vi.restoreAllMocks()
  const asked = askedOf(statements)
  expect(asked.length).toBeGreaterThan(200)
  const { walking, sorting } = findPlans(t.store, asked)
  expect(walking.filter((statement) => !isScan(statement) && !isOfUnlisted(statement))).toEqual([])
  const scans = asked.filter(isScan)
  expect(scans.length).toBeGreaterThan(20)
  expect(scansBeyondIndex(t, scans)).toEqual([])
  const onTheEventLoop = sorting.filter(({ where }) => where === 'store').map(({ sql }) => sql)
  expect(onTheEventLoop).toEqual([])
  const isGathered = ({ sql }: Statement) =>
    /FROM (businesses AS b INDEXED BY|business_tags AS wanted|json_each|business_search_index)/.test(sql)
  expect(sorting.filter((statement) => !isGathered(statement))).toEqual([])
  expect(new Set(plansByIdentifier(t.store, asked))).toEqual(new Set([foundByIdentifier]))
})

/** Returns true for counts that read all records of the tenant that lists omit. */
function isOfUnlisted({ sql, where }: Statement): boolean {
  return where === 'background' && /INDEXED BY "businesses_(unlisted|deactivated)"/.test(sql)
}

/** Returns true for the scans of filters: the count of their records, and the search for the rows of a page. */
function isScan({ sql, where }: Statement): boolean {
  const found =
    /SELECT (count\(\*\) AS n|b\.docid.*?) FROM (businesses AS b|business_tags AS wanted .*?) INDEXED BY "businesses_listed"/s
  return where === 'background' && found.test(sql)
}

/** Returns the scans that read rows of the table for the records that they check. */
function scansBeyondIndex({ store }: TestApp, scans: readonly Statement[]): string[] {
  const connection = openConnection(join(store.dataDir, STORE_FILE), { readonly: true })
  const root = connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'businesses_listed'").pluck().get()
  const beyond = scans.filter(({ sql }) => {
    const parameters = Array.from({ length: sql.split('?').length - 1 }, () => null)
    type Step = { opcode: string; p1: number; p2: number; p3: number }
    const steps = connection.prepare<unknown[], Step>(`EXPLAIN ${sql}`).all(...parameters)
    const along = steps.filter(({ opcode, p2 }) => opcode === 'OpenRead' && p2 === root).map(({ p1 }) => p1)
    // `DeferredSeek` names the cursor of the index and that of the table, from which a column is read only if the index does not have it.
    const tables = steps.filter(({ opcode, p1 }) => opcode === 'DeferredSeek' && along.includes(p1)).map(({ p3 }) => p3)
    return along.length === 0 || steps.some(({ opcode, p1 }) => opcode === 'Column' && tables.includes(p1))
  })
  connection.close()
  return beyond.map(({ sql }) => sql)
}

test('the plans cover every field of the filter grammar', () => {
  const covered = new Set([...(filters.conditions ?? []), ...alone].map((text) => JSON.parse(text)[0].field))
  const fields = conditionSchema.options.map(({ shape }) => shape.field.value)
  expect(fields.filter((field) => !covered.has(field))).toEqual([])
})

test('no trigger of these rooms scans a whole table or tenant', async () => {
  const t = await buildTestApp()
  const connection = openConnection(join(t.store.dataDir, STORE_FILE), { readonly: true })
  const triggers = connection
    .prepare<[], { name: string; sql: string }>(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
    .all()
  const statements = triggers.flatMap(({ name, sql }) => {
    const [, body = ''] = /\bBEGIN\b(.*)\bEND\b/s.exec(sql) ?? []
    const parts = body.split(';').map((part) => part.replace(/\b(NEW|OLD)\.\w+/g, '?').trim())
    return parts.filter((part) => part !== '' && !part.includes('RAISE(')).map((part) => ({ name, sql: part }))
  })
  expect(statements.length).toBeGreaterThan(4)
  const walking = statements.filter(({ sql }) => {
    return walks(sql, planOf(connection, sql))
  })
  connection.close()
  expect(walking).toEqual([])
})
