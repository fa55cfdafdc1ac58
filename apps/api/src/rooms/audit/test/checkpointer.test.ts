import { sign } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { test, vi } from 'vitest'
import { checkpointWorld, linesIn, recordEvents, signedIn } from '../../../../test/checkpoint-world.ts'
import { askedOf, planOf, watchStatements } from '../../../../test/statement-plans.ts'
import { seedTenant } from '../../../../test/temporary-store.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE, type Store } from '../../../store/store.ts'
import type { Statement } from '../checkpoints/checkpoint.ts'
import { CHECKPOINT_AFTER_EVENTS, CHECKPOINT_AFTER_MS, createCheckpointer } from '../checkpoints/checkpointer.ts'
import { listRecordedCheckpoints } from '../checkpoints/recorded-checkpoints.queries.ts'
import { signedAtOnce } from '../checkpoints/signed-at-once.data.ts'

test('new events are signed a minute after the last checkpoint, and nothing is signed without new ones', async ({
  expect,
}) => {
  const { clock, store, tenantId, file, checkpointer } = await checkpointWorld()
  await recordEvents(store, tenantId, 3)
  await checkpointer.signWhatIsDue()
  expect(linesIn(file)).toEqual([])
  clock.advance(60_000)
  await checkpointer.signWhatIsDue()
  expect(signedIn(file)).toMatchObject([{ tenantId, sequence: 3, at: clock().toISOString() }])
  clock.advance(60_000)
  await checkpointer.signWhatIsDue()
  expect(signedIn(file)).toHaveLength(1)
})

test.for(signedAtOnce)(
  '%s is signed in the next run, also when another process recorded it',
  async (action, { expect }) => {
    const { store, tenantId, file, checkpointer } = await checkpointWorld()
    await recordEvents(store, tenantId)
    await checkpointer.signWhatIsDue()
    expect(linesIn(file)).toEqual([])
    await recordEvents(store, tenantId, 1, action)
    await recordEvents(store, tenantId)
    await checkpointer.signWhatIsDue()
    expect(signedIn(file)).toMatchObject([{ sequence: 3 }])
  },
)

test('each line contains the number and the hash of the previous one, and the store records the newest of each tenant', async ({
  expect,
}) => {
  const { store, tenantId, file, checkpointer } = await checkpointWorld()
  const other = await seedTenant(store)
  await recordEvents(store, tenantId, 2)
  await checkpointer.signWhatIsNew()
  await recordEvents(store, other)
  await checkpointer.signWhatIsNew()
  await recordEvents(store, tenantId)
  await checkpointer.signWhatIsNew()
  const texts = linesIn(file)
  expect(signedIn(file)).toMatchObject([
    { number: 1, tenantId, sequence: 2, previous: '0'.repeat(64) },
    { number: 2, tenantId: other, sequence: 1, previous: sha256(texts[0] ?? '') },
    { number: 3, tenantId, sequence: 3, previous: sha256(texts[1] ?? '') },
  ])
  expect(await listRecordedCheckpoints(store.reader)).toMatchObject([
    { tenant_id: other, sequence: 1, number: 2, line_hash: sha256(texts[1] ?? '') },
    { tenant_id: tenantId, sequence: 3, number: 3, line_hash: sha256(texts[2] ?? '') },
  ])
})

test('a tenant is signed although the clock was set back since its last checkpoint', async ({ expect }) => {
  const { clock, store, tenantId, file, checkpointer } = await checkpointWorld()
  await recordEvents(store, tenantId)
  await checkpointer.signWhatIsNew()
  clock.advance(-24 * CHECKPOINT_AFTER_MS)
  await recordEvents(store, tenantId)
  await checkpointer.signWhatIsDue()
  expect(signedIn(file)).toMatchObject([{ sequence: 1 }, { sequence: 2, at: clock().toISOString() }])
})

test('a tenant with many new events is signed before the minute is over', async ({ expect }) => {
  const { store, tenantId, file, checkpointer } = await checkpointWorld()
  await recordEvents(store, tenantId, CHECKPOINT_AFTER_EVENTS - 1)
  await checkpointer.signWhatIsDue()
  expect(signedIn(file)).toEqual([])
  await recordEvents(store, tenantId)
  await checkpointer.signWhatIsDue()
  expect(signedIn(file)).toMatchObject([{ sequence: CHECKPOINT_AFTER_EVENTS }])
})

