import { expect, test } from 'vitest'
import {
  type AssistWorld,
  assistWorld,
  completed,
  honestAnswer,
  type PromptScript,
  providerFailed,
  receiptOf,
} from '../../../../test/assist-world.ts'
import { tryProvider } from '../assist.ts'

const trial = ({ t, adapters }: AssistWorld) => tryProvider({ store: t.store, adapters }, t.tenants.home.id)

async function enabled(script?: PromptScript, policy: Record<string, unknown> = {}) {
  const world = await assistWorld(script)
  await world.approvedPolicy(policy)
  return world
}

test('a trial sends synthetic evidence once, settles its usage, and writes no suggestion and no text', async () => {
  const world = await enabled((input) => completed(honestAnswer(input)))
  const changes = await world.t.changes(async () => {
    expect(await trial(world)).toEqual({
      outcome: 'passed',
      detail: 'Every claim of the answer passed.',
      claims: 2,
      model: 'scripted',
      usage: { tokens: 250, cost: 2, reported: true },
    })
  })
  expect(Object.keys(changes).toSorted()).toEqual([
    'assist_usage',
    'audit_events',
    'source_health',
    'source_permits',
    'source_queries',
  ])
  expect(world.prompts).toHaveLength(1)
  expect(JSON.stringify(world.prompts[0]?.query.messages)).toContain('Windpumps and boreholes')
  const events = await world.t.store.reader.selectFrom('audit_events').select(['action', 'after_json']).execute()
  const tried = events.filter(({ action }) => action === 'assist.try')
  expect(tried.map(({ after_json: after }) => JSON.parse(after ?? ''))).toEqual([
    { outcome: 'passed', reason: null, claims: 2, tokens: 250, cost: 2 },
  ])
  expect(JSON.stringify(events)).not.toContain('Windpumps and boreholes')
})

const invented: PromptScript = (input) => {
  const { claims, ...rest }: { claims: unknown[] } = JSON.parse(honestAnswer(input))
  const other = { text: 'It was founded in 1950.', citations: [{ item: 'E1', quotes: ['Founded in 1950'] }] }
  return completed(JSON.stringify({ ...rest, claims: [...claims, other] }))
}

test.each<[string, PromptScript, object]>([
  ['invents a quote', invented, { outcome: 'dropped', claims: 2, detail: expect.stringContaining('quote not found') }],
  [
    'is no JSON',
    () => completed('Sure!'),
    { outcome: 'failed', detail: 'The answer does not have the required form.' },
  ],
  [
    'has no claims',
    (input) => completed(JSON.stringify({ receipt: receiptOf(input), claims: [] })),
    { outcome: 'failed', detail: 'The answer contains no claim.' },
  ],
  [
    'reports no usage',
    (input) => completed(honestAnswer(input), { usage: null }),
    { outcome: 'passed', usage: { reported: false } },
  ],
  ['never comes', () => providerFailed('timeout'), { outcome: 'failed', usage: { reported: false } }],
])('a trial whose answer %s says so, after one call', async (_what, script, expected) => {
  const world = await enabled(script)
  const found = await trial(world)
  expect(found).toMatchObject(expected)
  expect(world.prompts).toHaveLength(1)
  if (!found.usage.reported) expect(found.usage.tokens).toBeGreaterThan(2_048)
})

test('a trial is refused before anything is sent while assistance is disabled or a budget is used up', async () => {
  const disabled = await assistWorld()
  await expect(trial(disabled)).rejects.toMatchObject({ code: 'assist_disabled' })
  const budgets = { callsPerMinute: 100, callsPerDay: 1, tokensPerDay: 1_000_000, costPerDay: 500, costPerMonth: 500 }
  const world = await enabled((input) => completed(honestAnswer(input)), { budgets })
  expect((await trial(world)).outcome).toBe('passed')
  const changes = await world.t.changes(async () => {
    await expect(trial(world)).rejects.toMatchObject({ code: 'budget_exhausted' })
  })
  expect([disabled.prompts.length, world.prompts.length, changes]).toEqual([0, 1, {}])
})

test('a permit that the source refuses releases the reservation of a trial', async () => {
  const world = await assistWorld(undefined, { contract: { rate: { perMinute: 1, perDay: 10 } } })
  await world.approvedPolicy()
  expect((await trial(world)).outcome).toBe('passed')
  const refused = await trial(world)
  expect(refused).toMatchObject({ outcome: 'failed', usage: { tokens: 0, cost: 0 } })
  expect(world.prompts).toHaveLength(1)
})
