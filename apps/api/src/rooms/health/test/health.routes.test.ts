import { test } from 'vitest'
import { backupPlace } from '../../../../test/backups.ts'
import { buildTestApp, testConfig } from '../../../../test/build-app.ts'
import { type BackupAges, readBackupAges, recordCopy } from '../../backup/backup.ts'
import type { Capability } from '../../define-facts.ts'
import { capabilities } from '../capabilities.data.ts'

/** Copy of the specification's table "Capability status in the current runtime": each phase with its area. */
const specified = [
  [3, 'Manual prospect workflow'],
  [4, 'Jobs'],
  [5, 'Sources'],
  [6, 'Normalization and duplicate review'],
  [7, 'Domain intelligence'],
  [8, 'Website scanning'],
  [9, 'Official-site contact extraction'],
  [10, 'Scoring'],
  [11, 'Dashboard and review workflow'],
  [12, 'CRM'],
  [13, 'Optional AI assistance'],
  [14, 'Draft-only outreach'],
  [15, 'Portable production deployment'],
  [17, 'Final acceptance report'],
]

test('every phase of the specification is listed once, in its order, with a reason in one sentence', ({ expect }) => {
  expect(capabilities.map(({ phase, area }) => [phase, area])).toEqual(specified)
  for (const { reason } of capabilities) expect(reason).toMatch(/^[A-Z][^.]*\.$/)
})

test('phases that need a provider are never listed as working', ({ expect }) => {
  const statusOf = (phase: number) => capabilities.find((capability) => capability.phase === phase)?.status
  expect(statusOf(13)).toBe('disabled')
  expect([7, 8, 9].map(statusOf)).toEqual(['contract_only', 'contract_only', 'contract_only'])
})

test('any signed-in person can read the capabilities', async ({ expect }) => {
  const t = await buildTestApp()
  expect(await t.visitor().get('/capabilities')).toMatchObject({ status: 401 })
  for (const role of ['administrator', 'manager', 'operator', 'viewer'] as const) {
    const { status, body } = await (await t.as(role)).get<{ items: Capability[] }>('/capabilities')
    expect(status).toBe(200)
    expect(body.items).toEqual(capabilities)
  }
})

test('only administrators can read the details of the running service', async ({ expect }) => {
  const build = { revision: 'abc', imageDigest: 'sha256:def', configurationRevision: '0123' }
  const t = await buildTestApp({ config: { build } })
  expect(await t.visitor().get('/health/detail')).toMatchObject({ status: 401 })
  for (const role of ['manager', 'operator', 'viewer'] as const) {
    expect(await (await t.as(role)).get('/health/detail')).toMatchObject({ status: 403 })
  }
  expect(await (await t.as('administrator')).get('/health/detail')).toMatchObject({
    status: 200,
    body: { ...build, version: '0.2.0-dev', node: process.versions.node },
  })
})

test('administrators see the newest backup, the newest copy off the host, and what is missing', async ({ expect }) => {
  const t = await buildTestApp()
  const { backupDir: shelf } = testConfig(t.store.dataDir)
  const administrator = await t.as('administrator')
  const backups = async () => (await administrator.get<{ backups: BackupAges }>('/health/detail')).body.backups
  expect(await backups()).toEqual({ newest: null, offHost: null, warnings: ['no_backup', 'only_on_host'] })
  const { backup } = await backupPlace(t.store.dataDir, t.clock)
  const { manifest } = await backup({ shelf })
  const { id, takenAt } = manifest
  expect(await backups()).toEqual({ newest: { id, takenAt }, offHost: null, warnings: ['only_on_host'] })
  recordCopy(shelf, manifest, 'rclone', t.clock)
  const offHost = { backup: id, takenAt, copiedAt: t.clock().toISOString(), by: 'rclone' }
  expect(await backups()).toEqual({ newest: { id, takenAt }, offHost, warnings: [] })
  t.clock.advance(27 * 3_600_000)
  expect(readBackupAges(shelf, t.clock).warnings).toEqual(['backup_late', 'copy_late'])
})

test('health needs no session, is never cached and writes no record', async ({ expect }) => {
  const t = await buildTestApp()
  const changes = await t.changes(async () => {
    const live = await t.visitor().get('/health/live')
    const ready = await t.visitor().get('/health/ready')
    expect(live).toMatchObject({ status: 200, body: { status: 'ok' }, headers: { 'cache-control': 'no-store' } })
    expect(ready).toMatchObject({ status: 200, body: { status: 'ok', checks: { storeRead: 'ok', storeWrite: 'ok' } } })
  })
  expect(changes).toEqual({})
})
