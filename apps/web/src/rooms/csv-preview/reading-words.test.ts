import { expect, test } from 'vitest'
import { readingWords } from './reading-words.ts'

const file = { bytes: 100_000_000, sha256: '' }

test.for([
  [null, 'Waiting to be read'],
  [{ bytesRead: 0, bytesPerSecond: null }, '0 of 100 MB read'],
  // Too little was read to estimate the remaining time.
  [{ bytesRead: 2_000_000, bytesPerSecond: 1_000_000 }, '2 of 100 MB read'],
  [{ bytesRead: 50_000_000, bytesPerSecond: 2_500_000 }, '50 of 100 MB read · 2.5 MB/s · about 20 seconds left'],
  [{ bytesRead: 10_000_000, bytesPerSecond: 500_000 }, '10 of 100 MB read · 0.5 MB/s · about 3 minutes left'],
  [{ bytesRead: 99_000_000, bytesPerSecond: 9_000_000 }, '99 of 100 MB read · 9 MB/s · nearly done'],
] as const)('the progress %j reads: %s', ([progress, words]) => {
  expect(readingWords({ file, progress }).words.replaceAll(',', '.')).toBe(words)
})
