/**
 * Measures a desk of four people while everything else runs. Each person lists prospects, opens one and edits it. First at rest; then while a bulk
 * action on 10,000 records, a scoring run, the re-evaluation of all domains after new rules, an export and a backup run. Prints p50 and p99 of each
 * operation, the longest stall of the event loop, and the duration of each task.
 *
 *   npm run bench:stress -- [--records 100000] [--store <folder to fill, or one that was filled>]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { newIdentity } from '../apps/api/src/rooms/backup/backup.ts'
import { openConnection } from '../apps/api/src/store/engine/connection.ts'
import { STORE_FILE } from '../apps/api/src/store/store.ts'
import { type Client, createPerson, openClient, untilEnded } from './api-client.ts'
import { countOption, ratioToRest, some } from './figures.ts'
import { memoryOf, percentile } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { fillScoredTenant, SAMPLE_FILE, sampleShape } from './scored-tenant.ts'
import { type ApiServer, startApi } from './servers.ts'

const { values } = parseArgs({
  options: { records: { type: 'string', default: '100000' }, store: { type: 'string' } },
})
const records = countOption(values, 'records')
const password = 'correct horse battery staple 42'
const people = [1, 2, 3, 4].map((number) => ({ email: `bench-${number}@example.co.za`, password }))
const REST_SECONDS = 20
/** Time in which a person reads and thinks, between two requests. */
const THINK_MS = 50
/** Highest ratio of a p99 under load to that at rest, and the longest stall, in milliseconds. */
const AIM = 2
const STALL_AIM = 50

const page = z.object({ items: z.array(z.object({ id: z.string() })) })
const record = z.object({ id: z.string(), version: z.number() })
const preview = z.object({ id: z.string(), fingerprint: z.string(), wouldChange: z.number() })
const started = z.object({ id: z.string(), jobId: z.string() })
const jobs = z.object({ items: z.array(z.object({ id: z.string(), kind: z.string() })) })

type Times = Record<'list' | 'open' | 'edit', number[]>

/** Works like a person until `isOver`. An edit of a record that changed meanwhile is refused and repeated with another record. */
async function work(client: Client, number: number, times: Times, isOver: () => boolean): Promise<void> {
  const timed = async <T>(what: keyof Times, request: () => Promise<T>): Promise<T> => {
    const began = performance.now()
    const answer = await request()
    times[what].push(performance.now() - began)
    await delay(THINK_MS)
    return answer
  }
  const states = ['new', 'contacted', 'qualified', 'negotiation']
  for (let round = 0; !isOver(); round++) {
    const path = `/businesses?state=${states[(round + number) % states.length]}&sort=-updatedAt&limit=50`
    const { items } = page.parse(await timed('list', () => client.get(path)))
    const { id } = items[(round * 7 + number * 13) % items.length] ?? {}
    if (id === undefined) throw new Error('The list is empty.')
    const { version } = record.parse(await timed('open', () => client.get(`/businesses/${id}`)))
    const body = { tradingName: `Bench ${number} ${round}` }
    await timed('edit', () => client.edit(`/businesses/${id}`, version, body)).catch((error: unknown) => {
      if (!String(error).includes('version')) throw error
    })
  }
}

async function workFor(clients: readonly Client[], isOver: () => boolean): Promise<Times> {
  const times: Times = { list: [], open: [], edit: [] }
  await Promise.all(clients.map((client, number) => work(client, number, times, isOver)))
  return times
}

/** Fills a store, scores it, and lets the followers process all of it. */
async function prepare(dataDir: string): Promise<void> {
  await fillScoredTenant(dataDir, records)
  const { tenantId, ruleSetId } = sampleShape.parse(JSON.parse(readFileSync(join(dataDir, SAMPLE_FILE), 'utf8')))
  for (const person of people) createPerson(dataDir, tenantId, person)
  const api = await startApi(dataDir, { isFree: true })
  try {
    const client = await firstOf(api)
    const run = started.parse(await client.send('/scoring/runs', { ruleSetId, version: 1, reason: 'Benchmark' }))
    await untilEnded(client, run.jobId)
    await client.send(`/scoring/runs/${run.id}/activation`, { expectedActiveRunId: null, reason: 'Benchmark' })
    await api.untilQuiet()
  } finally {
    await api.stop()
  }
}

async function firstOf(api: ApiServer): Promise<Client> {
  const [first] = people
  if (first === undefined) throw new Error('There is nobody.')
  return openClient(api, first)
}

/** Marks the domains of all records as derived by earlier rules, so that the service evaluates them again when it starts. */
function ageDomains(dataDir: string): void {
  const db = openConnection(join(dataDir, STORE_FILE))
  const { changes } = db.prepare("UPDATE follower_positions SET version = 'earlier' WHERE follower = 'domains'").run()
  db.close()
  some(changes, 'tenants with derived domains')
}

