/**
 * Measures the parsing of pages: megabytes per second of one thread, the time of a page of 100 kB, the time until a hostile page is ended, and the
 * longest stall of the event loop. `web-fetch.ts` measures address checks and requests.
 *
 * node bench/scanning.ts [--pages 100]
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import type { PageOrder } from '../apps/api/src/rooms/scanning/pages/page-facts.ts'
import { readPage } from '../apps/api/src/rooms/scanning/pages/read-page.ts'
import { endPageThread, runReading } from '../apps/api/src/rooms/scanning/pages/run-reading.ts'
import { median } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'

const aims = { megabytes: 8, pageMs: 15, hostileMs: 3_000, stallMs: 50 }
const PAGE_BYTES = 100_000

const { values } = parseArgs({ options: { pages: { type: 'string', default: '100' } } })
const pages = Number(values.pages)

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
/** 4 kB that parse5 expands to millions of nodes, and nesting that makes each scope check long. */
const hostile = `<p>${Array.from({ length: 400 }, (_, at) => `<b id=${at}>`).join('')}${'<p>x'.repeat(5_000)}`

console.log(describeMachine())
const times = Array.from({ length: pages }, () => timeOf(() => readPage(order(page)))).slice(Math.floor(pages / 10))
const pageMs = median(times)
const megabytes = page.length / 1_000 / pageMs
await runReading(order(page))
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
const startedAt = performance.now()
const ended = await runReading(order(hostile))
const hostileMs = performance.now() - startedAt
delay.disable()
const stallMs = delay.max / 1e6
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
    ],
  ),
)

/** Returns processor time, because on a busy machine the clock includes other processes. */
function timeOf(work: () => unknown): number {
  const begun = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(begun)
  return (user + system) / 1_000
}
