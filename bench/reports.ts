/**
 * Measures the cost of a report over a million interactions: the time until it is complete, and the longest stall of the API's event loop. The
 * ceiling is the bare driver, which counts the same interactions by outcome in the same run on the same store.
 *
 * npm run bench:reports -- [--rows 50000] [--interactions 1000000] [--rounds 5] [--store <folder of bench:seed>]
 */

import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { newId } from '../apps/api/src/lib/ids.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { openConnection } from '../apps/api/src/store/engine/connection.ts'
import { migrate } from '../apps/api/src/store/files/migrate.ts'
import { STORE_FILE } from '../apps/api/src/store/store.ts'
import { countOption, some } from './figures.ts'
import { median } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { seed } from './seed.ts'
import { startApi } from './servers.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '50000' },
    interactions: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    store: { type: 'string' },
  },
})
const AIM_SECONDS = 3
const AIM_STALL_MS = 50
const POLL_MS = 20
const LONGEST_WAIT_MS = 120_000
const BENCH_USER = { email: 'bench@example.co.za', password: 'correct horse battery staple 42' }
/** Interval of the report. The interactions are spread over it. */
const YEAR = { from: '2025-01-01', to: '2025-12-31' }
const YEAR_STARTS = Date.parse('2024-12-31T22:00:00Z')
const YEAR_MS = 365 * 86_400_000
const made = z.object({ id: z.string(), status: z.string(), result: z.object({ figuresHash: z.string() }).nullable() })
const outcomes = ['connected', 'no_answer', 'left_message', 'meeting_booked', 'meeting_held', 'other']

const dataDir = mkdtempSync(join(tmpdir(), 'prospect-bench-reports-'))
try {
  process.stdout.write(describeMachine())
  if (values.store === undefined) await seed({ dataDir, rows: countOption(values, 'rows') })
  else {
    mkdirSync(dataDir, { recursive: true })
    cpSync(join(values.store, STORE_FILE), join(dataDir, STORE_FILE))
  }
  const written = addInteractions(countOption(values, 'interactions'))
  console.log(
    `${written.interactions.toLocaleString('en')} interactions of ${written.businesses.toLocaleString('en')} businesses`,
  )
  const bareMs = median(Array.from({ length: 3 }, () => countBare(written.tenantId)))
  report(await measure(), bareMs)
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

/** Inserts interactions, spread over the prospects of the big tenant, as the rows that the room would write but without `change()`. */
function addInteractions(wanted: number): { tenantId: string; businesses: number; interactions: number } {
  const db = openConnection(join(dataDir, STORE_FILE))
  migrate(db, { steps: migrations })
  db.pragma('synchronous = OFF')
  const { id: tenantId } = z
    .object({ id: z.string() })
    .parse(db.prepare('SELECT id FROM tenants WHERE number = 1').get())
  const businesses = z
    .array(z.string())
    .parse(db.prepare('SELECT id FROM businesses WHERE tenant_id = ? ORDER BY id').pluck().all(tenantId))
  const insert = db.prepare(`INSERT INTO interactions
      (tenant_id, id, business_id, occurred_at, channel, outcome, participants, on_do_not_contact, created_at, created_by)
    VALUES (?, ?, ?, ?, 'phone', ?, '[]', 0, ?, 'sample data')`)
  db.exec('BEGIN IMMEDIATE')
  for (let index = 0; index < wanted; index++) {
    const at = new Date(YEAR_STARTS + Math.floor((index / wanted) * YEAR_MS)).toISOString()
    insert.run(tenantId, newId(), businesses[index % businesses.length], at, outcomes[index % outcomes.length], at)
  }
  db.exec('COMMIT')
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  return { tenantId, businesses: some(businesses.length, 'prospects'), interactions: wanted }
}

function countBare(tenantId: string): number {
  const db = openConnection(join(dataDir, STORE_FILE), { readonly: true })
  const started = performance.now()
  db.prepare('SELECT outcome, count(*) FROM interactions WHERE tenant_id = ? GROUP BY outcome').all(tenantId)
  const took = performance.now() - started
  db.close()
  return took
}

type Round = { seconds: number; stalledMs: number; computedMs: number }

async function measure(): Promise<Round[]> {
  const api = await startApi(dataDir)
  try {
    const { headers } = await api.signIn(BENCH_USER)
    const ask = async (path: string, init: RequestInit = {}) => {
      const sent = { ...headers, 'content-type': 'application/json', 'idempotency-key': newId() }
      const answer = await fetch(`http://127.0.0.1:${api.port}/api/v1${path}`, { ...init, headers: sent })
      return made.parse(await answer.json())
    }
    const rounds: Round[] = []
    const hashes = new Set<string>()
    const body = JSON.stringify({ ...YEAR, asOf: new Date().toISOString() })
    await api.untilQuiet()
    for (let round = 0; round < countOption(values, 'rounds'); round++) {
      await api.longestStall()
      const started = performance.now()
      let report = await ask('/reports', { method: 'POST', body })
      while (report.result === null && performance.now() - started < LONGEST_WAIT_MS) {
        if (report.status === 'failed') throw new Error('The report failed.')
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
        report = await ask(`/reports/${report.id}`)
      }
      if (report.result === null) throw new Error('The report was not made in time.')
      hashes.add(report.result.figuresHash)
      const { stalledMs, computedMs } = await api.longestStall()
      rounds.push({ seconds: (performance.now() - started) / 1000, stalledMs, computedMs })
    }
    if (hashes.size !== 1) throw new Error('The same question gave different figures.')
    return rounds
  } finally {
    await api.stop()
  }
}

function report(rounds: Round[], bareMs: number): void {
  const seconds = median(rounds.map((round) => round.seconds))
  const computed = Math.max(...rounds.map(({ computedMs }) => computedMs))
  console.log(
    table(
      ['round', 'seconds', 'longest stall ms', 'of it computing ms'],
      rounds.map((round, index) => [
        String(index + 1),
        round.seconds.toFixed(2),
        round.stalledMs.toFixed(0),
        round.computedMs.toFixed(0),
      ]),
    ),
  )
  console.log(`median ${seconds.toFixed(2)} s, aim ${AIM_SECONDS} s: ${verdict(seconds <= AIM_SECONDS)}`)
  console.log(
    `event loop computing at most ${computed.toFixed(0)} ms, aim ${AIM_STALL_MS} ms: ${verdict(computed <= AIM_STALL_MS)}`,
  )
  console.log(
    `${((seconds * 1000) / bareMs).toFixed(1)} times the bare driver counting the interactions by outcome (${bareMs.toFixed(0)} ms)`,
  )
}
