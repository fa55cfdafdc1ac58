import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import BetterSqlite3 from 'better-sqlite3'
import type { MergeTask } from './merge-task.ts'

/*
 * Loaded into every thread of a process. Kills the process before the n-th statement of its task, and writes the executed statements to a file, from
 * which the test chooses n. For a matching run, only statements of the run's own thread are counted.
 */

const { TASK = '', DIES_AT = '', RAN = '' } = process.env
const task = JSON.parse(TASK) as MergeTask
const diesAt = DIES_AT === '' ? Number.POSITIVE_INFINITY : Number(DIES_AT)
const isRun = task.do === 'work' && task.kind === 'match-run'
let count = 0

/**
 * Returns true for statements that are counted. Polls and lease renewals of a worker depend on time and are excluded. The writes of a job are the
 * same in each run.
 */
function isCounted(source: string, method: 'run' | 'get' | 'all'): boolean {
  if (isRun) return !isMainThread && method === 'run' && source.includes('match_')
  return isMainThread && (task.do !== 'work' || source.includes('export_files'))
}

/** Kills the process after its last statement, if that is the chosen point. */
export function dieIfAllRan(): void {
  if (count === diesAt) process.kill(process.pid, 'SIGKILL')
}

const statements: Pick<BetterSqlite3.Statement, 'run' | 'get' | 'all'> = Object.getPrototypeOf(
  new BetterSqlite3(':memory:').prepare('SELECT 1'),
)
for (const method of ['run', 'get', 'all'] as const) {
  const original = statements[method]
  statements[method] = function (this: BetterSqlite3.Statement, ...parameters: unknown[]) {
    if (isCounted(this.source, method)) {
      dieIfAllRan()
      count += 1
      appendFileSync(RAN, `${JSON.stringify(this.source)}\n`)
    }
    return original.apply(this, parameters)
  } as never
}
