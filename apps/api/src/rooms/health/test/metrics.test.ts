import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../../../script/lib/free-port.ts'
import { backupPlace } from '../../../../test/backups.ts'
import { buildTestApp, testConfig } from '../../../../test/build-app.ts'
import { createTestProvider } from '../../../../test/company-provider.ts'
import { temporaryStore } from '../../../../test/temporary-store.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Store } from '../../../store/store.ts'
import { createCheckpointer } from '../../audit/checkpoints/checkpointer.ts'
import { recordCopy } from '../../backup/backup.ts'
import { createMetrics, serveMetrics } from '../metrics.ts'

const metricsOf = (store: Store) => createMetrics(store, testConfig(store.dataDir))

const provenance = { reason: 'They asked.', channel: 'phone' }

/** Returns the number of gate decisions with this outcome on the metrics page. */
function decided(text: string, outcome: string): number {
  return Number(new RegExp(`^prospect_gate_decisions_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1])
}

test('requests are counted by the pattern of their route, without their content', async () => {
  let metrics: ReturnType<typeof createMetrics> | undefined
  const t = await buildTestApp({ onAnswer: (request, reply) => metrics?.observe(request, reply) })
  metrics = metricsOf(t.store)
  const operator = await t.as('operator')
  const { body } = await operator.post<{ id: string }>('/businesses', { name: 'Karoo Windpumps' })
  await operator.get(`/businesses/${body.id}`)
  await operator.get('/businesses?q=umzimkhulu')
  await operator.get('/nowhere/secret-path')
  const { text } = await metrics.read()
  expect(text).toContain(
    'prospect_http_request_duration_seconds_count{method="POST",route="/api/v1/businesses",status="201"} 1',
  )
  expect(text).toContain(
    'prospect_http_request_duration_seconds_count{method="GET",route="/api/v1/businesses/:businessId",status="200"} 1',
  )
  for (const secret of [body.id, 'umzimkhulu', 'secret-path', t.tenants.home.id, t.tenants.home.users.operator.id]) {
    expect(text).not.toContain(secret)
  }
  for (const name of [
    'prospect_store_bytes{file="database"}',
    'prospect_registry_tenants{standing="due"} 0',
    'prospect_registry_tenants{standing="cleaned"} 0',
    'prospect_write_queue_waiting 0',
    'prospect_jobs{status="queued",kind=""} 0',
    'prospect_background_waiting{what="changes"} 0',
    'prospect_background_seconds_total',
    'prospect_background_longest_step_seconds',
    'prospect_commits_total',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
  ]) {
    expect(text).toContain(name)
  }
})

test('what waits in the background is shown by kind', async () => {
  const t = await buildTestApp()
  const metrics = metricsOf(t.store)
  const operator = await t.as('operator')
  const before = newId()
  await t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
    await db
      .insertInto('follower_positions')
      .values({ tenant_id: t.tenants.home.id, follower: before, sequence: 0, version: '' })
      .execute()
    return { keep: true, value: undefined }
  })
  const eventsBehind = async () =>
    Number(
      new RegExp(`prospect_follower_events_behind\\{follower="${before}"\\} (\\d+)`).exec(
        (await metrics.read()).text,
      )?.[1],
    )
  const behind = await eventsBehind()
  await operator.post('/businesses', { name: 'Karoo Windpumps' })
  expect(await eventsBehind()).toBe(behind + 1)
  const job = { kind: 'demonstration', input: { steps: 1, stepMs: 1 } }
  expect((await operator.post('/jobs', job, { 'idempotency-key': newId() })).status).toBe(202)
  expect((await metrics.read()).text).toContain('prospect_jobs{status="queued",kind="demonstration"} 1')
})

test('the age of backups, the disk, the oldest job and unproven chains are shown', async () => {
  const t = await buildTestApp()
  const { store, clock } = t
  const metrics = metricsOf(store)
  const value = async (series: string) => {
    const line = (await metrics.read()).text.split('\n').find((one) => one.startsWith(`${series} `))
    return Number(line?.slice(series.length))
  }
  const taken = (place: string) => value(`prospect_backup_taken_timestamp_seconds{place="${place}"}`)
  expect([await taken('host'), await taken('off_host')]).toEqual([0, 0])
  const { backupDir: shelf } = testConfig(store.dataDir)
  const { backup } = await backupPlace(store.dataDir, clock)
  const { manifest } = await backup({ shelf })
  expect([await taken('host'), await taken('off_host')]).toEqual([Date.parse(manifest.takenAt) / 1_000, 0])
  recordCopy(shelf, manifest, 'restic', clock)
  expect(await taken('off_host')).toBe(Date.parse(manifest.takenAt) / 1_000)

  for (const of of ['store', 'backups']) {
    const [free, size] = [
      await value(`prospect_disk_free_bytes{of="${of}"}`),
      await value(`prospect_disk_size_bytes{of="${of}"}`),
    ]
    expect(free).toBeGreaterThan(0)
    expect(size).toBeGreaterThanOrEqual(free)
  }

  expect(await value('prospect_jobs_oldest_queued_seconds')).toBe(0)
  const job = { kind: 'demonstration', input: { steps: 1, stepMs: 1 } }
  await (await t.as('operator')).post('/jobs', job, { 'idempotency-key': newId() })
  clock.advance(90_000)
  expect(await value('prospect_jobs_oldest_queued_seconds')).toBe(90)
})

test('a chain is unproven while an old event has no checkpoint, and after the file lost its newest line', async () => {
  const t = await buildTestApp()
  const { store, clock } = t
  const metrics = metricsOf(store)
  const unproven = async () => Number(/^prospect_audit_chains_unproven (\d+)$/m.exec((await metrics.read()).text)?.[1])
  const signer = createCheckpointer(store, { warn: () => {} })
  await signer.signWhatIsNew()
  expect(await unproven()).toBe(0)
  await (await t.as('operator')).post('/businesses', { name: 'Karoo Windpumps' })
  expect(await unproven()).toBe(0)
  clock.advance(11 * 60_000)
  expect(await unproven()).toBe(1)
  await signer.signWhatIsNew()
  expect(await unproven()).toBe(0)
  const file = join(store.dataDir, 'audit-checkpoints.jsonl')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n`)
  expect(await unproven()).toBe(Object.keys(t.tenants).length)
  rmSync(file)
  expect(await unproven()).toBe(Object.keys(t.tenants).length)
})

