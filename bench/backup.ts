/**
 * Measures the effect of a backup on concurrent writers, and the speed of a restore drill. A store of some 1 GB has writers on several connections,
 * in alternating rounds: without a backup, and with backups in sequence. Prints the ratio of the p99s.
 *
 * npm run bench:backup -- [--rows 100000] [--rounds 5] [--seconds 8] [--connections 4] [--store <folder of bench:seed>]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { newIdentity } from '../apps/api/src/rooms/backup/backup.ts'
import { countOption, ratioToRest, some } from './figures.ts'
import type { LoadResult } from './load.ts'
import { median, startDriver } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { seed } from './seed.ts'
import { startApi } from './servers.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '4' },
    store: { type: 'string' },
  },
})
const AIM = 2
const BENCH_USER = { email: 'bench@example.co.za', password: 'correct horse battery staple 42' }
const cliFile = fileURLToPath(new URL('../apps/api/src/cli.ts', import.meta.url))
const body = JSON.stringify({
  name: 'Written meanwhile {number}',
  phones: [{ value: '+27 21 {number}' }],
  tags: ['bench'],
})

const drillResult = z.object({
  plainBytes: z.number(),
  mbPerSecond: z.number(),
  verifiedEvents: z.number(),
  seconds: z.object({
    reading: z.number(),
    openingAndChecking: z.number(),
    makingReady: z.number(),
    total: z.number(),
  }),
})

const home = mkdtempSync(join(tmpdir(), 'prospect-bench-backup-'))
const dataDir = join(home, 'data')
const driver = startDriver()
try {
  process.stdout.write(describeMachine())
  if (values.store === undefined) await seed({ dataDir, rows: countOption(values, 'rows') })
  else {
    mkdirSync(dataDir)
    cpSync(join(values.store, 'prospect.sqlite'), join(dataDir, 'prospect.sqlite'))
  }
  const { identity, recipient } = await newIdentity()
  writeFileSync(join(home, 'identity'), identity)
  const env = { ...process.env, DATA_DIR: dataDir, BACKUP_DIR: join(home, 'shelf'), BACKUP_RECIPIENTS: recipient }
  const rounds = await measureRounds(env)
  report(rounds)
  await reportDrill(env)
} finally {
  driver.stop()
  rmSync(home, { recursive: true, force: true })
}

type Round = { without: LoadResult; during: LoadResult; backups: number; backupMs: number; load: number }

async function measureRounds(env: NodeJS.ProcessEnv): Promise<Round[]> {
  const api = await startApi(dataDir)
  try {
    const { headers } = await api.signIn(BENCH_USER)
    let firstNumber = 5_000_000
    const write = async () => {
      const plan = {
        port: api.port,
        connections: countOption(values, 'connections'),
        headers,
        method: 'POST' as const,
        paths: ['/api/v1/businesses'],
        body,
      }
      const result = await driver.run({ ...plan, seconds: countOption(values, 'seconds'), firstNumber })
      firstNumber += result.requests + 1_000
      return result
    }
    await write()
    const rounds: Round[] = []
    for (let n = 0; n < countOption(values, 'rounds'); n++) {
      await api.untilQuiet()
      const without = await write()
      // The backups meet the same state as the writes without them.
      await api.untilQuiet()
      const backing = backUpUntilStopped(env)
      const during = await write()
      rounds.push({ without, during, load: loadavg()[0] ?? 0, ...(await backing.stop()) })
    }
    return rounds
  } finally {
    await api.stop()
  }
}

/** Takes backups one after the other until the writers stop, and waits for the last backup to end. */
function backUpUntilStopped(env: NodeJS.ProcessEnv) {
  let isStopped = false
  const times: number[] = []
  const done = (async () => {
    while (!isStopped) {
      const began = performance.now()
      await runCli(env, 'backup')
      times.push(performance.now() - began)
    }
  })()
  return {
    stop: async () => {
      isStopped = true
      await done
      return { backups: times.length, backupMs: median(times) }
    },
  }
}

async function runCli(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, [cliFile, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'exit')
  const [said, complained] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))),
  )
  const [code] = await exit
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${complained}${said}`)
  return said ?? ''
}

function report(rounds: readonly Round[]): void {
  const bytes = statSync(join(dataDir, 'prospect.sqlite')).size
  const lines = rounds.map(({ without, during, backups, backupMs, load }) => [
    `${without.p99.toFixed(1)} (${without.p50.toFixed(1)})`,
    `${during.p99.toFixed(1)} (${during.p50.toFixed(1)})`,
    (during.p99 / without.p99).toFixed(2),
    `${without.perSecond.toFixed(0)} / ${during.perSecond.toFixed(0)}`,
    `${backups} of ${(backupMs / 1_000).toFixed(1)} s`,
    load.toFixed(1),
  ])
  process.stdout.write(`store of ${(bytes / 1e6).toFixed(0)} MB\n`)
  process.stdout.write(table(['p99 (p50) ms without', 'during backups', 'ratio', 'writes/s', 'backups', 'load'], lines))
  const ratio = ratioToRest('a write', {
    underLoad: median(rounds.map(({ during }) => during.p99)),
    atRest: median(rounds.map(({ without }) => without.p99)),
  })
  process.stdout.write(`ratio of the median p99s ${ratio.toFixed(2)}, aim < ${AIM}: ${verdict(ratio < AIM)}\n`)
}

async function reportDrill(env: NodeJS.ProcessEnv): Promise<void> {
  const said = await runCli(env, 'restore-drill', '--identity', join(home, 'identity'), '--scratch', home)
  const { plainBytes, mbPerSecond, verifiedEvents, seconds } = drillResult.parse(JSON.parse(said))
  some(plainBytes, 'bytes of the drill')
  some(verifiedEvents, 'verified audit events')
  process.stdout.write(
    `restore drill of ${(plainBytes / 1e6).toFixed(0)} MB and ${verifiedEvents} audit events: ${mbPerSecond} MB/s; reading ${seconds.reading} s, opening and checking ${seconds.openingAndChecking} s, making ready ${seconds.makingReady} s\n`,
  )
}
