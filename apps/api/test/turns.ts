import { vi } from 'vitest'

/**
 * How many turns others had on the event loop while `work` went on, with a clock that says of every look at it that ten milliseconds have
 * passed: whoever lets others go first after some time does so at every chance.
 */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [now, turns, isOver] = [0, 0, false]
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10))
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  try {
    await work()
  } finally {
    isOver = true
    clock.mockRestore()
  }
  return turns
}