test('a search for due tenants reads the end of each chain, and walks none', async ({ expect }) => {
  const { store, tenantId, checkpointer } = await checkpointWorld()
  await recordEvents(store, tenantId)
  const statements = watchStatements()
  await checkpointer.signWhatIsDue()
  vi.restoreAllMocks()
  const looking = askedOf(statements).filter(({ where }) => where === 'background')
  const connection = openConnection(join(store.dataDir, STORE_FILE), { readonly: true })
  const steps = looking.flatMap(({ sql }) => planOf(connection, sql))
  connection.close()
  // Two queries run: one for the newest events, and one for events since the last run that must be signed at once.
  expect(looking).toHaveLength(2)
  expect(steps.filter((step) => /^SCAN (?!t )/.test(step))).toEqual([])
  expect(steps.filter((step) => step.includes('audit_events_by_'))).toEqual([])
})

test('the next start continues the chain of the last one', async ({ expect }) => {
  const { clock, store, tenantId, logger, lines, checkpointer, verify, file } = await checkpointWorld()
  await recordEvents(store, tenantId)
  await checkpointer.signWhatIsNew()
  const restarted = createCheckpointer(store, logger)
  await restarted.signWhatIsNew()
  expect(signedIn(file)).toHaveLength(1)
  await recordEvents(store, tenantId)
  clock.advance(CHECKPOINT_AFTER_MS)
  await restarted.signWhatIsDue()
  expect(signedIn(file)).toMatchObject([{ number: 1 }, { number: 2, sequence: 2 }])
  expect(await verify()).toMatchObject({ status: 'intact', provenTo: 2 })
  expect(lines).toEqual([])
})

test('the next start finds its position near the end of a long file, and in the whole of a file that was damaged there', async ({
  expect,
}) => {
  const { store, tenantId, logger, lines, checkpointer, file } = await checkpointWorld()
  await recordEvents(store, tenantId)
  await checkpointer.signWhatIsNew()
  const line = readFileSync(file, 'utf8')
  writeFileSync(file, 'x'.repeat(99).concat('\n').repeat(20_000).concat(line))
  await recordEvents(store, tenantId)
  await createCheckpointer(store, logger).signWhatIsNew()
  appendFileSync(file, 'x'.repeat(99).concat('\n').repeat(20_000))
  await recordEvents(store, tenantId)
  await createCheckpointer(store, logger).signWhatIsNew()
  const last = linesIn(file).at(-1) ?? '{}'
  expect(JSON.parse(last)).toMatchObject({ number: 3, sequence: 3 })
  expect(lines).toEqual([])
})

test('after a crash between the file and the store the next start continues from the file', async ({ expect }) => {
  const { store, tenantId, logger, checkpointer, file, verify } = await checkpointWorld()
  await recordEvents(store, tenantId)
  await checkpointer.signWhatIsNew()
  await recordEvents(store, tenantId)
  const write = () => Promise.reject(new Error('killed'))
  await expect(createCheckpointer({ ...store, write }, logger).signWhatIsNew()).rejects.toThrow('killed')
  await recordEvents(store, tenantId)
  await createCheckpointer(store, logger).signWhatIsNew()
  expect(signedIn(file)).toMatchObject([{ number: 1 }, { number: 2, sequence: 2 }, { number: 3, sequence: 3 }])
  expect(await verify()).toMatchObject({ status: 'intact', provenTo: 3 })
})

test('a failed write is retried, without a gap', async ({ expect }) => {
  const { store, tenantId, checkpointer, file, verify } = await checkpointWorld()
  await recordEvents(store, tenantId)
  await checkpointer.signWhatIsNew()
  const line = readFileSync(file)
  rmSync(file)
  mkdirSync(file)
  await recordEvents(store, tenantId)
  await expect(checkpointer.signWhatIsNew()).rejects.toThrow('EISDIR')
  rmdirSync(file)
  writeFileSync(file, line)
  await checkpointer.signWhatIsNew()
  expect(await verify()).toMatchObject({ status: 'intact', provenTo: 2, checkpoints: { checked: 2 } })
})

