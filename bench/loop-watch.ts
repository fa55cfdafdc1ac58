/**
 * Preloaded into a server (`node --import ./bench/loop-watch.ts …`) to see its event loop from inside, where a prober would also
 * measure itself. On SIGUSR2 it writes the longest stall since the last signal to the file named by BENCH_LOOP_FILE: as the clock saw it,
 * and how long the thread itself was computing without a pause. On a crowded machine the first counts the neighbours in; the
 * second leaves out what the thread spent waiting for the disk.
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
    // Renamed into place: the reader sees a whole file or none.
    writeFileSync(`${file}.part`, JSON.stringify(longest))
    renameSync(`${file}.part`, file)
    longest = { stalledMs: 0, computedMs: 0 }
  })
}

function computedUs(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}
