/**
 * Measures the scoring of one tenant with a million records, 1.4 million evidence rows and 0.3 million interactions: the evaluator alone, then a run,
 * a full preview, a sample, an activation, pages and creates over HTTP, and the response times of the API in the meantime.
 *
 *   npm run bench:scoring -- [--records 1000000] [--store <folder to fill, or one that was filled>]
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { readRecords } from '../apps/api/src/rooms/scoring/records/read-records.ts'
import { everything } from '../apps/api/src/rooms/scoring/records/record-rows.queries.ts'
import { compile } from '../apps/api/src/rooms/scoring/rules/evaluate.rules.ts'
import { openConnection } from '../apps/api/src/store/engine/connection.ts'
import { openStore, STORE_FILE } from '../apps/api/src/store/store.ts'
import { type Client, createPerson, openClient, secondsOf } from './api-client.ts'
import { countOption, ratioToRest, some } from './figures.ts'
import { median, memoryOf, startDriver } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { contentOfEighteen, fillScoredTenant, SAMPLE_FILE, sampleShape } from './scored-tenant.ts'
import { startApi } from './servers.ts'

const { values, positionals } = parseArgs({
  options: { records: { type: 'string', default: '1000000' }, store: { type: 'string' } },
  allowPositionals: true,
})
const records = countOption(values, 'records')
const who = { email: 'bench@example.co.za', password: 'correct horse battery staple 42' }

/** Returns the processor time of the evaluator alone. */
async function evaluateAlone(dataDir: string): Promise<number> {
  const { tenantId, ids } = sampleShape.parse(JSON.parse(readFileSync(join(dataDir, SAMPLE_FILE), 'utf8')))
  const store = openStore({ migrations, dataDir, clock: systemClock })
  const read = await readRecords(store.reader, tenantId, ids, everything, () => undefined)
  some(read.length, 'records to evaluate')
  await store.close()
  const { evaluate } = compile(contentOfEighteen())
  const now = Date.now()
  const rounds: number[] = []
  for (let round = 0; round < 30; round++) {
    const before = process.cpuUsage()
    for (let times = 0; times < 50; times++) for (const record of read) evaluate(record, now)
    const { user, system } = process.cpuUsage(before)
    rounds.push((user + system) / (50 * read.length))
  }
  return median(rounds.slice(5))
}

const job = z.object({ id: z.string(), jobId: z.string() })
const listed = z.object({ items: z.array(z.unknown()) })
const deep = z.object({ page: z.object({ nextCursor: z.string().nullable() }) })
const runPage = z.object({ items: z.array(z.object({ id: z.string() })) })

