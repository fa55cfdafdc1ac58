import { MAX_CONCURRENT_CALLS } from '@prospect/adapter-contract/prompt'
import type { Kysely } from 'kysely'
import { actorKey } from '../../../lib/actor.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Database } from '../../../store/database.ts'
import { CALL_LEASE_MS } from '../bounds.ts'
import type { Enabled } from '../status/read-status.ts'
import { type BudgetRefusal, type Reservation, refusalOf, type Spent, windowsOf } from './budgets.rules.ts'
import { countRunning, insertUsage, readWindows, selectOpenReservations } from './usage.queries.ts'

/*
 * Reservations. The worst case is reserved in the change that takes the permit, so that parallel calls cannot pass a budget: the store has
 * one writer. It is settled with the usage that the provider reports, and counts whole where none is reported or the process is lost.
 */

type Asked = { db: Kysely<Database>; tenantId: string; at: string }

/** Why a call of this size does not fit the budgets of the workspace or of the operator now; undefined where it does. */
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

export async function reserve(
  tx: Tx,
  { suggestionId, adapterId, reservation }: { suggestionId: string; adapterId: string; reservation: Reservation },
): Promise<void> {
  await insertUsage(tx.db, {
    ...entryOf(tx),
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
}

/** `sent`: false releases the whole reservation. `used`: null keeps it whole, because missing usage is not zero. */
export type Settled = { adapterId: string; sent: boolean; used: Reservation | null }

/** Settles the reservations of a suggestion, each once; one that is not named counts whole. Returns what they count in the end. */
export async function settle(tx: Tx, suggestionId: string, settled: readonly Settled[]): Promise<Spent> {
  const total: Spent = { calls: 0, tokens: 0, cost: 0 }
  for (const open of await selectOpenReservations(tx.db, tx.actor.tenantId, suggestionId)) {
    const known = settled.find(({ adapterId }) => adapterId === open.adapter_id)
    const isReleased = known?.sent === false
    const used = isReleased ? { tokens: 0, cost: 0 } : (known?.used ?? open)
    await insertUsage(tx.db, {
      ...entryOf(tx),
      kind: 'settlement',
      suggestion_id: suggestionId,
      reservation_id: open.id,
      adapter_id: open.adapter_id,
      calls: isReleased ? -1 : 0,
      tokens: used.tokens - open.tokens,
      cost: used.cost - open.cost,
      counts_at: open.counts_at,
      lease_until: null,
      reason: null,
    })
    total.calls += isReleased ? 0 : 1
    total.tokens += used.tokens
    total.cost += used.cost
  }
  return total
}

/** Corrects the sums from now on by an entry with its reason; nothing is edited. */
export async function correctBudget(
  tx: Tx,
  { adapterId, calls, tokens, cost, reason }: Spent & { adapterId: string; reason: string },
): Promise<{ id: string }> {
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

function entryOf(tx: Tx) {
  return { tenant_id: tx.actor.tenantId, id: newId(), at: tx.at, actor: actorKey(tx.actor) }
}
