import type { Adapter } from '@prospect/adapter-contract/adapter'
import BetterSqlite3 from 'better-sqlite3'
import { pino } from 'pino'
import { assistSuggestion } from '../../src/rooms/assist/assist.jobs.ts'
import { dnsCheck } from '../../src/rooms/domains/dns/check-job.ts'
import { jobKindsOf } from '../../src/rooms/jobs/jobs.ts'
import { startJobWorker } from '../../src/rooms/jobs/worker/worker.ts'
import { migrations } from '../../src/rooms/migrations.ts'
import { websiteScan } from '../../src/rooms/scanning/scanning.jobs.ts'
import { webAdapter } from '../../src/rooms/scanning/scripted-web.acceptance.ts'
import { openStore } from '../../src/store/store.ts'
import { completed, honestAnswer, promptAdapter } from '../assist-world.ts'
import { answeredBy, dnsFixture } from '../dns-world.ts'

/*
 * A process that runs DNS checks and website scans with adapters that have no network. Each request to a source writes a line and receives its
 * answer. `silent`: the request that receives no answer. `diesBefore`: the process kills itself before it runs a statement that begins with this
 * text.
 */

export type AskingTask = {
  dataDir: string
  now: string
  adapter: 'dns' | 'web' | 'prompt'
  silent: string | null
  diesBefore: string | null
}

const task = JSON.parse(process.env.TASK ?? '') as AskingTask

async function answerTo<Answer>(asked: string, answer: Answer): Promise<Answer> {
  process.stdout.write(`sent ${asked}\n`)
  return task.silent === asked ? new Promise(() => {}) : answer
}

const { diesBefore } = task
if (diesBefore !== null) {
  const statements: Pick<BetterSqlite3.Statement, 'run' | 'get' | 'all'> = Object.getPrototypeOf(
    new BetterSqlite3(':memory:').prepare('SELECT 1'),
  )
  for (const method of ['run', 'get', 'all'] as const) {
    const original = statements[method]
    statements[method] = function (this: BetterSqlite3.Statement, ...parameters: unknown[]) {
      if (this.source.startsWith(diesBefore)) process.kill(process.pid, 'SIGKILL')
      return original.apply(this, parameters)
    } as never
  }
}

const dns = dnsFixture(({ query }) => answerTo(query.name, answeredBy(query)))
const web = webAdapter((url) => answerTo(url, url.endsWith('robots.txt') ? { status: 404 } : '<p>Windpumps.</p>'))
const prompt = promptAdapter((input) => answerTo('prompt', completed(honestAnswer(input))))
const adapters = { dns: dns.adapter, web: web.adapter, prompt: prompt.adapter } satisfies Record<string, unknown>
startJobWorker({
  store: openStore({ dataDir: task.dataDir, migrations, clock: () => new Date(task.now) }),
  kinds: jobKindsOf([dnsCheck, websiteScan, assistSuggestion]),
  adapters: { file: { sha256: 'a'.repeat(64) }, items: [adapters[task.adapter] as Adapter] },
  log: pino({ level: 'fatal' }),
  times: { leaseMs: 1_500, beatMs: 100, lookMs: 100, progressMs: 30, stopMs: 500 },
})