async function backUp(dataDir: string, home: string): Promise<number> {
  const { recipient } = await newIdentity()
  const began = performance.now()
  const cli = fileURLToPath(new URL('../apps/api/src/cli.ts', import.meta.url))
  const env = { ...process.env, DATA_DIR: dataDir, BACKUP_DIR: join(home, 'shelf'), BACKUP_RECIPIENTS: recipient }
  const [code] = await once(spawn(process.execPath, [cli, 'backup'], { env, stdio: 'ignore' }), 'exit')
  if (code !== 0) throw new Error(`The backup ended with ${code}.`)
  return (performance.now() - began) / 1_000
}

/** Starts all tasks at once. Returns the seconds of each when all have ended. */
async function runTasks(client: Client, dataDir: string, home: string): Promise<[string, number][]> {
  const { ruleSetId } = sampleShape.parse(JSON.parse(readFileSync(join(dataDir, SAMPLE_FILE), 'utf8')))
  const filter = [
    { field: 'state', op: 'any_of', values: ['qualified'] },
    { field: 'tag', op: 'none_of', values: ['Farm'] },
    ...(records >= 500_000 ? [{ field: 'province', op: 'any_of', values: ['NC'] }] : []),
  ]
  const selection = { filter, excludedIds: [] }
  const seen = preview.parse(await client.send('/bulk-reviews/previews', { action: 'verify', selection }))
  some(seen.wouldChange, 'changes of the bulk')
  const timed = async (what: string, request: Promise<unknown>): Promise<[string, number]> => {
    const { jobId } = started.parse(await request)
    return [what, await untilEnded(client, jobId)]
  }
  const reevaluations = jobs
    .parse(await client.get('/jobs?limit=50'))
    .items.filter(({ kind }) => kind === 'domain-reevaluation')
  const body = { previewId: seen.id, fingerprint: seen.fingerprint, reason: 'Benchmark' }
  return Promise.all([
    timed(`bulk of ${seen.wouldChange.toLocaleString('en')} changes`, client.send('/bulk-reviews', body)),
    timed('scoring run', client.send('/scoring/runs', { ruleSetId, version: 2, reason: 'Benchmark' })),
    timed('export of all prospects', client.send('/exports', { source: 'prospects', format: 'csv' })),
    backUp(dataDir, home).then((seconds): [string, number] => ['backup', seconds]),
    ...reevaluations.map(
      async ({ id }): Promise<[string, number]> => ['re-evaluation of domains', await untilEnded(client, id)],
    ),
  ])
}

async function measure(dataDir: string, home: string): Promise<void> {
  const rest = await startApi(dataDir, { isFree: true })
  const atRest = await (async () => {
    try {
      const clients = await Promise.all(people.map((person) => openClient(rest, person)))
      const forSeconds = (seconds: number) => {
        const until = performance.now() + seconds * 1_000
        return workFor(clients, () => performance.now() > until)
      }
      await forSeconds(REST_SECONDS / 2)
      await rest.untilQuiet()
      return await forSeconds(REST_SECONDS)
    } finally {
      await rest.stop()
    }
  })()

  ageDomains(dataDir)
  const api = await startApi(dataDir, { isFree: true })
  try {
    const clients = await Promise.all(people.map((person) => openClient(api, person)))
    let isOver = false
    await api.longestStall()
    const tasks = runTasks(await firstOf(api), dataDir, home).finally(() => {
      isOver = true
    })
    const [underLoad, seconds] = await Promise.all([workFor(clients, () => isOver), tasks])
    const stall = await api.longestStall()
    const lines = (['list', 'open', 'edit'] as const).map((what) => {
      some(underLoad[what].length, `requests to ${what}`)
      const at = (times: Times, part: number) => percentile(times[what], part)
      const ratio = ratioToRest(what, { underLoad: at(underLoad, 0.99), atRest: at(atRest, 0.99) })
      const both = (times: Times) => `${at(times, 0.5).toFixed(1)} / ${at(times, 0.99).toFixed(1)}`
      return [what, both(atRest), both(underLoad), ratio.toFixed(2), `≤ ${AIM}`, verdict(ratio <= AIM)]
    })
    const isCalm = verdict(stall.stalledMs <= STALL_AIM)
    process.stdout.write(
      [
        describeMachine(),
        `four people, ${records.toLocaleString('en')} records\n`,
        table(['', 'at rest p50 / p99 ms', 'meanwhile', 'p99 ratio', 'aim', ''], lines),
        table(
          ['', 'seen', 'aim', ''],
          [
            ['longest stall', `${stall.stalledMs.toFixed(0)} ms`, `≤ ${STALL_AIM} ms`, isCalm],
            ['longest computation', `${stall.computedMs.toFixed(0)} ms`, '', ''],
            ['peak memory', `${memoryOf(api.pid).peakMb.toFixed(0)} MB`, '', ''],
            ...seconds.map(([what, took]) => [what, `${took.toFixed(1)} s`, '', '']),
          ],
        ),
      ].join('\n'),
    )
  } finally {
    await api.stop()
  }
}

const home = mkdtempSync(join(tmpdir(), 'prospect-stress-'))
const folder = values.store ?? join(home, 'data')
try {
  if (!existsSync(join(folder, SAMPLE_FILE))) await prepare(folder)
  await measure(folder, home)
} finally {
  rmSync(home, { recursive: true, force: true })
}
