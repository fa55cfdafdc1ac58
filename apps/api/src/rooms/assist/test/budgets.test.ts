import { expect, test } from 'vitest'
import {
  type AssistWorld,
  assistWorld,
  completed,
  honestAnswer,
  type PromptScript,
  providerFailed,
  suggested,
} from '../../../../test/assist-world.ts'
import { untilJob, work } from '../../../../test/job-world.ts'
import { addEvidenceTo, type Problem } from '../../../../test/prospects.ts'
import { actorIn } from '../../../../test/temporary-store.ts'
import { change } from '../../../store/change/change.ts'
import { jobKindsOf } from '../../jobs/jobs.ts'
import { assistSuggestion } from '../assist.jobs.ts'
import { correctBudget } from '../budgets/budgets.ts'
import type { Preview, Suggestion } from '../suggestions/suggestions.schema.ts'

const budgets = {
  callsPerMinute: 100,
  callsPerDay: 100,
  tokensPerDay: 10_000_000,
  costPerDay: 100_000,
  costPerMonth: 100_000,
}
const evidence = { field: 'industry', value: 'Windpumps and boreholes', observation: null }

async function ready(limits: Partial<typeof budgets>, script?: PromptScript, policy: Record<string, unknown> = {}) {
  const world = await assistWorld(script)
  await world.approvedPolicy({ budgets: { ...budgets, ...limits }, ...policy })
  const { id } = await addEvidenceTo(world.operator, world.businessId, evidence)
  return { ...world, evidenceIds: [id] }
}

type Usage = {
  tenant: { window: string; limit: number; reserved: number; settled: number }[]
  operator: { window: string; available: number }[]
  entries: { items: { kind: string; tokens: number; cost: number; reason: string | null }[] }
}
const usageOf = async ({ operator }: AssistWorld) => (await operator.get<Usage>('/assist/usage')).body

test('16 concurrent requests against a budget for one call make one call', async () => {
  const world = await ready({ callsPerDay: 1 })
  const { operator, businessId, evidenceIds, t, adapters } = world
  const selection = { businessId, purpose: 'prospect_summary', evidenceIds }
  const { contentHash } = (await operator.post<Preview>('/assist/previews', selection)).body
  const body = { ...selection, contentHash }
  // More at once would exceed the workspace's share of the examinations that may wait.
  const asked = await Promise.all(
    Array.from({ length: 16 }, (_, key) =>
      operator.post<Suggestion>('/assist/suggestions', body, { 'idempotency-key': `key ${key}` }),
    ),
  )
  expect(asked.every(({ status }) => status === 202)).toBe(true)
  const worker = work({ store: t.store, kinds: jobKindsOf([assistSuggestion]), adapters })
  for (const { body: one } of asked) await untilJob(t.store, one.jobId, ({ ended_at }) => ended_at !== null)
  await worker.stop()
  expect(world.prompts).toHaveLength(1)
  const results = await t.store.reader.selectFrom('assist_results').select(['state', 'state_code']).execute()
  expect(results.filter(({ state }) => state === 'proposed')).toHaveLength(1)
  expect(results.filter(({ state_code: code }) => code === 'budget_exhausted')).toHaveLength(15)
  const day = (await usageOf(world)).tenant.find(({ window }) => window === 'calls_per_day')
  expect(day).toMatchObject({ limit: 1, reserved: 0, settled: 1 })
})

test('a full budget blocks a preview and refuses a request, and says which and until when', async () => {
  const world = await ready({ tokensPerDay: 10 })
  const { operator, businessId, evidenceIds } = world
  const selection = { businessId, purpose: 'prospect_summary', evidenceIds }
  const { body } = await operator.post<Preview>('/assist/previews', selection)
  expect(body).toMatchObject({ content: null, blocked: { code: 'budget_exhausted' } })
  expect(body.blocked?.detail).toContain('of this workspace for tokens per day')
  expect(body.blocked?.detail).toContain('2026-11-22T00:00:00.000Z')
  const request = { ...selection, contentHash: 'a'.repeat(64) }
  const refused = await operator.post<Problem>('/assist/suggestions', request, { 'idempotency-key': 'a' })
  expect([refused.status, refused.body.code]).toEqual([409, 'preview_changed'])
})

