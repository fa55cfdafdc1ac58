import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createCursors } from '../../src/http/pagination.ts'
import type { UserActor } from '../../src/lib/actor.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import type { Place } from '../../src/rooms/fixture.ts'
import type { Session } from '../../src/rooms/identity/identity.schema.ts'
import { permissionsOf, roles } from '../../src/rooms/identity/permissions.ts'
import { rooms } from '../../src/rooms/index.ts'
import { openConnection } from '../../src/store/engine/connection.ts'
import { STORE_FILE } from '../../src/store/store.ts'
import { ask, freshClient, seenVersion } from '../asking.ts'
import type { TestApp, TestClient } from '../build-app.ts'
import { furnishedApp, testAdapters } from '../furnished.ts'
import { operations } from '../operations.ts'
import type { ListPage } from '../prospects.ts'
import { askedOf, findPlans, planOf, watchStatements } from '../statement-plans.ts'

/*
 * Tests the number of each kind of decisions that rooms declare in `waiting`, against the list that the number opens. Answers to what a person asked
 * for are tested in `dashboard/test/dashboard.test.ts`.
 */

const declared = rooms.flatMap(({ waiting = [] }) => waiting)
const kinds = declared.filter(({ isAnswer }) => isAnswer !== true)

type Item = {
  mayDecide?: boolean
  state?: string
  decision?: unknown
  requestedBy?: { id: string | null }
  proposedBy?: { id: string | null }
  createdBy?: { id: string | null }
  submittedBy?: { id: string | null } | null
  editors?: { id: string | null }[]
  by?: { id: string | null }
}

type Case = {
  /** reads what the linked list shows */
  list: (client: TestClient) => Promise<Item[]>
  /** whether an item waits for a decision of this person; by default, each */
  isFor?: (item: Item, userId: string) => boolean
  /** true if people propose, so that their own proposals wait for others only */
  isProposed?: true
  prepare?: (t: TestApp, place: Place) => Promise<void>
}

const pageOf = (path: string) => async (client: TestClient) => {
  const { status, body } = await client.get<ListPage<Item>>(`${path}${path.includes('?') ? '&' : '?'}limit=200`)
  expect([path, status]).toEqual([path, 200])
  return body.items
}
const proposersOf = ({ requestedBy, proposedBy, createdBy, submittedBy, by, editors = [] }: Item) =>
  [requestedBy, proposedBy, createdBy, submittedBy, by, ...editors].flatMap((person) => person?.id ?? [])
const byOthers = (item: Item, userId: string) => !proposersOf(item).includes(userId)

async function dueTerm(t: TestApp): Promise<void> {
  const administrator = await t.as('administrator')
  const { body } = await administrator.get<{ version: number }>('/tenant')
  const term = { suppressionReviewMonths: 1 }
  expect((await administrator.patch('/tenant', term, { 'if-match': `"${body.version}"` })).status).toBe(200)
  t.clock.advance(40 * DAY_MS)
}

async function overdueDay(t: TestApp): Promise<void> {
  t.clock.advance(40 * DAY_MS)
}

/** Sends a request of the fixtures as an administrator, because the fixtures' own proposals are of people who are no members. */
const asAdministrator = (id: string) => async (t: TestApp, place: Place) => {
  const operation = operations.find((one) => one.id === id)
  if (operation === undefined) throw new Error(`No operation is called ${id}.`)
  const client = await freshClient(t, 'administrator')
  const { status, body } = await ask(operation, place, { client, headers: await seenVersion(operation, place, client) })
  expect([id, status, status < 300 ? null : body]).toEqual([id, status, null])
}

/** Quarantines one open candidate, as an extraction does for a value of another domain. */
async function quarantineOne({ store, tenants }: TestApp): Promise<void> {
  const connection = openConnection(join(store.dataDir, STORE_FILE))
  const { changes } = connection
    .prepare(`
      UPDATE contact_candidate_states SET state = 'quarantined', rule = 'other_domain'
      WHERE candidate_id = (SELECT max(candidate_id) FROM contact_candidate_states WHERE state = 'open' AND tenant_id = ?)`)
    .run(tenants.home.id)
  connection.close()
  expect(changes).toBe(1)
}

async function submittedVersions(client: TestClient): Promise<Item[]> {
  const sets = (await client.get<ListPage<{ id: string }>>('/scoring/rule-sets?limit=200')).body.items
  const versions = await Promise.all(sets.map(({ id }) => pageOf(`/scoring/rule-sets/${id}/versions`)(client)))
  return versions.flat()
}

