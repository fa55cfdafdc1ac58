import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { backupPlace } from '../../../../test/backups.ts'
import { buildTestApp } from '../../../../test/build-app.ts'
import { jobWorld } from '../../../../test/job-world.ts'
import { temporaryFolder, temporaryStore } from '../../../../test/temporary-store.ts'
import { toySteps } from '../../../../test/toy-steps.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { openKeys } from '../../../store/files/keys.ts'
import { migrate, schemaVersion } from '../../../store/files/migrate.ts'
import { openStore } from '../../../store/store.ts'
import { verifyTenant } from '../../audit/audit.ts'
import { createCheckpointer } from '../../audit/checkpoints/checkpointer.ts'
import { exportJob } from '../../exports/exports.jobs.ts'
import type { Export } from '../../exports/exports.schema.ts'
import { getExport, openContent } from '../../exports/exports.ts'
import { memberActor } from '../../identity/identity.ts'
import { jobKindsOf } from '../../jobs/jobs.ts'
import { startJobWorker } from '../../jobs/worker/worker.ts'
import { migrations } from '../../migrations.ts'
import { newIdentity } from '../age-keys.ts'
import { signManifest } from '../manifest.ts'
import { restore } from '../restore.ts'
import { restoreDrill } from '../restore-drill.ts'

/** Creates a store with a prospect and takes a backup; then creates a second prospect and stops the API. */
async function setUp() {
  const t = await buildTestApp()
  const { dataDir } = t.store
  const place = await backupPlace(dataDir, t.clock)
  const operator = await t.as('operator')
  const create = (name: string) => operator.post<{ id: string }>('/businesses', { name })
  await create('Karoo Windpumps')
  const invited = { email: 'guest@home.example', name: 'A guest', role: 'viewer' }
  await (await t.as('administrator')).post('/users', invited)
  await createCheckpointer(t.store, { warn: () => {} }).signWhatIsNew()
  const { folder, manifest } = await place.backup()
  const later = await create('Later Limited')
  await (await t.as('administrator')).post(`/businesses/${later.body.id}/do-not-contact`, {
    reason: 'They asked us to stop.',
  })
  const stop = () => t.store.close()
  const run = (changed: Partial<Parameters<typeof restore>[0]> = {}) =>
    restore(
      { migrations, dataDir, folder, identities: place.identities, keysLost: false, ...changed },
      t.clock,
      () => {},
    )
  return { t, dataDir, ...place, folder, manifest, stop, run }
}

function namesIn(file: string): string[] {
  const connection = openConnection(file, { readonly: true })
  const names = connection.prepare('SELECT name FROM businesses ORDER BY name').pluck().all().map(String)
  connection.close()
  return names
}

const contents = (dataDir: string) => sha256(readFileSync(join(dataDir, 'prospect.sqlite'), 'latin1'))

