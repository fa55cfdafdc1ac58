import type { Adapter, RequestInput } from '@prospect/adapter-contract/adapter'
import { type DnsAnswer, type DnsQuery, dnsDeclaration, dnsQuerySchema } from '@prospect/adapter-contract/dns'
import { z } from 'zod'
import { dnsCheck } from '../src/rooms/domains/dns/check-job.ts'
import type { Check, Observation } from '../src/rooms/domains/dns/dns.schema.ts'
import type { Job } from '../src/rooms/jobs/jobs.schema.ts'
import { jobKindsOf } from '../src/rooms/jobs/jobs.ts'
import type { Answer, TestClient } from './build-app.ts'
import { untilJob, work } from './job-world.ts'
import { walk } from './prospects.ts'
import { type SourceWorld, sourceWorld } from './source-world.ts'

type Settings = { resolvers: string[]; forbiddenNames: string[] }
export type DnsScript = (input: RequestInput<DnsQuery, Settings>, call: number) => unknown

const settingsSchema = z.strictObject({ resolvers: z.array(z.string()), forbiddenNames: z.array(z.string()) })

/** Returns a DNS adapter without a network, which answers from a script, and a list of the questions that it received. */
export function dnsFixture(script: DnsScript) {
  const questions: string[] = []
  const adapter: Adapter<DnsQuery, Settings> = {
    id: 'fixture',
    version: '1.0.0',
    answersFrom: 'varying_targets',
    declaration: {
      ...dnsDeclaration,
      answerFields: { always: ['status'], onRequest: [] },
      minRecords: 2,
      settings: [
        { name: 'resolvers', label: 'Resolvers', kind: 'list', options: null, empty: 'none' },
        { name: 'forbiddenNames', label: 'Forbidden domains', kind: 'list', options: null, empty: 'none' },
      ],
    },
    querySchema: dnsQuerySchema,
    settingsSchema,
    plan: ({ query, settings }) =>
      settings.forbiddenNames.includes(query.name)
        ? { kind: 'refused', reason: 'name_forbidden', message: `The source forbids questions about ${query.name}.` }
        : {
            kind: 'planned',
            requests: [{ summary: `Query ${query.kind} of ${query.name}`, content: null }],
            maxRequests: 2,
            maxBytes: 66_767,
            maxDurationMs: 20_000,
            maxRecords: 2,
            fields: ['status'],
          },
    load: async () => ({
      request: async (input) => {
        questions.push(`${input.query.over} ${input.query.kind} ${input.query.name}`)
        return script(input, questions.length) as never
      },
    }),
  }
  return { adapter, questions }
}

function dnsAnswer(query: DnsQuery, changes: Partial<DnsAnswer> = {}): DnsAnswer {
  return {
    name: query.name,
    kind: query.kind,
    status: 'resolved',
    reason: null,
    responseCode: 0,
    records: [{ kind: 'MX', preference: 10, exchange: `mail.${query.name}`, ttl: 3_600 }],
    aliases: [],
    ttl: 3_600,
    isTruncated: false,
    isPartial: false,
    isAuthoritative: false,
    ...changes,
  }
}

export function answeredBy(query: DnsQuery, changes: Partial<DnsAnswer> = {}, next: DnsQuery | null = null) {
  const { over } = query
  const trace = { resolver: 'office', over, reason: null }
  const isComplete = changes.isTruncated !== true
  return { outcome: 'answered', records: [dnsAnswer(query, changes)], isComplete, next, trace, bytesReceived: 80 }
}

export function failedBy(query: DnsQuery, cause: string, reason: 'malformed' | 'mismatched' | null = null) {
  const trace = { resolver: 'office', over: query.over, reason }
  return { outcome: 'unavailable', cause, fault: 'transport', trace, bytesReceived: 0 }
}

export type DnsWorld = SourceWorld & {
  sourceId: string
  check(name: string, kinds?: readonly string[], client?: TestClient): Promise<Answer<Check & Job>>
  /** requests a check and runs its job; returns the observations of the name, newest first */
  checked(name: string, kinds?: readonly string[]): Promise<Observation[]>
}

/** Creates an app with an enabled DNS source whose adapter answers by the script. */
export async function dnsWorld(
  script: DnsScript,
  changes: Record<string, unknown> = {},
): Promise<DnsWorld & { questions: readonly string[] }> {
  const { adapter, questions } = dnsFixture(script)
  return { ...(await dnsWorldOf(adapter as Adapter, changes)), questions }
}

/** Creates the same app with this adapter, as `fixture` in version 1.0.0. */
export async function dnsWorldOf(adapter: Adapter, changes: Record<string, unknown> = {}): Promise<DnsWorld> {
  const items = [{ ...adapter, id: 'fixture', version: '1.0.0' }]
  const world = await sourceWorld({ adapters: { file: { sha256: 'a'.repeat(64) }, items } })
  const { id: sourceId } = await world.enabled({
    purposes: ['dns'],
    scope: { fields: ['status'], provinces: [], maxRecords: 2 },
    settings: { resolvers: ['office'], forbiddenNames: ['forbidden.co.za'] },
    circuit: { failureRatio: 1, consecutiveFailures: 50, latencyMs: 4_000, closeAfterSuccesses: 1 },
    ...changes,
  })
  let asked = 0
  const check: DnsWorld['check'] = (name, kinds = ['MX'], client = world.author) =>
    client.post('/dns-checks', { name, kinds }, { 'idempotency-key': `check ${asked++}` })
  return {
    ...world,
    sourceId,
    check,
    checked: async (name, kinds) => {
      const { status, body } = await check(name, kinds)
      if (status !== 202) throw new Error(`Nothing is asked: ${JSON.stringify(body)}`)
      const worker = work({ store: world.t.store, kinds: jobKindsOf([dnsCheck]), adapters: world.adapters })
      await untilJob(world.t.store, body.id, ({ ended_at }) => ended_at !== null)
      await worker.stop()
      return walk<Observation>(world.author, `/dns-observations?domain=${name}`, 100)
    },
  }
}
