import type { Completion, ProviderDetails } from '@prospect/adapter-contract/prompt'
import type { Budgets, Prices } from '../policies/policies.schema.ts'

/* Budgets (specification, Phase 13 §1, Limits). All numbers are integers; costs are minor units. Pure. */

export type Reservation = { tokens: number; cost: number }
export type Spent = { calls: number; tokens: number; cost: number }
/** The sums of each window. */
export type Windows = { minute: Spent; day: Spent; month: Spent }

export const windowNames = [
  'calls_per_minute',
  'calls_per_day',
  'tokens_per_day',
  'cost_per_day',
  'cost_per_month',
] as const
export type WindowName = (typeof windowNames)[number]

export type BudgetRefusal = {
  by: 'workspace' | 'operator'
  window: WindowName | 'concurrent_calls'
  until: string | null
}

const MILLION = 1_000_000
const MINUTE_MS = 60_000

/** Returns the cost of a call, rounded up for input and output, so that many small calls are never free. */
export function costOf(
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  { inputPerMillionTokens, outputPerMillionTokens }: Prices,
): number {
  return (
    Math.ceil((inputTokens * inputPerMillionTokens) / MILLION) +
    Math.ceil((outputTokens * outputPerMillionTokens) / MILLION)
  )
}

/** Returns the usage that a provider reported, with its cost; null without a report, because missing usage is not zero. */
export function usageOf(usage: Completion['usage'], prices: Prices): Reservation | null {
  if (usage === null) return null
  const { promptTokens: inputTokens, completionTokens: outputTokens } = usage
  return { tokens: inputTokens + outputTokens, cost: costOf({ inputTokens, outputTokens }, prices) }
}

export function windowStarts(at: string) {
  return {
    minute: new Date(Date.parse(at) - MINUTE_MS).toISOString(),
    day: `${at.slice(0, 10)}T00:00:00.000Z`,
    month: `${at.slice(0, 7)}-01T00:00:00.000Z`,
  }
}

/** Returns limit, usage and start of the next period for each window. */
export function windowsOf(
  limits: Budgets | ProviderDetails['limits'],
  { minute, day, month }: Windows,
  at: string,
): { window: WindowName; limit: number; used: number; add: (asked: Reservation) => number; until: string }[] {
  const nextMinute = new Date(Date.parse(at) + MINUTE_MS).toISOString()
  const nextDay = Temporal.PlainDate.from(at.slice(0, 10)).add({ days: 1 })
  const nextMonth = Temporal.PlainDate.from(at.slice(0, 10)).with({ day: 1 }).add({ months: 1 })
  const begins = (date: Temporal.PlainDate) => `${date.toString()}T00:00:00.000Z`
  const one = () => 1
  const tokens = (asked: Reservation) => asked.tokens
  const cost = (asked: Reservation) => asked.cost
  return [
    { window: 'calls_per_minute', limit: limits.callsPerMinute, used: minute.calls, add: one, until: nextMinute },
    { window: 'calls_per_day', limit: limits.callsPerDay, used: day.calls, add: one, until: begins(nextDay) },
    { window: 'tokens_per_day', limit: limits.tokensPerDay, used: day.tokens, add: tokens, until: begins(nextDay) },
    { window: 'cost_per_day', limit: limits.costPerDay, used: day.cost, add: cost, until: begins(nextDay) },
    { window: 'cost_per_month', limit: limits.costPerMonth, used: month.cost, add: cost, until: begins(nextMonth) },
  ]
}

/** The first window in which the worst case does not fit. */
export function refusalOf(
  by: BudgetRefusal['by'],
  windows: ReturnType<typeof windowsOf>,
  asked: Reservation,
): BudgetRefusal | undefined {
  const full = windows.find(({ limit, used, add }) => used + add(asked) > limit)
  return full === undefined ? undefined : { by, window: full.window, until: full.until }
}
