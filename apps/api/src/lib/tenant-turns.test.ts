import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from './app-error.ts'
import { createTenantTurns, type RunOptions } from './tenant-turns.ts'

type Order = { tenantId: string | null; name: number }
const PLACES = { max: 8, what: 'pages', name: 'waiting_pages', reason: 'page_queue_full', retryAfterSeconds: 5 }
const SHARE = 2

/** A queue whose running orders end when the test says so. */
function steppedTurns(atOnce = 1) {
  const turns = createTenantTurns<Order>({ isFree: (_, running) => running.size < atOnce, places: PLACES })
  const begun: Order[] = []
  const running: { order: Order; end: (error?: Error) => void }[] = []
  return {
    turns,
    begun,
    running,
    /** asks for a turn and returns the outcome */
    ask: (order: Order, options?: RunOptions): Promise<unknown> => {
      const work = () => {
        begun.push(order)
        return new Promise<number>((resolve, reject) => {
          const end = (error?: Error) => (error === undefined ? resolve(order.name) : reject(error))
          running.push({ order, end })
        })
      }
      return turns.run(order, work, options).catch((error: unknown) => error)
    },
    /** ends the running order that began first, and waits until the next has begun */
    endOne: async (error?: Error): Promise<void> => {
      running.shift()?.end(error)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('ask' as const), tenantId: fc.constantFrom('a', 'b', 'c', null) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('end' as const, 'fail' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(30) }) },
)

test('tenants take turns, each in its own order, and every order ends once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), async (steps, atOnce) => {
      const { begun, running, ask, endOne } = steppedTurns(atOnce)
      /** the orders that wait, by the model: those that were accepted and have neither begun nor been cancelled */
      const waiting: { order: Order; controller: AbortController; passedBy: Map<string | null, number> }[] = []
      const outcomes: Promise<unknown>[] = []
      const expected: (number | 'refused' | 'failed' | 'cancelled')[] = []
      let seen = 0
      /** compares the orders that have begun since the last look with the waiting ones */
      const look = () => {
        for (const order of begun.slice(seen)) {
          const place = waiting.findIndex((one) => one.order === order)
          // The order within a tenant.
          expect(waiting.findIndex((one) => one.order.tenantId === order.tenantId)).toBe(place)
          waiting.splice(place, 1)
          for (const { order: other, passedBy } of waiting) {
            if (other.tenantId === order.tenantId) continue
            const isFirst = waiting.find((one) => one.order.tenantId === other.tenantId)?.order === other
            if (isFirst) passedBy.set(order.tenantId, (passedBy.get(order.tenantId) ?? 0) + 1)
            // No tenant has two turns while the first order of another one waits.
            if (isFirst) expect(passedBy.get(order.tenantId)).toBeLessThanOrEqual(1)
          }
        }
        seen = begun.length
        expect(running.length).toBeLessThanOrEqual(atOnce)
        expect(running.length === atOnce || waiting.length === 0).toBe(true)
      }
      for (const [name, one] of steps.entries()) {
        if (one.do === 'ask') {
          const order = { tenantId: one.tenantId, name }
          const held = waiting.filter(({ order: { tenantId } }) => tenantId === one.tenantId).length
          const controller = new AbortController()
          const isRefused = running.length === atOnce && (held >= SHARE || waiting.length >= PLACES.max)
          expected.push(isRefused ? 'refused' : name)
          if (!isRefused) waiting.push({ order, controller, passedBy: new Map() })
          outcomes.push(ask(order, { signal: controller.signal }))
        } else if (one.do === 'cancel') {
          const cancelled = waiting[one.which % Math.max(1, waiting.length)]
          if (cancelled === undefined) continue
          waiting.splice(waiting.indexOf(cancelled), 1)
          expected[expected.indexOf(cancelled.order.name)] = 'cancelled'
          cancelled.controller.abort('cancelled')
        } else {
          const [first] = running
          if (first !== undefined && one.do === 'fail') expected[expected.indexOf(first.order.name)] = 'failed'
          await endOne(one.do === 'fail' ? new Error('failed') : undefined)
        }
        look()
      }
      while (running.length > 0) {
        await endOne()
        look()
      }
      const told = (await Promise.all(outcomes)).map((outcome) =>
        outcome instanceof AppError ? 'refused' : outcome instanceof Error ? outcome.message : outcome,
      )
      expect(told).toEqual(expected)
    }),
    { numRuns: 300 },
  )
})

test('the error of a used share names the use, the limit and what to do', async () => {
  const { ask } = steppedTurns()
  for (let name = 0; name <= SHARE; name += 1) void ask({ tenantId: 'a', name })
  expect(await ask({ tenantId: 'a', name: 9 })).toMatchObject({
    code: 'too_many_waiting',
    message: 'This workspace has 2 waiting pages; the limit is 2. Try again when some of them have ended.',
    details: { limit: 'waiting_pages', size: 2, max: 2, retryAfterSeconds: 5 },
  })
})

test('a full queue refuses a tenant that has its share, but no patient order', async () => {
  const { ask, running, endOne } = steppedTurns()
  for (const tenantId of ['a', 'b', 'c', 'd']) for (let name = 0; name < SHARE; name += 1) void ask({ tenantId, name })
  void ask({ tenantId: 'a', name: 2 })
  expect(await ask({ tenantId: 'e', name: 0 })).toMatchObject({
    code: 'unavailable',
    details: { reason: 'page_queue_full' },
  })
  const patient = ask({ tenantId: 'a', name: 7 }, { isPatient: true })
  while (running.length > 0) await endOne()
  expect(await patient).toBe(7)
})

test('refused waiting orders free their places, and running ones continue', async () => {
  const { turns, ask, running, endOne } = steppedTurns()
  const [first, second] = [ask({ tenantId: 'a', name: 0 }), ask({ tenantId: 'a', name: 1 })]
  turns.refuseWaiting(new Error('stopping'))
  expect(await second).toMatchObject({ message: 'stopping' })
  const third = ask({ tenantId: 'a', name: 2 })
  while (running.length > 0) await endOne()
  expect(await Promise.all([first, third])).toEqual([0, 2])
})

test('an order that may not run does not stop the later ones of its tenant', async () => {
  const turns = createTenantTurns<Order & { host: string }>({
    isFree: ({ host }, running) => running.size < 2 && [...running].every((one) => one.host !== host),
  })
  const begun: number[] = []
  let endFirst = () => {}
  const run = (name: number, host: string, work: () => Promise<void> = async () => {}) =>
    turns.run({ tenantId: 'a', name, host }, async () => {
      begun.push(name)
      await work()
    })
  const first = run(0, 'karoo.co.za', () => new Promise((resolve) => (endFirst = resolve)))
  const second = run(1, 'karoo.co.za')
  await run(2, 'springbok.co.za')
  expect(begun).toEqual([0, 2])
  expect(turns.runningOf('a')).toBe(1)
  endFirst()
  await Promise.all([first, second])
  expect(begun).toEqual([0, 2, 1])
})
