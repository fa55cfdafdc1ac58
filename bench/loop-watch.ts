/**
 * Preloaded into a server (`node --import ./bench/loop-watch.ts …`) to measure its event loop from inside, because an external prober would also
 * measure itself. On SIGUSR2 it writes the longest stall since the last signal to the file of BENCH_LOOP_FILE: by the clock, and by the time that the
 * thread computed without a pause. The first includes waits for other processes on a busy machine; the second excludes waits for the disk.
 */
import { renameSync, writeFileSync } from 'node:fs'

const everyMs = 5
const file = process.env.BENCH_LOOP_FILE
if (file !== undefined) {
  let at = performance.now()
  let busyUs = computedUs()
  let longest = { stalledMs: 0, computedMs: 0 }
  setInterval(() => {
    const now = performance.now()
    const nowBusyUs = computedUs()
    longest = {
      stalledMs: Math.max(longest.stalledMs, now - at - everyMs),
      computedMs: Math.max(longest.computedMs, (nowBusyUs - busyUs) / 1000 - everyMs),
    }
    at = now
    busyUs = nowBusyUs
  }, everyMs).unref()
  process.on('SIGUSR2', () => {
    // Write to another file and rename it when complete, so that the reader never reads a partial file.
    writeFileSync(`${file}.part`, JSON.stringify(longest))
    renameSync(`${file}.part`, file)
    longest = { stalledMs: 0, computedMs: 0 }
  })
}

function computedUs(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}
