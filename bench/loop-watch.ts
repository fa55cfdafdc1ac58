/**
 * Preloaded into a server (`node --import ./bench/loop-watch.ts …`) to see its event loop from inside, where a prober would also
 * measure itself. On SIGUSR2 it writes the longest stall since the last signal to the file named by BENCH_LOOP_FILE.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 10
const file = process.env.BENCH_LOOP_FILE
if (file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  process.on('SIGUSR2', () => {
    // The histogram holds the time from one tick of its timer to the next, so the timer's own period comes off.
    const longestMs = Math.max(0, delays.max / 1e6 - resolutionMs)
    // Renamed into place: the reader sees a whole file or none.
    writeFileSync(`${file}.part`, JSON.stringify({ longestMs }))
    renameSync(`${file}.part`, file)
    delays.reset()
  })
}