describe('a restore', () => {
  test('restores the earlier state, keeps the replaced store, ends all sessions, records an event in every audit, and lists what is missing', async () => {
    const { t, dataDir, run, stop, manifest } = await setUp()
    // Sign-ins and sign-outs need not be repeated after a restore.
    expect((await (await t.as('viewer')).delete('/session')).status).toBe(204)
    await stop()
    const result = await run()
    expect(namesIn(join(dataDir, 'prospect.sqlite'))).toEqual(['Karoo Windpumps'])
    expect(namesIn(join(result.kept ?? '', 'prospect.sqlite'))).toEqual(['Karoo Windpumps', 'Later Limited'])
    expect(result).toMatchObject({ tenants: 2, broken: [] })
    expect(result.endedSessions).toBeGreaterThan(0)
    expect(result.lacking?.map(({ action }) => action)).toEqual(['business.create'])
    expect(result.carried).toEqual({ suppressions: 0, blocks: 0, tombstones: 0 })

    const store = openStore({ migrations, dataDir, clock: t.clock })
    onTestFinished(() => store.close())
    for (const { id } of Object.values(t.tenants)) {
      expect(await verifyTenant(store, id)).toMatchObject({ status: 'intact' })
      const last = await store.reader
        .selectFrom('audit_events')
        .select(['action', 'actor', 'after_json'])
        .where('tenant_id', '=', id)
        .orderBy('sequence', 'desc')
        .executeTakeFirstOrThrow()
      expect(last).toMatchObject({ action: 'store.restore', actor: 'command line' })
      expect(JSON.parse(last.after_json ?? '')).toMatchObject({
        backup: manifest.id,
        takenAt: manifest.takenAt,
        suppressionsCarried: 0,
        blocksCarried: 0,
        tombstonesCarried: 0,
      })
    }
    expect(await store.reader.selectFrom('sessions').selectAll().execute()).toEqual([])
    expect(await store.reader.selectFrom('one_time_links').selectAll().execute()).toEqual([])
    expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('keeps the order of events and the keys of cursors: earlier signatures stay valid', async () => {
    const { t, dataDir, run, stop, manifest } = await setUp()
    const before = t.store.keys.derive('cursor')
    await stop()
    await run()
    const store = temporaryStore({ dataDir, clock: t.clock })
    expect(store.keys.derive('cursor')).toEqual(before)
    const { sequence, hash } = manifest.chains.find(({ tenantId }) => tenantId === t.tenants.home.id) ?? {}
    const events = await store.reader
      .selectFrom('audit_events')
      .select(['sequence', 'hash'])
      .where('tenant_id', '=', t.tenants.home.id)
      .orderBy('sequence')
      .execute()
    expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1))
    expect(events[(sequence ?? 0) - 1]).toEqual({ sequence, hash })
    expect(events).toHaveLength((sequence ?? 0) + 1)
  })

  test('copies nothing from a store of a newer schema, and reports it', async () => {
    const { dataDir, run, stop } = await setUp()
    await stop()
    const connection = openConnection(join(dataDir, 'prospect.sqlite'))
    connection.exec(`INSERT INTO schema_steps (name) VALUES ('2999-01-01-newer')`)
    connection.close()
    const { carried, lacking } = await run()
    expect(carried).toBeNull()
    expect(lacking).toContainEqual({ action: 'business.block', events: 1, mustBeDoneAgain: true })
  })

  test('works over a damaged store, and without one', async () => {
    const { dataDir, run, stop } = await setUp()
    await stop()
    writeFileSync(join(dataDir, 'prospect.sqlite'), 'no database any more')
    const over = await run()
    expect([over.lacking, over.carried]).toEqual([null, null])
    expect(readFileSync(join(over.kept ?? '', 'prospect.sqlite'), 'utf8')).toBe('no database any more')
    rmSync(join(dataDir, 'prospect.sqlite'))
    const nothing = { suppressions: 0, blocks: 0, tombstones: 0 }
    expect(await run()).toMatchObject({ kept: undefined, lacking: [], carried: nothing })
    expect(namesIn(join(dataDir, 'prospect.sqlite'))).toEqual(['Karoo Windpumps'])
  })

  test('removes the files of exports: an export that the restored store calls ready is not served, and then reported as missing', async () => {
    const { t, ended } = await jobWorld([exportJob])
    const { dataDir } = t.store
    const manager = await t.as('manager')
    await (await t.as('operator')).post('/businesses', { name: 'Karoo', emails: [{ value: 'jan@karoo.co.za' }] })
    const worker = startJobWorker({ store: t.store, kinds: jobKindsOf([exportJob]), log: pino({ level: 'silent' }) })
    const wanted = { source: 'prospects', format: 'jsonl' }
    const { body: asked } = await manager.post<Export>('/exports', wanted, { 'idempotency-key': newId() })
    await ended(asked.jobId)
    await worker.stop()
    expect((await manager.get(`/exports/${asked.id}/content`)).status).toBe(200)
    const { backup, identities } = await backupPlace(dataDir, t.clock)
    const { folder } = await backup()
    await t.store.close()
    const { kept } = await restore({ migrations, dataDir, folder, identities, keysLost: false }, t.clock, () => {})
    expect([dataDir, kept ?? ''].flatMap((one) => readdirSync(one)).filter((name) => name === 'exports')).toEqual([])

    const store = temporaryStore({ dataDir, clock: t.clock })
    const { id: tenantId, users } = t.tenants.home
    const actor = await memberActor(store.reader, { tenantId, userId: users.manager.id }, newId())
    if (actor === undefined) throw new Error('The manager is a member.')
    expect((await getExport(store, tenantId, asked.id)).status).toBe('ready')
    await expect(openContent(store, actor, asked.id)).rejects.toMatchObject({ code: 'export_gone' })
    await upkeepOf('exports', store)
    expect(await getExport(store, tenantId, asked.id)).toMatchObject({
      status: 'removed',
      file: { removedBecause: 'missing' },
    })
    await expect(openContent(store, actor, asked.id)).rejects.toMatchObject({ code: 'export_gone' })
  })

  test('migrates a backup of an older schema to this one', async () => {
    const dataDir = temporaryFolder()
    const clock = () => new Date('2026-11-21T08:00:00.000Z')
    const older = openConnection(join(dataDir, 'prospect.sqlite'))
    migrate(older, { steps: migrations })
    older.exec(
      `INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('t', 1, 'Old', 'UTC', '2026-01-01')`,
    )
    older.close()
    openKeys(dataDir)
    const { backup, identities } = await backupPlace(dataDir, clock)
    const { folder, manifest } = await backup()
    expect(manifest.schemaVersion).toBe(migrations.length)
    await restore(
      { migrations: [...migrations, ...toySteps], dataDir, folder, identities, keysLost: false },
      clock,
      () => {},
    )
    const restored = openConnection(join(dataDir, 'prospect.sqlite'), { readonly: true })
    expect(schemaVersion(restored)).toBe(migrations.length + toySteps.length)
    expect(restored.prepare('SELECT name, nickname FROM tenants').raw().all()).toEqual([['Old', 'unnamed']])
    restored.close()
  })
})

