import { expect, test } from 'vitest'
import {
  type AssistWorld,
  assistContract,
  assistWorld,
  providerFailed,
  suggested,
} from '../../../../test/assist-world.ts'
import { buildTestApp } from '../../../../test/build-app.ts'
import { addEvidenceTo, type Problem } from '../../../../test/prospects.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { readStatus } from '../status/read-status.ts'
import type { AssistStatus, StatusKey } from '../status/status.schema.ts'

const statusOf = async ({ operator }: AssistWorld) => (await operator.get<AssistStatus>('/assist/status')).body
const openItems = async (world: AssistWorld) =>
  (await statusOf(world)).items.filter(({ state }) => state !== 'present').map(({ key, state }) => `${key} ${state}`)

test('without adapters, sources and policies, assistance is disabled and every item is named with who resolves it', async () => {
  const t = await buildTestApp()
  const viewer = await t.as('viewer')
  const { body } = await viewer.get<AssistStatus>('/assist/status')
  expect(body.enabled).toBe(false)
  expect(body.items.map(({ key, state }) => `${key} ${state}`)).toEqual([
    'provider missing',
    'tenant_scope missing',
    'purpose missing',
    'data_class missing',
    'redaction missing',
    'retention missing',
    'budgets missing',
    'approval missing',
    'enablement missing',
  ])
  for (const { detail } of body.items) expect(detail).toMatch(/\w/)
})

test('with every item recorded, assistance is enabled', async () => {
  const world = await assistWorld()
  await world.approvedPolicy()
  expect(await statusOf(world)).toMatchObject({ enabled: true, source: { id: world.sourceId } })
  expect(await openItems(world)).toEqual([])
})

const part = (key: string, value: unknown = undefined) => ({ [key]: value })
const without: [StatusKey, string, (world: AssistWorld) => Promise<unknown>][] = [
  ['tenant_scope', 'missing', (world) => world.draft(part('sourceVersion'))],
  ['tenant_scope', 'missing', (world) => world.draft({ sourceVersion: 9 })],
  ['purpose', 'missing', (world) => world.draft(part('purposes'))],
  ['data_class', 'missing', (world) => world.draft(part('dataClasses'))],
  ['redaction', 'missing', (world) => world.draft(part('redactionVersion'))],
  ['retention', 'missing', (world) => world.draft(part('retention'))],
  ['budgets', 'missing', (world) => world.draft(part('budgets'))],
  ['budgets', 'missing', (world) => world.draft(part('prices'))],
  ['approval', 'missing', (world) => world.draft({})],
  [
    'approval',
    'expired',
    async (world) => {
      await world.approvedPolicy({}, 10)
      world.t.clock.advance(11 * 86_400_000)
    },
  ],
  [
    'enablement',
    'expired',
    async (world) => {
      await world.approvedPolicy({}, 300)
      world.t.clock.advance(61 * 86_400_000)
    },
  ],
  [
    'enablement',
    'missing',
    async (world) => {
      await world.approvedPolicy()
      await world.author.post(`/sources/${world.sourceId}/disablement`, { reason: 'Stopped.' })
    },
  ],
  [
    'provider',
    'missing',
    async (world) => {
      await world.approvedPolicy()
      await world.author.post(`/sources/${world.sourceId}/withdrawal`, { reason: 'Gone.' })
    },
  ],
]

test.each(without)('where %s is %s, assistance is disabled and the status names it', async (key, state, undo) => {
  const world = await assistWorld()
  await undo(world)
  world.operator = await world.again('operator')
  const { enabled } = await statusOf(world)
  expect(enabled).toBe(false)
  expect(await openItems(world)).toContain(`${key} ${state}`)
})

const ofSources: [string, StatusKey, string, (world: AssistWorld) => Promise<unknown>][] = [
  [
    'the circuit of the source is open',
    'provider',
    'missing',
    async (world) => {
      const { id } = await addEvidenceTo(world.operator, world.businessId, { field: 'industry', value: 'Windpumps' })
      expect((await suggested(world, [id])).result?.reason).toBe('server_error')
    },
  ],
  [
    'a desk revoked its approval',
    'approval',
    'missing',
    async ({ administrator, read: readSource, sourceId }) => {
      const { approvals } = await readSource(sourceId)
      const decisionId = approvals.find(({ desk }) => desk === 'legal')?.decisionId
      return administrator.post(`/sources/${sourceId}/revocations`, { decisionId, reason: 'The terms changed.' })
    },
  ],
  ['the approvals of the source expired', 'approval', 'expired', async ({ t }) => t.clock.advance(301 * 86_400_000)],
  [
    'the source has another version',
    'tenant_scope',
    'missing',
    ({ author, sourceId, wholeContract }) =>
      author.post(`/sources/${sourceId}/versions`, { contract: wholeContract({ ...assistContract, concurrency: 3 }) }),
  ],
]

test.each(ofSources)('where %s, the status names %s as %s, and since when', async (_what, key, state, cause) => {
  const circuit = { failureRatio: 1, consecutiveFailures: 1, latencyMs: 100_000, closeAfterSuccesses: 1 }
  const world = await assistWorld(() => providerFailed('server_error'), { contract: { circuit } })
  await world.approvedPolicy({}, 350)
  await cause(world)
  world.operator = await world.again('operator')
  const { enabled, items } = await statusOf(world)
  const item = items.find((one) => one.key === key)
  expect([enabled, item?.state]).toEqual([false, state])
  expect(item?.resolvableBy).toBe(key === 'tenant_scope' ? 'administrator' : 'manager')
  if (key !== 'tenant_scope') expect(item?.since).toMatch(/^202/)
})

test('where the adapter is lost or the file of adapters is another one, the status names it without a change of the policy', async () => {
  const world = await assistWorld()
  await world.approvedPolicy()
  const { t, adapters } = world
  const view = { db: t.store.reader, tenantId: t.tenants.home.id, at: t.clock().toISOString() }
  const open = async (loaded: LoadedAdapters) => {
    const { enabled, items } = await readStatus({ ...view, adapters: loaded })
    return { enabled, open: items.filter(({ state }) => state !== 'present') }
  }
  expect(await open(adapters)).toEqual({ enabled: true, open: [] })
  const lost = await open({ file: null, items: [] })
  expect(lost.enabled).toBe(false)
  expect(lost.open[0]).toMatchObject({ key: 'provider', state: 'missing', resolvableBy: 'server_operator' })
  const other = await open({ ...adapters, file: { sha256: 'b'.repeat(64) } })
  expect(other.enabled).toBe(false)
  expect(other.open.map(({ key }) => key)).toContain('approval')
})

test('a disabled status refuses a preview with every missing item', async () => {
  const world = await assistWorld()
  const { id } = await addEvidenceTo(world.operator, world.businessId)
  const request = { businessId: world.businessId, purpose: 'prospect_summary', evidenceIds: [id] }
  const { status, body } = await world.operator.post<Problem>('/assist/previews', request)
  expect([status, body.code]).toEqual([422, 'assist_disabled'])
  expect(body.errors?.map(({ path }) => path)).toContain('approval')
})
