import { MAX_CONCURRENT_CALLS } from '@prospect/adapter-contract/prompt'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { actorIn, seedTenant, temporaryStore } from '../../../../test/temporary-store.ts'
import { createTestClock } from '../../../../test/test-clock.ts'
import { newId } from '../../../lib/ids.ts'
import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import { CALL_LEASE_MS } from '../bounds.ts'
import type { Reservation, Spent } from '../budgets/budgets.rules.ts'
import { budgetRefusal, correctBudget, reserve, settle } from '../budgets/budgets.ts'
import type { Enabled } from '../status/read-status.ts'

/*
 * Model-based test of budgets: two tenants, two adapters (a provider and a fallback) and two processes on one store, with concurrent
 * requests, repeated attempts of a job, lost processes and a clock that advances. The model is a list of entries that is summed naively.
 */

const budgets = { callsPerMinute: 3, callsPerDay: 6, tokensPerDay: 100, costPerDay: 20, costPerMonth: 45 }
const limits = { callsPerMinute: 4, callsPerDay: 9, tokensPerDay: 150, costPerDay: 30, costPerMonth: 60 }
const concurrentCalls = [2, 1] as const

/** `amount` is what the entry counts now: its worst case, and after its settlement what was reported. */
type Entry = {
  tenant: number
  adapter: number
  at: string
  suggestionId: string | null
  amount: Spent
  leaseUntil: string | null
}
const nothing: Spent = { calls: 0, tokens: 0, cost: 0 }
const plus = (a: Spent, b: Spent): Spent => ({
  calls: a.calls + b.calls,
  tokens: a.tokens + b.tokens,
  cost: a.cost + b.cost,
})
const sumOf = (entries: readonly Entry[]) => entries.reduce((sum, { amount }) => plus(sum, amount), nothing)
const atLeastZero = ({ calls, tokens, cost }: Spent): Spent => ({
  calls: Math.max(0, calls),
  tokens: Math.max(0, tokens),
  cost: Math.max(0, cost),
})

function fits(entries: readonly Entry[], most: typeof budgets, asked: Reservation, now: string): boolean {
  const since = (start: string) => atLeastZero(sumOf(entries.filter(({ at }) => at >= start)))
  const minute = since(new Date(Date.parse(now) - 60_000).toISOString())
  const day = since(`${now.slice(0, 10)}T00:00:00.000Z`)
  const month = since(`${now.slice(0, 7)}-01T00:00:00.000Z`)
  return (
    minute.calls + 1 <= most.callsPerMinute &&
    day.calls + 1 <= most.callsPerDay &&
    day.tokens + asked.tokens <= most.tokensPerDay &&
    day.cost + asked.cost <= most.costPerDay &&
    month.cost + asked.cost <= most.costPerMonth
  )
}

function admits(entries: readonly Entry[], tenant: number, adapter: number, asked: Reservation, now: string): boolean {
  const running = entries.filter(({ leaseUntil }) => leaseUntil !== null && leaseUntil > now)
  const ofAdapter = running.filter((one) => one.adapter === adapter)
  return (
    fits(
      entries.filter((one) => one.tenant === tenant),
      budgets,
      asked,
      now,
    ) &&
    fits(
      entries.filter((one) => one.adapter === adapter),
      limits,
      asked,
      now,
    ) &&
    running.length < MAX_CONCURRENT_CALLS &&
    ofAdapter.length < (concurrentCalls[adapter] ?? 0)
  )
}

const which = fc.nat({ max: 1 })
const size = fc.record({ tokens: fc.nat({ max: 40 }), cost: fc.nat({ max: 8 }) })
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      tenant: which,
      adapter: which,
      process: which,
      times: fc.integer({ min: 1, max: 4 }),
      asked: size,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      pick: fc.nat(),
      process: which,
      sent: fc.boolean(),
      used: fc.option(size),
      attempts: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('correct' as const),
      tenant: which,
      adapter: which,
      by: fc.record({
        calls: fc.integer({ min: -2, max: 2 }),
        tokens: fc.integer({ min: -30, max: 30 }),
        cost: fc.integer({ min: -5, max: 5 }),
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('later' as const),
      ms: fc.constantFrom(1_000, 61_000, 180_000, 86_400_000),
    }),
  },
)