async function measure(dataDir: string): Promise<void> {
  const { tenantId, ruleSetId } = sampleShape.parse(JSON.parse(readFileSync(join(dataDir, SAMPLE_FILE), 'utf8')))
  createPerson(dataDir, tenantId, who)
  const lines: string[][] = []
  const add = (what: string, seen: number, unit: string, aim: number) =>
    lines.push([what, `${seen.toFixed(seen < 10 ? 2 : 0)} ${unit}`, `≤ ${aim} ${unit}`, verdict(seen <= aim)])
  add('evaluation of 18 rules, processor time a record', await evaluateAlone(dataDir), 'µs', 2)
  const driver = startDriver()
  const api = await startApi(dataDir, { isFree: true })
  try {
    const { headers, get, send } = await openClient(api, who)
    const json = { ...headers, 'content-type': 'application/json' }
    const load = (paths: string[], seconds = 2) =>
      driver.run({
        port: api.port,
        connections: 1,
        seconds,
        headers,
        method: 'GET',
        paths: paths.map((path) => `/api/v1${path}`),
      })
    const list = ['/businesses?limit=50']
    const creating = (seconds: number) =>
      driver.run({
        port: api.port,
        connections: 1,
        seconds,
        headers: json,
        method: 'POST',
        paths: ['/api/v1/businesses'],
        body: '{"name":"Bench {number}"}',
        firstNumber: Math.floor(Math.random() * 1e6),
      })
    /** Creates prospects in rounds, each after the followers have processed the creates before. */
    const creates = async () => {
      const rounds: number[] = []
      for (let round = 0; round < 2; round++) {
        await api.untilQuiet()
        rounds.push((await creating(3)).p50)
      }
      return median(rounds)
    }
    const listsAtRest = async () => {
      await api.untilQuiet()
      return median([await load(list), await load(list), await load(list)].map(({ p99 }) => p99))
    }
    await load(list, 3)
    await creating(5)
    const createdBefore = await creates()

    /** Requests lists until the job has ended. Returns the duration of the job and the p99 of the lists. */
    async function during(request: Promise<unknown>): Promise<{ seconds: number; p99: number[] }> {
      const { jobId } = job.parse(await request)
      const p99: number[] = []
      for (;;) {
        p99.push((await load(list)).p99)
        const seconds = secondsOf(await get(`/jobs/${jobId}`))
        if (seconds !== undefined) return { seconds, p99 }
      }
    }
    const rest = await listsAtRest()
    const baseMb = memoryOf(api.pid).nowMb
    const runBody = { ruleSetId, version: 1, reason: 'Benchmark' }
    const first = await during(send('/scoring/runs', runBody))
    add('full run', first.seconds, 's', 60)
    add('memory of the API at most, with a run', memoryOf(api.pid).peakMb, 'MB', 1_000)
    const ofRest = (what: string, p99: number[], atRest: number) =>
      add(
        `p99 of a list during the ${what}, of that at rest`,
        ratioToRest('a list', { underLoad: median(p99), atRest }),
        'times',
        2,
      )
    ofRest('run', first.p99, rest)
    const runs = runPage.parse(await get('/scoring/runs')).items
    const began = performance.now()
    await send(`/scoring/runs/${runs[0]?.id}/activation`, { expectedActiveRunId: null, reason: 'Benchmark' })
    add('activation, with its request', performance.now() - began, 'ms', 5)
    const restWithScores = await listsAtRest()
    const preview = await during(send(`/scoring/rule-sets/${ruleSetId}/versions/2/previews`, {}))
    add('full preview', preview.seconds, 's', 30)
    ofRest('preview', preview.p99, restWithScores)
    const samples: number[] = []
    for (let times = 0; times < 5; times++) {
      const started = performance.now()
      await send(`/scoring/rule-sets/${ruleSetId}/versions/2/sample-previews`, {})
      samples.push(performance.now() - started)
    }
    add('sample preview', median(samples), 'ms', 500)
    await api.untilQuiet()
    const newest = median([await load(list), await load(list)].map(({ p50 }) => p50))
    const pages: [string, string][] = [
      ['by score', '/businesses?sort=-score&limit=50'],
      ['by priority A', '/businesses?sort=-score&priority=A&limit=50'],
      ['eligible', '/businesses?sort=-score&eligibility=eligible&limit=50'],
      ['200,000 rows deep', await deepPage(get, Math.min(200_000, records / 5))],
    ]
    /** Measures a page that has records. */
    const pageOf = async (path: string) => {
      some(listed.parse(await get(path)).items.length, `records in ${path}`)
      return (await load([path])).p50
    }
    for (const [name, path] of pages) add(`page ${name}, of newest first`, (await pageOf(path)) / newest, 'times', 2)
    add(
      'page eligible, negotiation, one province',
      await pageOf('/businesses?sort=-score&eligibility=eligible&state=negotiation&province=GP&limit=50'),
      'ms',
      20,
    )
    add(
      'page eligible and tagged',
      await pageOf('/businesses?sort=-score&eligibility=eligible&tag=Farm&limit=50'),
      'ms',
      20,
    )
    add(
      'page eligible and won, which exclude each other',
      (await load(['/businesses?sort=-score&eligibility=eligible&state=won&limit=50'], 5)).p50,
      'ms',
      500,
    )
    const created = { underLoad: await creates(), atRest: createdBefore }
    add('create with active scores, of that before', ratioToRest('a create', created), 'times', 1.05)
    process.stdout.write(`memory before the run ${baseMb.toFixed(0)} MB\n`)
  } finally {
    await api.stop()
    driver.stop()
  }
  add('disk of a generation', generationMb(dataDir), 'MB', 300)
  process.stdout.write(
    describeMachine() + table([`scoring ${records.toLocaleString('en')} records`, 'seen', 'aim', ''], lines),
  )
}

/** Returns the path of a page that begins `rows` rows after the start of the list. */
async function deepPage(get: Client['get'], rows: number): Promise<string> {
  let cursor = ''
  for (let passed = 0; passed < rows; passed += 200) {
    const { page } = deep.parse(await get(`/businesses?sort=-score&limit=200${cursor}`))
    if (page.nextCursor === null) break
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
  }
  return `/businesses?sort=-score&limit=50${cursor}`
}

function generationMb(dataDir: string): number {
  const db = openConnection(join(dataDir, STORE_FILE))
  const bytes = db
    .prepare<[], number>(
      `SELECT sum(pgsize) FROM dbstat WHERE name IN ('scores', 'score_order', 'score_due', 'score_counts', 'score_moves')`,
    )
    .pluck()
    .get()
  const generations = db.prepare<[], number>('SELECT count(DISTINCT generation) FROM scores').pluck().get()
  db.close()
  return some(bytes ?? 0, 'bytes of scores') / 1e6 / some(generations ?? 0, 'generations of scores')
}

function inProcess(step: string, dataDir: string): void {
  const args = [import.meta.filename, step, '--store', dataDir, '--records', values.records]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${step} ended with ${status}`)
}

const [step] = positionals
if (step === 'fill' && values.store !== undefined) await fillScoredTenant(values.store, records)
else if (step === 'measure' && values.store !== undefined) await measure(values.store)
else {
  const folder = values.store ?? mkdtempSync(join(tmpdir(), 'prospect-scoring-'))
  try {
    if (!existsSync(join(folder, SAMPLE_FILE))) inProcess('fill', folder)
    inProcess('measure', folder)
  } finally {
    if (values.store === undefined) rmSync(folder, { recursive: true, force: true })
  }
}
