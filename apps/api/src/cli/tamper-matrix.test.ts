import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { backupPlace } from '../../test/backups.ts'
import { closeTestApp, openTestApp } from '../../test/build-app.ts'
import { recordEvents } from '../../test/checkpoint-world.ts'
import { editBehind } from '../../test/integrity.ts'
import { createProspect } from '../../test/prospects.ts'
import { takeHistoryAway } from '../../test/take-history-away.ts'
import { temporaryFolder } from '../../test/temporary-store.ts'
import { typeCommand } from '../../test/type-command.ts'
import { runVerifiers } from '../../test/verifiers.ts'
import { sha256 } from '../lib/hashing.ts'
import { checkpointFile } from '../rooms/audit/checkpoints/checkpoint-file.ts'
import { createCheckpointer } from '../rooms/audit/checkpoints/checkpointer.ts'
import { publicKeyPem } from '../rooms/audit/public-key.ts'
import { migrations } from '../rooms/migrations.ts'
import { auditEventHash, contentText } from '../store/change/audit-chain.ts'
import { residueOf } from '../store/change/audit-redaction.ts'
import { openConnection } from '../store/engine/connection.ts'
import type { AuditEventTable } from '../store/store.table.ts'
import { openStore, STORE_FILE, type Store } from '../store/store.ts'

/*
 * The tamper matrix of docs/reliability.md: what each check finds of each way to change the history. The table in the document is compared with what
 * happens here.
 */

const signNow = (store: Store) => createCheckpointer(store, pino({ level: 'silent' })).signWhatIsNew()

