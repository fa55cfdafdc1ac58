/**
 * Compares the API with the bare server over HTTP: list, detail and durable create at 1 and 32 connections, in alternating rounds, because the
 * machine's speed drifts more than the measured difference.
 *
 * npm run bench:http -- [--rows 100000] [--rounds 7] [--seconds 1] [--warm-up 10] [--before <checkout>] [--keep <folder>]
 *
 * `--before`: a checkout of earlier code with its packages installed. Its API takes part in the rounds, on a store of its own, and both are compared.
 *
 * `--keep`: the folder with the filled store of a run, as of the other benchmarks. The creates of a run stay in it.
 *
 * Each scenario first runs for `--warm-up` seconds on both servers. Until then V8's compiler shares the server's only core, for some ten seconds of
 * lists.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { countOption } from './figures.ts'
import { storeOf } from './kept-store.ts'
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
    before: { type: 'string' },
    keep: { type: 'string' },
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
/** aim of our speed to that of the code before */
const AIM_BEFORE = 0.97
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

type Sides<Of> = { bare: Of; ours: Of; before?: Of }

async function measure(driver: Driver, scenario: Scenario, sides: Sides<Side>): Promise<Sides<Measured>> {
  const each = (['bare', 'ours', 'before'] as const).flatMap((name) => {
    const side = sides[name]
    return side === undefined ? [] : [{ name, ...side, results: [] as Round[] }]
  })
  // A server is slower right after another one has used the core. So ours and the one before swap places after the bare one in every other round.
  const [bare, ...others] = each
  const swapped = bare === undefined ? [] : [bare, ...others.toReversed()]
  for (let round = -1; round < rounds; round++) {
    const isWarmUp = round < 0
    for (const { server, plan, results } of round % 2 === 0 ? each : swapped) {
      const before = processorTimeOf(server.pid)
      const result = await driver.run({ ...plan(scenario), seconds: isWarmUp ? warmUpSeconds : seconds })
      const processorUs = (processorTimeOf(server.pid) - before) / result.requests
      if (scenario.name === 'create') created += result.requests
      if (!isWarmUp) results.push({ ...result, processorUs })
    }
  }
  const of = (name: keyof Sides<Side>) => medians(each.find((side) => side.name === name)?.results ?? [])
  return { bare: of('bare'), ours: of('ours'), ...(sides.before && { before: of('before') }) }
}

type Measured = Record<'perSecond' | 'p50' | 'p99' | 'tail' | 'max' | 'processorUs' | 'bytes', number>

function medians(results: Round[]): Measured {
  const mid = (of: (round: Round) => number) => median(results.map(of))
  return {
    perSecond: mid((r) => r.perSecond),
    p50: mid((r) => r.p50),
    p99: mid((r) => r.p99),
    tail: mid((r) => r.p99 / r.p50),
    max: Math.max(...results.map((r) => r.max)),
    processorUs: mid((r) => r.processorUs),
    bytes: mid((r) => r.bytesPerAnswer),
  }
}

type Code = { seed: typeof seed; startApi: typeof startApi }

/** Loads the functions of another checkout, so that its API opens a store with its own schema. */
async function codeOf(checkout: string): Promise<Code> {
  const file = (name: string) => pathToFileURL(join(resolve(checkout), 'bench', name)).href
  const [seeding, servers] = await Promise.all([import(file('seed.ts')), import(file('servers.ts'))])
  return { seed: seeding.seed, startApi: servers.startApi }
}

type SeededSide = Side & { api: ApiServer; readyMs: number; idle: { nowMb: number } }

async function startSeeded(code: Code, { dataDir, seeded }: Awaited<ReturnType<typeof storeOf>>): Promise<SeededSide> {
  console.log(`${rows} businesses in one tenant of ten, seeded in ${(seeded.tookMs / 1000).toFixed(1)} s`)
  const readyMs = await timeToReady(code, dataDir)
  const api = await code.startApi(dataDir)
  running.push(api)
  await api.untilQuiet()
  const idle = memoryOf(api.pid)
  const { headers } = await api.signIn(seeded)
  const target = { prefix: '/api/v1', headers, ids: seeded.ids }
  return { api, readyMs, idle, server: api, plan: (scenario) => planFor(scenario, api, target) }
}