describe('a restore is refused, and the store stays unchanged,', () => {
  test('while the API uses the store', async () => {
    const { t, run } = await setUp()
    const refused = { code: 'unavailable', details: { reason: 'store_in_use' } }
    expect(await t.changes(() => expect(run()).rejects.toMatchObject(refused))).toEqual({})
    expect((await (await t.as('operator')).get('/businesses')).status).toBe(200)
  })

  test('with the identity of another person', async () => {
    const { dataDir, run, stop } = await setUp()
    await stop()
    const before = contents(dataDir)
    const { identity } = await newIdentity()
    await expect(run({ identities: [identity] })).rejects.toMatchObject({ details: { reason: 'wrong_identity' } })
    expect(contents(dataDir)).toBe(before)
    expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('when the data folder has the keys of another installation, or none, unless they are declared lost', async () => {
    const { t, dataDir, run, stop } = await setUp()
    await stop()
    renameSync(join(dataDir, 'keys'), join(dataDir, 'own-keys'))
    await expect(run()).rejects.toMatchObject({ message: expect.stringContaining('has no keys') })
    expect(existsSync(join(dataDir, 'keys'))).toBe(false)
    openKeys(dataDir)
    await expect(run()).rejects.toMatchObject({ details: { reason: 'wrong_keys' } })
    await run({ keysLost: true })
    const store = temporaryStore({ dataDir, clock: t.clock })
    const restored = { status: 'intact', checkpoints: { checked: 1 } }
    expect(await verifyTenant(store, t.tenants.home.id)).toMatchObject(restored)
  })

  test.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
    ['cut to nothing', (bytes: Buffer) => bytes.subarray(0, 0)],
    ['one bit of its head changed', (bytes: Buffer) => flip(bytes, 40)],
    ['one bit of its middle changed', (bytes: Buffer) => flip(bytes, bytes.length >> 1)],
    ['one bit of its end changed', (bytes: Buffer) => flip(bytes, bytes.length - 1)],
    ['something added', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
  ])('when the sealed store has %s, with and without a corrected checksum', async (_what, alter) => {
    const { t, dataDir, run, stop, folder, manifest } = await setUp()
    await stop()
    const before = contents(dataDir)
    const sealed = join(folder, 'prospect.sqlite.zst.age')
    const altered = alter(readFileSync(sealed))
    writeFileSync(sealed, altered)
    await expect(run()).rejects.toMatchObject({ details: { reason: 'backup_damaged' } })
    const { v: _v, keysFingerprint: _f, signature: _s, ...content } = manifest
    const { hash } = await import('node:crypto')
    const files = content.files.map((file) =>
      file.name === 'prospect.sqlite.zst.age'
        ? { ...file, bytes: altered.length, sha256: hash('sha256', altered) }
        : file,
    )
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(signManifest(t.store.keys, { ...content, files })))
    await expect(run()).rejects.toMatchObject({ code: 'invalid_request' })
    expect(contents(dataDir)).toBe(before)
  })

  test('when there is too little space for the size in the manifest, before anything is opened', async () => {
    const { t, dataDir, run, stop, folder, manifest } = await setUp()
    await stop()
    const before = contents(dataDir)
    const { v: _v, keysFingerprint: _f, signature: _s, ...content } = manifest
    const files = content.files.map((file) => ({ ...file, plainBytes: 10 ** 15 }))
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(signManifest(t.store.keys, { ...content, files })))
    await expect(run()).rejects.toMatchObject({
      message: expect.stringMatching(/too little space .* MB are free, 2200000068 MB are needed/),
      details: { reason: 'storage_full' },
    })
    expect(contents(dataDir)).toBe(before)
  })

  test('when the manifest was changed, or signed by another server', async () => {
    const { dataDir, run, stop, folder, manifest } = await setUp()
    await stop()
    const before = contents(dataDir)
    const say = (text: string) => writeFileSync(join(folder, 'manifest.json'), text)
    say(JSON.stringify({ ...manifest, takenAt: '2026-11-22T08:00:00.000Z' }))
    await expect(run()).rejects.toMatchObject({ details: { reason: 'backup_damaged' } })
    const { v: _v, keysFingerprint: _f, signature: _s, ...content } = manifest
    const forged = signManifest(openKeys(temporaryFolder()), content)
    say(JSON.stringify({ ...forged, keysFingerprint: manifest.keysFingerprint }))
    await expect(run()).rejects.toMatchObject({ details: { reason: 'backup_damaged' } })
    say('{"v": 1}')
    await expect(run()).rejects.toMatchObject({ details: { reason: 'backup_damaged' } })
    rmSync(join(folder, 'manifest.json'))
    await expect(run()).rejects.toMatchObject({ code: 'not_found' })
    expect(contents(dataDir)).toBe(before)
  })

  test('when the backup has a newer schema', async () => {
    const { t, dataDir, run, stop, folder, manifest } = await setUp()
    await stop()
    const { v: _v, keysFingerprint: _f, signature: _s, ...content } = manifest
    const newer = signManifest(t.store.keys, { ...content, schemaVersion: migrations.length + 1 })
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(newer))
    const before = contents(dataDir)
    await expect(run()).rejects.toMatchObject({ code: 'conflict', details: { reason: 'newer_schema' } })
    expect(contents(dataDir)).toBe(before)
  })

  test('when the backup has a schema from before the baseline', async () => {
    const { dataDir, run, stop, folder, manifest } = await setUp()
    await stop()
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, v: 1 }))
    const before = contents(dataDir)
    await expect(run()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('made by a development version before 0.2.0'),
      details: { reason: 'older_schema' },
    })
    expect(contents(dataDir)).toBe(before)
  })

  test('when it contains another store than its manifest describes', async () => {
    const { t, dataDir, run, stop, folder, manifest } = await setUp()
    await stop()
    const { v: _v, keysFingerprint: _f, signature: _s, ...content } = manifest
    const other = signManifest(t.store.keys, { ...content, counts: { ...content.counts, businesses: 7 } })
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(other))
    await expect(run()).rejects.toMatchObject({ message: expect.stringContaining('does not match its manifest') })
    // Every file has the size of the manifest but other content.
    const files = content.files.map((file) => ({ ...file, plainSha256: '0'.repeat(64) }))
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(signManifest(t.store.keys, { ...content, files })))
    await expect(run()).rejects.toMatchObject({ message: expect.stringContaining('does not match its manifest') })
    expect(namesIn(join(dataDir, 'prospect.sqlite'))).toHaveLength(2)
  })
})

