/**
 * Measures the review of one tenant with a million scored records, of which the tenth with the best scores is already reviewed: pages of the queue,
 * the tiles of the dashboard, and a bulk action on 10,000 records with its preview, together with the response times of the API in the meantime.
 *
 *   npm run bench:review -- [--records 1000000] [--bulk 10000] [--store <folder to fill, or one that was filled>]
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { newId } from '../apps/api/src/lib/ids.ts'
import { openConnection } from '../apps/api/src/store/engine/connection.ts'
import { STORE_FILE } from '../apps/api/src/store/store.ts'
import { createPerson, openClient, untilEnded } from './api-client.ts'
import { countOption, ratioToRest, some } from './figures.ts'
import { median, startDriver } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { fillScoredTenant, SAMPLE_FILE, sampleShape } from './scored-tenant.ts'
import { startApi } from './servers.ts'

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    bulk: { type: 'string', default: '10000' },
    store: { type: 'string' },
  },
})
const records = countOption(values, 'records')
const bulkSize = countOption(values, 'bulk')
const who = { email: 'bench@example.co.za', password: 'correct horse battery staple 42' }
const LONGEST_PAGE = 200

const page = z.object({
  items: z.array(z.object({ id: z.string() })),
  page: z.object({ nextCursor: z.string().nullable() }),
})
const dashboard = z.object({ tiles: z.array(z.object({ key: z.string(), status: z.string() })) })
const preview = z.object({ id: z.string(), fingerprint: z.string(), wouldChange: z.number() })
const started = z.object({ id: z.string(), jobId: z.string() })

/** Scores all records and reviews the tenth with the best scores, with statements that write many rows at once. */
async function prepare(dataDir: string): Promise<void> {
  await fillScoredTenant(dataDir, records)
  const { tenantId, ruleSetId } = sampleShape.parse(JSON.parse(readFileSync(join(dataDir, SAMPLE_FILE), 'utf8')))
  createPerson(dataDir, tenantId, who)
  const api = await startApi(dataDir, { isFree: true })
  const best: string[] = []
  try {
    const client = await openClient(api, who)
    const run = started.parse(await client.send('/scoring/runs', { ruleSetId, version: 1, reason: 'Benchmark' }))
    await untilEnded(client, run.jobId)
    await client.send(`/scoring/runs/${run.id}/activation`, { expectedActiveRunId: null, reason: 'Benchmark' })
    let cursor = ''
    while (best.length < records / 10) {
      const { items, page: at } = page.parse(await client.get(`/businesses?sort=-score&limit=${LONGEST_PAGE}${cursor}`))
      best.push(...items.map(({ id }) => id))
      if (at.nextCursor === null) break
      cursor = `&cursor=${encodeURIComponent(at.nextCursor)}`
    }
  } finally {
    await api.stop()
  }
  const db = openConnection(join(dataDir, STORE_FILE))
  const at = new Date().toISOString()
  const none = '0'.repeat(64)
  const review = db.prepare(`
    INSERT INTO reviews (tenant_id, id, business_id, decision, checked_fields, method, fingerprint, business_version, created_at, created_by)
    VALUES (?, ?, ?, 'verify', '[]', 'single', '1.${none}', 1, ?, 'benchmark')`)
  const state = db.prepare(`
    INSERT INTO review_states (tenant_id, business_id, state, is_due, due_from, review_id, facts_hash, decided_at, is_active, do_not_contact)
    SELECT tenant_id, id, 'verified', 0, NULL, ?, '${none}', ?, 1, do_not_contact FROM businesses WHERE tenant_id = ? AND id = ?`)
  some(best.length, 'records with a score')
  db.exec('BEGIN')
  for (const id of best) {
    const reviewId = newId()
    review.run(tenantId, reviewId, id, at)
    state.run(reviewId, at, tenantId, id)
  }
  db.prepare(
    "INSERT INTO follower_positions (tenant_id, follower, sequence, version) SELECT ?, 'review', max(sequence), '' FROM audit_events",
  ).run(tenantId)
  db.exec('COMMIT')
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

async function measure(dataDir: string): Promise<void> {
  const lines: string[][] = []
  const add = (what: string, seen: number, unit: string, aim: number) =>
    lines.push([what, `${seen.toFixed(seen < 10 ? 2 : 0)} ${unit}`, `≤ ${aim} ${unit}`, verdict(seen <= aim)])
  const driver = startDriver()
  const api = await startApi(dataDir, { isFree: true })
  try {
    const client = await openClient(api, who)
    const load = (path: string, seconds = 2) =>
      driver.run({
        ...{ port: api.port, connections: 1, seconds, headers: client.headers, method: 'GET' },
        paths: [`/api/v1${path}`],
      })
    const list = '/businesses?limit=50'
    // The loops first process the rows that were inserted without requests.
    await api.untilQuiet()
    await load(list)
    await load('/review-queue?limit=50')
    const newest = median([await load(list), await load(list)].map(({ p50 }) => p50))
    add('page of the queue, of newest first', (await load('/review-queue?limit=50')).p50 / newest, 'times', 2)
    add('all tiles of maintained counters, p50', (await load('/dashboard')).p50, 'ms', 50)
    const { tiles } = dashboard.parse(await client.get('/dashboard'))
    for (const { key, status } of tiles)
      if (status === 'pending') add(`tile ${key}, p50`, (await load(`/dashboard/tiles/${key}`)).p50, 'ms', 500)

    some(tiles.length, 'tiles of the dashboard')
    const due = page.parse(await client.get(`/review-queue?limit=${LONGEST_PAGE}`))
    const ids = due.items.map(({ id }) => id)
    some(ids.length, 'records in the review queue')
    let cursor = due.page.nextCursor
    while (ids.length < Math.min(2_000, bulkSize) && cursor !== null) {
      const next = page.parse(
        await client.get(`/review-queue?limit=${LONGEST_PAGE}&cursor=${encodeURIComponent(cursor)}`),
      )
      ids.push(...next.items.map(({ id }) => id))
      cursor = next.page.nextCursor
    }
    const selection = bulkSize <= 2_000 ? { ids: ids.slice(0, bulkSize) } : { filter: filterOf(), excludedIds: [] }
    const began = performance.now()
    const seen = preview.parse(await client.send('/bulk-reviews/previews', { action: 'verify', selection }))
    some(seen.wouldChange, 'changes of the bulk')
    add(
      `preview, of which ${seen.wouldChange.toLocaleString('en')} would change`,
      (performance.now() - began) / 1_000,
      's',
      3,
    )
    await api.untilQuiet()
    const rest = median([await load(list), await load(list), await load(list)].map(({ p99 }) => p99))
    await api.longestStall()
    const body = { previewId: seen.id, fingerprint: seen.fingerprint, reason: 'Benchmark' }
    const { jobId } = started.parse(await client.send('/bulk-reviews', body))
    const p99: number[] = []
    let isOver = false
    const ending = untilEnded(client, jobId).finally(() => {
      isOver = true
    })
    while (!isOver) p99.push((await load(list)).p99)
    const seconds = await ending
    const { stalledMs, computedMs } = await api.longestStall()
    add(`bulk of ${seen.wouldChange.toLocaleString('en')} changes`, seconds, 's', 30)
    add('longest stall of the event loop meanwhile', stalledMs, 'ms', 50)
    add('longest computation without a pause meanwhile', computedMs, 'ms', 50)
    const underLoad = median(p99)
    add('p99 of a list meanwhile, of that at rest', ratioToRest('a list', { underLoad, atRest: rest }), 'times', 2)
  } finally {
    await api.stop()
    driver.stop()
  }
  process.stdout.write(
    describeMachine() + table([`reviewing ${records.toLocaleString('en')} records`, 'seen', 'aim', ''], lines),
  )
}

/** Returns a filter that matches some 9,000 records: those in one state and without one tag and, in a store of a million, of one province. */
const filterOf = () => [
  { field: 'state', op: 'any_of', values: ['qualified'] },
  { field: 'tag', op: 'none_of', values: ['Farm'] },
  ...(records >= 500_000 ? [{ field: 'province', op: 'any_of', values: ['NC'] }] : []),
]

const folder = values.store ?? mkdtempSync(join(tmpdir(), 'prospect-review-'))
try {
  if (!existsSync(join(folder, SAMPLE_FILE))) await prepare(folder)
  await measure(folder)
} finally {
  if (values.store === undefined) rmSync(folder, { recursive: true, force: true })
}