/** The store of earlier code is seeded by that code. */
async function startBefore(checkout: string): Promise<SeededSide> {
  const code = await codeOf(checkout)
  const dataDir = join(home, 'before')
  return startSeeded(code, { dataDir, seeded: await code.seed({ dataDir, rows }) })
}

async function timeToReady(code: Code, dataDir: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 5; i++) {
    const api = await code.startApi(dataDir)
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
  const ours = await startSeeded({ seed, startApi }, await storeOf(values.keep ?? join(home, 'ours'), rows))
  const before = values.before === undefined ? undefined : await startBefore(values.before)

  const bare = await startBare({ dataDir: join(home, 'bare'), rows })
  running.push(bare.server)
  const bareTarget = { prefix: '', headers: {}, ids: bare.ids }
  const bareSide: Side = { server: bare.server, plan: (s) => planFor(s, bare.server, bareTarget) }

  const lines: string[][] = []
  const linesBefore: string[][] = []
  for (const scenario of scenarios) {
    await ours.api.untilQuiet()
    await before?.api.untilQuiet()
    await ours.api.longestStall()
    const seen = await measure(driver, scenario, { bare: bareSide, ours, ...(before && { before }) })
    const stall = await ours.api.longestStall()
    const name = `${scenario.name} @${scenario.connections}`
    const ratio = seen.ours.perSecond / seen.bare.perSecond
    lines.push([
      name,
      seen.bare.perSecond.toFixed(0),
      seen.ours.perSecond.toFixed(0),
      ratio.toFixed(2),
      `≥ ${scenario.aim}`,
      verdict(ratio >= scenario.aim),
      `${seen.ours.p50.toFixed(2)} / ${seen.ours.p99.toFixed(2)} / ${seen.ours.max.toFixed(1)}`,
      `${seen.bare.tail.toFixed(2)} / ${seen.ours.tail.toFixed(2)}`,
      `${stall.stalledMs.toFixed(0)} / ${stall.computedMs.toFixed(0)}`,
      `${seen.bare.processorUs.toFixed(0)} / ${seen.ours.processorUs.toFixed(0)}`,
      `${seen.bare.bytes} / ${seen.ours.bytes}`,
    ])
    if (seen.before === undefined) continue
    const { perSecond, processorUs } = seen.before
    const speed = seen.ours.perSecond / perSecond
    linesBefore.push([
      name,
      perSecond.toFixed(0),
      seen.ours.perSecond.toFixed(0),
      speed.toFixed(3),
      `≥ ${AIM_BEFORE}`,
      verdict(speed >= AIM_BEFORE),
      `${processorUs.toFixed(0)} / ${seen.ours.processorUs.toFixed(0)}`,
      (seen.ours.processorUs / processorUs).toFixed(3),
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
  if (before !== undefined) {
    const against = ['', 'before/s', 'ours/s', 'ratio', 'aim', '', 'CPU µs before / ours', 'ratio of CPU']
    console.log(table(against, linesBefore))
    await before.api.stop()
  }

  const shared = await startBare({ dataDir: join(home, 'shared'), rows: 1000, sharedCommit: true })
  running.push(shared.server)
  const together: Scenario = { name: 'create', connections: 32, aim: 0 }
  const seen = await measure(driver, together, {
    bare: bareSide,
    ours: { server: shared.server, plan: (s) => planFor(s, shared.server, bareTarget) },
  })
  const gain = seen.ours.perSecond / seen.bare.perSecond
  console.log(
    `for information: the bare server with one commit for all that wait: ${seen.ours.perSecond.toFixed(0)} creates a second @32, ${gain.toFixed(2)} of bare\n`,
  )

  const { readyMs, idle } = ours
  const load = memoryOf(ours.api.pid)
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
