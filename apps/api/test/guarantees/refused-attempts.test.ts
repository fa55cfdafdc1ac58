import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { ask, freshClient, nameOf } from '../asking.ts'
import type { TestApp, TestClient } from '../build-app.ts'
import { everywhere, furnishedApp } from '../furnished.ts'
import { bodyOf, declared, type Operation, operations, pathValues } from '../operations.ts'
import { writerOf } from '../writer-of.ts'

/*
 * Refused attempts to approve (specification, Phase 13 §4) are audit events of their record. The operations come from the routes and fixtures of all
 * rooms.
 */

const recorded = operations.filter(({ refused }) => refused !== undefined)
const MINUTE_MS = 60_000

type Event = {
  action: string
  subject_id: string
  business_id: string | null
  actor: string
  after: Record<string, unknown>
}

async function refusalsIn({ store, tenants }: TestApp): Promise<Event[]> {
  const actions = recorded.flatMap(({ refused }) => refused?.action ?? [])
  const rows = await store.reader
    .selectFrom('audit_events')
    .selectAll()
    .where('tenant_id', 'in', [tenants.home.id, tenants.other.id])
    .where('action', 'in', actions)
    .orderBy('sequence')
    .execute()
  return rows.map(({ after_json, ...row }) => ({ ...row, after: JSON.parse(after_json ?? '{}') }))
}

/** Returns the refusals that `work` adds. */
async function addedBy(t: TestApp, work: () => Promise<unknown>): Promise<Event[]> {
  const before = (await refusalsIn(t)).length
  await work()
  return (await refusalsIn(t)).slice(before)
}

const askAs = (client: TestClient, operation: Operation, place: Parameters<typeof ask>[1]) =>
  ask(operation, place, { client })

test('every route that approves, enables or resets something records refused attempts, with these exceptions', () => {
  const deciding = /(^|-)(approvals?|decision|enablement|resets?)$/
  const without = declared.filter(
    ({ method, url, config }) =>
      method !== 'GET' && deciding.test(url.split('/').at(-1) ?? '') && config?.refused === undefined,
  )
  // Nobody proposes these to another person: operators decide on values that were found on a page, and an administrator enables extraction alone.
  // The resets of passwords and factors belong to accounts, not to approvals.
  expect(without.map(({ schema }) => schema?.operationId).sort()).toEqual([
    'decideContactCandidate',
    'resetFactors',
    'resetPassword',
    'setExtractionEnablement',
  ])
  expect(recorded.length).toBeGreaterThan(11)
})

test('an attempt without the permission is recorded with the record and the code, once a minute', async () => {
  const { t, place } = await furnishedApp()
  const viewer = await t.as('viewer')
  for (const operation of recorded) {
    const added = await addedBy(t, async () => {
      for (let times = 0; times < 3; times += 1) await askAs(viewer, operation, place)
    })
    const values = Object.values(pathValues(operation, place))
    expect([nameOf(operation), added]).toMatchObject([
      nameOf(operation),
      [
        {
          action: operation.refused?.action,
          subject_id: expect.toSatisfy((id) => values.includes(id)),
          actor: t.tenants.home.users.viewer.id,
          after: { code: 'permission_denied', attempted: operation.id },
        },
      ],
    ])
  }
  t.clock.advance(MINUTE_MS)
  const again = await addedBy(t, async () => {
    for (const operation of recorded) await askAs(viewer, operation, place)
  })
  expect(again).toHaveLength(recorded.length)
})

test('an attempt of a person with the permission that the record refuses is recorded with its code', async () => {
  const { t, place } = await furnishedApp()
  const seen: (string | undefined)[] = []
  for (const operation of recorded) {
    const client = await freshClient(t, 'administrator')
    const body = bodyOf(operation, place)
    const decision = operation.refused?.decision
    const approving = typeof body === 'object' && decision !== undefined ? { ...body, decision } : body
    const codes: (string | undefined)[] = []
    const added = await addedBy(t, async () => {
      // The first attempt succeeds for most operations. The second one finds that the record waits for no decision.
      for (let times = 0; times < 2; times += 1) {
        const answer = await ask(operation, place, { client, body: approving })
        if ([403, 409, 422].includes(answer.status)) codes.push(answer.body.code)
      }
    })
    expect([nameOf(operation), added.map(({ after }) => after.code)]).toEqual([nameOf(operation), [...new Set(codes)]])
    seen.push(...codes)
  }
  expect(seen.length).toBeGreaterThan(8)
})

