import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { dnsCheck } from '../../src/rooms/domains/dns/check-job.ts'
import type { Observation } from '../../src/rooms/domains/dns/dns.schema.ts'
import { jobKindsOf } from '../../src/rooms/jobs/jobs.ts'
import type { Scan } from '../../src/rooms/scanning/scans/scans.schema.ts'
import { START, webWorld } from '../../src/rooms/scanning/test/web-world.ts'
import { answeredBy, dnsWorld } from '../dns-world.ts'
import { untilJob, work } from '../job-world.ts'
import { walk } from '../prospects.ts'
import { compiledBefore } from '../run-node.ts'
import type { SourceWorld } from '../source-world.ts'
import type { AskingTask } from './asking-process.ts'

/*
 * Kills a process (kill -9) between a request to a source and its response, and between the response and its row. The next process marks the
 * unfinished queries as interrupted and sends nothing again.
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

/** Runs a process until it kills itself, or until it has sent the request that is not answered and is killed. Returns the requests that it sent. */
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
