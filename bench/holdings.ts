/**
 * Measures collections of everything held: from the request until both files are written, for prospects and for contact values of a store without
 * other requests.
 *
 * npm run bench:holdings -- [--records 1000000] [--rounds 7] [--store <folder>]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { holdingJob } from '../apps/api/src/rooms/holdings/holdings.jobs.ts'
import type { CreateHolding } from '../apps/api/src/rooms/holdings/holdings.schema.ts'
import { getHolding, requestHolding } from '../apps/api/src/rooms/holdings/holdings.ts'
import { rooms } from '../apps/api/src/rooms/index.ts'
import { jobKindsOf } from '../apps/api/src/rooms/jobs/jobs.ts'
import { startJobWorker } from '../apps/api/src/rooms/jobs/worker/worker.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { change } from '../apps/api/src/store/change/change.ts'
import { openStore, type Store } from '../apps/api/src/store/store.ts'
import { administratorOf } from './administrator.ts'
import { BenchmarkError, countOption } from './figures.ts'
import { storeOf } from './kept-store.ts'
import { median } from './processes.ts'
import { untilStoreIsQuiet } from './quiet-store.ts'
import { describeMachine, table, verdict } from './report.ts'

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '7' },
    store: { type: 'string' },
  },
})
const [records, rounds] = [countOption(values, 'records'), countOption(values, 'rounds')]
const aims = { seconds: 2 }

const home = values.store ?? mkdtempSync(join(tmpdir(), 'prospect-bench-holdings-'))
try {
  console.log(describeMachine())
  const { dataDir, seeded } = await storeOf(home, records)
  const store = openStore({ migrations, dataDir, clock: systemClock })
  try {
    await measure(store, seeded.ids)
  } finally {
    await store.close()
  }
} finally {
  if (values.store === undefined) rmSync(home, { recursive: true, force: true })
}

async function measure(store: Store, ids: readonly string[]): Promise<void> {
  const actor = await administratorOf(store)
  const worker = startJobWorker({
    store,
    kinds: jobKindsOf([holdingJob]),
    rooms,
    log: { error: console.error, warn: console.warn, info: () => {} },
  })
  await untilStoreIsQuiet(store)
  const lines: string[][] = []
  for (const [title, subjects] of await subjectsIn(store, actor.tenantId, ids)) {
    const runs = []
    for (const subject of subjects) runs.push(await collect(store, actor, subject))
    const slowest = Math.max(...runs.map(({ seconds }) => seconds))
    lines.push([
      title,
      spanOf(runs.map(({ rows }) => rows)),
      `${median(runs.map(({ seconds }) => seconds)).toFixed(2)} s`,
      `${slowest.toFixed(2)} s`,
      `${median(runs.map(({ processorSeconds }) => processorSeconds)).toFixed(2)} s`,
      verdict(slowest <= aims.seconds),
    ])
  }
  await worker.stop()
  console.log(
    table(
      [
        `${rounds} collections each, ${records.toLocaleString('en')} records`,
        'rows',
        'median',
        'slowest',
        'processor time',
        `≤ ${aims.seconds} s`,
      ],
      lines,
    ),
  )
}

/** Returns what is collected: prospects spread over the workspace, their addresses, and their numbers. */
async function subjectsIn(
  store: Store,
  tenantId: string,
  ids: readonly string[],
): Promise<[string, CreateHolding[]][]> {
  const step = Math.max(1, Math.floor(ids.length / rounds))
  const chosen = Array.from({ length: rounds }, (_, index) => ids[index * step] ?? '').filter((id) => id !== '')
  const valuesOf = async (kind: 'email' | 'phone'): Promise<CreateHolding[]> => {
    const rows = await store.reader
      .selectFrom('business_identifiers')
      .select('original')
      .where('tenant_id', '=', tenantId)
      .where('business_id', 'in', chosen)
      .where('kind', '=', kind)
      .where('normalized', 'is not', null)
      .limit(rounds)
      .execute()
    if (rows.length === 0) throw new BenchmarkError(`No ${kind} to collect.`)
    return rows.map(({ original: value }) => ({ kind, value }))
  }
  return [
    ['a prospect', chosen.map((businessId) => ({ businessId }))],
    ['an email address', await valuesOf('email')],
    ['a phone number', await valuesOf('phone')],
  ]
}

async function collect(store: Store, actor: Awaited<ReturnType<typeof administratorOf>>, subject: CreateHolding) {
  const [before, began] = [process.cpuUsage(), performance.now()]
  const { value } = await change(store, actor, { permission: 'holdings.create', action: 'holding.request' }, (tx) =>
    requestHolding(tx, subject),
  )
  for (;;) {
    const { status, file } = await getHolding(store, actor.tenantId, value.id)
    if (status === 'ready' && file !== null) {
      const { user, system } = process.cpuUsage(before)
      const seconds = (performance.now() - began) / 1_000
      return { seconds, processorSeconds: (user + system) / 1_000_000, rows: file.rows }
    }
    if (status !== 'preparing') throw new BenchmarkError(`The collection is ${status}.`)
    await delay(5)
  }
}

function spanOf(numbers: readonly number[]): string {
  return `${Math.min(...numbers)} to ${Math.max(...numbers)}`
}
