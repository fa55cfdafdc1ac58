import { statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { singleHost } from '@prospect/hosts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../../config.ts'
import { methodOf } from '../../http/head.ts'
import { selectEventsBehind } from '../../store/change/follow-audit.queries.ts'
import { STORE_FILE } from '../../store/files/store-files.ts'
import type { Store } from '../../store/store.ts'
import { countUnprovenChains } from '../audit/audit.ts'
import { readBackupAges } from '../backup/backup.ts'
import { gateDecisions } from '../contact-gate/contact-gate.ts'
import { inspectCompanyKeys } from '../identity/identity.ts'
import { watchRegistry } from '../registry/registry.ts'
import { folderOfBackups, readSpace } from './read-space.ts'
import { createReadiness } from './readiness.ts'

/** Upper limits of the latency histogram, from latencies that nobody notices to latencies that everybody notices. */
const LATENCY_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type Metrics = {
  /** counts one response by the pattern of its route; the content of the request is not recorded */
  observe(request: FastifyRequest, reply: FastifyReply): void
  /** returns the page that Prometheus reads */
  read(): Promise<{ contentType: string; text: string }>
}

/**
 * Creates the metrics of one API process: requests, latency, event loop, memory, the store and its write queue. They contain no tenant, person or
 * search text.
 */
export function createMetrics(
  store: Store,
  { backupDir, companySignIn }: Pick<Config, 'backupDir' | 'companySignIn'>,
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'prospect_http_request_duration_seconds',
    help: 'Time from a request to its response, by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: LATENCY_BUCKETS_SECONDS,
    registers,
  })
  new Gauge({
    name: 'prospect_store_bytes',
    help: 'Size of the database file and of its write-ahead log',
    labelNames: ['file'] as const,
    registers,
    collect() {
      this.set({ file: 'database' }, sizeOf(join(store.dataDir, STORE_FILE)))
      this.set({ file: 'log' }, sizeOf(join(store.dataDir, `${STORE_FILE}-wal`)))
    },
  })
  new Gauge({
    name: 'prospect_jobs',
    help: 'Queued and running jobs of all tenants, by kind; a status without jobs has an empty kind',
    labelNames: ['status', 'kind'] as const,
    registers,
    async collect() {
      this.reset()
      for (const status of ['queued', 'running'] as const) {
        const counted = await store
          .backgroundOf(null)
          .selectFrom('jobs')
          .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
          .where('status', '=', sql.lit(status))
          .groupBy('kind')
          .execute()
        for (const { kind, count } of counted) this.set({ status, kind }, count)
        if (counted.length === 0) this.set({ status, kind: '' }, 0)
      }
    },
  })
  new Gauge({
    name: 'prospect_follower_events_behind',
    help: 'Audit events of all tenants that a follower has not processed or not stored as processed',
    labelNames: ['follower'] as const,
    registers,
    async collect() {
      this.reset()
      const behind = await selectEventsBehind(store.backgroundOf(null))
      for (const { follower, events } of behind) this.set({ follower }, events)
    },
  })
  new Gauge({
    name: 'prospect_registry_tenants',
    help: 'Tenants that have closed a registry round, by whether another one is due',
    labelNames: ['standing'] as const,
    registers,
    async collect() {
      const { rounds } = await watchRegistry(store.backgroundOf(null), store.clock().toISOString())
      const due = rounds.filter(({ isDue }) => isDue).length
      this.set({ standing: 'due' }, due)
      this.set({ standing: 'cleaned' }, rounds.length - due)
    },
  })
  if (companySignIn !== undefined) measureCompanyKeys(store, companySignIn, registers)
  new Gauge({
    name: 'prospect_background_waiting',
    help: 'Background work that waits for its turn of the event loop: changes for a commit, and tasks for a read or that commit',
    labelNames: ['what'] as const,
    registers,
    collect() {
      this.set({ what: 'changes' }, store.writes.waitingBehind())
      this.set({ what: 'tasks' }, store.budget.waiting())
    },
  })
  new Counter({
    name: 'prospect_background_seconds_total',
    help: 'Time for which background work has used the event loop since the start',
    registers,
    collect() {
      this.reset()
      this.inc(store.budget.totalMs() / 1_000)
    },
  })
  new Gauge({
    name: 'prospect_background_longest_step_seconds',
    help: 'Longest step of background work on the event loop since the last reading of this value',
    registers,
    collect() {
      this.set(store.budget.takeLongestMs() / 1_000)
    },
  })
  new Gauge({
    name: 'prospect_write_queue_waiting',
    help: 'Changes of requests that wait for the next commit',
    registers,
    collect() {
      this.set(store.writes.waiting())
    },
  })
  new Counter({
    name: 'prospect_commits_total',
    help: 'Commits since the start; several changes may share one',
    registers,
    collect() {
      this.reset()
      this.inc(store.writes.commits())
    },
  })
  new Counter({
    name: 'prospect_gate_decisions_total',
    help: 'Contact values that the suppression gate decided about since the start, by outcome; those of a change once it is durable; excludes CSV previews, which a thread reads',
    labelNames: ['outcome'] as const,
    registers,
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(gateDecisions())) this.inc({ outcome }, count)
    },
  })
  const requireReady = createReadiness(() => store.probe())
  new Gauge({
    name: 'prospect_ready',
    help: '1 if the store can be read and durably written, as the readiness route checks; otherwise 0',
    registers,
    async collect() {
      this.set(
        await requireReady().then(
          () => 1,
          () => 0,
        ),
      )
    },
  })
  new Gauge({
    name: 'prospect_backup_taken_timestamp_seconds',
    help: 'Time at which the newest backup on this host, and the newest one with a recorded copy off it, was taken; 0 without any',
    labelNames: ['place'] as const,
    registers,
    collect() {
      const { newest, offHost } = readBackupAges(backupDir, store.clock)
      this.set({ place: 'host' }, secondsOf(newest))
      this.set({ place: 'off_host' }, secondsOf(offHost))
    },
  })
  const disk = (name: string, help: string, value: keyof Awaited<ReturnType<typeof readSpace>>) =>
    new Gauge({
      name,
      help,
      labelNames: ['of'] as const,
      registers,
      async collect() {
        this.set({ of: 'store' }, (await readSpace(store.dataDir))[value])
        this.set({ of: 'backups' }, (await readSpace(folderOfBackups(backupDir, store.dataDir)))[value])
      },
    })
  disk('prospect_disk_free_bytes', 'Free space of the file systems of the store and of the backups', 'freeBytes')
  disk('prospect_disk_size_bytes', 'Size of the file systems of the store and of the backups', 'sizeBytes')
  new Gauge({
    name: 'prospect_jobs_oldest_queued_seconds',
    help: 'Time since the oldest queued job of all tenants was created; 0 if none is queued',
    registers,
    async collect() {
      const oldest = await store
        .backgroundOf(null)
        .selectFrom('jobs')
        .select(({ fn }) => fn.min('created_at').as('at'))
        .where('status', '=', sql.lit('queued'))
        .executeTakeFirst()
      const at = oldest?.at ?? null
      this.set(at === null ? 0 : Math.max(0, (store.clock().getTime() - Date.parse(at)) / 1_000))
    },
  })
  new Gauge({
    name: 'prospect_audit_chains_unproven',
    help: 'Tenants whose audit chain is not proven by checkpoints: an event of over ten minutes has none, or the file lost its newest line',
    registers,
    async collect() {
      this.set(await countUnprovenChains(store))
    },
  })
  return {
    observe: (request, reply) => {
      const route = request.routeOptions.url ?? 'none'
      duration.observe({ method: methodOf(request), route, status: reply.statusCode }, reply.elapsedTime / 1_000)
    },
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

/** The label tells a file that cannot be used from one that was written today. */
function measureCompanyKeys(
  { clock }: Store,
  settings: NonNullable<Config['companySignIn']>,
  registers: Registry[],
): void {
  new Gauge({
    name: 'prospect_company_keys_age_days',
    help: 'Age of the key file of company sign-in, by whether the file can be used',
    labelNames: ['usable'] as const,
    registers,
    async collect() {
      const { ageDays } = await inspectCompanyKeys(settings, clock())
      this.reset()
      this.set({ usable: String(ageDays !== null) }, ageDays ?? 0)
    },
  })
}

/** Serves `GET /metrics` on a separate port, for monitoring only. It needs no authentication. */
export async function serveMetrics(metrics: Metrics, at: { host: string; port: number }): Promise<Server> {
  const server = createServer((request, response) => {
    if (singleHost(request.rawHeaders) === undefined) {
      response.writeHead(400).end()
      return
    }
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.read().then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, resolve)
  })
  return server
}

function secondsOf(backup: { takenAt: string } | null): number {
  return backup === null ? 0 : Date.parse(backup.takenAt) / 1_000
}

/** Returns the size of a file; 0 if the file is missing, which is possible for a write-ahead log after a checkpoint. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
