/**
 * Measures how pages, counts and search become slower when a tenant grows tenfold.
 *
 * npm run bench:scale -- [--rows 100000,1000000] [--keep <folder>]
 *
 * With `--keep` the filled stores are kept in that folder for the next run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { BenchmarkError, countOption, some } from './figures.ts'
import { storeOf } from './kept-store.ts'
import type { LoadResult } from './load.ts'
import { type Driver, memoryOf, startDriver } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { rareTag, rareWord } from './sample-data.ts'
import type { Seeded } from './seed.ts'
import { startApi } from './servers.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000,1000000' }, keep: { type: 'string' } },
})
const sizes = values.rows.split(',').map((rows) => countOption({ rows }, 'rows'))
const [small = 0] = sizes
// The growth from a size to itself is always 1.
if (new Set(sizes).size < 2) throw new BenchmarkError(`--rows must name two sizes, not ${values.rows}.`)

type Question = { name: string; query: string; kind: 'page' | 'count' | 'search' }

/** Maximum factor by which a page may be slower at the larger size. Counts and searches have a limit in milliseconds instead. */
const growthAim = 2
const aimMs = { count: 7, search: 20 }

function questions(person: string, deepCursor: string): Question[] {
  const page = (name: string, query: string): Question => ({
    name,
    query: `/businesses?limit=50${query}`,
    kind: 'page',
  })
  const search = (name: string, q: string, rest = ''): Question => ({
    name: `search: ${name}`,
    query: `/businesses?limit=50&q=${encodeURIComponent(q)}${rest}`,
    kind: 'search',
  })
  return [
    page('newest', ''),
    page('by state', '&state=qualified'),
    page('by province', '&province=WC'),
    page('by assignee', `&assignee=${person}`),
    page('by common tag', '&tag=tender'),
    page('by rare tag', `&tag=${rareTag}`),
    page('do not contact', '&doNotContact=true'),
    page('without evidence', '&hasEvidence=false'),
    page('state and province', '&state=won&province=NC'),
    page('state, province, tag, evidence', '&state=won&province=NC&tag=tender&hasEvidence=true'),
    page('by name', '&sort=name'),
    page('by name, backwards, of a state', '&sort=-name&state=lost'),
    page('oldest first', '&sort=createdAt'),
    page('20,000 rows deep', `&cursor=${encodeURIComponent(deepCursor)}`),
    { name: 'pipeline counts', query: '/pipeline', kind: 'count' },
    { name: 'total of a list', query: '/businesses?limit=1', kind: 'count' },
    { name: 'total by state and province', query: '/businesses?limit=1&state=new&province=GP', kind: 'count' },
    { name: 'total by common tag', query: '/businesses?limit=1&tag=tender', kind: 'count' },
    { name: 'tags with counts', query: '/businesses/tags?limit=50', kind: 'count' },
    search('in most records', 'pty'),
    search('common word', 'plumbing'),
    search('common word of a state', 'plumbing', '&state=won'),
    search('common word by name', 'plumbing', '&sort=name'),
    search('two words in another order', 'plumbing kagiso'),
    search('part of a word', 'umzim'),
    search('rare word', rareWord),
    search('part of a phone', '011004242'),
    search('absent', 'qzxjkv'),
    search('two letters', 'ka'),
  ]
}

type Seen = LoadResult & { total: string }

const totalOf = z.object({ page: z.object({ total: z.object({ value: z.number() }).nullable() }) })

async function measure(driver: Driver, dataDir: string, seeded: Seeded): Promise<Map<string, Seen | string>> {
  const api = await startApi(dataDir)
  try {
    const { headers } = await api.signIn(seeded)
    await api.untilQuiet()
    // Discard the stalls of the start, which precede the first request.
    await api.longestStall()
    const ask = async (query: string) =>
      (await fetch(`http://127.0.0.1:${api.port}/api/v1${query}`, { headers })).json()
    const seen = new Map<string, Seen | string>()
    const deepCursor = await walk(ask, 20_000)
    for (const { name, query } of questions(seeded.people[1] ?? 'none', deepCursor)) {
      const plan = { port: api.port, connections: 1, headers, method: 'GET' as const, paths: [`/api/v1${query}`] }
      try {
        await driver.run({ ...plan, seconds: 1, requests: 20 })
        const result = await driver.run({ ...plan, seconds: 4, requests: 500 })
        const counted = totalOf.safeParse(await ask(query))
        seen.set(name, {
          ...result,
          total: counted.success ? String(counted.data.page.total?.value ?? 'not known') : '',
        })
      } catch (error) {
        if (error instanceof BenchmarkError) throw error
        seen.set(name, error instanceof Error ? error.message.slice(0, 90) : 'failed')
      }
    }
    const stall = await api.longestStall()
    console.log(
      `${dataDir.split('/').at(-1)} businesses: ready after ${api.readyMs.toFixed(0)} ms, longest stall ${stall.stalledMs.toFixed(0)} ms (${stall.computedMs.toFixed(0)} ms of computing), memory at most ${memoryOf(api.pid).peakMb.toFixed(0)} MB`,
    )
    return seen
  } finally {
    await api.stop()
  }
}

/** Returns the cursor of the page that starts `depth` rows from the newest. */
async function walk(ask: (query: string) => Promise<unknown>, depth: number): Promise<string> {
  const pageOf = z.object({ page: z.object({ nextCursor: z.string() }) })
  let cursor = ''
  for (let row = 0; row < depth; row += 200) {
    const query = cursor === '' ? '/businesses?limit=200' : `/businesses?limit=200&cursor=${encodeURIComponent(cursor)}`
    cursor = pageOf.parse(await ask(query)).page.nextCursor
  }
  return cursor
}

const home = values.keep ?? mkdtempSync(join(tmpdir(), 'prospect-bench-'))
const driver = startDriver()
try {
  console.log(describeMachine())
  const bySize = new Map<number, Map<string, Seen | string>>()
  for (const rows of sizes) {
    const { dataDir, seeded } = await storeOf(home, rows)
    bySize.set(rows, await measure(driver, dataDir, seeded))
  }
  const lines = questions('', '').map(({ name, kind }) => {
    const seen = sizes.map((rows) => bySize.get(rows)?.get(name))
    const cells = seen.map((one) =>
      one === undefined ? '' : typeof one === 'string' ? one : `${one.p50.toFixed(2)} / ${one.p99.toFixed(2)}`,
    )
    const [first, last] = [seen[0], seen.at(-1)]
    if (typeof first !== 'object' || typeof last !== 'object') return [name, ...cells, '', '', verdict(false), '']
    const growth = some(last.p50, `ms of ${name}`) / some(first.p50, `ms of ${name}`)
    const met = kind === 'page' ? growth <= growthAim : last.p50 <= aimMs[kind]
    const aim = kind === 'page' ? `growth ≤ ${growthAim}` : `≤ ${aimMs[kind]} ms`
    return [name, ...cells, growth.toFixed(2), aim, verdict(met), last.total]
  })
  console.log(
    table(['', ...sizes.map((rows) => `${rows}: ms p50 / p99`), `growth from ${small}`, 'aim', '', 'total'], lines),
  )
} finally {
  driver.stop()
  if (values.keep === undefined) rmSync(home, { recursive: true, force: true })
}
