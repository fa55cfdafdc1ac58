import { onTestFinished } from 'vitest'

/** Sets the maximum of a limit until the test ends, so that a test can exceed it with a few rows. */
export function setMax(limit: { max: number }, max: number): void {
  const declared = limit.max
  limit.max = max
  onTestFinished(() => {
    limit.max = declared
  })
}
