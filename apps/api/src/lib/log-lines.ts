import { type DestinationStream, destination } from 'pino'

/** What waits for a full disk to take it; further lines are let go. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024

let timeMs = 0
let time = ''

/** The time in a line, in the words of pino: written out once a millisecond, which holds many lines where there is much to do. */
export function lineTime(): string {
  const ms = Date.now()
  if (ms !== timeMs) {
    timeMs = ms
    time = `,"time":"${new Date(ms).toISOString()}"`
  }
  return time
}

/**
 * Standard output, written once a turn of the event loop with all lines of that turn: a write for each takes as long as the rest of a
 * line. What has been logged is written when the process ends, by itself or by an error; a kill -9 takes the lines of one turn along.
 * A disk that takes no more, or a reader who has gone, does not end the service, and there is nobody left to tell.
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
