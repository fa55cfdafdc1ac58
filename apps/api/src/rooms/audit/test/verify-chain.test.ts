import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { describe, test } from 'vitest'
import { checkpointWorld, linesIn, recordEvents } from '../../../../test/checkpoint-world.ts'
import { actorIn, seedTenant, temporaryStore } from '../../../../test/temporary-store.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { auditEventHash, CHAIN_START } from '../../../store/change/audit-chain.ts'
import { change } from '../../../store/change/change.ts'
import { type Connection, openConnection } from '../../../store/engine/connection.ts'
import type { AuditEventTable } from '../../../store/store.table.ts'
import { STORE_FILE, type Store } from '../../../store/store.ts'
import { checkpointFile } from '../checkpoints/checkpoint-file.ts'
import { createCheckpointer } from '../checkpoints/checkpointer.ts'
import type { ChainCopy } from '../compare-with-copy.ts'
import { verifyEventsAfter, verifyTenant, verifyTenants } from '../verify-chain.ts'

async function setUp(events = 10) {
  const store = temporaryStore()
  const tenantId = await seedTenant(store)
  const record = (count: number) =>
    change(store, actorIn(tenantId), { permission: null, action: 'test.write' }, async (tx) => {
      for (let n = 0; n < count; n++) await tx.record({ subject: { type: 'tenant', id: tenantId }, after: { n } })
    })
  if (events > 0) await record(events)
  const file = checkpointFile(store.dataDir)
  const signNow = () => createCheckpointer(store, pino({ level: 'silent' })).signWhatIsNew()
  return { store, tenantId, record, file, signNow, verify: () => verifyTenant(store, tenantId) }
}

/** Changes the database as an attacker with write access to the file can, whom triggers do not stop. */
function tamper(store: Store, work: (connection: Connection) => void): void {
  const connection = openConnection(join(store.dataDir, STORE_FILE))
  connection.exec('DROP TRIGGER audit_events_keeps_rows; DROP TRIGGER audit_events_loses_no_rows')
  work(connection)
  connection.close()
}

/** Changes the content of events from `sequence` on by `alter`, and recomputes the hashes of all of them. */
function rewriteFrom(
  connection: Connection,
  tenantId: string,
  sequence: number,
  alter: (event: AuditEventTable) => AuditEventTable,
): void {
  const events = connection
    .prepare<[string], AuditEventTable>('SELECT * FROM audit_events WHERE tenant_id = ? ORDER BY sequence')
    .all(tenantId)
  const update = connection.prepare(
    'UPDATE audit_events SET reason = ?, previous_hash = ?, hash = ? WHERE tenant_id = ? AND sequence = ?',
  )
  let previousHash = CHAIN_START
  for (const event of events) {
    const altered = event.sequence < sequence ? event : { ...alter(event), previous_hash: previousHash }
    const hash = auditEventHash(altered)
    update.run(altered.reason, altered.previous_hash, hash, tenantId, event.sequence)
    previousHash = hash
  }
}

