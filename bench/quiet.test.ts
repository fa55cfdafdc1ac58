import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { BenchmarkError, countOption, ratioToRest, some } from './figures.ts'
import { median, percentile } from './processes.ts'
import { untilQuiet } from './quiet.ts'

/** Simulates a process: in each window of two seconds it uses the next share of a processor and has the next open jobs. */
function processOf(shares: readonly number[], jobs: readonly (readonly string[])[] = []) {
  let window = 0
  let processorSeconds = 0
  let nowMs = 0
  return {
    windows: () => window,
    signs: { processorSeconds: () => processorSeconds, openJobs: () => jobs[window - 1] ?? [] },
    patience: {
      now: () => nowMs,
      pause: async (ms: number) => {
        processorSeconds += ((shares[Math.min(window, shares.length - 1)] ?? 0) * ms) / 1_000
        nowMs += ms
        window += 1
      },
    },
  }
}

test('a process is quiet after two windows in a row without work', async () => {
  const idle = processOf([0.01])
  await untilQuiet(idle.signs, idle.patience)
  expect(idle.windows()).toBe(2)
  // A follower that pauses for one window is not at its end.
  const pausing = processOf([0.9, 0.01, 0.7, 0.02, 0.03])
  await untilQuiet(pausing.signs, pausing.patience)
  expect(pausing.windows()).toBe(5)
})

test('a job that waits is background work, although it uses no processor', async () => {
  const waiting = processOf([0], [['match-run'], ['match-run'], [], []])
  await untilQuiet(waiting.signs, waiting.patience)
  expect(waiting.windows()).toBe(4)
})

test('a process that does not become quiet ends the benchmark with a sentence', async () => {
  const busy = processOf([0.45], [[], [], [], [], ['score-run', 'match-run']])
  const waited = untilQuiet(busy.signs, { ...busy.patience, withinMs: 10_000 })
  await expect(waited).rejects.toThrow(
    'The baseline is not quiet: after 10 s the process still uses 45 % of a processor and has not ended score-run, match-run.',
  )
  await expect(waited).rejects.toBeInstanceOf(BenchmarkError)
})

test('a figure of nothing is an error', () => {
  expect(some(3, 'changes')).toBe(3)
  for (const count of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => some(count, 'changes')).toThrow(`There is nothing to measure: ${count} changes.`)
  expect(() => median([])).toThrow(BenchmarkError)
  expect(() => percentile([], 0.99)).toThrow(BenchmarkError)
  expect(percentile([3, 1, 2], 0.99)).toBe(3)
})

test('an option is a whole number above 0', () => {
  expect(countOption({ records: '100000' }, 'records')).toBe(100_000)
  for (const records of ['0', '-5', '1.5', 'many', ''])
    expect(() => countOption({ records }, 'records')).toThrow(
      `--records must be a whole number above 0, not ${records}.`,
    )
})

test('a baseline that is slower than the same work under load was not at rest', () => {
  expect(ratioToRest('a list', { underLoad: 3, atRest: 2 })).toBe(1.5)
  expect(ratioToRest('a list', { underLoad: 1.9, atRest: 2 })).toBe(0.95)
  for (const underLoad of [1.4, 5, 7.9])
    expect(() => ratioToRest('a create', { underLoad, atRest: 10 })).toThrow(
      `The baseline was not quiet: a create took 10.00 ms at rest and only ${underLoad.toFixed(2)} ms under load.`,
    )
  expect(() => ratioToRest('a list', { underLoad: 3, atRest: 0 })).toThrow(BenchmarkError)
  expect(() => ratioToRest('a list', { underLoad: Number.NaN, atRest: 2 })).toThrow(BenchmarkError)
})

const root = new URL('../', import.meta.url)
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')))
const benchmarks = Object.entries(scripts).filter(([name]) => name.startsWith('bench:'))

test.each(benchmarks)('%s checks its figures, and waits for its baseline', (name, command) => {
  const code = readFileSync(new URL(command.replace('node ', ''), root), 'utf8')
  expect(code).toMatch(/from '.*\/figures\.ts'/)
  // Options are parsed by countOption(), which refuses 0.
  expect(code).not.toMatch(/Number\((values|options)\b/)
  if (name !== 'bench:seed' && /\b(startApi|startApp|openStore|inOwnWorld)\(/.test(code))
    expect(code).toMatch(/\b(untilQuiet|untilStoreIsQuiet)\(/)
})

test('a benchmark of nothing exits with an error', () => {
  const { status, stderr } = spawnSync(process.execPath, ['bench/review.ts', '--records', '0'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([1, expect.stringContaining('--records must be a whole number above 0, not 0.')])
})
