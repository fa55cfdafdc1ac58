import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { backupPlace } from '../../test/backups.ts'
import { recordEvents, signedIn } from '../../test/checkpoint-world.ts'
import { editBehind } from '../../test/integrity.ts'
import { takeHistoryAway } from '../../test/take-history-away.ts'
import { temporaryFolder } from '../../test/temporary-store.ts'
import { typeCommand } from '../../test/type-command.ts'
import { systemClock } from '../lib/clock.ts'
import { sha256 } from '../lib/hashing.ts'
import { checkpointFile } from '../rooms/audit/checkpoints/checkpoint-file.ts'
import { takeSignerLock } from '../rooms/audit/checkpoints/signer-lock.ts'
import { migrations } from '../rooms/migrations.ts'
import { openStore } from '../store/store.ts'

const HOUR_MS = 3_600_000

/** Creates a data folder with two tenants through the command line, without a server. */
async function setUp() {
  const dataDir = temporaryFolder()
  const file = checkpointFile(dataDir)
  const cli = (...args: string[]) => typeCommand(args, { DATA_DIR: dataDir })
  const [home, other] = [
    await cli('tenant', 'create', '--name', 'Home'),
    await cli('tenant', 'create', '--name', 'Other'),
  ]
  const tenantId = home.stdout.trim()
  /** Records events in the tenant's chain, `agoMs` milliseconds ago. Signs no checkpoint. */
  const record = async (agoMs: number, count = 1) => {
    const store = openStore({ migrations, dataDir, clock: () => new Date(Date.now() - agoMs) })
    await recordEvents(store, tenantId, count)
    await store.close()
  }
  return { dataDir, file, cli, tenantId, otherId: other.stdout.trim(), record }
}

describe('audit verify', () => {
  test('reports how far the checkpoints prove each chain, and that no copy was compared', async () => {
    const { cli, tenantId, otherId, record } = await setUp()
    expect(await cli('audit', 'verify')).toMatchObject({
      exitCode: 0,
      stdout: [
        `${tenantId}\tHome\tintact up to 1, not compared with a copy (1 events, 1 checkpoints checked)`,
        `${otherId}\tOther\tintact up to 1, not compared with a copy (1 events, 1 checkpoints checked)`,
        '',
      ].join('\n'),
    })
    await record(0, 2)
    const { stdout } = await cli('audit', 'verify', '--tenant', tenantId)
    expect(stdout).toBe(
      `${tenantId}\tHome\tintact up to 1, not compared with a copy (3 events, 1 checkpoints checked, 2 newer events not covered yet)\n`,
    )
  })

  test('a command that changes something signs it before it ends, and a reading command signs nothing', async () => {
    const { cli, file, tenantId, record } = await setUp()
    await record(0)
    await cli('audit', 'verify')
    await cli('tenant', 'list')
    expect(signedIn(file)).toHaveLength(2)
    await cli('tenant', 'create', '--name', 'Third')
    expect(signedIn(file)).toHaveLength(4)
    expect(signedIn(file)[2]).toMatchObject({ tenantId, sequence: 2 })
  })

  test.for([
    ['emptied', (file: string) => writeFileSync(file, '')],
    ['removed', (file: string) => rmSync(file)],
  ] as const)('exits with 1 and reports unproven when the file of checkpoints was %s', async ([, damage]) => {
    const { cli, file, tenantId } = await setUp()
    damage(file)
    const { exitCode, stdout } = await cli('audit', 'verify')
    expect(exitCode).toBe(1)
    expect(stdout).toContain(
      `${tenantId}\tHome\tunproven: audit-checkpoints.jsonl ends with a checkpoint of event 0, and the store records one of event 1`,
    )
    expect(stdout).not.toContain('intact')
  })

  test('compares the age of uncovered events with the clock while a server runs, and with each other otherwise', async () => {
    const { cli, dataDir, record } = await setUp()
    await record(HOUR_MS)
    expect((await cli('audit', 'verify')).exitCode).toBe(0)
    const server = takeSignerLock(dataDir)
    expect(await cli('audit', 'verify')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('unproven: No checkpoint covers event 2 of '),
    })
    server?.release()
    await record(0)
    expect((await cli('audit', 'verify')).exitCode).toBe(1)
  })
})