test('a refused decision that does not approve is not recorded', async () => {
  const { t, place } = await furnishedApp()
  const deciding = recorded.filter(({ refused }) => refused?.decision !== undefined)
  const statuses: number[] = []
  const added = await addedBy(t, async () => {
    for (const operation of deciding) {
      const client = await freshClient(t, 'administrator')
      const body = bodyOf(operation, place)
      for (const decision of ['reject', 'withdraw'])
        for (let times = 0; times < 2; times += 1)
          statuses.push((await ask(operation, place, { client, body: { ...Object(body), decision } })).status)
    }
  })
  expect(deciding.length).toBeGreaterThan(4)
  expect(statuses.filter((status) => status === 409 || status === 422).length).toBeGreaterThan(3)
  expect(added).toEqual([])
})

test('nothing is recorded for a stale proof, a missing record or a record of another tenant', async () => {
  const { t, place, foreign } = await furnishedApp()
  const viewer = await t.as('viewer')
  const administrator = await t.as('administrator')
  t.clock.advance(16 * MINUTE_MS)
  const stale: string[] = []
  const added = await addedBy(t, async () => {
    for (const operation of recorded) {
      for (const elsewhere of [everywhere(place, newId()), everywhere(place, '%00'), foreign])
        await ask(operation, place, { client: viewer, values: pathValues(operation, elsewhere) })
      // Operations without a step-up succeed or are refused for another reason.
      if (declared.find(({ schema }) => schema?.operationId === operation.id)?.config?.stepUp !== true) continue
      stale.push((await askAs(administrator, operation, place)).body.code)
    }
  })
  expect(stale.length).toBeGreaterThan(6)
  expect(new Set(stale)).toEqual(new Set(['step_up_required']))
  expect(added).toEqual([])
})

test('a loop of refusals is recorded at most 30 times a minute for one person and action, also at once', async () => {
  const { t, place } = await furnishedApp()
  const viewer = await t.as('viewer')
  const administrator = await t.as('administrator')
  const operation = operationNamed('approveScanPolicy')
  const policies: string[] = []
  for (let index = 0; index < 32; index += 1) {
    const { body } = await administrator.post<{ id: string }>('/scan-policies', { bounds: {}, retentionDays: 90 })
    policies.push(body.id)
  }
  const approve = (policyId = '') => ask(operation, place, { client: viewer, values: { policyId } })
  const together = await addedBy(t, () => Promise.all(Array.from({ length: 20 }, () => approve(policies[0]))))
  expect(together).toHaveLength(1)
  const many = await addedBy(t, async () => {
    for (const policyId of policies) await approve(policyId)
  })
  expect(many).toHaveLength(29)
  const operator = await t.as('operator')
  expect(await addedBy(t, () => askAs(operator, operation, place))).toHaveLength(1)
})

test('a refusal that cannot be recorded stays a refusal, and the log has the cause', async () => {
  const { t, place } = await furnishedApp()
  const operation = operationNamed('approveDraft')
  await sql`CREATE TRIGGER unrecorded BEFORE INSERT ON audit_events WHEN NEW.action = 'draft.approval_failed'
    BEGIN SELECT RAISE(ABORT, 'no room for events'); END`.execute(await writerOf(t.store))
  const added = await addedBy(t, async () => {
    const { status, body } = await askAs(await t.as('viewer'), operation, place)
    expect([status, body.code]).toEqual([403, 'permission_denied'])
  })
  expect(added).toEqual([])
  expect(t.logged()).toContain('A refused attempt could not be recorded in the audit.')
  expect(t.logged()).toContain('no room for events')
})

function operationNamed(wanted: string): Operation {
  const operation = recorded.find(({ id }) => id === wanted)
  if (operation === undefined) throw new Error(`No operation ${wanted} records refusals.`)
  return operation
}
