import { sql } from 'kysely'
import { test, vi } from 'vitest'
import { askedOf, findPlans, watchStatements } from '../../../../test/statement-plans.ts'
import { actorIn, seedTenant, temporaryStore } from '../../../../test/temporary-store.ts'
import { createCursors, MAX_COUNTED } from '../../../http/pagination.ts'
import type { AuditAction, AuditSubject, Permission } from '../../../lib/declared.ts'
import { newId } from '../../../lib/ids.ts'
import { change } from '../../../store/change/change.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import type { Store } from '../../../store/store.ts'
import { findAuditEvent, listActivity, listAuditEvents, listSecurityEvents } from '../audit.queries.ts'
import type { AuditFilter, SecurityFilter } from '../audit.schema.ts'

async function setUp() {
  const store = temporaryStore()
  const tenantId = await seedTenant(store)
  const cursors = createCursors(store.keys)
  const list = (filter: AuditFilter) => listAuditEvents({ store, cursors, tenantId, query: { limit: 50, ...filter } })
  const security = (filter: SecurityFilter) =>
    listSecurityEvents({ store, cursors, tenantId, query: { limit: 50, ...filter } })
  const activity = (businessId: string, limit = 50, cursor?: string) =>
    listActivity({ store, cursors, tenantId, businessId, family: [businessId], limit, cursor })
  const record = (action: AuditAction, type: AuditSubject, id: string, businessId: string) =>
    change(store, actorIn(tenantId), { permission: null, action }, (tx) =>
      tx.record({ subject: { type, id }, businessId }),
    )
  return { store, tenantId, cursors, list, security, activity, record }
}

/** Returns SQLite's plan of each query that `work` runs on the two readers. */
async function plansOf(store: Store, file: string, work: () => Promise<unknown>): Promise<string> {
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const watch = (db: Store['reader']) => {
    const execute = db.getExecutor().executeQuery
    db.getExecutor().executeQuery = function (query, ...rest) {
      asked.push(query)
      return execute.call(this, query, ...rest) as never
    }
  }
  watch(store.reader)
  const { backgroundOf } = store
  store.backgroundOf = (tenantId) => {
    const db = backgroundOf(tenantId)
    watch(db)
    return db
  }
  await work()
  const connection = openConnection(file, { readonly: true })
  try {
    return asked
      .flatMap(({ sql, parameters }) =>
        connection.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters),
      )
      .map(({ detail }) => detail)
      .join('; ')
  } finally {
    connection.close()
  }
}

test.for([
  [{}, 'sqlite_autoindex_audit_events_1 (tenant_id=?)'],
  [{ actor: 'command line' }, 'audit_events_by_actor (tenant_id=? AND actor=?)'],
  [{ actor: 'command line', from: '2026-01-01' }, 'audit_events_by_actor (tenant_id=? AND actor=? AND at>?)'],
  [{ action: 'note.add' }, 'audit_events_by_action (tenant_id=? AND action=?)'],
  [{ action: 'note.add', to: '2026-01-01' }, 'audit_events_by_action (tenant_id=? AND action=? AND at<?)'],
  [{ from: '2026-01-01', to: '2026-02-01' }, 'audit_events_by_time (tenant_id=? AND at>? AND at<?)'],
  [{ subjectType: 'business' }, 'audit_events_by_time (tenant_id=?)'],
  [{ subjectType: 'note' }, 'audit_events_by_subject_type (tenant_id=? AND subject_type=?)'],
  [
    { subjectType: 'job', from: '2026-01-01' },
    'audit_events_by_subject_type (tenant_id=? AND subject_type=? AND at>?)',
  ],
  [{ subjectType: 'user', actor: 'command line' }, 'audit_events_by_subject_type (tenant_id=? AND subject_type=?)'],
  [{ subjectType: 'job', action: 'job.create' }, 'audit_events_by_subject_type (tenant_id=? AND subject_type=?)'],
] as [AuditFilter, string][])(
  'a list filtered by %o reads its index in its order',
  async ([filter, index], { expect }) => {
    const { store, list } = await setUp()
    const plan = await plansOf(store, `${store.dataDir}/prospect.sqlite`, () => list(filter))
    expect(plan).toContain(index)
    expect(plan).not.toContain('TEMP B-TREE')
  },
)

