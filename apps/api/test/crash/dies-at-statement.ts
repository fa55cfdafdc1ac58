import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import BetterSqlite3 from 'better-sqlite3'
import type { MergeTask } from './merge-task.ts'

/*
 * Loaded into every thread of a process: kills it before the so-manieth statement that its task is about, and writes those that ran into a
 * file, so that whoever starts it can choose. What a run finds is written by a thread of its own.
 */

const { TASK = '', DIES_AT = '', RAN = '' } = process.env
const task = JSON.parse(TASK) as MergeTask
const diesAt = DIES_AT === '' ? Number.POSITIVE_INFINITY : Number(DIES_AT)
const isRun = task.do === 'work' && task.kind === 'match-run'
let count = 0

/** A worker looks around and shows that it lives as time goes by; what a job writes is the same each time. */
function isCounted(source: string, method: 'run' | 'get' | 'all'): boolean {
  if (isRun) return !isMainThread && method === 'run' && source.includes('match_')
  return isMainThread && (task.do !== 'work' || source.includes('export_files'))
}

/** Where it should have died behind the last of them. */
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
