import { type DestinationStream, destination } from 'pino'

/** Limit of bytes that wait for a full disk; further lines are dropped. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024

let timeMs = 0
let time = ''

/** Returns the time of a line in pino's format. It is rendered once per millisecond, which many lines share under load. */
export function lineTime(): string {
  const ms = Date.now()
  if (ms !== timeMs) {
    timeMs = ms
    time = `,"time":"${new Date(ms).toISOString()}"`
  }
  return time
}

/**
 * Standard output, written once per turn of the event loop with all lines of that turn, because a write per line takes as long as producing it.
 * Pending lines are written when the process ends, normally or by an error; kill -9 loses the lines of one turn. A full disk or a closed reader does
 * not end the service, because the error could be reported nowhere.
 */
export function standardOutput(): DestinationStream & { flush(): void } {
  const output = destination({ sync: true, maxLength: MAX_UNWRITTEN_BYTES })
  output.on('error', () => {})
  let lines = ''
  const flush = () => {
    if (lines === '') return
    const written = lines
    lines = ''
    output.write(written)
  }
  process.on('exit', flush)
  return {
    write: (line) => {
      if (lines === '') setImmediate(flush)
      lines += line
    },
    flush,
  }
}