// If a room declares a new security action, this test fails until a migration adds the action to the index.
test.for([
  {},
  { user: 'u' },
  { action: 'session.fail' },
  { user: 'u', action: 'session.fail', from: '2026-01-01', to: '2026-02-01' },
] as SecurityFilter[])(
  'the security events filtered by %o are read by their own index in its order',
  async (filter, { expect }) => {
    const { store, security } = await setUp()
    const plan = await plansOf(store, `${store.dataDir}/prospect.sqlite`, () => security(filter))
    expect(plan).toContain('SEARCH e USING INDEX audit_events_of_security (tenant_id=?)')
    expect(plan).not.toContain('TEMP B-TREE')
  },
)

test('upkeep of a whole workspace is no security event, and an operator command on it is one', async ({ expect }) => {
  const { store, tenantId, security } = await setUp()
  const subject = { type: 'tenant', id: tenantId } as const
  for (const action of ['job.prune_events', 'audit.restart_checkpoints', 'matching.renormalize'] as const)
    await change(store, actorIn(tenantId), { permission: null, action }, (tx) => tx.record({ subject }))
  expect((await security({})).items.map(({ action }) => action)).toEqual(['audit.restart_checkpoints'])
})

test('a subject is found by the index of subjects or of businesses', async ({ expect }) => {
  const { store, list } = await setUp()
  const plan = await plansOf(store, `${store.dataDir}/prospect.sqlite`, () =>
    list({ subjectType: 'business', subjectId: newId() }),
  )
  expect(plan).toContain('audit_events_by_subject (tenant_id=? AND subject_id=?)')
  expect(plan).toContain('audit_events_by_business (tenant_id=? AND business_id=?)')
})

test('the events of one business are read by its index, with and without a field', async ({ expect }) => {
  for (const filter of [{}, { field: 'phones' }, { subjectType: 'note', actor: 'command line', from: '2026-01-01' }]) {
    const { store, list } = await setUp()
    const plan = await plansOf(store, `${store.dataDir}/prospect.sqlite`, () =>
      list({ businessId: newId(), ...filter }),
    )
    expect(plan).toContain('SEARCH e USING INDEX audit_events_by_business (tenant_id=? AND business_id=?)')
  }
})

test('the activity of a business lists its own events and those of its children, newest first', async ({ expect }) => {
  const { store, activity, record } = await setUp()
  const [businessId, otherBusiness] = [newId(), newId()]
  await record('business.create', 'business', businessId, businessId)
  await record('business.create', 'business', otherBusiness, otherBusiness)
  await record('note.add', 'note', newId(), businessId)
  const page = await activity(businessId)
  expect(page.items.map(({ action }) => action)).toEqual(['note.add', 'business.create'])
  expect(page.page.total).toMatchObject({ value: 2, counts: 'matching_set' })

  const first = await activity(businessId, 1)
  const second = await activity(businessId, 1, first.page.nextCursor ?? '')
  expect([...first.items, ...second.items]).toEqual(page.items)
  expect(second.page.nextCursor).toBeNull()
  await expect(activity(otherBusiness, 1, first.page.nextCursor ?? '')).rejects.toMatchObject({
    code: 'invalid_request',
  })

  const plan = await plansOf(store, `${store.dataDir}/prospect.sqlite`, () => activity(businessId))
  expect(plan).not.toContain('TEMP B-TREE')
})