test('a call is admitted exactly while every budget of the tenant and of the operator has room for its worst case', async () => {
  const clock = createTestClock()
  const first = temporaryStore({ clock })
  const processes = [first, temporaryStore({ clock, dataDir: first.dataDir })]
  const run = async <T>(process: number, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const store = processes[process] ?? first
    const { value } = await change(store, actorIn(tenantId), { permission: null, action: 'test.budget' }, work as never)
    return value as T
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      clock.advance(3_600_000)
      const tenants = [await seedTenant(first), await seedTenant(first)]
      const adapters = [newId(), newId()]
      const entries: Entry[] = []
      const now = () => clock().toISOString()
      const enabledFor = (adapter: number) =>
        ({
          content: { budgets },
          details: { limits: { ...limits, concurrentCalls: concurrentCalls[adapter] } },
          source: { adapter: { id: adapters[adapter] } },
        }) as unknown as Enabled

      const request = ({
        tenant,
        adapter,
        process,
        asked,
      }: {
        tenant: number
        adapter: number
        process: number
        asked: Reservation
      }) =>
        run(process, tenants[tenant] ?? '', async (tx) => {
          const refused = await budgetRefusal(
            { db: tx.db, tenantId: tx.actor.tenantId, at: tx.at },
            enabledFor(adapter),
            asked,
          )
          if (refused !== undefined) return unchanged(undefined)
          const suggestionId = newId()
          await reserve(tx, { suggestionId, adapterId: adapters[adapter] ?? '', reservation: asked })
          await tx.record({ subject: { type: 'test.trace', id: suggestionId } })
          return suggestionId
        }) as Promise<string | undefined>

      for (const taken of steps) {
        if (taken.do === 'later') clock.advance(taken.ms)
        if (taken.do === 'request') {
          const { tenant, adapter, process, times, asked } = taken
          const admitted = await Promise.all(
            Array.from({ length: times }, (_, index) =>
              request({ tenant, adapter, asked, process: (process + index) % 2 }),
            ),
          )
          const ids = admitted.filter((id) => id !== undefined)
          let expected = 0
          while (expected < times && admits(entries, tenant, adapter, asked, now())) {
            const leaseUntil = new Date(clock().getTime() + CALL_LEASE_MS).toISOString()
            const suggestionId = ids[expected] ?? ''
            entries.push({ tenant, adapter, at: now(), suggestionId, amount: { calls: 1, ...asked }, leaseUntil })
            expected += 1
          }
          expect(ids).toHaveLength(expected)
        }
        if (taken.do === 'end') {
          const open = entries.filter(({ leaseUntil }) => leaseUntil !== null)
          const one = open[taken.pick % Math.max(1, open.length)]
          if (one === undefined) continue
          const adapterId = adapters[one.adapter] ?? ''
          const settled = [{ adapterId, sent: taken.sent, used: taken.used }]
          // A second attempt of the job settles nothing again.
          for (let attempt = 0; attempt < taken.attempts; attempt++)
            await run((taken.process + attempt) % 2, tenants[one.tenant] ?? '', async (tx) => {
              await settle(tx, one.suggestionId ?? '', settled)
              return tx.record({ subject: { type: 'test.trace', id: one.suggestionId ?? '' } })
            })
          one.leaseUntil = null
          one.amount = taken.sent ? { ...one.amount, ...taken.used } : nothing
        }
        if (taken.do === 'correct') {
          const { tenant, adapter, by } = taken
          const ofBoth = entries.filter((one) => one.tenant === tenant && one.adapter === adapter)
          const month = atLeastZero(sumOf(ofBoth.filter(({ at }) => at >= `${now().slice(0, 7)}-01`)))
          const after = plus(month, by)
          const isRefused = after.calls < 0 || after.tokens < 0 || after.cost < 0
          const correction = run(0, tenants[tenant] ?? '', (tx) =>
            correctBudget(tx, { adapterId: adapters[adapter] ?? '', ...by, reason: 'Counted by hand.' }),
          )
          if (isRefused) await expect(correction).rejects.toMatchObject({ code: 'invalid_request' })
          else {
            await correction
            entries.push({ tenant, adapter, at: now(), suggestionId: null, amount: by, leaseUntil: null })
          }
        }
      }
    }),
    { numRuns: 40 },
  )
}, 60_000)