test('a store that cannot be written is shown as not ready', async () => {
  const t = await buildTestApp()
  const metrics = metricsOf(t.store)
  const ready = async () => /^prospect_ready (\d)$/m.exec((await metrics.read()).text)?.[1]
  expect(await ready()).toBe('1')
  const file = join(t.store.dataDir, 'prospect.sqlite')
  renameSync(file, `${file}.moved`)
  expect(await ready()).toBe('0')
  renameSync(`${file}.moved`, file)
  expect(await ready()).toBe('1')
})

test('metrics are served on a port of their own, and nothing else is', async () => {
  const port = await freePort()
  const server = await serveMetrics(metricsOf(temporaryStore()), { host: '127.0.0.1', port })
  onTestFinished(() => void server.close())
  const read = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(read.headers.get('content-type')).toContain('text/plain')
  expect(await read.text()).toMatch(/prospect_store_bytes\{file="database"\} [1-9]/)
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404)
})

test('are served under each single valid host name', async () => {
  const port = await freePort()
  const server = await serveMetrics(metricsOf(temporaryStore()), { host: '127.0.0.1', port })
  onTestFinished(() => void server.close())
  const statusFor = async (...hosts: string[]) => {
    const socket = connect(port, '127.0.0.1')
    const lines = ['GET /metrics HTTP/1.1', ...hosts.map((host) => `Host: ${host}`), 'Connection: close', '', '']
    socket.write(lines.join('\r\n'))
    return (await text(socket)).split(' ', 2)[1]
  }
  expect(await statusFor('api:9464')).toBe('200')
  expect(await statusFor('any.name.example')).toBe('200')
  expect(await statusFor('api', 'api')).toBe('400')
  expect(await statusFor('a b')).toBe('400')
})