test('an activity is counted up to the limit, and the total of a longer one is more than the limit', async ({
  expect,
}) => {
  const { store, tenantId, activity } = await setUp()
  const businessId = newId()
  const record = (events: number) =>
    change(store, actorIn(tenantId), { permission: null, action: 'business.edit' }, async (tx) => {
      for (let event = 0; event < events; event++)
        await tx.record({ subject: { type: 'business', id: businessId }, businessId })
    })
  const total = async () => (await activity(businessId)).page.total
  await record(1_001)
  expect(await total()).toMatchObject({ value: 1_001, counts: 'matching_set' })
  await record(MAX_COUNTED - 1_000)
  expect(await total()).toMatchObject({ value: MAX_COUNTED, counts: 'more_than' })
})

test('a filtered list states its total, unless the count would read too many events', async ({ expect }) => {
  const { store, tenantId, cursors, record } = await setUp()
  for (let event = 0; event < 3; event++) {
    await record('note.add', 'note', newId(), newId())
    await record('business.edit', 'business', newId(), newId())
  }
  const total = async (filter: AuditFilter, maxWalked?: number) => {
    const query = { limit: 1, ...filter }
    const { page } = await listAuditEvents({ store, cursors, tenantId, query, ...(maxWalked && { maxWalked }) })
    return page.total && [page.total.value, page.total.counts]
  }
  const actor = 'command line'
  const three = [3, 'matching_set']
  expect(await total({ action: 'note.add' })).toEqual(three)
  expect(await total({ subjectType: 'note' })).toEqual(three)
  expect(await total({ subjectType: 'business' })).toEqual(three)
  expect(await total({ action: 'note.add', actor })).toEqual(three)
  expect(await total({ action: 'note.add', actor: newId() })).toEqual([0, 'matching_set'])
  expect(await total({ actor, subjectType: 'business', from: '2000-01-01', to: '2100-01-01' })).toEqual(three)
  expect(await total({ actor, subjectType: 'business' }, 6)).toEqual(three)
  expect(await total({ actor, subjectType: 'business' }, 2)).toBeNull()
})

test('events contain no names of people: a renamed user is shown by the new name', async ({ expect }) => {
  const { store, tenantId, list } = await setUp()
  const userId = newId()
  const rename = (name: string) =>
    store.write('upkeep', async (db) => {
      await sql`INSERT INTO users (id, email, name, password_hash, status, created_at) VALUES (${userId}, 'a@b.example', ${name}, '', 'active', '2026-01-01') ON CONFLICT (id) DO UPDATE SET name = ${name}`.execute(
        db,
      )
      return { keep: true, value: undefined }
    })
  await rename('Thandi Nkosi')
  const actor = { kind: 'user', userId, tenantId, correlationId: newId(), permissions: new Set<Permission>() } as const
  await change(store, actor, { permission: null, action: 'test.write' }, (tx) =>
    tx.record({ subject: { type: 'user', id: userId } }),
  )
  await rename('Thandi Dlamini')
  expect((await list({})).items[0]?.actor).toEqual({ kind: 'user', id: userId, name: 'Thandi Dlamini' })
})

test('finds an event by its sequence, which its id contains, and no other event at that sequence', async ({
  expect,
}) => {
  const { store, tenantId, record } = await setUp()
  await record('note.add', 'note', newId(), newId())
  const events = await store.reader.selectFrom('audit_events').select('id').orderBy('sequence').execute()
  const last = events.at(-1)
  const statements = watchStatements()
  const find = async (id: string) => (await findAuditEvent(store.reader, tenantId, id))?.id
  expect(await find(last?.id ?? '')).toBe(last?.id)
  expect(await find(newId())).toBeUndefined()
  expect(await find(`${newId().slice(0, 24)}${last?.id.slice(24)}`)).toBeUndefined()

  vi.restoreAllMocks()
  const { walking, sorting } = findPlans(store, askedOf(statements))
  expect([...walking, ...sorting]).toEqual([])
})
