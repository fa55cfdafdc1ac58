import { appendFileSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../../../script/lib/free-port.ts'
import { backupPlace } from '../../../../test/backups.ts'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createTestProvider } from '../../../../test/company-provider.ts'
import { editBehind } from '../../../../test/integrity.ts'
import { createProspect } from '../../../../test/prospects.ts'
import { takeHistoryAway } from '../../../../test/take-history-away.ts'
import { temporaryFolder } from '../../../../test/temporary-store.ts'
import type { Config } from '../../../config.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { createCheckpointer } from '../../audit/checkpoints/checkpointer.ts'
import { recordCopy } from '../../backup/last-copy.ts'
import { restoreDrill } from '../../backup/restore-drill.ts'
import { migrations } from '../../migrations.ts'
import { type Finding, notSeen, probe, worstOf } from '../probe.ts'

const HOUR_MS = 3_600_000
const silent = { warn: () => {} }

/** Creates a store with a recent backup, drill and checkpoints, and two servers that respond like the real ones. */
async function setUp() {
  const t = await buildTestApp()
  const { dataDir } = t.store
  const place = await backupPlace(dataDir, t.clock)
  await createCheckpointer(t.store, silent).signWhatIsNew()
  const { folder, manifest } = await place.backup()
  recordCopy(place.shelf, manifest, 'restic', t.clock)
  await restoreDrill({ migrations, dataDir, ...place, folder, scratch: temporaryFolder() }, t.clock, () => {})
  const port = await freePort()
  let status = 200
  const server = createServer((_request, response) =>
    response.writeHead(status, { date: t.clock().toUTCString() }).end(),
  ).listen(port, '127.0.0.1')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${port}`
  const lookAt = async (withRecords: boolean, companySignIn?: Config['companySignIn']) => {
    const findings = await probe(
      { migrations, dataDir, shelf: place.shelf, apiUrl: url, webUrl: url, withRecords, companySignIn },
      t.clock,
    )
    // Omit the checks of disk space, because the machine's free space must not affect the test.
    return findings.filter(({ check }) => !check.startsWith('space'))
  }
  const [look, lookWithoutRecords] = [() => lookAt(true), () => lookAt(false)]
  const lookWithCompany = (settings: Config['companySignIn']) => lookAt(false, settings)
  const answerWith = (next: number) => {
    status = next
  }
  return { t, dataDir, ...place, folder, look, lookWithoutRecords, lookWithCompany, answerWith }
}

const notWell = (findings: Finding[]) =>
  findings.filter(({ standing }) => standing !== 'ok').map(({ check, standing }) => `${check}: ${standing}`)

test('reports ok for a healthy installation, and changes nothing', async () => {
  const { t, look } = await setUp()
  const changes = await t.changes(async () => {
    const findings = await look()
    expect(notWell(findings)).toEqual([])
    expect(worstOf(findings)).toBe('ok')
  })
  expect(changes).toEqual({})
})

test('warns while no copy off the host is recorded, or the record is damaged', async () => {
  const { lookWithoutRecords, shelf } = await setUp()
  writeFileSync(join(shelf, 'last-copy.json'), '{"backup":')
  expect(notWell(await lookWithoutRecords())).toEqual(['backups off this host: warning'])
  rmSync(join(shelf, 'last-copy.json'))
  expect(notWell(await lookWithoutRecords())).toEqual(['backups off this host: warning'])
})

test('a backup that is made and never copied is found by the age of the newest copy', async () => {
  const { t, lookWithoutRecords, backup } = await setUp()
  t.clock.advance(30 * HOUR_MS)
  await createCheckpointer(t.store, silent).signWhatIsNew()
  await backup()
  expect(notWell(await lookWithoutRecords())).toEqual(['backups off this host: warning'])
  t.clock.advance(25 * HOUR_MS)
  await createCheckpointer(t.store, silent).signWhatIsNew()
  expect(notWell(await lookWithoutRecords())).toEqual(['backups off this host: critical'])
})

test('the keys of company sign-in, if they are old or cannot be used', async () => {
  const { t, lookWithCompany } = await setUp()
  const { settings, writeKeys } = await createTestProvider()
  const writtenDaysAgo = (days: number) => {
    const at = new Date(t.clock().getTime() - days * 24 * HOUR_MS)
    utimesSync(settings.jwksFile, at, at)
  }
  writtenDaysAgo(7)
  expect(notWell(await lookWithCompany(settings))).toEqual([])
  writtenDaysAgo(8)
  expect(notWell(await lookWithCompany(settings))).toEqual(['keys of company sign-in: warning'])
  writeKeys({ keys: [] })
  expect(notWell(await lookWithCompany(settings))).toEqual(['keys of company sign-in: critical'])
})

test('servers that fail or do not respond', async () => {
  const { look, answerWith } = await setUp()
  answerWith(503)
  expect(notWell(await look())).toEqual(['API alive: critical', 'API ready: critical', 'web alive: critical'])
})

test('a late, later, truncated or missing backup, and a drill that is due', async () => {
  const { t, look, folder, shelf } = await setUp()
  t.clock.advance(30 * HOUR_MS)
  expect(notWell(await look())).toContain('last backup: warning')
  t.clock.advance(30 * HOUR_MS)
  expect(notWell(await look())).toContain('last backup: critical')
  t.clock.advance(100 * 24 * HOUR_MS)
  expect(notWell(await look())).toContain('last restore drill: warning')
  truncateSync(join(folder, 'prospect.sqlite.zst.age'), 100)
  const found = (await look()).find(({ check }) => check === 'last backup')
  expect(found).toMatchObject({ standing: 'critical', found: expect.stringContaining('100 bytes instead of') })
  writeFileSync(join(shelf, 'last-drill.json'), '{')
  expect(notWell(await look())).toContain('last restore drill: unknown')
})

test('a truncated chain, an unsigned checkpoint, and events without checkpoints', async () => {
  const { t, dataDir, look } = await setUp()
  const file = join(dataDir, 'audit-checkpoints.jsonl')
  const whole = readFileSync(file, 'utf8')
  appendFileSync(file, `${whole.split('\n')[0]?.replace('"sequence":', '"sequence":9')}\n`)
  expect(notWell(await look())).toContain('audit checkpoints: critical')
  writeFileSync(file, whole)
  await (await t.as('operator')).post('/businesses', { name: 'Karoo Windpumps' })
  t.clock.advance(2 * HOUR_MS)
  expect(notWell(await look())).toEqual(['audit checkpoints: warning'])
  const connection = openConnection(join(dataDir, 'prospect.sqlite'), { busyTimeoutMs: 5_000 })
  connection.exec('DROP TRIGGER audit_events_loses_no_rows; DELETE FROM audit_events WHERE sequence > 2')
  connection.close()
  const cut = (await look()).find(({ check }) => check === 'audit checkpoints')
  expect(cut).toMatchObject({
    standing: 'critical',
    found: expect.stringContaining('the end of the history was cut off'),
  })
})

test.each([
  ['emptied', (file: string) => writeFileSync(file, '')],
  ['removed', (file: string) => rmSync(file)],
])('a file of checkpoints that was %s', async (_what, damage) => {
  const { dataDir, look } = await setUp()
  damage(join(dataDir, 'audit-checkpoints.jsonl'))
  const findings = await look()
  expect(notWell(findings)).toEqual(['audit checkpoints: critical'])
  expect(findings.find(({ check }) => check === 'audit checkpoints')?.found).toContain('unproven, tenant ')
})

test('events that no checkpoint covers after ten minutes', async () => {
  const { t, look } = await setUp()
  await (await t.as('operator')).post('/businesses', { name: 'Karoo Windpumps' })
  t.clock.advance(10 * 60_000)
  expect(notWell(await look())).toEqual([])
  t.clock.advance(1)
  expect(await look()).toContainEqual({
    check: 'audit checkpoints',
    standing: 'warning',
    found: expect.stringContaining(`unproven, tenant ${t.tenants.home.id}: No checkpoint covers event `),
  })
})

test('records that were edited outside the product, unless they are excluded', async () => {
  const { t, dataDir, look, lookWithoutRecords } = await setUp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator)
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  expect(await look()).toContainEqual({
    check: 'records',
    standing: 'ok',
    found: 'agree with suppressions, events and counts (records: 1)',
  })
  editBehind(dataDir, 'UPDATE businesses SET do_not_contact = 0')
  expect(await look()).toContainEqual({
    check: 'records',
    standing: 'critical',
    found: expect.stringMatching(
      new RegExp(`^tenant ${t.tenants.home.id}: Record ${id} is not blocked by hand.*\\(disagreements: 1\\)$`),
    ),
  })
  expect(notWell(await lookWithoutRecords())).toEqual([])
})

test('a chain that was removed with its tenant', async () => {
  const { t, dataDir, look } = await setUp()
  takeHistoryAway(dataDir, t.tenants.other.id)
  expect(await look()).toContainEqual({
    check: 'audit checkpoints',
    standing: 'critical',
    found: expect.stringContaining(`tenant ${t.tenants.other.id}: The whole chain is missing`),
  })
})

test('a clock that was set back', async () => {
  const { t, look } = await setUp()
  t.clock.advance(-48 * HOUR_MS)
  expect(notWell(await look())).toEqual(['last backup: warning', 'backups off this host: warning', 'clock: critical'])
})

test('a draft policy in force whose sources are due for review', async () => {
  const { t, lookWithoutRecords } = await setUp()
  const [administrator, manager] = [await t.as('administrator'), await t.as('manager')]
  const policy = {
    jurisdiction: 'za',
    channel: 'email',
    legalBases: ['consent'],
    requiredFields: [],
    freshnessDays: { other: 365 },
    acknowledgeable: [],
    caps: {},
    reviewBy: '2026-11-01',
    ownerId: t.tenants.home.users.administrator.id,
    endsAt: '2027-06-01T00:00:00Z',
  }
  const { status, body } = await administrator.post<{ id: string }>('/draft-policies', policy)
  expect(status).toBe(201)
  await createCheckpointer(t.store, silent).signWhatIsNew()
  expect(notWell(await lookWithoutRecords())).toEqual([])
  expect((await manager.post(`/draft-policies/${body.id}/approvals`, { reason: 'Read it.' })).status).toBe(200)
  await createCheckpointer(t.store, silent).signWhatIsNew()
  const findings = await lookWithoutRecords()
  expect(notWell(findings)).toEqual(['sources of draft policies: warning'])
  expect(findings.find(({ check }) => check === 'sources of draft policies')?.found).toBe(
    `tenant ${t.tenants.home.id}: the sources of the policy za/email/1 were due to be compared with the law by 2026-11-01 (policies: 1)`,
  )
})

test('a damaged store is reported as such, and is critical', async () => {
  const { t, dataDir, look } = await setUp()
  await t.store.close()
  const file = join(dataDir, 'prospect.sqlite')
  const bytes = readFileSync(file)
  for (let page = 2; page < bytes.length / 4096; page += 3) bytes.fill(0xa5, page * 4096 + 8, page * 4096 + 200)
  writeFileSync(file, bytes)
  const found = (await look()).find(({ check }) => check === 'audit checkpoints')
  expect(found).toMatchObject({ standing: 'critical', found: expect.stringContaining('The store is damaged') })
})

test('a data folder without a store is unknown, which is worse than a warning', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const folder = temporaryFolder()
  const findings = await probe(
    { migrations, dataDir: folder, shelf: folder, apiUrl: url, webUrl: url, withRecords: true },
    () => new Date(),
  )
  expect(notWell(findings)).toContain('audit checkpoints: unknown')
  expect(worstOf(findings)).toBe('critical')
  expect(
    worstOf([
      { check: 'a', standing: 'warning', found: '' },
      { check: 'b', standing: 'unknown', found: '' },
    ]),
  ).toBe('unknown')
})

test('an unreadable file of a backup is named, and not one of the data folder', () => {
  const [code, path] = ['EACCES', '/shelf/last-drill.json']
  const error = Object.assign(new Error(`${code}: permission denied, open '${path}'`), { code, path })
  expect(notSeen(error)).toEqual({ standing: 'unknown', found: error.message })
})
