import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { backupPlace } from '../../../../test/backups.ts'
import { buildTestApp } from '../../../../test/build-app.ts'
import { walk } from '../../../../test/prospects.ts'
import { temporaryFolder } from '../../../../test/temporary-store.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { takeLock } from '../../../store/files/file-lock.ts'
import { openStore } from '../../../store/store.ts'
import { createCheckpointer } from '../../audit/checkpoints/checkpointer.ts'
import { verifyTenants } from '../../audit/verify-chain.ts'
import { migrations } from '../../migrations.ts'
import { listBackups } from '../backup-shelf.ts'
import { checkSealed, openBackup } from '../open-backup.ts'

async function setUp() {
  const t = await buildTestApp()
  const place = await backupPlace(t.store.dataDir, t.clock)
  const open = async (folder: string) => {
    const target = join(temporaryFolder(), 'opened')
    await openBackup({ migrations, folder, target, identities: place.identities, keys: t.store.keys }, () => {})
    return target
  }
  return { t, ...place, open }
}

const prospect = (name: string) => ({ name, phones: [{ value: '+27 21 555 0199' }] })

describe('a backup', () => {
  test('is one consistent moment of a store under writes, and the writers lose nothing', async () => {
    const { t, backup, open } = await setUp()
    const operator = await t.as('operator')
    const before = await operator.post<{ id: string }>('/businesses', prospect('Before'))
    let isDone = false
    const answered: string[] = []
    const writing = Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        for (let n = 0; !isDone; n++) {
          const { status, body } = await operator.post<{ id: string }>('/businesses', prospect(`Writer ${writer} ${n}`))
          expect(status).toBe(201)
          answered.push(body.id)
        }
      }),
    )
    const { folder, manifest } = await backup().finally(() => {
      isDone = true
      return writing
    })

    const copy = openConnection(join(await open(folder), 'prospect.sqlite'), { readonly: true })
    const live = openConnection(join(t.store.dataDir, 'prospect.sqlite'), { readonly: true })
    const ids = (connection: typeof copy) => connection.prepare('SELECT id FROM businesses').pluck().all().map(String)
    expect(new Set(ids(live))).toEqual(new Set([before.body.id, ...answered]))
    expect(ids(copy)).toContain(before.body.id)
    // The copy must contain a prefix of the history: the same events without a gap, each with its business.
    const events = (connection: typeof copy, upTo: number) =>
      connection
        .prepare(
          'SELECT sequence, hash, subject_id FROM audit_events WHERE tenant_id = ? AND sequence <= ? ORDER BY sequence',
        )
        .all(t.tenants.home.id, upTo)
    const end = manifest.chains.find(({ tenantId }) => tenantId === t.tenants.home.id)?.sequence ?? 0
    expect(events(copy, Number.MAX_SAFE_INTEGER)).toEqual(events(live, end))
    expect(manifest.counts.businesses).toBe(ids(copy).length)
    expect(copy.prepare(`SELECT count(*) FROM audit_events WHERE action = 'business.create'`).pluck().get()).toBe(
      ids(copy).length,
    )
    copy.close()
    live.close()
  })

  test('contains the checkpoints that its store records, and none of a later event, however many are signed meanwhile', async () => {
    const { t, backup, open } = await setUp()
    const operator = await t.as('operator')
    const checkpointer = createCheckpointer(t.store, { warn: () => {} })
    let isDone = false
    const sign = async () => {
      await operator.post('/businesses', prospect('Signed'))
      await checkpointer.signWhatIsNew()
    }
    await sign()
    const signing = (async () => {
      while (!isDone) await sign()
    })()
    const { folder, manifest } = await backup().finally(() => {
      isDone = true
      return signing
    })
    const { home, other } = t.tenants
    const copy = openStore({ migrations, dataDir: await open(folder), clock: t.clock, keys: t.store.keys })
    onTestFinished(() => copy.close())
    expect(await verifyTenants(copy, [home.id, other.id])).toMatchObject([
      { verification: { status: 'intact' } },
      { verification: { status: 'intact' } },
    ])
    const recorded = await copy.reader.selectFrom('audit_checkpoints').selectAll().orderBy('tenant_id').execute()
    expect(recorded).toHaveLength(2)
    expect(
      manifest.chains.map(({ tenantId, checkpoint }) => [tenantId, checkpoint?.sequence, checkpoint?.lineHash]),
    ).toEqual(recorded.map(({ tenant_id, sequence, line_hash }) => [tenant_id, sequence, line_hash]))
  })

  test('contains neither keys nor plain text, and only its owner can read its files', async () => {
    const { t, backup, open } = await setUp()
    const operator = await t.as('operator')
    await operator.post('/businesses', prospect('Umzimkhulu Plumbing'))
    const { folder, manifest } = await backup()
    expect(readdirSync(folder).sort()).toEqual([
      'audit-checkpoints.jsonl.zst.age',
      'audit-heads.jsonl',
      'manifest.json',
      'prospect.sqlite.zst.age',
    ])
    expect(manifest.schemaVersion).toBe(migrations.length)
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
      expect(readFileSync(join(folder, name), 'latin1')).not.toContain('Umzimkhulu')
      expect(readFileSync(join(folder, name), 'latin1')).not.toContain('home.example')
    }
    const opened = readFileSync(join(await open(folder), 'prospect.sqlite'), 'latin1')
    expect(opened).toContain('Umzimkhulu')
    const secret = readFileSync(join(t.store.dataDir, 'keys/server-secret'), 'utf8')
    expect(opened).not.toContain(secret)
    expect(opened).not.toContain('PRIVATE KEY')
  })

  test('can be searched and paged like the original store', async () => {
    const { t, backup, open } = await setUp()
    const operator = await t.as('operator')
    await operator.post('/businesses', prospect('Umzimkhulu Plumbing'))
    await operator.post('/businesses', prospect('Cape Tiles'))
    const dataDir = await open((await backup()).folder)
    const copy = openConnection(join(dataDir, 'prospect.sqlite'))
    // This statement throws if the index does not match its table.
    copy.prepare(`INSERT INTO business_search_index (business_search_index) VALUES ('integrity-check')`).run()
    copy.close()
    const opened = await buildTestApp({ over: { dataDir, tenants: t.tenants, clock: t.clock } })
    const viewer = await opened.as('viewer')
    const names = async (path: string) => (await walk<{ name: string }>(viewer, path, 1)).map(({ name }) => name)
    expect(await names('/businesses?q=umzim')).toEqual(['Umzimkhulu Plumbing'])
    expect(await names('/businesses?sort=name')).toEqual(['Cape Tiles', 'Umzimkhulu Plumbing'])
  })

  test('reports its progress', async () => {
    const { t, settings } = await setUp()
    const { makeBackup } = await import('../make-backup.ts')
    const stages = new Set<string>()
    await makeBackup(settings, t.clock, (stage) => stages.add(stage))
    expect([...stages]).toEqual(['copying and checking', 'encrypting', 'reading back'])
  })
})