describe('the chain', () => {
  test('of a tenant without events proves nothing', async ({ expect }) => {
    const { verify } = await setUp(0)
    expect(await verify()).toMatchObject({
      status: 'unproven',
      unproven: expect.stringContaining('no event'),
      checkedEvents: 0,
      fromSequence: 0,
      toSequence: 0,
      firstBroken: null,
    })
  })

  test('that is unchanged is intact over many pages', async ({ expect }) => {
    const { verify } = await setUp(1_000)
    expect(await verify()).toMatchObject({
      status: 'intact',
      checkedEvents: 1_000,
      fromSequence: 1,
      toSequence: 1_000,
      nextAfter: null,
    })
  })

  test('is checked a bounded part at a time, and the parts join', async ({ expect }) => {
    const { store, tenantId, signNow, record } = await setUp(250)
    await signNow()
    await record(100)
    await signNow()
    const step = (after: number) => verifyEventsAfter(store, tenantId, { after, limit: 200 })
    expect(await step(0)).toMatchObject({
      status: 'partial',
      checkedEvents: 200,
      toSequence: 200,
      nextAfter: 200,
      checkpoints: { checked: 0 },
    })
    expect(await step(200)).toMatchObject({
      status: 'intact',
      checkedEvents: 150,
      fromSequence: 201,
      toSequence: 350,
      nextAfter: null,
      checkpoints: { checked: 2, latest: { sequence: 350 } },
    })
    expect(await step(350)).toMatchObject({ status: 'intact', checkedEvents: 0, fromSequence: 350, toSequence: 350 })
    await expect(step(351)).rejects.toMatchObject({ code: 'cursor_ahead', details: { newestSequence: 350 } })
  })

  const columns = [
    'id',
    'at',
    'actor',
    'action',
    'subject_type',
    'subject_id',
    'business_id',
    'before_json',
    'after_json',
    'reason',
    'correlation_id',
    'salt',
  ] as const

  test('with any field of any event altered is broken at that event', async ({ expect }) => {
    const { store, tenantId, verify } = await setUp(20)
    tamper(store, () => {})
    const connection = openConnection(join(store.dataDir, STORE_FILE), { busyTimeoutMs: 1_000 })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...columns),
        fc.integer({ min: 1, max: 20 }),
        fc.string({ minLength: 1 }),
        async (column, sequence, value) => {
          const key = [tenantId, sequence]
          const was = connection
            .prepare(`SELECT ${column} FROM audit_events WHERE tenant_id = ? AND sequence = ?`)
            .pluck()
            .get(...key)
          fc.pre(was !== value)
          const set = connection.prepare(`UPDATE audit_events SET ${column} = ? WHERE tenant_id = ? AND sequence = ?`)
          set.run(value, ...key)
          expect((await verify()).firstBroken?.sequence).toBe(sequence)
          set.run(was, ...key)
          expect((await verify()).status).toBe('intact')
        },
      ),
      { numRuns: 40 },
    )
    connection.close()
  })

  test('of events from before links were hashed stays intact, and continues with links', async ({ expect }) => {
    const { store, tenantId, record, verify } = await setUp(0)
    const connection = openConnection(join(store.dataDir, STORE_FILE), { busyTimeoutMs: 1_000 })
    const insert =
      connection.prepare(`INSERT INTO audit_events (tenant_id, sequence, id, at, actor, action, subject_type,
      subject_id, business_id, before_json, after_json, reason, correlation_id, previous_hash, hash, token_id)
      VALUES (${Array.from({ length: 16 }, () => '?').join()})`)
    let previous = CHAIN_START
    for (const [sequence, token] of [
      [1, null],
      [2, 'a token'],
    ] as const) {
      const told = [
        '2026-11-01T00:00:00.000Z',
        'ann',
        'test.write',
        'tenant',
        tenantId,
        null,
        null,
        '{"n":1}',
        null,
        'c',
      ]
      const place = [tenantId, sequence, `event ${sequence}`]
      const hashed = [token === null ? 1 : 2, ...place, ...told, previous, ...(token === null ? [] : [token])]
      const hash = sha256(JSON.stringify(hashed))
      insert.run(...place, ...told, previous, hash, token)
      previous = hash
    }
    connection.close()
    await record(2)
    expect(await verify()).toMatchObject({ firstBroken: null, checkedEvents: 4 })
    const [, , third] = await store.reader.selectFrom('audit_events').selectAll().orderBy('sequence').execute()
    if (third === undefined) throw new Error('The third event was recorded.')
    const { salt, id, at, actor, action, subject_type, subject_id, after_json, correlation_id, hash } = third
    const told = [
      salt,
      id,
      at,
      actor,
      action,
      subject_type,
      subject_id,
      null,
      null,
      after_json,
      null,
      correlation_id,
      null,
    ]
    expect(hash).toBe(sha256(JSON.stringify([3, tenantId, 3, previous, sha256(JSON.stringify(told))])))
    expect(salt).toMatch(/^[\w-]{22}$/)
    tamper(store, (altering) => altering.exec("UPDATE audit_events SET actor = 'bob' WHERE sequence = 2"))
    expect((await verify()).firstBroken).toMatchObject({ sequence: 2 })
  })

  test('with an event altered and sealed again is broken at the next', async ({ expect }) => {
    const { store, tenantId, verify } = await setUp()
    tamper(store, (connection) => {
      const event = connection
        .prepare<[string], AuditEventTable>('SELECT * FROM audit_events WHERE tenant_id = ? AND sequence = 4')
        .get(tenantId)
      if (event === undefined) throw new Error('There are ten events.')
      const hash = auditEventHash({ ...event, actor: 'somebody else' })
      connection
        .prepare('UPDATE audit_events SET actor = ?, hash = ? WHERE tenant_id = ? AND sequence = 4')
        .run('somebody else', hash, tenantId)
    })
    expect(await verify()).toMatchObject({
      status: 'broken',
      firstBroken: { sequence: 5, reason: expect.stringContaining('does not follow event 4') },
    })
  })

  test.for([1, 5, 9])('that lost event %i is broken at that event', async (lost, { expect }) => {
    const { store, tenantId, verify } = await setUp()
    tamper(store, (connection) => {
      connection.prepare('DELETE FROM audit_events WHERE tenant_id = ? AND sequence = ?').run(tenantId, lost)
    })
    expect(await verify()).toMatchObject({
      status: 'broken',
      checkedEvents: lost - 1,
      firstBroken: { sequence: lost, reason: `Event ${lost} is missing.` },
    })
  })

  test("of another tenant's events is refused", async ({ expect }) => {
    const { store, verify } = await setUp()
    const other = await seedTenant(store)
    await change(store, actorIn(other), { permission: null, action: 'test.write' }, (tx) =>
      tx.record({ subject: { type: 'tenant', id: other } }),
    )
    tamper(store, (connection) =>
      connection.prepare(`UPDATE audit_events SET action = 'x' WHERE tenant_id = ?`).run(other),
    )
    expect((await verify()).status).toBe('intact')
    expect((await verifyTenant(store, other)).firstBroken?.sequence).toBe(1)
  })

  test('is verified without blocking the event loop', async ({ expect }) => {
    const { verify } = await setUp(5_000)
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    await verify()
    clearInterval(timer)
    expect(turns).toBeGreaterThan(5)
  })
})

