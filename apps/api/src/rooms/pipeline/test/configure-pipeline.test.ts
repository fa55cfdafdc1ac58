import { test } from 'vitest'
import { type Answer, buildTestApp, TEST_PASSWORD, type TestClient } from '../../../../test/build-app.ts'
import { HOME_ADMINISTRATOR, personAt } from '../../../../test/person.ts'
import { createProspect, endProspect, type ListPage, moveTo } from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Pipeline } from '../pipeline.schema.ts'

async function setUp() {
  const t = await buildTestApp()
  const [operator, administrator] = [await t.as('operator'), await t.as('administrator')]
  const { id } = await createProspect(operator)
  return { t, operator, administrator, id }
}

async function configure(client: TestClient, body: Record<string, boolean>): Promise<Answer<Pipeline>> {
  const { headers } = await client.get('/pipeline')
  return client.patch<Pipeline>('/pipeline', body, { 'if-match': String(headers.etag) })
}

test('disabling a state is recorded with before and after, raises the version, and changes nothing else', async ({
  expect,
}) => {
  const { t, administrator } = await setUp()
  const answers: Answer<Pipeline>[] = []
  const changes = await t.changes(async () => {
    answers.push(await configure(administrator, { pausedEnabled: false }))
  })
  expect(changes).toEqual({ pipeline_configurations: 1, audit_events: 1 })
  expect(answers).toMatchObject([
    {
      status: 200,
      headers: { etag: '"2"' },
      body: { version: 2, configuration: { pausedEnabled: false, disqualifiedEnabled: true } },
    },
  ])
  const [event] = (await administrator.get<ListPage<AuditEvent>>('/audit-events?action=pipeline.configure')).body.items
  expect(event).toMatchObject({
    actor: { id: t.tenants.home.users.administrator.id },
    subject: { type: 'pipeline', id: t.tenants.home.id },
    businessId: null,
    before: { pausedEnabled: true, disqualifiedEnabled: true },
    after: { pausedEnabled: false, disqualifiedEnabled: true },
  })
})

test('requires a recent authentication', async ({ expect }) => {
  const t = await buildTestApp()
  const administrator = personAt(t)
  await administrator.signIn(HOME_ADMINISTRATOR)
  t.clock.advance(15 * 60_000)
  const answers: Answer<Pipeline>[] = []
  const changes = await t.changes(async () => {
    answers.push(await configure(administrator, { pausedEnabled: true }))
  })
  expect(answers).toMatchObject([{ status: 403, body: { code: 'step_up_required' } }])
  // The session's row changes, because it records its last use.
  expect({ ...changes, sessions: 0 }).toEqual({ sessions: 0 })
  expect((await administrator.post('/session/mfa', { password: TEST_PASSWORD })).status).toBe(200)
  expect((await configure(administrator, { pausedEnabled: true })).status).toBe(200)
})

test('a configuration without changes writes nothing', async ({ expect }) => {
  const { t, administrator } = await setUp()
  await configure(administrator, { disqualifiedEnabled: false })
  for (const body of [{}, { pausedEnabled: true }, { pausedEnabled: true, disqualifiedEnabled: false }]) {
    const answers: Answer<Pipeline>[] = []
    const changes = await t.changes(async () => {
      answers.push(await configure(administrator, body))
    })
    expect([changes, answers]).toMatchObject([{}, [{ status: 200, headers: { etag: '"2"' }, body: { version: 2 } }]])
  }
  for (const body of [{ pausedEnabled: null }, { pausedEnabled: 'true' }, { wonEnabled: true }])
    expect((await administrator.patch('/pipeline', body, { 'if-match': '"2"' })).status).toBe(400)
})

test('a tenant’s configuration is its own', async ({ expect }) => {
  const { t, administrator } = await setUp()
  await configure(administrator, { pausedEnabled: false, disqualifiedEnabled: false })
  const { body } = await (await t.as('viewer', 'other')).get<Pipeline>('/pipeline')
  expect([body.version, body.configuration]).toEqual([1, { pausedEnabled: true, disqualifiedEnabled: true }])
  expect(body.states.filter(({ count }) => count > 0)).toEqual([])
})

test('the pipeline counts the active prospects of each state in the reader’s tenant only', async ({ expect }) => {
  const { t, operator, id } = await setUp()
  await moveTo(operator, id, 'contacted')
  const [ended] = [await createProspect(operator), await createProspect(operator)]
  await endProspect(t, ended.id, { status: 'inactive' })
  await createProspect(await t.as('operator', 'other'))
  const { body, headers } = await operator.get<Pipeline>('/pipeline')
  expect(headers.etag).toBe('"1"')
  expect(body.asOf).toBe(t.clock().toISOString())
  expect(Object.fromEntries(body.states.map(({ state, count }) => [state, count]))).toEqual({
    new: 1,
    contacted: 1,
    qualified: 0,
    proposal: 0,
    negotiation: 0,
    won: 0,
    lost: 0,
    paused: 0,
    disqualified: 0,
  })
})
