import { AppError } from './app-error.ts'
import { limitReached } from './limit-reached.ts'

/** The tenant that an order belongs to; null for work of no tenant, which has a share of its own. */
export type Share = { tenantId: string | null }

/** Part of the waiting places that the orders of one tenant may hold. */
const SHARE_OF_TENANT = 1 / 4

/** The waiting places of a queue whose orders come from requests. */
export type WaitingPlaces = {
  /** maximum number of waiting orders; more are refused with 503 */
  max: number
  /** what waits, as a plural noun, such as "searches" */
  what: string
  /** name of the limit of a tenant, as `docs/limits.md` lists it */
  name: string
  /** the reason of the 503, explained in the runbook */
  reason: string
  /** time after which a refused tenant may try again */
  retryAfterSeconds: number
}

type Options<Order> = {
  /**
   * Decides whether one more order may run beside those that run now. An order that may not run may run only after another one has ended, so the
   * answer depends on the arguments only.
   */
  isFree(order: Order, running: ReadonlySet<Order>): boolean
  /** undefined if only jobs give orders: they wait without a limit, because the number of running jobs is limited */
  places?: WaitingPlaces
}

export type RunOptions = {
  /** removes the order from the queue; an order that runs must stop by itself */
  signal?: AbortSignal | undefined
  /** true for work of jobs and loops: its orders wait in turn and are never refused */
  isPatient?: boolean | undefined
}

export type TenantTurns<Order extends Share> = {
  /**
   * Runs the work in the tenant's turn. Errors: `too_many_waiting` (the tenant's share of the waiting places is used), `unavailable` (all places are
   * used), the reason of the signal, and those of the work.
   */
  run<T>(order: Order, work: () => Promise<T>, options?: RunOptions): Promise<T>
  /** the number of running orders of a tenant */
  runningOf(tenantId: string): number
  /** Refuses all waiting orders with this error. Running ones continue. */
  refuseWaiting(error: Error): void
}

type Waiting<Order> = { order: Order; begin: () => void; refuse: (error: unknown) => void }

/**
 * Creates a queue that serves tenants in turn, so that no tenant can delay another by its number of orders. Next is the waiting tenant whose last turn
 * is longest ago, and of its orders the oldest one that may run.
 */
export function createTenantTurns<Order extends Share>({ isFree, places }: Options<Order>): TenantTurns<Order> {
  const running = new Set<Order>()
  const waiting = new Map<Share['tenantId'], Waiting<Order>[]>()
  /** the number of the last turn of each tenant, while anything runs or waits */
  const lastTurns = new Map<Share['tenantId'], number>()
  let turns = 0
  let waitingInAll = 0

  function begin(order: Order): void {
    running.add(order)
    turns += 1
    lastTurns.set(order.tenantId, turns)
  }

  function end(order: Order): void {
    running.delete(order)
    for (let next = findNext(); next !== undefined; next = findNext()) {
      remove(next)
      begin(next.order)
      next.begin()
    }
    if (running.size === 0 && waiting.size === 0) lastTurns.clear()
  }

  function findNext(): Waiting<Order> | undefined {
    const inTurn = [...waiting].toSorted(([one], [other]) => (lastTurns.get(one) ?? 0) - (lastTurns.get(other) ?? 0))
    for (const [, orders] of inTurn) {
      const found = orders.find(({ order }) => isFree(order, running))
      if (found !== undefined) return found
    }
    return undefined
  }

  function remove(entry: Waiting<Order>): void {
    const { tenantId } = entry.order
    const others = (waiting.get(tenantId) ?? []).filter((other) => other !== entry)
    if (others.length === 0) waiting.delete(tenantId)
    else waiting.set(tenantId, others)
    waitingInAll -= 1
  }

  function requirePlace(
    { max, what, name, reason, retryAfterSeconds }: WaitingPlaces,
    tenantId: Share['tenantId'],
  ): void {
    const share = Math.max(1, Math.floor(max * SHARE_OF_TENANT))
    const used = waiting.get(tenantId)?.length ?? 0
    const words = {
      name,
      of: 'tenant',
      label: `waiting ${what}`,
      remedy: 'Try again when some of them have ended.',
    } as const
    if (used >= share) throw limitReached(words, { code: 'too_many_waiting', used, max: share, retryAfterSeconds })
    if (waitingInAll >= max)
      throw new AppError('unavailable', `Too many ${what} are waiting. Try again in a moment.`, { reason })
  }

  function wait(order: Order, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        remove(entry)
        reject(signal?.reason)
      }
      const entry: Waiting<Order> = {
        order,
        begin: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
        refuse: (error) => {
          signal?.removeEventListener('abort', leave)
          remove(entry)
          reject(error)
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      waiting.set(order.tenantId, [...(waiting.get(order.tenantId) ?? []), entry])
      waitingInAll += 1
    })
  }

  return {
    run: async (asked, work, { signal, isPatient = false } = {}) => {
      signal?.throwIfAborted()
      const order = { ...asked }
      // No waiting order may run now, so an order that may run passes none that could.
      if (isFree(order, running)) begin(order)
      else {
        if (places !== undefined && !isPatient) requirePlace(places, order.tenantId)
        await wait(order, signal)
      }
      try {
        signal?.throwIfAborted()
        return await work()
      } finally {
        end(order)
      }
    },
    runningOf: (tenantId) => [...running].filter((order) => order.tenantId === tenantId).length,
    refuseWaiting: (error) => {
      for (const { refuse } of [...waiting.values()].flat()) refuse(error)
    },
  }
}