describe('the signed checkpoints', () => {
  test('are checked with the chain, and the latest is named', async ({ expect }) => {
    const { store, record, signNow, verify } = await setUp()
    await signNow()
    await record(5)
    await signNow()
    expect(await verify()).toMatchObject({ status: 'intact', checkpoints: { checked: 2, latest: { sequence: 15 } } })
    expect((await verify()).checkpoints.latest?.at.slice(0, 4)).toBe(store.clock().toISOString().slice(0, 4))
  })

  test('show that the end of the history was cut off', async ({ expect }) => {
    const { store, tenantId, signNow, verify } = await setUp()
    await signNow()
    tamper(store, (connection) =>
      connection.prepare('DELETE FROM audit_events WHERE tenant_id = ? AND sequence > 7').run(tenantId),
    )
    expect(await verify()).toMatchObject({
      status: 'broken',
      checkedEvents: 7,
      firstBroken: { sequence: 10, reason: expect.stringContaining('cut off') },
    })
  })

  test('show that the whole history was rewritten with valid hashes', async ({ expect }) => {
    const { store, tenantId, record, signNow, verify } = await setUp()
    await signNow()
    await record(10)
    await signNow()
    tamper(store, (connection) => rewriteFrom(connection, tenantId, 5, (event) => ({ ...event, reason: 'invented' })))
    expect(await verify()).toMatchObject({
      status: 'broken',
      checkedEvents: 20,
      firstBroken: { sequence: 10, reason: expect.stringContaining('rewritten') },
    })
  })

  test('signed by another key are refused', async ({ expect }) => {
    const { tenantId, file, signNow, verify } = await setUp()
    await signNow()
    const forger = await setUp(3)
    await forger.signNow()
    const forged = readFileSync(forger.file, 'utf8').replace(forger.tenantId, tenantId)
    appendFileSync(file, forged)
    expect(await verify()).toMatchObject({
      status: 'broken',
      firstBroken: {
        sequence: 3,
        reason: 'Line 2 of audit-checkpoints.jsonl does not carry the signature of this server.',
      },
    })
  })

  test.for([
    ['is no JSON', (line: string) => line.replace('{', '')],
    ['lacks its signature', (line: string) => line.replace(/,"signature":"[^"]+"/, '')],
    ['is far too long', (line: string) => line + 'x'.repeat(10_000)],
    ['is empty', () => ''],
  ] as const)('name a line that %s', async ([, damage], { expect }) => {
    const { record, file, signNow, verify } = await setUp()
    await signNow()
    await record(1)
    await signNow()
    const [first = '', second = ''] = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, `${damage(first)}\n${second}\n`)
    expect(await verify()).toMatchObject({
      status: 'broken',
      firstBroken: { sequence: 0, reason: 'Line 1 of audit-checkpoints.jsonl is damaged.' },
      checkpoints: { checked: 1, latest: { sequence: 11 } },
    })
  })

  test('an altered statement is broken at the event that it names', async ({ expect }) => {
    const { file, signNow, verify } = await setUp()
    await signNow()
    writeFileSync(file, readFileSync(file, 'utf8').replace('"sequence":10', '"sequence":9'))
    expect(await verify()).toMatchObject({
      status: 'broken',
      firstBroken: { sequence: 9, reason: expect.stringContaining('signature') },
    })
  })

  test('an incomplete last line, as after a crash, is no damage', async ({ expect }) => {
    const { file, signNow, verify } = await setUp()
    await signNow()
    appendFileSync(file, readFileSync(file, 'utf8').slice(0, 100))
    expect(await verify()).toMatchObject({ status: 'intact', checkpoints: { checked: 1 } })
  })

  test('a broken event precedes a damaged line', async ({ expect }) => {
    const { store, file, signNow, verify } = await setUp()
    await signNow()
    appendFileSync(file, 'nonsense\n')
    tamper(store, (connection) => connection.prepare(`UPDATE audit_events SET action = 'x' WHERE sequence = 6`).run())
    expect((await verify()).firstBroken?.sequence).toBe(6)
  })

  test('more than one group of them are all compared', async ({ expect }) => {
    const { tenantId, store, record, signNow, verify } = await setUp(1)
    for (let n = 0; n < 120; n++) {
      await record(1)
      await signNow()
    }
    expect(await verify()).toMatchObject({ status: 'intact', checkpoints: { checked: 120, latest: { sequence: 121 } } })
    tamper(store, (connection) => rewriteFrom(connection, tenantId, 115, (event) => ({ ...event, reason: 'invented' })))
    expect((await verify()).firstBroken?.sequence).toBe(115)
  })
})

