import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { assistSuggestion } from '../../src/rooms/assist/assist.jobs.ts'
import type { Suggestion } from '../../src/rooms/assist/suggestions/suggestions.schema.ts'
import { dnsCheck } from '../../src/rooms/domains/dns/check-job.ts'
import type { Observation } from '../../src/rooms/domains/dns/dns.schema.ts'
import { jobKindsOf } from '../../src/rooms/jobs/jobs.ts'
import type { Scan } from '../../src/rooms/scanning/scans/scans.schema.ts'
import { START, webWorld } from '../../src/rooms/scanning/test/web-world.ts'
import { assistWorld, completed, honestAnswer, requested, suggested } from '../assist-world.ts'
import { answeredBy, dnsWorld } from '../dns-world.ts'
import { untilJob, work } from '../job-world.ts'
import { addEvidenceTo, walk } from '../prospects.ts'
import { compiledBefore } from '../run-node.ts'
import type { SourceWorld } from '../source-world.ts'
import type { AskingTask } from './asking-process.ts'

/*
 * Kills a process (kill -9) between a request to a source and its response, and between the response and the insert of its row. The next process
 * marks the unfinished queries as interrupted and does not repeat any request.
 */

type Death = Pick<AskingTask, 'adapter' | 'silent' | 'diesBefore'>

function start({ t }: Pick<SourceWorld, 't'>, death: Death): ChildProcess {
  const task: AskingTask = { dataDir: t.store.dataDir, now: t.clock().toISOString(), ...death }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'asking-process.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...compiledBefore(), PATH: process.env.PATH, TASK: JSON.stringify(task) },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

/**
 * Runs a process until it kills itself, or kills it once it has sent the request that receives no answer. Returns the requests that the process sent.
 */
async function killed(world: Pick<SourceWorld, 't'>, death: Death): Promise<string[]> {
  const child = start(world, death)
  if (child.stdout === null) throw new Error('The process has an output.')
  if (death.silent !== null)
    child.stdout.on('data', (part: Buffer) => {
      if (part.toString().includes(`sent ${death.silent}\n`)) child.kill('SIGKILL')
    })
  const [sent, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(signal).toBe('SIGKILL')
  return sent.trimEnd().split('\n')
}

const deaths = (silent: string, diesBefore: string): [string, Omit<Death, 'adapter'>][] => [
  ['a request and its answer', { silent, diesBefore: null }],
  ['an answer and its row', { silent: null, diesBefore }],
]

test.for(deaths('karoo.co.za', 'update "dns_observations"'))(
  'a DNS check killed between %s ends as interrupted, and the question is not sent again',
  { timeout: 60_000 },
  async ([, death], { expect }) => {
    const world = await dnsWorld(({ query }) => answeredBy(query))
    const { body } = await world.check('karoo.co.za', ['MX', 'NS'])
    expect(await killed(world, { adapter: 'dns', ...death })).toEqual(['sent karoo.co.za'])
    const pending = await walk<Observation>(world.author, '/dns-observations?status=pending')
    expect(pending.map(({ kind }) => kind)).toEqual(['NS', 'MX'])
    work({ store: world.t.store, kinds: jobKindsOf([dnsCheck]), adapters: world.adapters })
    await untilJob(world.t.store, body.id, ({ ended_at }) => ended_at !== null)
    const observations = await walk<Observation>(world.author, '/dns-observations')
    expect(observations.map(({ kind, status, errorReason }) => [kind, status, errorReason])).toEqual([
      ['NS', 'resolved', null],
      ['MX', 'error', 'interrupted'],
    ])
    expect(world.questions).toEqual(['udp NS karoo.co.za'])
    expect((await world.check('karoo.co.za', ['MX'])).status).toBe(202)
  },
)

test.for(deaths(START, 'update "scan_pages"'))(
  'a website scan killed between %s is incomplete, its page is interrupted, and nothing is requested again',
  { timeout: 60_000 },
  async ([, death], { expect }) => {
    const world = await webWorld()
    const { body } = await world.ask()
    expect(await killed(world, { adapter: 'web', ...death })).toEqual([`sent ${START}robots.txt`, `sent ${START}`])
    expect(await world.read(body.id)).toMatchObject({ state: 'running', pages: [{ outcome: null, facts: null }] })
    world.begin()
    await untilJob(world.t.store, body.jobId ?? '', ({ ended_at }) => ended_at !== null)
    const ended: Scan = await world.read(body.id)
    expect(ended).toMatchObject({
      state: 'incomplete',
      reasons: ['interrupted'],
      pages: [{ outcome: 'interrupted', facts: null, hops: [], reasons: ['interrupted'] }],
    })
    expect(world.web.requests).toEqual([])
  },
)

const deathsOfCalls: [string, Omit<Death, 'adapter'>, sent: string[], calls: number][] = [
  ['the checks and the permit', { silent: null, diesBefore: 'insert into "assist_usage"' }, [''], 0],
  ['the call and its answer', { silent: 'prompt', diesBefore: null }, ['sent prompt'], 1],
  ['the answer and its result', { silent: null, diesBefore: 'insert into "assist_exchanges"' }, ['sent prompt'], 1],
]

test.for(deathsOfCalls)(
  'a suggestion killed between %s is unavailable, nothing is sent again, and a started call counts whole',
  { timeout: 60_000 },
  async ([, death, sent, calls], { expect }) => {
    const world = await assistWorld((input) => completed(honestAnswer(input)))
    const { t, operator, businessId, adapters } = world
    await world.approvedPolicy()
    const { id } = await addEvidenceTo(operator, businessId, { field: 'industry', value: 'Windpumps and boreholes' })
    const lost = await requested(world, [id])
    expect(await killed(world, { adapter: 'prompt', ...death })).toEqual(sent)
    const reserved = await t.store.reader.selectFrom('assist_usage').select(['kind', 'tokens', 'cost']).execute()
    expect(reserved.map(({ kind }) => kind)).toEqual(calls === 0 ? [] : ['reservation'])

    const worker = work({ store: t.store, kinds: jobKindsOf([assistSuggestion]), adapters })
    await untilJob(t.store, lost.jobId, ({ ended_at }) => ended_at !== null)
    await worker.stop()
    const { body } = await operator.get<Suggestion>(`/assist/suggestions/${lost.id}`)
    const [{ tokens, cost } = { tokens: 0, cost: 0 }] = reserved
    expect(body).toMatchObject({
      state: 'no_result',
      claims: [],
      result: { kind: 'unavailable', reason: 'outcome_unknown' },
      usage: { tokens, cost },
    })
    const { body: usage } = await operator.get<{ tenant: { window: string; reserved: number; settled: number }[] }>(
      '/assist/usage',
    )
    const day = usage.tenant.filter(({ window }) => window === 'calls_per_day' || window === 'tokens_per_day')
    expect(day.map(({ reserved: open, settled }) => [open, settled])).toEqual([
      [0, calls],
      [0, tokens],
    ])
    expect(world.prompts).toHaveLength(0)
    // A person may make a new request.
    expect((await suggested(world, [id])).state).toBe('proposed')
    expect(world.prompts).toHaveLength(1)
  },
)