describe('no backup is made', () => {
  test('while another one runs', async () => {
    const { t, shelf, backup } = await setUp()
    const both = await Promise.allSettled([backup(), backup()])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } })
    expect(listBackups(shelf)).toHaveLength(1)
    const lock = takeLock(join(t.store.dataDir, 'backup.lock'), { alone: true, patienceMs: 0 })
    expect(lock).toBeDefined()
    lock?.release()
  })

  test('of a damaged store, and nothing is deleted', async () => {
    const { t, shelf, backup } = await setUp()
    await backup()
    await t.store.close()
    const file = join(t.store.dataDir, 'prospect.sqlite')
    const bytes = readFileSync(file)
    // Damage pages of tables and indexes. Omit the first page, because without it the file would not be a database.
    for (let page = 2; page < bytes.length / 4096; page += 3) bytes.fill(0xa5, page * 4096 + 8, page * 4096 + 200)
    writeFileSync(file, bytes)
    await expect(backup()).rejects.toMatchObject({ message: expect.stringMatching(/damaged|malformed/) })
    expect(listBackups(shelf)).toHaveLength(1)
    expect(readdirSync(shelf)).toHaveLength(1)
  })

  test('of a store with broken foreign keys, though each row can be read', async () => {
    const { t, shelf, backup } = await setUp()
    await (await t.as('operator')).post('/businesses', prospect('Umzimkhulu Plumbing'))
    await t.store.close()
    const connection = openConnection(join(t.store.dataDir, 'prospect.sqlite'))
    connection.pragma('foreign_keys = OFF')
    connection.exec(`UPDATE business_identifiers SET business_id = 'nobody'`)
    connection.close()
    await expect(backup()).rejects.toMatchObject({
      message: expect.stringContaining('The store is damaged, and no backup was made of it: '),
      details: { reason: 'storage_damaged' },
    })
    expect(listBackups(shelf)).toEqual([])
  })

  test('when there is too little space, and the required space is reported', async () => {
    const { t, shelf, backup } = await setUp()
    await t.store.close()
    truncateSync(join(t.store.dataDir, 'prospect.sqlite'), 4_000_000_000_000) // a sparse file, which occupies no space
    await expect(backup()).rejects.toMatchObject({
      message: expect.stringMatching(/too little space .* MB are free, 8000068 MB may be needed/),
      details: { reason: 'storage_full' },
    })
    expect(readdirSync(shelf)).toEqual([])
  })

  test('when there is no store, and none is created', async () => {
    const dataDir = join(temporaryFolder(), 'nothing')
    mkdirSync(dataDir)
    const { backup } = await backupPlace(dataDir, () => new Date())
    await expect(backup()).rejects.toMatchObject({ code: 'not_found' })
    expect(readdirSync(dataDir)).toEqual([])
  })

  test('when it fails half-way, and nothing of it remains', async () => {
    const { t, shelf, settings, recipient } = await setUp()
    const { makeBackup } = await import('../make-backup.ts')
    const failing = makeBackup({ ...settings, recipients: [recipient] }, t.clock, (stage) => {
      if (stage === 'reading back') throw new Error('the disk is gone')
    })
    await expect(failing).rejects.toThrow('the disk is gone')
    expect(readdirSync(shelf)).toEqual([])
  })
})