describe('a history that no checkpoint proves', () => {
  const MINUTE_MS = 60_000

  /** Creates a chain of five events that a checkpoint covers. */
  async function world() {
    const t = await checkpointWorld()
    await recordEvents(t.store, t.tenantId, 5)
    await t.checkpointer.signWhatIsNew()
    return t
  }

  test.for([
    ['was emptied', (file: string) => writeFileSync(file, '')],
    ['was removed', (file: string) => rmSync(file)],
    ['lost its last line', (file: string) => writeFileSync(file, `${linesIn(file).slice(0, -1).join('\n')}\n`)],
  ] as const)('is unproven when the file of checkpoints %s', async ([, damage], { expect }) => {
    const { store, tenantId, checkpointer, file, verify } = await world()
    await recordEvents(store, tenantId)
    await checkpointer.signWhatIsNew()
    expect(await verify()).toMatchObject({ status: 'intact', provenTo: 6, unproven: null })
    damage(file)
    expect(await verify()).toMatchObject({
      status: 'unproven',
      unproven: expect.stringContaining('the store records one of event 6: lines of the file are missing'),
      firstBroken: null,
    })
  })

  test('is unproven when the chain was cut together with the file', async ({ expect }) => {
    const { store, tenantId, checkpointer, file, verify } = await world()
    await recordEvents(store, tenantId, 5)
    await checkpointer.signWhatIsNew()
    tamper(store, (connection) => connection.exec('DELETE FROM audit_events WHERE sequence > 5'))
    writeFileSync(file, `${linesIn(file)[0]}\n`)
    expect(await verify()).toMatchObject({
      status: 'unproven',
      unproven: expect.stringContaining('ends with a checkpoint of event 5, and the store records one of event 10'),
    })
  })

  test('is unproven once an uncovered event is more than ten minutes older than the newest', async ({ expect }) => {
    const { clock, store, tenantId, verify } = await world()
    await recordEvents(store, tenantId)
    clock.advance(10 * MINUTE_MS)
    await recordEvents(store, tenantId)
    expect(await verify()).toMatchObject({ status: 'intact', provenTo: 5 })
    clock.advance(1)
    await recordEvents(store, tenantId)
    expect(await verify()).toMatchObject({
      status: 'unproven',
      unproven: expect.stringContaining('No checkpoint covers event 6'),
      provenTo: 5,
    })
  })

  test('is unproven when a server runs and an uncovered event is more than ten minutes old', async ({ expect }) => {
    const { clock, store, tenantId, verify } = await world()
    await recordEvents(store, tenantId)
    const served = async () => (await verifyTenants(store, [tenantId], { isServed: true }))[0]?.verification
    clock.advance(10 * MINUTE_MS)
    expect(await served()).toMatchObject({ status: 'intact' })
    clock.advance(1)
    expect(await served()).toMatchObject({ status: 'unproven' })
    expect(await verifyEventsAfter(store, tenantId, { after: 0, limit: 100 })).toMatchObject({ status: 'unproven' })
    expect(await verify()).toMatchObject({ status: 'intact' })
  })

  test('is broken, not unproven, when a checkpoint in between was removed, replaced or added', async ({ expect }) => {
    const { store, tenantId, checkpointer, file, verify } = await world()
    for (let n = 0; n < 3; n++) {
      await recordEvents(store, tenantId)
      await checkpointer.signWhatIsNew()
    }
    const [a, b, c, d] = linesIn(file)
    const whenItHolds = async (...lines: (string | undefined)[]) => {
      writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
      return (await verify()).firstBroken?.reason
    }
    expect(await whenItHolds(a, b, c, d)).toBeUndefined()
    expect(await whenItHolds(a, c, d)).toBe('Checkpoint 2 is missing before line 2 of audit-checkpoints.jsonl.')
    expect(await whenItHolds(c, d)).toBe('Checkpoints 1 to 2 are missing before line 1 of audit-checkpoints.jsonl.')
    expect(await whenItHolds(a, b, b, c, d)).toContain('Line 3 of audit-checkpoints.jsonl does not follow')
    const forged = b?.replace('"sequence":6', '"sequence":5')
    expect(await whenItHolds(a, forged, c, d)).toContain(
      'Line 2 of audit-checkpoints.jsonl does not carry the signature',
    )
  })
})

