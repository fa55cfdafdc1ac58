import { type DestinationStream, destination } from 'pino'

/** Maximum number of bytes that wait while the disk is full. Further lines are dropped. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024

let timeMs = 0
let time = ''

/** Returns the time of a log line in pino's format. It is formatted once per millisecond, because under load many lines have the same time. */
export function lineTime(): string {
  const ms = Date.now()
  if (ms !== timeMs) {
    timeMs = ms
    time = `,"time":"${new Date(ms).toISOString()}"`
  }
  return time
}

/**
 * Returns the standard output as a stream for log lines. All lines of one turn of the event loop are written at once, because a write per line takes
 * as long as creating the line. Pending lines are written when the process ends, normally or by an error; kill -9 loses the lines of one turn. A full
 * disk or a closed reader does not end the service, because the error could not be reported anywhere.
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
