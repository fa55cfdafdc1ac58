import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLoopBudget, type Pace, type Turns } from './loop-budget.ts'

/** Occupies the event loop. */
function compute(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** A task of background work: `steps` statements of `ms` each. */
async function work(turns: Turns, steps: number, ms: number, onStep: () => void = () => {}): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await turns.turn()
    compute(ms)
    turns.mark()
    onStep()
  }
}

test('short steps share a turn of the event loop, and after 5 ms the next turn is awaited', async () => {
  let at = 0
  const budget = createLoopBudget(() => at)
  let isNextTurn = false
  setImmediate(() => {
    isNextTurn = true
  })
  expect(budget.turns.derived.turn()).toBeUndefined()
  at = 4
  expect(budget.turns.derived.turn()).toBeUndefined()
  at = 6
  const turn = budget.turns.derived.turn()
  expect(turn).toBeInstanceOf(Promise)
  expect(budget.waiting()).toBe(1)
  await turn
  expect(isNextTurn).toBe(true)
})

test('while requests come, all background work together gets a quarter of the time', async () => {
  const budget = createLoopBudget()
  const requests = setInterval(() => budget.onRequest(), 20)
  budget.onRequest()
  const began = performance.now()
  try {
    await Promise.all([
      work(budget.turns.derived, 10, 3),
      work(budget.turns.derived, 10, 3),
      work(budget.turns.derived, 10, 3),
    ])
  } finally {
    clearInterval(requests)
  }
  const elapsed = performance.now() - began
  const totalMs = budget.totalMs()
  expect(totalMs).toBeGreaterThan(60)
  // The rest after the last step is not part of `elapsed`.
  expect(elapsed).toBeGreaterThan(4 * totalMs - 60)
})

test('a job that a person started rests as long as its step, and other work three times as long', async () => {
  const restAfter = async (pace: Pace) => {
    let at = 0
    const budget = createLoopBudget(() => at)
    const { turn, mark } = budget.turns[pace]
    budget.onRequest()
    turn()
    at = 100
    mark()
    await nextTurn()
    const isResting = (elapsed: number) => {
      at = 100 + elapsed
      return budget.turns.derived.turn() !== undefined
    }
    return { isResting }
  }
  expect((await restAfter('requested')).isResting(99)).toBe(true)
  expect((await restAfter('requested')).isResting(100)).toBe(false)
  expect((await restAfter('derived')).isResting(299)).toBe(true)
  expect((await restAfter('derived')).isResting(300)).toBe(false)
})

test('without requests it does not rest', async () => {
  const budget = createLoopBudget()
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await work(budget.turns.derived, 20, 6)
  isDone = true
  // Each step is longer than 5 ms, so each has a turn of its own. A rest would be many empty turns.
  expect(turns).toBeLessThan(100)
})

test('waiting tasks get their turns in order, one in each turn of the event loop', async () => {
  const budget = createLoopBudget()
  const order: string[] = []
  const tasks = ['a', 'b', 'c'].map((name) => work(budget.turns.derived, 2, 6, () => order.push(name)))
  await Promise.all(tasks)
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
})

test('the longest step is reported once', async () => {
  const budget = createLoopBudget()
  await work(budget.turns.derived, 1, 12)
  await nextTurn()
  expect(budget.takeLongestMs()).toBeGreaterThanOrEqual(12)
  expect(budget.takeLongestMs()).toBe(0)
})
