import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Output } from './managed-process.ts'

/**
 * Opens the log of this run at `path`. The current file is renamed to `<path>.1`, at once and whenever it would exceed `maxBytes`, so there are at
 * most two files. A failed write is ignored, so that a full disk does not stop the logging process.
 */
export function openLogFile(path: string, maxBytes = 10 * 1024 * 1024): Output {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  keepAsPrevious(path)
  let bytes = 0

  return {
    write(chunk) {
      try {
        if (bytes + chunk.length > maxBytes) {
          keepAsPrevious(path)
          bytes = 0
        }
        appendFileSync(path, chunk, { mode: 0o600 })
        bytes += chunk.length
      } catch {
        // Ignore the failure, as documented above.
      }
    },
    lastWords() {
      return bytes === 0 ? `It wrote nothing to ${path}.` : `The end of ${path}:\n\n${lastLines(path, 15)}`
    },
  }
}

function keepAsPrevious(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) renameSync(path, `${path}.1`)
}

function lastLines(path: string, count: number): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
}