describe('audit verify --manifest', () => {
  async function withBackup() {
    const world = await setUp()
    const { dataDir, cli } = world
    await cli('tenant', 'create', '--name', 'Third')
    const { folder, manifest } = await (await backupPlace(dataDir, systemClock)).backup()
    return { ...world, manifest, file: join(folder, 'manifest.json'), checkpoints: checkpointFile(dataDir) }
  }

  test('reports up to which event the chain was compared with the copy', async () => {
    const { cli, file, manifest, tenantId, record } = await withBackup()
    await record(0)
    await cli('tenant', 'create', '--name', 'Later')
    const { exitCode, stdout } = await cli('audit', 'verify', '--manifest', file)
    expect(exitCode).toBe(0)
    expect(stdout).toContain(
      `${tenantId}\tHome\tintact up to 2, compared with the copy of ${manifest.takenAt}, which ends at 1 (`,
    )
    expect(stdout).toMatch(/\tLater\tintact up to 1, not compared with a copy \(/)
  })

  test('detects a chain and checkpoints that were cut at the same event, which the store alone cannot show', async () => {
    const { cli, file, checkpoints, dataDir, tenantId, record } = await setUp().then(async (world) => {
      await world.record(0)
      await world.cli('tenant', 'create', '--name', 'Third')
      const { folder } = await (await backupPlace(world.dataDir, systemClock)).backup()
      return { ...world, file: join(folder, 'manifest.json'), checkpoints: world.file }
    })
    const [first = '', second = ''] = readFileSync(checkpoints, 'utf8').split('\n')
    const off = { withoutTriggers: true }
    editBehind(dataDir, `DELETE FROM audit_events WHERE tenant_id = '${tenantId}' AND sequence > 1`, off)
    editBehind(
      dataDir,
      `UPDATE audit_checkpoints SET sequence = 1, number = 1, line_hash = '${sha256(first)}' WHERE tenant_id = '${tenantId}'`,
    )
    writeFileSync(checkpoints, `${first}\n${second}\n`)
    expect((await cli('audit', 'verify', '--tenant', tenantId)).exitCode).toBe(0)
    expect(await cli('audit', 'verify', '--tenant', tenantId, '--manifest', file)).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('broken at event 2: Event 2 is in the copy of '),
    })
    await record(0)
    expect(await cli('audit', 'verify', '--tenant', tenantId, '--manifest', file)).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('broken at event 2: Event 2 is not the one in the copy of '),
    })
  })

  test('names a tenant that is missing with its chain and its checkpoints', async () => {
    const { cli, file, checkpoints, dataDir, tenantId, otherId } = await withBackup()
    takeHistoryAway(dataDir, otherId)
    editBehind(dataDir, 'DELETE FROM audit_checkpoints')
    const lines = readFileSync(checkpoints, 'utf8').split('\n')
    writeFileSync(checkpoints, `${lines[0]}\n`)
    expect((await cli('audit', 'verify', '--tenant', tenantId)).exitCode).toBe(0)
    const { exitCode, stdout } = await cli('audit', 'verify', '--manifest', file)
    expect(exitCode).toBe(1)
    expect(stdout).toContain(`${otherId}\t\tbroken: The whole chain is missing; the copy of `)
  })

  test('refuses a file that is not a manifest of this server', async () => {
    const { cli, file } = await withBackup()
    const forged = join(temporaryFolder(), 'manifest.json')
    writeFileSync(forged, readFileSync(file, 'utf8').replace('"sequence": 1', '"sequence": 2'))
    expect(await cli('audit', 'verify', '--manifest', forged)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('does not carry the signature of this server'),
    })
    writeFileSync(forged, 'nothing')
    expect((await cli('audit', 'verify', '--manifest', forged)).stderr).toContain('cannot be read as a manifest')
    expect((await cli('audit', 'verify', '--manifest', join(forged, 'x'))).stderr).toContain('There is no file')
  })
})