test('decisions of the suppression gate are counted by outcome, without any value', async () => {
  const t = await buildTestApp()
  const metrics = metricsOf(t.store)
  const counts = async () => {
    const { text } = await metrics.read()
    return { text, matched: decided(text, 'matched'), clear: decided(text, 'clear'), failed: decided(text, 'failed') }
  }
  const operator = await t.as('operator')
  await operator.post('/suppressions', { kind: 'email', value: 'sipho@windpumps.example', ...provenance })
  const before = await counts()
  const asked = { emails: [{ value: 'Sipho@windpumps.example' }, { value: 'info@windpumps.example' }] }
  expect((await operator.post('/businesses', { name: 'Karoo Windpumps', ...asked })).status).toBe(201)
  const after = await counts()
  expect(after.matched - before.matched).toBe(1)
  expect(after.clear - before.clear).toBeGreaterThan(0)
  expect(after.failed).toBe(before.failed)
  expect(after.text).not.toContain('windpumps')

  await t.store.write('upkeep', async (db) => {
    await db.schema.alterTable('suppression_keys').renameTo('suppression_keys_gone').execute()
    return { keep: true, value: undefined }
  })
  expect((await operator.post('/businesses', { name: 'Karoo Mills', ...asked })).status).toBe(500)
  const broken = await counts()
  expect(broken.failed).toBeGreaterThan(after.failed)
  expect(broken.clear).toBe(after.clear)
})

test("the gate's decisions in a change count once, when the change is durable, and not when it is rolled back", async () => {
  const t = await buildTestApp()
  const [operator, metrics] = [await t.as('operator'), metricsOf(t.store)]
  const clear = async () => decided((await metrics.read()).text, 'clear')
  const before = await clear()
  const create = (name: string, more: Record<string, unknown> = {}) =>
    operator.post('/businesses', { name, emails: [{ value: `${name}@windpumps.example` }], ...more })
  // The requests share a transaction that the last one rolls back, so the requests before it run twice.
  const answers = await Promise.all([create('a'), create('b'), create('c', { assigneeId: newId() })])
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 422])
  expect((await clear()) - before).toBe(2)
})

test('the dashboard uses exactly the metrics that exist', async () => {
  const file = join(import.meta.dirname, '../../../../../../docs/dashboard.json')
  const asked = new Set(readFileSync(file, 'utf8').match(/\bprospect_[a-z_]+/g))
  const { text } = await metricsOf(temporaryStore()).read()
  const there = [...text.matchAll(/^# TYPE (prospect_\w+)/gm)].map(([, name = '']) => name)
  const bare = (name: string) => name.replace(/_(?:bucket|count|sum)$/, '')
  expect(new Set([...asked].map(bare))).toEqual(new Set(there))
})

test('the age of the keys of company sign-in, and whether they can be used', async () => {
  const { settings, writeKeys } = await createTestProvider()
  const store = temporaryStore()
  const writtenAt = new Date(store.clock().getTime() - 3 * DAY_MS)
  utimesSync(settings.jwksFile, writtenAt, writtenAt)
  const metrics = createMetrics(store, { ...testConfig(store.dataDir), companySignIn: settings })
  expect((await metrics.read()).text).toContain('prospect_company_keys_age_days{usable="true"} 3\n')
  writeKeys('not JSON')
  const { text } = await metrics.read()
  expect(text.match(/^prospect_company_keys_age_days.*$/gm)).toEqual([
    'prospect_company_keys_age_days{usable="false"} 0',
  ])
  expect((await metricsOf(store).read()).text).not.toContain('prospect_company_keys')
})

test('each metric and label of an alert rule exists', async () => {
  const file = join(import.meta.dirname, '../../../../../../docs/alerts.yml')
  const rules = readFileSync(file, 'utf8').split('- alert:').slice(1)
  expect(rules).toHaveLength(5)
  const { text } = await metricsOf(temporaryStore()).read()
  for (const rule of rules) {
    const names = new Set(rule.match(/\bprospect_[a-z_]+/g))
    expect(names.size, rule).toBeGreaterThan(0)
    const labels = [...rule.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label)
    for (const name of names) {
      const series = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
      expect(series, name).not.toEqual([])
      for (const label of labels) for (const one of series) expect(one).toContain(`${label}="`)
    }
    for (const [, label = '', value = ''] of rule.matchAll(/\$labels\.(\w+) "(\w+)"/g))
      expect(text).toContain(`${label}="${value}"`)
  }
})