/** Records a history with a block and an erasure, signs it twice, and keeps outside what a careful person keeps: heads, a manifest and the key. */
async function setUp() {
  const t = await openTestApp()
  onTestFinished(() => rmSync(t.store.dataDir, { recursive: true, force: true }))
  const { store } = t
  const { dataDir } = store
  const tenantId = t.tenants.home.id
  const [operator, administrator] = [await t.as('operator'), await t.as('administrator')]
  const erased = await createProspect(operator, { name: 'Erased' })
  const blocked = await createProspect(operator, { name: 'Blocked' })
  await operator.post(`/businesses/${blocked.id}/do-not-contact`, { reason: 'They asked.' })
  await administrator.post(`/businesses/${erased.id}/erasure`, { reason: 'The person asked.' })
  await signNow(store)
  const outside = temporaryFolder()
  const old = { store: join(outside, 'old.sqlite'), checkpoints: join(outside, 'old.jsonl') }
  const copy = openConnection(join(dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  copy.prepare('VACUUM INTO ?').run(old.store)
  copy.close()
  copyFileSync(checkpointFile(dataDir), old.checkpoints)
  await recordEvents(store, tenantId, 3)
  await signNow(store)
  const { folder } = await (await backupPlace(dataDir, t.clock)).backup()
  const kept = {
    heads: join(outside, 'heads.jsonl'),
    manifest: join(folder, 'manifest.json'),
    key: join(outside, 'key.pem'),
  }
  copyFileSync(join(folder, 'audit-heads.jsonl'), kept.heads)
  writeFileSync(kept.key, publicKeyPem(store))
  await closeTestApp(t)
  return { dataDir, tenantId, blockedId: blocked.id, outside, old, kept }
}

type World = Awaited<ReturnType<typeof setUp>>

const behind = ({ dataDir }: World, statement: string) => editBehind(dataDir, statement, { withoutTriggers: true })

/** Runs `work` on the rows of the chain, with a connection that no trigger stops. */
function withChain(
  { dataDir, tenantId }: World,
  work: (events: AuditEventTable[], run: (sql: string, ...values: unknown[]) => void) => void,
): void {
  const connection = openConnection(join(dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  connection.exec('DROP TRIGGER audit_events_keeps_rows; DROP TRIGGER audit_events_loses_no_rows')
  const events = connection
    .prepare<[string], AuditEventTable>('SELECT * FROM audit_events WHERE tenant_id = ? ORDER BY sequence')
    .all(tenantId)
  work(events, (sql, ...values) => void connection.prepare(sql).run(...values))
  connection.close()
}

async function withStore(world: World, work: (store: Store) => Promise<unknown>): Promise<void> {
  const store = openStore({ migrations, dataDir: world.dataDir, clock: () => new Date() })
  await work(store)
  await store.close()
}

/** Cuts the chain, the checkpoints and the record of them to the same event, with access to the whole data folder. */
function cutTogether(world: World): void {
  const lines = readFileSync(world.old.checkpoints, 'utf8').trimEnd().split('\n')
  const line = lines.find((one) => one.includes(world.tenantId)) ?? ''
  const { sequence, number } = JSON.parse(line)
  behind(world, `DELETE FROM audit_events WHERE tenant_id = '${world.tenantId}' AND sequence > ${sequence}`)
  behind(
    world,
    `UPDATE audit_checkpoints SET sequence = ${sequence}, number = ${number}, line_hash = '${sha256(line)}' WHERE tenant_id = '${world.tenantId}'`,
  )
  copyFileSync(world.old.checkpoints, checkpointFile(world.dataDir))
}

/** Replaces the newest signed event by another one with a valid hash. */
function rewriteEnd(world: World): void {
  withChain(world, (events, run) => {
    const last = events.at(-1)
    if (last === undefined) throw new Error('The chain has events.')
    const altered = { ...last, actor: 'somebody else' }
    const where = 'WHERE tenant_id = ? AND sequence = ?'
    run(
      `UPDATE audit_events SET actor = ?, hash = ? ${where}`,
      altered.actor,
      auditEventHash(altered),
      last.tenant_id,
      last.sequence,
    )
  })
}

function loseCheckpoints(world: World): void {
  rmSync(checkpointFile(world.dataDir))
  behind(world, 'DELETE FROM audit_checkpoints')
}

const tampering: Record<string, (world: World) => unknown> = {
  'nothing was changed': () => {},
  'an event altered': (world) => behind(world, `UPDATE audit_events SET actor = 'somebody else' WHERE sequence = 2`),
  'an event removed from the middle': (world) =>
    behind(world, `DELETE FROM audit_events WHERE sequence = 2 AND tenant_id = '${world.tenantId}'`),
  'a chain rewritten with valid hashes': rewriteEnd,
  'the end of a chain cut': (world) =>
    behind(
      world,
      `DELETE FROM audit_events WHERE tenant_id = '${world.tenantId}' AND sequence = (SELECT max(sequence) FROM audit_events WHERE tenant_id = '${world.tenantId}')`,
    ),
  'the checkpoint file emptied': ({ dataDir }) => writeFileSync(checkpointFile(dataDir), ''),
  'a chain and its checkpoints cut together': cutTogether,
  'a fork: cut together, and continued with the key': async (world) => {
    cutTogether(world)
    await withStore(world, async (store) => {
      await recordEvents(store, world.tenantId, 5)
      await signNow(store)
    })
  },
  'a chain rewritten, and its key replaced with its file': async (world) => {
    rewriteEnd(world)
    loseCheckpoints(world)
    const { privateKey } = generateKeyPairSync('ed25519')
    const file = join(world.dataDir, 'keys', 'audit-signing.pem')
    rmSync(file)
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await withStore(world, signNow)
  },
  'an old copy restored and presented as new': ({ dataDir, old }) => {
    copyFileSync(old.store, join(dataDir, STORE_FILE))
    for (const end of ['-wal', '-shm']) rmSync(join(dataDir, STORE_FILE + end), { force: true })
    copyFileSync(old.checkpoints, checkpointFile(dataDir))
  },
  'a workspace removed with its events': ({ dataDir, tenantId }) => takeHistoryAway(dataDir, tenantId),
  'a workspace removed with its events and all checkpoints': (world) => {
    takeHistoryAway(world.dataDir, world.tenantId)
    loseCheckpoints(world)
  },
  'a redaction that hides more than its erasure': (world) =>
    withChain(world, (events, run) => {
      const erasure = events.find(({ action }) => action === 'business.erase')
      const hidden = events.find(
        ({ action, business_id }) => action === 'business.create' && business_id === world.blockedId,
      )
      if (erasure === undefined || hidden === undefined) throw new Error('Both were recorded.')
      run(
        'INSERT INTO audit_redactions (tenant_id, sequence, event_id, residue, content_hash) VALUES (?, ?, ?, ?, ?)',
        hidden.tenant_id,
        hidden.sequence,
        erasure.id,
        residueOf(hidden),
        sha256(contentText(hidden)),
      )
      run(
        'UPDATE audit_events SET before_json = NULL, after_json = NULL, reason = NULL, salt = NULL WHERE tenant_id = ? AND sequence = ?',
        hidden.tenant_id,
        hidden.sequence,
      )
    }),
  'a block lifted in the records, without an event': (world) =>
    behind(world, `UPDATE businesses SET do_not_contact = 0 WHERE id = '${world.blockedId}'`),
  'a record renamed, with an event forged at the end of the chain': (world) => {
    behind(world, `UPDATE businesses SET name = 'Renamed' WHERE id = '${world.blockedId}'`)
    withChain(world, (events, run) => {
      const last = events.at(-1)
      if (last === undefined) throw new Error('The chain has events.')
      const sequence = last.sequence + 1
      const forged = {
        ...last,
        sequence,
        id: last.id.slice(0, 24) + sequence.toString(16).padStart(12, '0'),
        previous_hash: last.hash,
      }
      const event = { ...forged, action: 'business.edit', hash: auditEventHash({ ...forged, action: 'business.edit' }) }
      const names = Object.keys(event)
      run(`INSERT INTO audit_events (${names.join()}) VALUES (${names.map(() => '?').join()})`, ...Object.values(event))
    })
  },
  'the file of heads edited': ({ kept }) =>
    writeFileSync(kept.heads, readFileSync(kept.heads, 'utf8').replace(/"sequence":\d+/, '"sequence":1')),
}

/** Returns the cells of a row: what each check says after the tampering. */
async function check({ dataDir, tenantId, outside, kept }: World): Promise<string[]> {
  const cli = (...args: string[]) => typeCommand(args, { DATA_DIR: dataDir })
  const found = async (...args: string[]) => ((await cli(...args)).exitCode === 0 ? 'no' : 'found')
  const exported = join(outside, 'chain.txt')
  const wrote = await cli('audit', 'export', '--tenant', tenantId, '--to', exported)
  const files = wrote.exitCode === 0 ? [exported, kept.heads] : [kept.heads]
  const [byNode, byPython] = await runVerifiers('--key', kept.key, ...files)
  expect(byPython).toEqual(byNode)
  const byVerifier =
    wrote.exitCode !== 0 || byNode?.exitCode === 1 ? 'found' : byNode?.exitCode === 0 ? 'no' : 'in part'
  return [
    await found('audit', 'verify'),
    await found('audit', 'verify', '--heads', kept.heads),
    await found('audit', 'verify', '--manifest', kept.manifest),
    await found('integrity', 'check'),
    byVerifier,
  ]
}

/** Returns the rows of the table in the document, by their first cell. */
function documented(): Record<string, string[]> {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/reliability.md'), 'utf8')
  const section = text.split('## Tampering with the history')[1]?.split('\n## ')[0] ?? ''
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  return Object.fromEntries(rows.map(([kind = '', ...cells]) => [kind, cells]))
}

test('the document has a row for each kind of tampering', () => {
  expect(Object.keys(documented())).toEqual(Object.keys(tampering))
})

test.for(Object.entries(tampering))('%s: the document states what each check finds', async ([kind, tamper]) => {
  const world = await setUp()
  await tamper(world)
  expect(await check(world)).toEqual(documented()[kind])
})
