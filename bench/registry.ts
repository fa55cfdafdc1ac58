/**
 * Measures a registry round over a whole workspace in a service without other requests: writing its file, reading a result of many hits, and the time
 * from the confirmation until every hit is blocked. Then asks the gate about every hit.
 *
 * npm run bench:registry -- [--records 100000] [--hits 100000] [--store <folder>]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { gate } from '../apps/api/src/rooms/contact-gate/contact-gate.ts'
import { jobKindsOf } from '../apps/api/src/rooms/jobs/jobs.ts'
import { startJobWorker } from '../apps/api/src/rooms/jobs/worker/worker.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import {
  registryConfirmationJob,
  registryFileJob,
  registryResultJob,
} from '../apps/api/src/rooms/registry/registry.jobs.ts'
import { readHit } from '../apps/api/src/rooms/registry/registry.rules.ts'
import { filesOf } from '../apps/api/src/rooms/registry/registry-files.ts'
import { confirmRound, getRound, startRound, uploadResult } from '../apps/api/src/rooms/registry/rounds.ts'
import { change } from '../apps/api/src/store/change/change.ts'
import { openStore, type Store } from '../apps/api/src/store/store.ts'
import { administratorOf } from './administrator.ts'
import { countOption, some } from './figures.ts'
import { storeOf } from './kept-store.ts'
import { untilStoreIsQuiet } from './quiet-store.ts'
import { describeMachine, table, verdict } from './report.ts'

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    hits: { type: 'string', default: '100000' },
    store: { type: 'string' },
  },
})
const [records, hits] = [countOption(values, 'records'), countOption(values, 'hits')]
const aims = { blockedSeconds: 60 }
/** Values of one question to the gate, after the run. */
const ASKED_AT_ONCE = 100

const home = values.store ?? mkdtempSync(join(tmpdir(), 'prospect-bench-registry-'))
try {
  console.log(describeMachine())
  const { dataDir } = await storeOf(home, records)
  const store = openStore({ migrations, dataDir, clock: systemClock })
  try {
    await measure(store)
  } finally {
    await store.close()
  }
} finally {
  if (values.store === undefined) rmSync(home, { recursive: true, force: true })
}

async function measure(store: Store): Promise<void> {
  const actor = await administratorOf(store)
  const { tenantId } = actor
  const worker = startJobWorker({
    store,
    kinds: jobKindsOf([registryFileJob, registryResultJob, registryConfirmationJob]),
    log: { error: console.error, warn: console.warn, info: () => {} },
  })
  await untilStoreIsQuiet(store)

  const started = await change(store, actor, { permission: 'registry.manage', action: 'registry_round.start' }, (tx) =>
    startRound(tx, { kinds: ['phone', 'email'], form: 'plain', states: [], columns: ['value'] }),
  )
  const { id } = started.value
  const see = () => getRound(store, tenantId, id)
  const fileSeconds = await secondsUntil(async () => (await see()).state === 'awaiting_result')
  const known = readFileSync(filesOf(store.dataDir, id).values, 'utf8').trimEnd().split('\n').map(readHit)
  const listed = known.slice(0, hits)
  some(listed.length, 'values in the file')

  const body = Readable.from([Buffer.from(`value\n${listed.map(({ normalized }) => normalized).join('\n')}\n`)])
  await uploadResult(store, body, {
    actor,
    roundId: id,
    phoneRegion: undefined,
    admitAgain: async () => actor,
    idempotency: () => undefined,
  })
  const readSeconds = await secondsUntil(async () => (await see()).result?.status !== 'reading')
  const { result } = await see()
  if (result?.counts?.hits !== listed.length) throw new Error(`The result was not read: ${JSON.stringify(result)}`)

  await change(store, actor, { permission: 'registry.manage', action: 'registry_round.confirm' }, (tx) =>
    confirmRound(tx, id, { resultSha256: result.sha256, reason: 'Listed by the registry.' }),
  )
  const before = process.cpuUsage()
  const blockedSeconds = await secondsUntil(async () => (await see()).state === 'closed')
  const { user, system } = process.cpuUsage(before)
  const processorSeconds = (user + system) / 1_000_000
  const asker = { db: store.reader, keys: store.keys }
  let blocked = 0
  for (let from = 0; from < listed.length; from += ASKED_AT_ONCE) {
    const asked = listed.slice(from, from + ASKED_AT_ONCE).map(({ kind, normalized: value }) => ({ kind, value }))
    blocked += new Set((await gate(asker, tenantId, asked)).map(({ index }) => index)).size
  }
  if (blocked !== listed.length) throw new Error(`${listed.length - blocked} of the hits are not blocked.`)
  await worker.stop()

  console.log(
    table(
      [`${listed.length.toLocaleString('en')} hits, ${records.toLocaleString('en')} records`, 'measured', 'target', ''],
      [
        [`file of ${known.length.toLocaleString('en')} values`, `${fileSeconds.toFixed(1)} s`, '', ''],
        ['reading the result', `${readSeconds.toFixed(1)} s`, '', ''],
        [
          'from the confirmation until every hit is blocked',
          `${blockedSeconds.toFixed(1)} s`,
          `≤ ${aims.blockedSeconds} s`,
          verdict(blockedSeconds <= aims.blockedSeconds),
        ],
        [
          'processor time of that',
          `${processorSeconds.toFixed(1)} s`,
          `≤ ${aims.blockedSeconds} s`,
          verdict(processorSeconds <= aims.blockedSeconds),
        ],
      ],
    ),
  )
}

async function secondsUntil(isDone: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  while (!(await isDone())) await delay(200)
  return (performance.now() - began) / 1_000
}
