/**
 * Compares the API with the bare server over HTTP: list, detail and durable create at 1 and 32 connections, in alternating rounds, because the
 * machine's speed drifts more than the measured difference.
 *
 * npm run bench:http -- [--rows 100000] [--rounds 7] [--seconds 1] [--warm-up 10]
 *
 * Each scenario first runs for `--warm-up` seconds on both servers. Until then V8's compiler shares the server's only core, for some ten seconds of
 * lists.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { countOption } from './figures.ts'
import type { LoadPlan, LoadResult } from './load.ts'
import { type Driver, median, memoryOf, processorTimeOf, type Server, startDriver } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { seed } from './seed.ts'
import { type ApiServer, startApi, startBare } from './servers.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '1' },
    'warm-up': { type: 'string', default: '10' },
  },
})
const rows = countOption(values, 'rows')
const rounds = countOption(values, 'rounds')
const seconds = countOption(values, 'seconds')
const warmUpSeconds = countOption(values, 'warm-up')

type Scenario = { name: 'list' | 'detail' | 'create'; connections: 1 | 32; aim: number }
const scenarios: Scenario[] = [
  { name: 'list', connections: 1, aim: 0.65 },
  { name: 'list', connections: 32, aim: 0.65 },
  { name: 'detail', connections: 1, aim: 0.5 },
  { name: 'detail', connections: 32, aim: 0.5 },
  { name: 'create', connections: 1, aim: 0.7 },
  { name: 'create', connections: 32, aim: 2 },
]
const states = ['new', 'contacted', 'qualified', 'proposal']

let created = 3_000_000
function planFor(
  scenario: Scenario,
  server: Server,
  target: { prefix: string; headers: Record<string, string>; ids: string[] },
): Omit<LoadPlan, 'seconds'> {
  const path = `${target.prefix}/businesses`
  const base = { port: server.port, connections: scenario.connections, headers: target.headers }
  switch (scenario.name) {
    case 'list':
      return { ...base, method: 'GET', paths: states.map((state) => `${path}?state=${state}&sort=-updatedAt&limit=50`) }
    case 'detail':
      return { ...base, method: 'GET', paths: target.ids.map((id) => `${path}/${id}`) }
    case 'create':
      return { ...base, method: 'POST', paths: [path], body: newBusiness, firstNumber: created }
  }
}
const newBusiness = JSON.stringify({
  name: 'Kagiso Precision Plumbing {number} (Pty) Ltd',
  tradingName: 'Kagiso Plumbing',
  industry: 'Construction',
  emails: [{ value: 'info@kagiso-plumbing-{number}.co.za', label: 'work' }],
  phones: [{ value: '+2711{number}', label: 'office' }],
  domains: [{ value: 'kagiso-plumbing-{number}.co.za' }],
})

type Side = { server: Server; plan: (scenario: Scenario) => Omit<LoadPlan, 'seconds'> }
type Round = LoadResult & { processorUs: number }

async function compare(driver: Driver, scenario: Scenario, sides: Record<'bare' | 'ours', Side>) {
  const results: Record<'bare' | 'ours', Round[]> = { bare: [], ours: [] }
  for (let round = -1; round < rounds; round++) {
    const isWarmUp = round < 0
    for (const name of ['bare', 'ours'] as const) {
      const { server, plan } = sides[name]
      const before = processorTimeOf(server.pid)
      const result = await driver.run({ ...plan(scenario), seconds: isWarmUp ? warmUpSeconds : seconds })
      const processorUs = (processorTimeOf(server.pid) - before) / result.requests
      if (scenario.name === 'create') created += result.requests
      if (!isWarmUp) results[name].push({ ...result, processorUs })
    }
  }
  const mid = (name: 'bare' | 'ours', of: (r: Round) => number) => median(results[name].map(of))
  return {
    bare: mid('bare', (r) => r.perSecond),
    ours: mid('ours', (r) => r.perSecond),
    ratio: mid('ours', (r) => r.perSecond) / mid('bare', (r) => r.perSecond),
    p50: mid('ours', (r) => r.p50),
    p99: mid('ours', (r) => r.p99),
    tail: { bare: mid('bare', (r) => r.p99 / r.p50), ours: mid('ours', (r) => r.p99 / r.p50) },
    max: Math.max(...results.ours.map((r) => r.max)),
    processorUs: { bare: mid('bare', (r) => r.processorUs), ours: mid('ours', (r) => r.processorUs) },
    bytes: { bare: mid('bare', (r) => r.bytesPerAnswer), ours: mid('ours', (r) => r.bytesPerAnswer) },
  }
}

async function timeToReady(dataDir: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 5; i++) {
    const api = await startApi(dataDir)
    times.push(api.readyMs)
    await api.stop()
  }
  return median(times)
}

const home = mkdtempSync(join(tmpdir(), 'prospect-bench-'))
const driver = startDriver()
const running: Server[] = []
try {
  console.log(describeMachine())
  const seeded = await seed({ dataDir: join(home, 'ours'), rows })
  console.log(`ours: ${rows} businesses in one tenant of ten, seeded in ${(seeded.tookMs / 1000).toFixed(1)} s`)
  const readyMs = await timeToReady(join(home, 'ours'))

  const bare = await startBare({ dataDir: join(home, 'bare'), rows })
  running.push(bare.server)
  const ours: ApiServer = await startApi(join(home, 'ours'))
  running.push(ours)
  await ours.untilQuiet()
  const idle = memoryOf(ours.pid)
  const signedIn = await ours.signIn(seeded)
  const targets = {
    bare: { prefix: '', headers: {}, ids: bare.ids },
    ours: { prefix: '/api/v1', headers: signedIn.headers, ids: seeded.ids },
  }

  const lines: string[][] = []
  for (const scenario of scenarios) {
    await ours.untilQuiet()
    await ours.longestStall()
    const seen = await compare(driver, scenario, {
      bare: { server: bare.server, plan: (s) => planFor(s, bare.server, targets.bare) },
      ours: { server: ours, plan: (s) => planFor(s, ours, targets.ours) },
    })
    const stall = await ours.longestStall()
    lines.push([
      `${scenario.name} @${scenario.connections}`,
      seen.bare.toFixed(0),
      seen.ours.toFixed(0),
      seen.ratio.toFixed(2),
      `≥ ${scenario.aim}`,
      verdict(seen.ratio >= scenario.aim),
      `${seen.p50.toFixed(2)} / ${seen.p99.toFixed(2)} / ${seen.max.toFixed(1)}`,
      `${seen.tail.bare.toFixed(2)} / ${seen.tail.ours.toFixed(2)}`,
      `${stall.stalledMs.toFixed(0)} / ${stall.computedMs.toFixed(0)}`,
      `${seen.processorUs.bare.toFixed(0)} / ${seen.processorUs.ours.toFixed(0)}`,
      `${seen.bytes.bare} / ${seen.bytes.ours}`,
    ])
  }
  const headings = [
    '',
    'bare/s',
    'ours/s',
    'ratio',
    'aim',
    '',
    'ours ms p50 / p99 / max',
    'p99/p50 bare / ours',
    'stall ms clock / CPU',
    'CPU µs bare / ours',
    'bytes bare / ours',
  ]
  console.log(table(headings, lines))

  const shared = await startBare({ dataDir: join(home, 'shared'), rows: 1000, sharedCommit: true })
  running.push(shared.server)
  const together: Scenario = { name: 'create', connections: 32, aim: 0 }
  const seen = await compare(driver, together, {
    bare: { server: bare.server, plan: (s) => planFor(s, bare.server, targets.bare) },
    ours: { server: shared.server, plan: (s) => planFor(s, shared.server, targets.bare) },
  })
  console.log(
    `for information: the bare server with one commit for all that wait: ${seen.ours.toFixed(0)} creates a second @32, ${seen.ratio.toFixed(2)} of bare\n`,
  )

  const load = memoryOf(ours.pid)
  console.log(
    table(
      ['', 'seen', 'aim', ''],
      [
        ['ready after', `${readyMs.toFixed(0)} ms`, '≤ 900 ms', verdict(readyMs <= 900)],
        ['memory idle', `${idle.nowMb.toFixed(0)} MB`, '≤ 125 MB', verdict(idle.nowMb <= 125)],
        ['memory under load (peak)', `${load.peakMb.toFixed(0)} MB`, '≤ 300 MB', verdict(load.peakMb <= 300)],
      ],
    ),
  )
} finally {
  for (const server of running) await server.stop()
  driver.stop()
  rmSync(home, { recursive: true, force: true })
}
