/**
 * Measures the effect of a matching run on people's requests. The API serves a tenant with the given number of businesses over HTTP, one request
 * after the other, at rest and then during a whole run, while prospects are created now and then. Also measures the API's memory in the meantime.
 *
 * npm run bench:matching-api -- [--records 1000000] [--store <folder that matching-run.ts has filled>]
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { createPerson } from './api-client.ts'
import { countOption, ratioToRest, some } from './figures.ts'
import type { LoadResult } from './load.ts'
import { median, memoryOf, percentile, processorSecondsOf, startDriver } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { startApi } from './servers.ts'

const { values } = parseArgs({
  options: { records: { type: 'string', default: '1000000' }, store: { type: 'string' } },
})
countOption(values, 'records')
const aims = { memoryMb: 1_500, p99Ratio: 2 }
const SECONDS = 3
const ROUNDS_AT_REST = 5
const CREATE_EVERY_MS = 100
const who = { email: 'bench@example.co.za', password: 'correct horse battery staple 42' }
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const job = z.object({
  id: z.string(),
  status: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})
const sample = z.object({ tenantId: z.string(), ids: z.array(z.string()) })

function node(args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
}

const home = mkdtempSync(join(tmpdir(), 'prospect-matching-api-'))
const driver = startDriver()
try {
  process.stdout.write(describeMachine())
  if (values.store !== undefined && existsSync(values.store)) cpSync(values.store, home, { recursive: true })
  else node([here('matching-run.ts'), values.records, 'fill', home])
  const { tenantId, ids } = sample.parse(JSON.parse(readFileSync(join(home, 'sample.json'), 'utf8')))
  createPerson(home, tenantId, who, 'administrator')

  // The API may use both cores, because the threads of the run compare records while the event loop serves requests.
  const api = await startApi(home, { isFree: true })
  try {
    const { headers } = await api.signIn(who)
    const ask = async (path: string, init: RequestInit = {}) =>
      job.parse(await (await fetch(`http://127.0.0.1:${api.port}/api/v1${path}`, { headers, ...init })).json())
    const paths = [
      ...Array.from({ length: ids.length }, () => '/api/v1/businesses?sort=-updatedAt&limit=50'),
      ...ids.map((id) => `/api/v1/businesses/${id}`),
    ]
    const round = () => driver.run({ port: api.port, connections: 1, seconds: SECONDS, headers, method: 'GET', paths })
    let created: number[] = []
    let isOver = false
    const createNowAndThen = async () => {
      for (let n = 0; !isOver; n++) {
        await delay(CREATE_EVERY_MS)
        const body = JSON.stringify({ name: `Bench Create ${n}` })
        const began = performance.now()
        const { status } = await fetch(`http://127.0.0.1:${api.port}/api/v1/businesses`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': `bench-${n}` },
          body,
        })
        if (status !== 201) throw new Error(`A create was answered with ${status}.`)
        created.push(performance.now() - began)
      }
    }
    // The API first evaluates the suppressions of a newly filled store.
    await api.untilQuiet()
    await round()
    await api.untilQuiet()
    const creating = createNowAndThen()
    const atRest: LoadResult[] = []
    for (let n = 0; n < ROUNDS_AT_REST; n++) atRest.push(await round())
    const createdAtRest = created
    created = []
    const restMb = memoryOf(api.pid).nowMb
    const processor = processorSecondsOf(api.pid)
    await api.longestStall()
    const { id } = await ask('/match-runs', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'bench' },
      body: '{}',
    })
    const meanwhile: LoadResult[] = []
    let now = await ask(`/jobs/${id}`)
    for (; now.endedAt === null; now = await ask(`/jobs/${id}`)) meanwhile.push(await round())
    isOver = true
    await creating
    if (now.status !== 'succeeded') throw new Error(`The run ended as ${now.status}.`)
    const stall = await api.longestStall()
    const seconds = (Date.parse(now.endedAt ?? '') - Date.parse(now.startedAt ?? '')) / 1_000
    const { peakMb } = memoryOf(api.pid)

    const creates = (ms: number[]) => [0.5, 0.9, 0.99, 1].map((part) => percentile(ms, part).toFixed(1)).join(' ')
    const shown = (rounds: LoadResult[], of: 'p50' | 'p99') => rounds.map((one) => one[of].toFixed(2)).join(' ')
    const p99Of = (rounds: LoadResult[]) => median(rounds.map(({ p99 }) => p99))
    const ratio = ratioToRest('a request', { underLoad: p99Of(meanwhile), atRest: p99Of(atRest) })
    some(ids.length, 'records of the tenant')
    process.stdout.write(
      `p50 ms of ${SECONDS} s at rest ${shown(atRest, 'p50')}, meanwhile ${shown(meanwhile, 'p50')}\n` +
        `p99 ms of ${SECONDS} s at rest ${shown(atRest, 'p99')}, meanwhile ${shown(meanwhile, 'p99')}\n` +
        `a create, p50 p90 p99 and longest, ms: at rest ${creates(createdAtRest)}, meanwhile ${creates(created)}\n` +
        `longest stall of the event loop ${stall.stalledMs.toFixed(0)} ms, ${stall.computedMs.toFixed(0)} of computing; ` +
        `processor ${(processorSecondsOf(api.pid) - processor).toFixed(0)} s with the requests; memory at rest ${restMb.toFixed(0)} MB\n` +
        table(
          [`a run over ${values.records}`, 'seen', 'aim', ''],
          [
            ['seconds beside requests without a pause', seconds.toFixed(1), '', ''],
            ['MB at most, the whole API', peakMb.toFixed(0), `≤ ${aims.memoryMb}`, verdict(peakMb <= aims.memoryMb)],
            [
              'p99 meanwhile over p99 at rest, medians',
              ratio.toFixed(2),
              `< ${aims.p99Ratio}`,
              verdict(ratio < aims.p99Ratio),
            ],
          ],
        ),
    )
  } finally {
    await api.stop()
  }
} finally {
  driver.stop()
  rmSync(home, { recursive: true, force: true })
}
