import type { Clock } from '../src/lib/clock.ts'

const START = '2026-11-21T08:00:00.000Z'

/** A clock that shows the same time until a test advances it. */
export type TestClock = Clock & { advance(ms: number): void }

export function createTestClock(): TestClock {
  let now = Date.parse(START)
  const clock = () => new Date(now)
  return Object.assign(clock, {
    advance: (ms: number) => {
      now += ms
    },
  })
}