test('a disk that becomes full between two lines keeps the first, and the retry continues after it', async ({
  expect,
}) => {
  const { store, tenantId, checkpointer, file, verify } = await checkpointWorld()
  const other = await seedTenant(store)
  await recordEvents(store, tenantId)
  await recordEvents(store, other)
  const handle = await open(file, 'a')
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const original = prototype.write
  let lines = 0
  const write = vi.spyOn(prototype, 'write')
  write.mockImplementation(function (this: FileHandle, ...args: unknown[]) {
    lines += 1
    if (lines === 2) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    return Reflect.apply(original, this, args)
  })
  await expect(checkpointer.signWhatIsNew()).rejects.toThrow('no space left')
  write.mockRestore()
  expect(linesIn(file)).toHaveLength(1)
  await checkpointer.signWhatIsNew()
  expect(signedIn(file)).toMatchObject([{ number: 1 }, { number: 2 }])
  expect(await verify()).toMatchObject({ status: 'intact', provenTo: 1 })
})

test('lines of the former format are continued: the first line of the new format contains the hash of the last of them', async ({
  expect,
}) => {
  const { store, tenantId, logger, file, verify } = await checkpointWorld()
  await recordEvents(store, tenantId)
  const { hash } = await store.reader.selectFrom('audit_events').select('hash').executeTakeFirstOrThrow()
  const first = signFormerly(store, { tenantId, sequence: 1, hash, at: '2026-11-21T08:00:00.000Z' })
  writeFileSync(file, `${first}\n`)
  expect(await verify()).toMatchObject({ status: 'intact', provenTo: 1 })
  await recordEvents(store, tenantId)
  await createCheckpointer(store, logger).signWhatIsNew()
  expect(signedIn(file)[1]).toMatchObject({ v: 2, number: 2, previous: sha256(first) })
  expect(await verify()).toMatchObject({ status: 'intact', provenTo: 2, checkpoints: { checked: 2 } })
  writeFileSync(file, `${linesIn(file)[1]}\n`)
  expect(await verify()).toMatchObject({
    status: 'broken',
    firstBroken: { sequence: 0, reason: 'Checkpoint 1 is missing before line 1 of audit-checkpoints.jsonl.' },
  })
})

test('a forged line does not stop signing of its tenant', async ({ expect }) => {
  const { store, tenantId, file, checkpointer } = await checkpointWorld()
  await recordEvents(store, tenantId)
  const forged = {
    v: 1,
    tenantId,
    sequence: 1_000_000,
    hash: '0'.repeat(64),
    at: '2026-01-01T00:00:00.000Z',
    signature: 'none',
  }
  writeFileSync(file, `${JSON.stringify(forged)}\n`)
  await checkpointer.signWhatIsNew()
  expect(signedIn(file).at(-1)).toMatchObject({ sequence: 1 })
})

test('an incomplete line that a crash left is cut off and logged, and the next line is valid', async ({ expect }) => {
  const { store, tenantId, file, lines, logger, checkpointer } = await checkpointWorld()
  await recordEvents(store, tenantId)
  await checkpointer.signWhatIsNew()
  const whole = readFileSync(file, 'utf8')
  appendFileSync(file, whole.slice(0, 77))
  await recordEvents(store, tenantId)
  await createCheckpointer(store, logger).signWhatIsNew()
  expect(lines).toMatchObject([{ fields: { cutBytes: 77 } }])
  expect(readFileSync(file, 'utf8').startsWith(whole)).toBe(true)
  expect(signedIn(file)).toMatchObject([{ sequence: 1 }, { sequence: 2 }])
})

test('a start after the file was emptied warns, and the later lines show the gap', async ({ expect }) => {
  const { store, tenantId, file, lines, logger, checkpointer, verify } = await checkpointWorld()
  for (let n = 0; n < 3; n++) {
    await recordEvents(store, tenantId)
    await checkpointer.signWhatIsNew()
  }
  writeFileSync(file, '')
  await recordEvents(store, tenantId)
  await createCheckpointer(store, logger).signWhatIsNew()
  expect(lines).toMatchObject([{ message: expect.stringContaining('lacks the newest one that the store records') }])
  expect(await verify()).toMatchObject({
    status: 'broken',
    firstBroken: { sequence: 0, reason: 'Checkpoints 1 to 3 are missing before line 1 of audit-checkpoints.jsonl.' },
  })
})

/** Returns a signed line of form 1, in which lines are not chained (docs/decisions/audit-checkpoints.md). */
function signFormerly(store: Store, { tenantId, sequence, hash, at }: Statement): string {
  const signedBytes = Buffer.from(
    JSON.stringify(['prospect-platform audit checkpoint', 1, tenantId, sequence, hash, at]),
  )
  const signature = sign(null, signedBytes, store.keys.auditSigning).toString('base64url')
  return JSON.stringify({ v: 1, tenantId, sequence, hash, at, signature })
}
