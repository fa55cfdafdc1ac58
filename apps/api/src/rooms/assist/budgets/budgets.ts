import { MAX_CONCURRENT_CALLS } from '@prospect/adapter-contract/prompt'
import type { Kysely } from 'kysely'
import { actorKey } from '../../../lib/actor.ts'
import { invalidField } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { numeral } from '../../../lib/numeral.ts'
import { change, type Tx } from '../../../store/change/change.ts'
import type { Database } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { CALL_LEASE_MS } from '../bounds.ts'
import type { Enabled } from '../status/read-status.ts'
import { type BudgetRefusal, type Reservation, refusalOf, type Spent, windowsOf } from './budgets.rules.ts'
import {
  countRunning,
  insertUsage,
  type OpenReservation,
  readWindows,
  selectOpenReservations,
} from './usage.queries.ts'

/*
 * Reservations. The worst case is reserved in the change that takes the permit, so that parallel calls cannot pass a budget: the store has
 * one writer. It is settled with the usage that the provider reports, and counts whole where none is reported or the process is lost.
 */

type Asked = { db: Kysely<Database>; tenantId: string; at: string }

/** Returns the first budget of the workspace or of the operator that has no room for a call of this size now; undefined if the call fits. */
export async function budgetRefusal(
  { db, tenantId, at }: Asked,
  { content, details, source }: Enabled,
  asked: Reservation,
): Promise<BudgetRefusal | undefined> {
  const adapterId = source.adapter.id
  const own = windowsOf(content.budgets, await readWindows(db, { tenantId }, at), at)
  const ofAll = windowsOf(details.limits, await readWindows(db, { adapterId }, at), at)
  const refused = refusalOf('workspace', own, asked) ?? refusalOf('operator', ofAll, asked)
  if (refused !== undefined) return refused
  const isFull =
    (await countRunning(db, at)) >= MAX_CONCURRENT_CALLS ||
    (await countRunning(db, at, adapterId)) >= details.limits.concurrentCalls
  return isFull ? { by: 'operator', window: 'concurrent_calls', until: null } : undefined
}

/** Reserves the worst case of one call, and returns the id of the reservation. `suggestionId`: null for a trial of the operator. */
export async function reserve(
  tx: Tx,
  {
    suggestionId,
    adapterId,
    reservation,
  }: { suggestionId: string | null; adapterId: string; reservation: Reservation },
): Promise<string> {
  const entry = entryOf(tx)
  await insertUsage(tx.db, {
    ...entry,
    kind: 'reservation',
    suggestion_id: suggestionId,
    reservation_id: null,
    adapter_id: adapterId,
    calls: 1,
    ...reservation,
    counts_at: tx.at,
    lease_until: new Date(Date.parse(tx.at) + CALL_LEASE_MS).toISOString(),
    reason: null,
  })
  return entry.id
}

/** `sent`: false releases the whole reservation. `used`: null keeps it whole, because missing usage is not zero. */
export type Settled = { adapterId: string; sent: boolean; used: Reservation | null }

/** Settles the reservations of a suggestion, each once; one that is not named counts whole. Returns what they count in the end. */
export async function settle(tx: Tx, suggestionId: string, settled: readonly Settled[]): Promise<Spent> {
  const total: Spent = { calls: 0, tokens: 0, cost: 0 }
  for (const open of await selectOpenReservations(tx.db, tx.actor.tenantId, { suggestionId })) {
    const spent = await settleOne(
      tx,
      open,
      settled.find(({ adapterId }) => adapterId === open.adapter_id),
    )
    total.calls += spent.calls
    total.tokens += spent.tokens
    total.cost += spent.cost
  }
  return total
}

/** Settles a reservation by its id. Returns what it counts in the end; nothing for a reservation that is settled already. */
export async function settleReservation(tx: Tx, id: string, settled: Settled): Promise<Spent> {
  const [open] = await selectOpenReservations(tx.db, tx.actor.tenantId, { id })
  return open === undefined ? { calls: 0, tokens: 0, cost: 0 } : settleOne(tx, open, settled)
}

async function settleOne(tx: Tx, open: OpenReservation, settled: Settled | undefined): Promise<Spent> {
  const isReleased = settled?.sent === false
  const used = isReleased ? { tokens: 0, cost: 0 } : (settled?.used ?? open)
  await insertUsage(tx.db, {
    ...entryOf(tx),
    kind: 'settlement',
    suggestion_id: open.suggestion_id,
    reservation_id: open.id,
    adapter_id: open.adapter_id,
    calls: isReleased ? -1 : 0,
    tokens: used.tokens - open.tokens,
    cost: used.cost - open.cost,
    counts_at: open.counts_at,
    lease_until: null,
    reason: null,
  })
  return { calls: isReleased ? 0 : 1, tokens: used.tokens, cost: used.cost }
}

export type Correction = Spent & { adapterId: string; reason: string }

/**
 * Corrects the sums from now on by an entry with its reason; nothing is edited. The sums of the month, of this tenant and adapter, cannot
 * become negative, because a tenant would otherwise gain the difference from the limits over all tenants. Errors: `invalid_request`.
 */
export async function correctBudget(
  tx: Tx,
  { adapterId, calls, tokens, cost, reason }: Correction,
): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { month } = await readWindows(tx.db, { tenantId, adapterId }, tx.at)
  for (const [path, change, sum] of [
    ['calls', calls, month.calls],
    ['tokens', tokens, month.tokens],
    ['cost', cost, month.cost],
  ] as const)
    if (sum + change < 0)
      throw invalidField(
        path,
        'below_zero',
        `The sum of this month is ${numeral(sum)}; correct it by ${numeral(-sum)} at the lowest.`,
      )
  const entry = entryOf(tx)
  await insertUsage(tx.db, {
    ...entry,
    kind: 'correction',
    suggestion_id: null,
    reservation_id: null,
    adapter_id: adapterId,
    ...{ calls, tokens, cost, reason },
    counts_at: tx.at,
    lease_until: null,
  })
  await tx.record({
    action: 'assist.budget_correct',
    subject: { type: 'assist_usage', id: entry.id },
    after: { adapterId, calls, tokens, cost },
    reason,
  })
  return { id: entry.id }
}

/** A correction by the server operator, who alone answers for the limits over all tenants. Errors: as `correctBudget`. */
export async function correctBudgetByOperator(store: Store, tenantId: string, correction: Correction): Promise<string> {
  const actor = systemActor('command line', tenantId)
  const { value } = await change(store, actor, { permission: null, action: 'assist.budget_correct' }, (tx) =>
    correctBudget(tx, correction),
  )
  return value.id
}

function entryOf(tx: Tx) {
  return { tenant_id: tx.actor.tenantId, id: newId(), at: tx.at, actor: actorKey(tx.actor) }
}
