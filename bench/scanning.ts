/**
 * Measures the parsing of pages: megabytes per second of one thread, the time of a page of 100 kB, how a hostile page ends, and the longest stall of
 * the event loop in the meantime. Then measures the time from a supplied page to its stored facts. `web-fetch.ts` measures address checks and
 * requests.
 *
 * node bench/scanning.ts [--pages 100]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { newId } from '../apps/api/src/lib/ids.ts'
import { allPermissions, createTenant } from '../apps/api/src/rooms/identity/identity.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { NORMALIZATION_VERSION } from '../apps/api/src/rooms/normalization/normalization.ts'
import type { PageOrder } from '../apps/api/src/rooms/scanning/pages/page-facts.ts'
import { readPage } from '../apps/api/src/rooms/scanning/pages/read-page.ts'
import { endPageThread, runReading } from '../apps/api/src/rooms/scanning/pages/run-reading.ts'
import { getScan } from '../apps/api/src/rooms/scanning/scans/read-scans.ts'
import { supplyPage } from '../apps/api/src/rooms/scanning/supplied/supply-page.ts'
import { openConnection } from '../apps/api/src/store/engine/connection.ts'
import { openStore, STORE_FILE } from '../apps/api/src/store/store.ts'
import { countOption, some } from './figures.ts'
import { median } from './processes.ts'
import { untilStoreIsQuiet } from './quiet-store.ts'
import { describeMachine, table, verdict } from './report.ts'

const aims = { megabytes: 8, pageMs: 15, hostileMs: 3_000, stallMs: 50, suppliedMs: 1_000 }
const PAGE_BYTES = 100_000

const { values } = parseArgs({ options: { pages: { type: 'string', default: '100' } } })
const pages = countOption(values, 'pages')

const bench = { tenantId: 'bench' }
const order = (page: string): PageOrder => ({
  bytes: Buffer.from(page),
  contentType: 'text/html; charset=utf-8',
  format: 'html',
  url: 'https://karoo.co.za/',
  known: {
    names: ['Karoo Windpumps'],
    registrationNumber: '2015/123456/07',
    phones: ['+27215550105'],
    domains: ['karoo.co.za'],
    street: '12 Long St',
  },
  maxBytes: 2_000_000,
  maxLinks: 500,
})

const block = `<div class="card"><h2>Wind<b>pumps</b></h2><p>Built and repaired in the Karoo since 1998. <a href="/about">About us</a>, 021 555 0105,
  <a href="mailto:info@karoo.co.za">info@karoo.co.za</a></p><ul><li>Pumps<li>Towers<li>Tanks</ul><img src="a@2x.png" alt=""><script>var a = 1 < 2</script></div>\n`
const page = `<!doctype html><title>Karoo Windpumps</title>${block.repeat(Math.ceil(PAGE_BYTES / block.length))}`
/** A hostile page: text that parse5 expands to millions of nodes, and nesting that makes each scope check long. */
const hostile = `<p>${Array.from({ length: 400 }, (_, at) => `<b id=${at}>`).join('')}${'<p>x'.repeat(5_000)}`

console.log(describeMachine())
some(readPage(order(page)).counts?.text ?? 0, 'characters of text in the page')
const times = Array.from({ length: pages }, () => timeOf(() => readPage(order(page)))).slice(Math.floor(pages / 10))
const pageMs = median(times)
const megabytes = page.length / 1_000 / pageMs
await runReading(bench, order(page))
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
const startedAt = performance.now()
const ended = await runReading(bench, order(hostile))
const hostileMs = performance.now() - startedAt
delay.disable()
const stallMs = delay.max / 1e6
const supplied = await suppliedMs()
endPageThread()
console.log(
  table(
    ['what', 'measured', 'aim', ''],
    [
      [
        'parsing, one thread (CPU)',
        `${megabytes.toFixed(1)} MB/s`,
        `≥ ${aims.megabytes} MB/s`,
        verdict(megabytes >= aims.megabytes),
      ],
      [
        'a page of 100 kB, median (CPU)',
        `${pageMs.toFixed(1)} ms`,
        `≤ ${aims.pageMs} ms`,
        verdict(pageMs <= aims.pageMs),
      ],
      [
        `a hostile page (${ended.page === undefined ? ended.reason : ended.page.reasons.join(', ')})`,
        `${Math.round(hostileMs)} ms`,
        `≤ ${aims.hostileMs} ms`,
        verdict(hostileMs <= aims.hostileMs),
      ],
      [
        'longest stall of the event loop meanwhile',
        `${stallMs.toFixed(0)} ms`,
        `< ${aims.stallMs} ms`,
        verdict(stallMs < aims.stallMs),
      ],
      ...supplied.map(([what, ms]) => [
        what,
        `${Math.round(ms)} ms`,
        `≤ ${aims.suppliedMs} ms`,
        verdict(ms <= aims.suppliedMs),
      ]),
    ],
  ),
)

/** Returns the processor time of the work, because on a busy machine the clock includes other processes. */
function timeOf(work: () => unknown): number {
  const begun = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(begun)
  return (user + system) / 1_000
}

/** Returns the time, by the clock, from a received page to its facts as read back: for 20 pages of 100 kB, and for one page of 5 MB. */
async function suppliedMs(): Promise<[string, number][]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'prospect-bench-scanning-'))
  const store = openStore({ migrations, dataDir, clock: systemClock })
  const tenantId = await createTenant(store, 'command line', { name: 'Benchmark', timeZone: 'Africa/Johannesburg' })
  const businessId = newId()
  const now = new Date().toISOString()
  const db = openConnection(join(dataDir, STORE_FILE))
  db.prepare(`
    INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, tags, status, pipeline_state, do_not_contact,
      has_evidence, normalization_version)
    VALUES (?, ?, 1, ?, 'benchmark', ?, 'Karoo Windpumps', 'karoo windpumps', '[]', 'active', 'new', 0, 0, '${NORMALIZATION_VERSION}')`).run(
    tenantId,
    businessId,
    now,
    now,
  )
  db.close()
  const actor = {
    tenantId,
    correlationId: newId(),
    permissions: new Set(allPermissions),
    kind: 'user' as const,
    userId: newId(),
  }
  const supply = async (text: string) => {
    const begun = performance.now()
    const about = { url: 'https://karoo.co.za/', capturedAt: now, role: 'start' as const }
    const options = { permission: 'scanning.supply', action: 'page.supply' } as const
    const { value } = await supplyPage(store, actor, options, businessId, { page: Buffer.from(text), ...about })
    await getScan(store, actor, value.id)
    return performance.now() - begun
  }
  await untilStoreIsQuiet(store)
  const times: number[] = []
  for (let count = 0; count < 20; count++) times.push(await supply(page))
  const largest = await supply(page.repeat(50).slice(0, 5_000_000))
  await store.close()
  rmSync(dataDir, { recursive: true })
  return [
    ['a supplied page of 100 kB, median', median(times)],
    ['the same, longest of 20', Math.max(...times)],
    ['a supplied page of 5 MB, read to 2 MB', largest],
  ]
}