test('usage that the provider does not report, and a failed call, keep the reservation whole; a refused permit releases it', async () => {
  const world = await ready({}, (input) => completed(honestAnswer(input), { usage: null }))
  const suggestion = await suggested(world, world.evidenceIds)
  const { entries } = await usageOf(world)
  const [settlement, reservation] = entries.items
  expect(settlement).toMatchObject({ kind: 'settlement', tokens: 0, cost: 0 })
  expect(suggestion.usage).toMatchObject({ tokens: reservation?.tokens, reported: false })

  const failing = await ready({}, () => providerFailed('timeout'))
  await suggested(failing, failing.evidenceIds)
  const spent = (await usageOf(failing)).tenant.find(({ window }) => window === 'tokens_per_day')
  expect(spent?.settled).toBeGreaterThan(2_048)

  const slow = await assistWorld(undefined, { contract: { rate: { perMinute: 1, perDay: 10 } } })
  await slow.approvedPolicy({ budgets })
  const { id } = await addEvidenceTo(slow.operator, slow.businessId, evidence)
  expect((await suggested(slow, [id])).state).toBe('proposed')
  const deferred = await suggested(slow, [id])
  expect(deferred.result).toMatchObject({ kind: 'unavailable', reason: 'budget_minute' })
  expect(deferred.result?.retryAfter).toMatch(/^2026-/)
  const calls = (await usageOf(slow)).tenant.find(({ window }) => window === 'calls_per_day')
  expect(calls).toMatchObject({ reserved: 0, settled: 1 })
})

test('a price of 0 still counts calls and tokens', async () => {
  const prices = { inputPerMillionTokens: 0, outputPerMillionTokens: 0, currency: 'ZAR' }
  const world = await ready({ costPerDay: 0, costPerMonth: 0 }, undefined, { prices })
  const suggestion = await suggested(world, world.evidenceIds)
  expect(suggestion).toMatchObject({ state: 'proposed', usage: { tokens: 250, cost: 0 } })
  const { tenant } = await usageOf(world)
  expect(tenant.map(({ window, settled }) => [window, settled])).toEqual([
    ['calls_per_minute', 1],
    ['calls_per_day', 1],
    ['tokens_per_day', 250],
    ['cost_per_day', 0],
    ['cost_per_month', 0],
  ])
})

test('a second call at once, above the number that the operator permits, ends with a reason of its own and uses up no budget', async () => {
  const limits = {
    callsPerMinute: 100,
    callsPerDay: 100,
    tokensPerDay: 10_000_000,
    costPerDay: 100_000,
    costPerMonth: 100_000,
  }
  const started = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const script: PromptScript = async (input) => {
    started.resolve()
    await released.promise
    return completed(honestAnswer(input))
  }
  const world = await assistWorld(script, { limits: { ...limits, concurrentCalls: 1 } })
  await world.approvedPolicy({ budgets })
  const { id } = await addEvidenceTo(world.operator, world.businessId, evidence)
  const { operator, businessId, t, adapters } = world
  const selection = { businessId, purpose: 'prospect_summary', evidenceIds: [id] }
  const { contentHash } = (await operator.post<Preview>('/assist/previews', selection)).body
  const request = (key: string) =>
    operator.post<Suggestion>('/assist/suggestions', { ...selection, contentHash }, { 'idempotency-key': key })
  const [first, second] = [(await request('one')).body, (await request('two')).body]
  const worker = work({ store: t.store, kinds: jobKindsOf([assistSuggestion]), adapters })
  await started.promise
  const jobs = [first.jobId, second.jobId]
  await expect
    .poll(async () => {
      const rows = await t.store.reader.selectFrom('jobs').select('ended_at').where('id', 'in', jobs).execute()
      return rows.filter(({ ended_at }) => ended_at !== null).length
    })
    .toBe(1)
  released.resolve()
  for (const jobId of jobs) await untilJob(t.store, jobId, ({ ended_at }) => ended_at !== null)
  await worker.stop()
  const read = async ({ id: suggestionId }: Suggestion) =>
    (await operator.get<Suggestion>(`/assist/suggestions/${suggestionId}`)).body
  const ends = [await read(first), await read(second)].toSorted((one, other) => one.state.localeCompare(other.state))
  expect(ends.map(({ state, result }) => [state, result?.reason])).toEqual([
    ['no_result', 'too_many_calls'],
    ['proposed', null],
  ])
  const day = (await usageOf(world)).tenant.find(({ window }) => window === 'calls_per_day')
  expect(day).toMatchObject({ reserved: 0, settled: 1 })
})

test('the limits of the operator hold over all workspaces', async () => {
  const limits = { callsPerMinute: 1, callsPerDay: 1, tokensPerDay: 100_000, costPerDay: 1_000, costPerMonth: 1_000 }
  const world = await assistWorld(undefined, { limits: { ...limits, concurrentCalls: 1 } })
  await world.approvedPolicy()
  const { id } = await addEvidenceTo(world.operator, world.businessId, evidence)
  const { t } = world
  // A call of another workspace by the same adapter.
  const actor = actorIn(t.tenants.other.id)
  await change(t.store, actor, { permission: null, action: 'test.end' }, (tx) =>
    correctBudget(tx, { adapterId: 'fixture', calls: 1, tokens: 10, cost: 0, reason: 'Called by hand.' }),
  )
  const selection = { businessId: world.businessId, purpose: 'prospect_summary', evidenceIds: [id] }
  const { body } = await world.operator.post<Preview>('/assist/previews', selection)
  expect(body.blocked?.detail).toContain('of the server operator for calls per minute')
  expect((await usageOf(world)).entries.items).toEqual([])
})