/** By key of the kind. A new kind needs a case. */
const cases: Readonly<Record<string, Case>> = {
  assist_policies: {
    list: pageOf('/assist/policies'),
    isFor: (item, userId) => item.state === 'in_review' && byOthers(item, userId),
    isProposed: true,
  },
  assist_suggestions: { list: pageOf('/assist/suggestions?state=proposed'), isFor: byOthers, isProposed: true },
  contact_candidates: { list: pageOf('/contact-candidates?state=open') },
  domain_candidates: { list: pageOf('/domain-candidates?state=open') },
  draft_policies: {
    list: pageOf('/draft-policies?state=proposed'),
    isFor: ({ mayDecide }) => mayDecide === true,
    isProposed: true,
    prepare: asAdministrator('proposeDraftPolicy'),
  },
  drafts: {
    list: pageOf('/draft-approval-requests'),
    isFor: ({ mayDecide }) => mayDecide === true,
    isProposed: true,
    prepare: asAdministrator('requestDraftApproval'),
  },
  official_sites: { list: pageOf('/official-sites?state=proposed'), isFor: byOthers, isProposed: true },
  quarantined_contacts: { list: pageOf('/contact-candidates?state=quarantined'), prepare: quarantineOne },
  scan_policies: {
    list: pageOf('/scan-policies'),
    isFor: (item, userId) => item.state === 'pending' && byOthers(item, userId),
    isProposed: true,
  },
  scoring_versions: {
    list: submittedVersions,
    isFor: (item, userId) => item.state === 'submitted' && byOthers(item, userId),
    isProposed: true,
  },
  source_incidents: {
    list: pageOf('/source-incidents'),
    isFor: (item, userId) => item.decision === null && byOthers(item, userId),
    isProposed: true,
  },
  sources: { list: pageOf('/sources?waitingForMe=true') },
  subject_requests: { list: pageOf('/subject-requests?state=overdue'), prepare: overdueDay },
  suppressions: { list: pageOf('/suppressions?status=past_term'), prepare: dueTerm },
}

type Tile = { status: string; value: number | null; parts: { key: string; value: number; isAtLeast: boolean }[] }

async function waitingOf(client: TestClient): Promise<Map<string, number>> {
  const { body } = await client.get<Tile>('/dashboard/tiles/waiting')
  expect(body.status).toBe('ready')
  expect(body.parts.filter(({ isAtLeast }) => isAtLeast)).toEqual([])
  return new Map(body.parts.map(({ key, value }) => [key, value]))
}

async function countAs({ store, tenants }: TestApp, key: string, userId: string): Promise<number> {
  const { id: tenantId } = tenants.home
  const { users } = tenants.home
  const permissions = permissionsOf('administrator')
  const actor = { kind: 'user', tenantId, userId, name: users.administrator.name, permissions } as unknown as UserActor
  const asked = { store, cursors: createCursors(store.keys), adapters: testAdapters, actor }
  const at = store.clock().toISOString()
  const kind = kinds.find((one) => one.key === key)
  return (await kind?.count({ ...asked, db: store.backgroundOf(tenantId), at }, 1_000))?.count ?? Number.NaN
}

test('each kind of waiting decisions has a case, and no case is of another kind', () => {
  expect(Object.keys(cases).toSorted()).toEqual(kinds.map(({ key }) => key).toSorted())
})

test.for(kinds.map(({ key, permission }) => [key, permission] as const))(
  'the number of %s is what its list offers each person to decide, and 0 without %s',
  async ([key, permission]) => {
    const { list, isFor = () => true, isProposed, prepare } = cases[key] as Case
    const { t, place } = await furnishedApp()
    await prepare?.(t, place)
    const counted: number[] = []
    const proposers = new Set<string>()
    for (const role of roles) {
      const client = await freshClient(t, role)
      const { body: session } = await client.get<Session>('/session')
      const count = (await waitingOf(client)).get(key) ?? 0
      if (!session.permissions.includes(permission)) {
        expect([role, count]).toEqual([role, 0])
        continue
      }
      const items = await list(client)
      const offered = items.filter((item) => isFor(item, session.user.id))
      expect([role, count]).toEqual([role, offered.length])
      counted.push(count)
      for (const item of isProposed ? offered : []) for (const id of proposersOf(item)) proposers.add(id)
    }
    expect(Math.max(...counted)).toBeGreaterThan(0)
    expect(proposers.size > 0).toBe(isProposed === true)
    // The role of a proposer may not have the permission, so the count is called as if it had.
    for (const userId of proposers) expect(await countAs(t, key, userId)).toBeLessThan(await countAs(t, key, 'nobody'))
  },
)

/** Statements that may read all rows of a tenant, each with what bounds them. */
const bounded: readonly RegExp[] = [
  // One row for each person and desk.
  /from "source_desks"/,
  // Versions and incidents, which people write one by one.
  /from "(assist_policies|draft_policies|scan_policies|scoring_versions|source_incidents)"/,
  // Partial indexes of what waits.
  /"outcome" is null/,
  /assist_results_open/,
  // `MAX_WALKED` ends the count.
  /LIMIT 1 OFFSET/,
]

test('each count of waiting decisions has a bounded plan', async () => {
  const { t } = await furnishedApp()
  await dueTerm(t)
  const administrator = await freshClient(t, 'administrator')
  const statements = watchStatements()
  await waitingOf(administrator)
  vi.restoreAllMocks()
  const asked = askedOf(statements)
  const counts = asked.filter(({ where }) => where === 'background')
  // The two counts of contact candidates are one statement, and that of sources reads the list.
  expect(counts.length).toBeGreaterThanOrEqual(declared.length - 2)
  const { walking } = findPlans(t.store, asked)
  // Counts have a limit, which does not end one that finds too few rows.
  const connection = openConnection(join(t.store.dataDir, STORE_FILE), { readonly: true })
  const limited = counts.flatMap(({ sql }) => {
    const plan = planOf(connection, sql).filter((step) => /\(tenant_id=\?( AND \w+[<>]\?)?\)$/.test(step))
    return plan.length === 0 ? [] : [{ sql, plan }]
  })
  connection.close()
  expect([...walking, ...limited].filter(({ sql }) => !bounded.some((part) => part.test(sql)))).toEqual([])
})