describe('a restore drill', () => {
  test('runs completely in a scratch folder beside a running API, reports its times, and leaves no files', async () => {
    const { t, dataDir, shelf, folder, identities, manifest } = await setUp()
    const scratch = temporaryFolder()
    const changes = await t.changes(() =>
      restoreDrill({ migrations, dataDir, shelf, folder, identities, scratch }, t.clock, () => {}).then((result) => {
        expect(result).toMatchObject({ backup: manifest.id, keys: 'those of the store', tenants: 2, brokenChains: 0 })
        expect(result.verifiedEvents).toBe(manifest.counts.audit_events)
        expect(result.seconds.total).toBeGreaterThan(0)
        expect(JSON.parse(readFileSync(join(shelf, 'last-drill.json'), 'utf8'))).toEqual(result)
      }),
    )
    expect(changes).toEqual({})
    expect(readdirSync(scratch)).toEqual([])
  })

  test('works on another machine, without the keys of the store', async () => {
    const { t, shelf, folder, identities } = await setUp()
    const dataDir = join(temporaryFolder(), 'empty')
    mkdirSync(dataDir)
    const moved = join(temporaryFolder(), 'moved')
    cpSync(folder, moved, { recursive: true })
    const options = { migrations, dataDir, shelf, folder: moved, identities, scratch: temporaryFolder() }
    expect(await restoreDrill(options, t.clock, () => {})).toMatchObject({ keys: 'not here', brokenChains: 0 })
    expect(readdirSync(dataDir)).toEqual([])
  })
})

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
  return copy
}