describe('audit verify --heads', () => {
  /** Creates two tenants, keeps their heads as a backup writes them, and records two more events in the first. */
  async function withHeads() {
    const world = await setUp()
    await world.record(0, 2)
    const { folder } = await (await backupPlace(world.dataDir, systemClock)).backup()
    const kept = join(temporaryFolder(), 'heads.jsonl')
    const lines = readFileSync(join(folder, 'audit-heads.jsonl'), 'utf8')
    writeFileSync(kept, lines)
    await world.record(0, 2)
    await world.cli('tenant', 'create', '--name', 'Third')
    const verify = () => world.cli('audit', 'verify', '--heads', kept)
    return { ...world, kept, lines, verify }
  }

  test('states which kept heads the chain contains', async () => {
    const { verify, tenantId } = await withHeads()
    const { exitCode, stdout } = await verify()
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`${tenantId}\tHome\tintact up to 5, contains 1 kept heads, the newest of event 3 (`)
    expect(stdout).toMatch(/\tThird\tintact up to 1, not compared with a copy/)
  })

  test('detects a chain that was cut with its checkpoints, and one that was continued after the cut', async () => {
    const { verify, dataDir, file, tenantId, record } = await withHeads()
    const [first = '', second = ''] = readFileSync(file, 'utf8').split('\n')
    editBehind(dataDir, `DELETE FROM audit_events WHERE tenant_id = '${tenantId}' AND sequence > 1`, {
      withoutTriggers: true,
    })
    editBehind(
      dataDir,
      `UPDATE audit_checkpoints SET sequence = 1, number = 1, line_hash = '${sha256(first)}' WHERE tenant_id = '${tenantId}'`,
    )
    writeFileSync(file, `${first}\n${second}\n`)
    expect(await verify()).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/broken at event 3: Event 3 is in the head of .* and is missing/),
    })
    await record(0, 3)
    expect(await verify()).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/broken at event 3: Event 3 is not the one in the head of .* or is a fork/),
    })
  })

  test('names a tenant whose chain is missing', async () => {
    const { verify, dataDir, file, otherId } = await withHeads()
    takeHistoryAway(dataDir, otherId)
    editBehind(dataDir, 'DELETE FROM audit_checkpoints')
    writeFileSync(file, '')
    const { exitCode, stdout } = await verify()
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(
      new RegExp(`${otherId}\\t\\tbroken: The whole chain is missing; the head of .* has 1 events`),
    )
  })

  test('refuses a file with an edited line, a line of another store or key, or no head, and names the line', async () => {
    const { verify, kept, lines } = await withHeads()
    const [first = '', second = ''] = lines.split('\n')
    const other = await withHeads()
    for (const [text, sentence] of [
      [`${first}\n${second.replace('"sequence":1', '"sequence":2')}\n`, 'Line 2 of .* was edited'],
      [other.lines, 'Line 1 of .* is signed with another key|Line 1 of .* is a head of another store'],
      [
        first.replace(/"keyId":"[0-9a-f]{64}"/, `"keyId":"${'0'.repeat(64)}"`),
        'Line 1 of .* is signed with another key',
      ],
      [
        first.replace(/"store":"[0-9a-f]{32}"/, `"store":"${'0'.repeat(32)}"`),
        'Line 1 of .* is a head of another store',
      ],
      [`${first}\n${second.slice(0, -9)}`, 'Line 2 of .* is not a head'],
      ['\n', 'contains no head'],
    ] as const) {
      writeFileSync(kept, text)
      const { exitCode, stdout, stderr } = await verify()
      expect([exitCode, stdout], sentence).toEqual([1, ''])
      expect(stderr).toMatch(new RegExp(sentence))
    }
    rmSync(kept)
    expect((await verify()).stderr).toContain('There is no file')
  })
})

describe('audit export', () => {
  test('writes the chain of a tenant to a new file that only its owner can read, and replaces none', async () => {
    const { cli, tenantId, record } = await setUp()
    await record(0, 2)
    const file = join(temporaryFolder(), 'chain.txt')
    expect(await cli('audit', 'export', '--tenant', tenantId, '--to', file)).toMatchObject({
      exitCode: 0,
      stdout: `${file}\n`,
    })
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => line.split(' ')[0]).join(' ')).toBe(
      'prospect-proof link content checkpoint link content link content end',
    )
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await cli('audit', 'export', '--tenant', tenantId, '--to', file)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('exists already'),
    })
    expect((await cli('audit', 'export', '--to', `${file}.2`)).stderr).toContain('There are several tenants')
    expect((await cli('audit', 'export', '--tenant', tenantId)).stderr).toContain('--to is missing')
  })
})

describe('audit restart-checkpoints', () => {
  test('starts a new file, with an event and its reason in every chain, and keeps the former file', async () => {
    const { cli, file, dataDir, tenantId } = await setUp()
    const former = readFileSync(file, 'utf8').split('\n')[1]
    writeFileSync(file, `${former}\n`)
    expect((await cli('audit', 'verify')).exitCode).toBe(1)
    const { exitCode, stdout } = await cli('audit', 'restart-checkpoints', '--reason', 'The disk lost a block.')
    expect(exitCode).toBe(0)
    expect(readFileSync(stdout.trim(), 'utf8')).toBe(`${former}\n`)
    expect((await cli('audit', 'verify')).stdout.match(/intact up to 2, not compared/g)).toHaveLength(2)
    const store = openStore({ migrations, dataDir, clock: systemClock })
    onTestFinished(() => store.close())
    const events = await store.reader.selectFrom('audit_events').selectAll().where('sequence', '=', 2).execute()
    expect(events).toMatchObject([
      {
        action: 'audit.restart_checkpoints',
        subject_id: tenantId,
        reason: 'The disk lost a block.',
        before_json: '{"recordedTo":1}',
      },
      { action: 'audit.restart_checkpoints', reason: 'The disk lost a block.' },
    ])
  })

  test('creates a missing file, and is refused while a server runs', async () => {
    const { cli, file, dataDir } = await setUp()
    rmSync(file)
    const server = takeSignerLock(dataDir)
    expect(await cli('audit', 'restart-checkpoints', '--reason', 'Lost.')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'The API signs checkpoints here. Stop it, then try again.\n',
    })
    expect(existsSync(file)).toBe(false)
    server?.release()
    expect(await cli('audit', 'restart-checkpoints', '--reason', 'Lost.')).toMatchObject({ exitCode: 0, stdout: '' })
    expect((await cli('audit', 'verify')).exitCode).toBe(0)
    expect((await cli('audit', 'restart-checkpoints')).exitCode).toBe(2)
  })
})
