import { vi } from 'vitest'

/**
 * Returns the number of turns of the event loop during `work`. Each reading of the clock advances it by ten milliseconds, so that code that yields
 * after some time yields at every opportunity.
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
