import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rooms } from '../../src/rooms/index.ts'
import type { Upkeep } from '../../src/rooms/room.ts'
import { runUpkeep } from '../../src/rooms/run-upkeep.ts'
import { keyPruning } from '../../src/store/change/idempotency-pruning.ts'
import { furnishedApp, testAdapters } from '../furnished.ts'
import { loopContext } from '../upkeep.ts'

/* Tests of every upkeep task of the manifests, on a store in which the records of all rooms' fixtures have reached their ends. */

const tasks: readonly Upkeep[] = [keyPruning, ...rooms.flatMap(({ upkeep = [] }) => upkeep)]

/** Tasks for which the fixtures create nothing that becomes due. The tests of their rooms run them. */
const idleTasks: readonly string[] = [
  'renew search data',
  'score due records again',
  'end queries whose process was lost',
  'delete old permits of sources',
  'end interrupted merges',
  'delete pasted DNS texts',
  'evaluate domain candidates by the age of their evidence',
  'queue the re-evaluation of scans',
  'record the lapse of contact extraction',
  'expire contact candidates without an approved site',
  'delete expired score previews',
  'delete processed score changes',
  'delete expired export files',
  'delete stray export files',
  'delete expired files of everything held',
  'delete stray files of everything held',
  'delete expired registry files',
  'delete stray registry files',
  'empty exchanges of assistance',
]

const YEARS_MS = 3 * 366 * 86_400_000

/** Opens a store whose records have reached their ends, and counts its write transactions. */
async function setUp() {
  const { t } = await furnishedApp()
  t.clock.advance(YEARS_MS)
  const context = loopContext(t.store, testAdapters)
  let writes = 0
  context.store.write = (...given) => {
    writes += 1
    return t.store.write(...given)
  }
  /** Runs a task and returns the number of its write transactions and the tables that they changed. */
  const run = async (task: Upkeep) => {
    writes = 0
    const changes = await t.changes(() => runUpkeep(context, [task]))
    return { writes, changes }
  }
  return { run }
}

test('every task has a name of its own, and docs/limits.md lists it with its interval and its limit', () => {
  const page = readFileSync(new URL('../../../../docs/limits.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## Upkeep')
  const rows = [...section.matchAll(/^\| ([a-zA-Z -]+) \| ([\d,]+) s \| ([\d,]+) \| `[^`]+` \|$/gm)]
  const number = (text = '') => Number(text.replaceAll(',', ''))
  const listed = rows.map(([, name, seconds, limit]) => [name, number(seconds) * 1_000, number(limit)])
  expect(listed.toSorted()).toEqual(tasks.map(({ name, everyMs, limit }) => [name, everyMs, limit]).toSorted())
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(tasks.length)
})

test('no task writes or opens a write transaction when nothing is due', async () => {
  const { run } = await setUp()
  const idle: string[] = []
  for (const task of tasks) if ((await run(task)).writes === 0) idle.push(task.name)
  expect(idle.toSorted()).toEqual(idleTasks.toSorted())
  for (const task of tasks) expect([task.name, await run(task)]).toEqual([task.name, { writes: 0, changes: {} }])
})

test('a transaction of a task changes no more rows of a table than its limit', async () => {
  const { run } = await setUp()
  for (const task of tasks) {
    const { writes, changes } = await run({ ...task, limit: Math.min(task.limit, 1) })
    // A job and its first events are inserted together.
    const counts = Object.entries(changes).map(([table, count]) => (table === 'jobs' ? 1 : Math.abs(count)))
    expect([task.name, writes >= Math.max(0, ...counts)]).toEqual([task.name, true])
  }
})