describe('the shelf', () => {
  test('deletes what a kill left, and keeps what the policy keeps', async () => {
    const { t, shelf, backup } = await setUp()
    const first = await backup()
    const left = `.partial-${first.manifest.keysFingerprint.slice(0, 16)}-20260101T000000Z-00000000`
    mkdirSync(join(shelf, left, 'plain'), { recursive: true })
    t.clock.advance(40 * 86_400_000)
    const second = await backup()
    t.clock.advance(86_400_000)
    const third = await backup()
    expect(third.removed).toBe(0)
    t.clock.advance(400 * 86_400_000)
    const fourth = await backup()
    t.clock.advance(86_400_000)
    const last = await backup()
    expect(last.removed).toBe(3)
    expect(readdirSync(shelf)).toEqual([`backup-${fourth.manifest.id}`, `backup-${last.manifest.id}`])
    for (const { folder } of [first, second, third]) expect(existsSync(folder)).toBe(false)
  })

  test('deletes nothing when the clock was set back, and reports it', async () => {
    const { t, shelf, backup } = await setUp()
    await backup()
    t.clock.advance(400 * 86_400_000)
    await backup()
    t.clock.advance(-86_400_000)
    const { clockWentBack, removed } = await backup() // the first backup is 399 days older and would be deleted
    expect({ clockWentBack, removed }).toEqual({ clockWentBack: true, removed: 0 })
    expect(listBackups(shelf)).toHaveLength(3)
  })

  test('deletes nothing when the clock was ahead for one backup', async () => {
    const { t, shelf, backup } = await setUp()
    const first = await backup()
    t.clock.advance(86_400_000)
    const second = await backup()
    t.clock.advance(4_000 * 86_400_000)
    const ahead = await backup()
    expect(ahead.removed).toBe(0)
    t.clock.advance(-3_999 * 86_400_000)
    expect(await backup()).toMatchObject({ clockWentBack: true, removed: 0 })
    for (const { folder } of [first, second, ahead]) expect(existsSync(folder)).toBe(true)
    expect(listBackups(shelf)).toHaveLength(4)
  })

  test('keeps a backup with an unreadable manifest, for a person to inspect', async () => {
    const { t, shelf, backup } = await setUp()
    const { folder } = await backup()
    writeFileSync(join(folder, 'manifest.json'), '{')
    t.clock.advance(4_000 * 86_400_000)
    await backup()
    expect(listBackups(shelf).map(({ manifest }) => manifest === undefined)).toEqual([false, true])
  })
})