describe('compared with a copy that is stored elsewhere', () => {
  async function world() {
    const t = await checkpointWorld()
    await recordEvents(t.store, t.tenantId, 5)
    await t.checkpointer.signWhatIsNew()
    await recordEvents(t.store, t.tenantId, 5)
    await t.checkpointer.signWhatIsNew()
    const [first, second] = linesIn(t.file)
    const { hash = '' } = { ...(await eventAt(t.store, t.tenantId, 10)) }
    const copy: ChainCopy = {
      takenAt: '2026-11-21T09:00:00.000Z',
      ends: [{ tenantId: t.tenantId, sequence: 10, hash }],
      checkpoints: [{ tenantId: t.tenantId, sequence: 10, number: 2, hash: sha256(second ?? '') }],
    }
    const compare = async () => (await verifyTenants(t.store, [t.tenantId], { copy }))[0]?.verification
    return { ...t, compare, first }
  }

  test('a chain and its checkpoints that were cut at the same event are broken, which the store alone cannot show', async ({
    expect,
  }) => {
    const { store, tenantId, file, verify, compare, first } = await world()
    expect(await compare()).toMatchObject({ status: 'intact', provenTo: 10 })
    tamper(store, (connection) => {
      connection.exec('DELETE FROM audit_events WHERE sequence > 5')
      connection
        .prepare('UPDATE audit_checkpoints SET sequence = 5, number = 1, line_hash = ? WHERE tenant_id = ?')
        .run(sha256(first ?? ''), tenantId)
    })
    writeFileSync(file, `${first}\n`)
    expect(await verify()).toMatchObject({ status: 'intact', provenTo: 5 })
    expect(await compare()).toMatchObject({
      status: 'broken',
      firstBroken: { sequence: 10, reason: expect.stringContaining('is in the copy of 2026-11-21T09:00:00.000Z') },
    })
  })

  test('a chain that was rewritten before the end of the copy is broken, also without a checkpoint', async ({
    expect,
  }) => {
    const { store, tenantId, file, compare } = await world()
    tamper(store, (connection) => {
      rewriteFrom(connection, tenantId, 3, (event) => ({ ...event, reason: 'invented' }))
      connection.exec('DELETE FROM audit_checkpoints')
    })
    rmSync(file)
    expect(await compare()).toMatchObject({
      status: 'broken',
      firstBroken: { sequence: 10, reason: expect.stringContaining('is not the one in the copy') },
    })
  })

  test('a checkpoint of the copy that the file lacks is broken', async ({ expect }) => {
    const { store, file, compare, first } = await world()
    tamper(store, (connection) => connection.exec('DELETE FROM audit_checkpoints'))
    writeFileSync(file, `${first}\n`)
    expect(await compare()).toMatchObject({
      status: 'broken',
      firstBroken: { sequence: 0, reason: expect.stringContaining('a checkpoint of event 10') },
    })
  })
})

function eventAt(store: Store, tenantId: string, sequence: number) {
  return store.reader
    .selectFrom('audit_events')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('sequence', '=', sequence)
    .executeTakeFirst()
}
