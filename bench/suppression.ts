/**
 * Measures the cost of the suppression gate: look-ups per second with a million entries, compared with a bare read of the same table by primary key;
 * the time to add an entry that marks 10,000 records, how long it blocks the event loop, and how long a reader and another writer wait.
 *
 * node bench/suppression.ts [--entries 1000000] [--records 10000]
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Actor } from '../apps/api/src/lib/actor.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { newId } from '../apps/api/src/lib/ids.ts'
import { createBusiness, createBusinessSchema } from '../apps/api/src/rooms/businesses/businesses.ts'
import { gate } from '../apps/api/src/rooms/contact-gate/contact-gate.ts'
import { allPermissions, createTenant } from '../apps/api/src/rooms/identity/identity.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { addSuppression } from '../apps/api/src/rooms/suppression/entries/add-entry.ts'
import { removeSuppression } from '../apps/api/src/rooms/suppression/entries/remove-entry.ts'
import { addSuppressionSchema } from '../apps/api/src/rooms/suppression/suppression.schema.ts'
import { change } from '../apps/api/src/store/change/change.ts'
import { openConnection } from '../apps/api/src/store/engine/connection.ts'
import { openStore, STORE_FILE, type Store } from '../apps/api/src/store/store.ts'
import { countOption, some } from './figures.ts'
import { median } from './processes.ts'
import { untilStoreIsQuiet } from './quiet-store.ts'
import { describeMachine, table, verdict } from './report.ts'

const { values } = parseArgs({
  options: { entries: { type: 'string', default: '1000000' }, records: { type: 'string', default: '10000' } },
})
const [entryCount, recordCount] = [countOption(values, 'entries'), countOption(values, 'records')]

const LOOK_UPS = 20_000
const aims = { ratio: 0.5, markMs: 1_000, stallMs: 50 }

const dataDir = mkdtempSync(join(tmpdir(), 'prospect-bench-suppression-'))
try {
  console.log(describeMachine())
  const store = openStore({ migrations, dataDir, clock: systemClock })
  const tenantId = await createTenant(store, 'sample data', { name: 'Bench', timeZone: 'Africa/Johannesburg' })
  fillEntries(tenantId)
  await measureLookUps(store, tenantId)
  await measureMarking(store, tenantId)
  await store.close()
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

/** Inserts suppression entries directly into the file, in the form in which the room writes them. */
function fillEntries(tenantId: string): void {
  const db = openConnection(join(dataDir, STORE_FILE))
  db.pragma('synchronous = OFF')
  const at = new Date().toISOString()
  const entry = db.prepare(`
    INSERT INTO suppressions (tenant_id, id, kind, scope, original, normalized, rules_version, reason, channel, requested_at, created_at, created_by,
      tombstone, status)
    VALUES (?, ?, 'email', 'exact', ?, ?, 'bench', 'Asked.', 'email', ?, ?, 'sample data', 0, 'active')`)
  const key = db.prepare('INSERT INTO suppression_keys (tenant_id, key, suppression_id, live) VALUES (?, ?, ?, 1)')
  db.transaction(() => {
    for (let index = 0; index < entryCount; index++) {
      const id = newId()
      const address = addressOf(index)
      entry.run(tenantId, id, address, address, at, at)
      key.run(tenantId, `h:za.co.host${index % 5_000}.@person${index}`, id)
    }
  })()
  // Empty the write-ahead log now. Otherwise a checkpoint of the seeded rows would occur during the measurement.
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

function addressOf(index: number): string {
  return `person${index}@host${index % 5_000}.co.za`
}

async function measureLookUps(store: Store, tenantId: string): Promise<void> {
  const asked = Array.from({ length: LOOK_UPS }, () => Math.floor(Math.random() * entryCount * 2))
  const db = openConnection(join(dataDir, STORE_FILE), { readonly: true })
  const bare = db.prepare('SELECT suppression_id FROM suppression_keys WHERE tenant_id = ? AND key = ?')
  const bareRun = () => {
    for (const index of asked) bare.get(tenantId, `h:za.co.host${index % 5_000}.@person${index}`)
  }
  const asker = { db: store.reader, keys: store.keys }
  const gateRun = async (size: number) => {
    for (let start = 0; start < asked.length; start += size) {
      const part = asked.slice(start, start + size)
      await gate(
        asker,
        tenantId,
        part.map((index) => ({ kind: 'email', value: addressOf(index) })),
      )
    }
  }
  await untilStoreIsQuiet(store)
  bareRun()
  await gateRun(1)
  const rounds = { bare: [] as number[], one: [] as number[], many: [] as number[] }
  for (let round = 0; round < 5; round++) {
    rounds.bare.push(await perSecond(async () => bareRun()))
    rounds.one.push(await perSecond(() => gateRun(1)))
    rounds.many.push(await perSecond(() => gateRun(100)))
  }
  db.close()
  const [bareRate, one, many] = [median(rounds.bare), median(rounds.one), median(rounds.many)]
  const line = (name: string, rate: number) => [
    name,
    Math.round(rate).toLocaleString('en'),
    (rate / bareRate).toFixed(2),
  ]
  console.log(
    table(
      [`${entryCount.toLocaleString('en')} entries`, 'a second', 'of bare', 'aim', ''],
      [
        [...line('bare read by primary key', bareRate), '', ''],
        [...line('gate, one value a question', one), `≥ ${aims.ratio}`, verdict(one / bareRate >= aims.ratio)],
        [...line('gate, 100 values a question', many), `≥ ${aims.ratio}`, verdict(many / bareRate >= aims.ratio)],
      ],
    ),
  )
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (LOOK_UPS / (performance.now() - started)) * 1_000
}

async function measureMarking(store: Store, tenantId: string): Promise<void> {
  const actor: Actor = {
    kind: 'system',
    name: 'sample data',
    tenantId,
    correlationId: newId(),
    permissions: allPermissions,
  }
  const create = (host: string) => {
    const body = createBusinessSchema.parse({ name: 'Karoo Windpumps', emails: [{ value: `sales${newId()}@${host}` }] })
    return change(store, actor, { permission: null, action: 'business.create' }, (tx) => createBusiness(tx, body))
  }
  for (let done = 0; done < recordCount; done += 500)
    await Promise.all(Array.from({ length: Math.min(500, recordCount - done) }, () => create('many.co.za')))
  await untilStoreIsQuiet(store)

  const input = addSuppressionSchema.parse({ kind: 'domain', value: 'many.co.za', reason: 'Asked.', channel: 'email' })
  const adding = await watched(store, create, () =>
    change(store, actor, { permission: null, action: 'suppression.add' }, (tx) => addSuppression(tx, input)),
  )
  const { id: suppressionId, marked } = adding.result.value
  some(marked, 'records that the entry marks')
  await untilStoreIsQuiet(store)
  const removing = await watched(store, create, () =>
    change(store, actor, { permission: null, action: 'suppression.remove' }, (tx) =>
      removeSuppression(tx, suppressionId, 'Bench.'),
    ),
  )
  const line = (name: string, { tookMs, stallMs, readMs, writeMs }: typeof adding | typeof removing) => [
    name,
    tookMs.toFixed(0),
    verdict(tookMs < aims.markMs),
    stallMs.toFixed(0),
    verdict(stallMs < aims.stallMs),
    readMs.toFixed(0),
    writeMs.toFixed(0),
  ]
  console.log(
    table(
      ['', 'ms', `< ${aims.markMs}`, 'longest stall, ms', `< ${aims.stallMs}`, 'slowest read', 'another write waited'],
      [line(`add, ${marked} records marked`, adding), line('remove, all freed', removing)],
    ),
  )
}

/** Runs the work while another write waits and reads continue. Returns the longest stall of the event loop. */
async function watched<T>(store: Store, create: (host: string) => Promise<unknown>, work: () => Promise<T>) {
  const state = { isDone: false }
  let [stallMs, readMs, at] = [0, 0, performance.now()]
  const watching = (async () => {
    while (!state.isDone) {
      await turn()
      stallMs = Math.max(stallMs, performance.now() - at)
      at = performance.now()
      await store.reader.selectFrom('tenants').select('id').limit(1).execute()
      readMs = Math.max(readMs, performance.now() - at)
      at = performance.now()
    }
  })()
  const started = performance.now()
  const working = work().then((result) => ({ result, tookMs: performance.now() - started }))
  const other = create('other.co.za').then(() => performance.now() - started)
  const { result, tookMs } = await working
  const writeMs = await other
  state.isDone = true
  await watching
  return { result, tookMs, stallMs, readMs, writeMs }
}