describe('off this host', () => {
  test('a backup is copied to another folder, checked there, and kept there for the same time', async () => {
    const { t, backup } = await setUp()
    const copyTo = join(temporaryFolder(), 'elsewhere')
    const { manifest, offHost } = await backup({ copyTo })
    expect(offHost).toEqual({ ok: true })
    const [copy] = listBackups(copyTo)
    expect(copy?.manifest).toEqual(manifest)
    await checkSealed(copy?.folder ?? '', t.store.keys, () => {})
    t.clock.advance(400 * 86_400_000)
    const later = await backup({ copyTo })
    t.clock.advance(86_400_000)
    const last = await backup({ copyTo })
    expect(listBackups(copyTo).map(({ manifest: kept }) => kept?.id)).toEqual([last.manifest.id, later.manifest.id])
  })

  test('two installations that copy to one folder delete nothing of each other, finished or not', async () => {
    const { t, backup } = await setUp()
    const copyTo = join(temporaryFolder(), 'shared')
    // Stores of tests are copies of one another, so they have the same keys.
    const another = openStore({ migrations, dataDir: temporaryFolder(), clock: t.clock })
    onTestFinished(() => another.close())
    const { manifest } = await (await backupPlace(another.dataDir, t.clock)).backup({ copyTo })
    const partial = `.partial-${manifest.keysFingerprint.slice(0, 16)}-${manifest.id}`
    mkdirSync(join(copyTo, partial))
    t.clock.advance(86_400_000)
    await backup({ copyTo })
    t.clock.advance(400 * 86_400_000)
    const later = await backup({ copyTo })
    t.clock.advance(86_400_000)
    const last = await backup({ copyTo })
    const own = [later, last].map((made) => `backup-${made.manifest.id}`)
    expect(readdirSync(copyTo)).toEqual([partial, `backup-${manifest.id}`, ...own])
  })

  test('a hook receives the folder, and no secret of the environment', async () => {
    const { backup } = await setUp()
    const folder = temporaryFolder()
    const hook = join(folder, 'hook')
    writeFileSync(hook, `#!/bin/sh\necho "$1" > ${folder}/said\nenv | grep -c BOOTSTRAP > ${folder}/secrets\nexit 0\n`)
    chmodSync(hook, 0o700)
    process.env.BOOTSTRAP_ADMIN_PASSWORD = 'not for hooks'
    const result = await backup({ hook })
    delete process.env.BOOTSTRAP_ADMIN_PASSWORD
    expect(result.offHost).toEqual({ ok: true })
    expect(readFileSync(join(folder, 'said'), 'utf8')).toBe(`${result.folder}\n`)
    expect(readFileSync(join(folder, 'secrets'), 'utf8')).toBe('0\n')
  })

  test.each([
    ['a hook that fails', 'exit 7', 'ended with 7'],
    ['an invalid hook', null, 'ENOENT'],
  ])('%s leaves the backup complete, deletes nothing, and is reported', async (_what, body, reason) => {
    const { t, shelf, backup } = await setUp()
    await backup()
    t.clock.advance(400 * 86_400_000)
    await backup()
    t.clock.advance(86_400_000)
    const hook = join(temporaryFolder(), 'hook')
    if (body !== null) {
      writeFileSync(hook, `#!/bin/sh\n${body}\n`)
      chmodSync(hook, 0o700)
    }
    const { offHost, removed } = await backup({ hook })
    expect(offHost).toMatchObject({ ok: false, reason: expect.stringContaining(reason) })
    expect(removed).toBe(0)
    expect(listBackups(shelf)).toHaveLength(3)
    expect(await backup()).toMatchObject({ removed: 1 }) // the first backup, which was kept only because of the failure
  })
})
