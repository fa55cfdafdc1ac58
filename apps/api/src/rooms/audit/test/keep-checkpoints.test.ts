import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, vi } from 'vitest'
import { askedOf, planOf, watchStatements } from '../../../../test/statement-plans.ts'
import { takeHistoryAway } from '../../../../test/take-history-away.ts'
import { actorIn, seedTenant, temporaryFolder, temporaryStore } from '../../../../test/temporary-store.ts'
import { createTestClock } from '../../../../test/test-clock.ts'
import { change } from '../../../store/change/change.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE, type Store } from '../../../store/store.ts'
import { appendCheckpointLines, checkpointFile, cutHalfLine, readCheckpointLines } from '../checkpoint-file.ts'
import { checkpointStanding } from '../checkpoint-standing.ts'
import { CHECKPOINT_AFTER_MS, CHECKPOINT_EVENTS, createCheckpointer, startCheckpoints } from '../keep-checkpoints.ts'

function memoryLog() {
  const lines: { fields: unknown; message: string | undefined }[] = []
  const write = (fields: unknown, message?: string) => void lines.push({ fields, message })
  return { lines, logger: { warn: write, error: write } }
}

async function setUp() {
  const clock = createTestClock()
  const store = temporaryStore({ clock })
  const file = checkpointFile(store.dataDir)
  const { lines, logger } = memoryLog()
  return {
    clock,
    store,
    tenantId: await seedTenant(store),
    file,
    lines,
    logger,
    checkpointer: createCheckpointer(store, logger),
  }
}

function record(store: Store, tenantId: string, count = 1) {
  return change(store, actorIn(tenantId), { permission: null, action: 'test' }, async (tx) => {
    for (let n = 0; n < count; n++) await tx.record({ subject: { type: 'tenant', id: tenantId } })
  })
}

function signed(file: string): { tenantId: string; sequence: number }[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

test('a tenant with few new events is signed when ten minutes passed, and not again without new ones', async ({
  expect,
}) => {
  const { clock, store, tenantId, file, checkpointer } = await setUp()
  await record(store, tenantId, 3)
  await checkpointer.signWhatIsDue()
  expect(signed(file)).toEqual([])
  clock.advance(CHECKPOINT_AFTER_MS)
  await checkpointer.signWhatIsDue()
  expect(signed(file)).toMatchObject([{ tenantId, sequence: 3, at: clock().toISOString() }])
  clock.advance(CHECKPOINT_AFTER_MS)
  await checkpointer.signWhatIsDue()
  expect(signed(file)).toHaveLength(1)
})

test('a tenant is signed as well when the clock was set back since its last checkpoint', async ({ expect }) => {
  const { clock, store, tenantId, file, checkpointer } = await setUp()
  await record(store, tenantId)
  await checkpointer.signWhatIsNew()
  clock.advance(-24 * CHECKPOINT_AFTER_MS)
  await record(store, tenantId)
  await checkpointer.signWhatIsDue()
  expect(signed(file)).toMatchObject([{ sequence: 1 }, { sequence: 2, at: clock().toISOString() }])
})

test('to look what is due goes from each tenant to the end of its chain, and walks none', async ({ expect }) => {
  const { store, tenantId, checkpointer } = await setUp()
  await record(store, tenantId)
  const statements = watchStatements()
  await checkpointer.signWhatIsDue()
  vi.restoreAllMocks()
  const looking = askedOf(statements).filter(({ where }) => where === 'background')
  const connection = openConnection(join(store.dataDir, STORE_FILE), { readonly: true })
  const steps = looking.flatMap(({ sql }) => planOf(connection, sql))
  connection.close()
  expect(looking).toHaveLength(1)
  expect(steps.filter((step) => /^SCAN (?!t )/.test(step))).toEqual([])
})

test('a thousand new events are signed at once', async ({ expect }) => {
  const { store, tenantId, file, checkpointer } = await setUp()
  const quiet = await seedTenant(store)
  await record(store, quiet)
  await record(store, tenantId, CHECKPOINT_EVENTS - 1)
  await checkpointer.signWhatIsDue()
  expect(signed(file)).toEqual([])
  await record(store, tenantId)
  await checkpointer.signWhatIsDue()
  expect(signed(file)).toMatchObject([{ tenantId, sequence: CHECKPOINT_EVENTS }])
})

test('stopping signs whatever is new, of every tenant', async ({ expect }) => {
  const { store, tenantId, file, lines, logger } = await setUp()
  const other = await seedTenant(store)
  await record(store, tenantId, 2)
  await record(store, other)
  await startCheckpoints(store, logger).stop()
  expect(signed(file).toSorted((a, b) => b.sequence - a.sequence)).toMatchObject([
    { tenantId, sequence: 2 },
    { tenantId: other, sequence: 1 },
  ])
  expect(lines).toEqual([])
})

test('the next start goes on from what was signed', async ({ expect }) => {
  const { clock, store, tenantId, file, logger, checkpointer } = await setUp()
  await record(store, tenantId)
  await checkpointer.signWhatIsNew()
  const restarted = createCheckpointer(store, logger)
  await restarted.signWhatIsNew()
  expect(signed(file)).toHaveLength(1)
  await record(store, tenantId)
  clock.advance(CHECKPOINT_AFTER_MS)
  await restarted.signWhatIsDue()
  expect(signed(file)).toMatchObject([{ sequence: 1 }, { sequence: 2 }])
})

test('a forged line does not keep the tenant from being signed', async ({ expect }) => {
  const { store, tenantId, file, checkpointer } = await setUp()
  await record(store, tenantId)
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
  expect(signed(file).at(-1)).toMatchObject({ sequence: 1 })
})

test('half a line that a crash left is cut off and told, and the next line stands by itself', async ({ expect }) => {
  const { store, tenantId, file, lines, logger, checkpointer } = await setUp()
  await record(store, tenantId)
  await checkpointer.signWhatIsNew()
  const whole = readFileSync(file, 'utf8')
  appendFileSync(file, whole.slice(0, 77))
  await record(store, tenantId)
  await createCheckpointer(store, logger).signWhatIsNew()
  expect(lines).toMatchObject([{ fields: { cutBytes: 77 } }])
  expect(readFileSync(file, 'utf8').startsWith(whole)).toBe(true)
  expect(signed(file)).toMatchObject([{ sequence: 1 }, { sequence: 2 }])
})

test('a start tells of each chain that was signed here and is gone with its tenant, and of no other', async ({
  expect,
}) => {
  const { store, tenantId, file, lines, logger, checkpointer } = await setUp()
  await record(store, await seedTenant(store))
  await record(store, tenantId, 2)
  await checkpointer.signWhatIsNew()
  takeHistoryAway(store.dataDir, tenantId)
  const whole = readFileSync(file, 'utf8')
  const forged = whole.replaceAll('"tenantId":"', '"tenantId":"not ').replaceAll('"sequence":', '"sequence":9')
  writeFileSync(file, `${whole}${forged}${forged.replaceAll('"not ', '"')}`)
  await createCheckpointer(store, logger).signWhatIsNew()
  expect(lines).toEqual([
    { fields: { tenant: tenantId }, message: expect.stringContaining('of which 2 events were there') },
  ])
})

test('what no checkpoint covers is told by its oldest event, and nothing is once all of it is signed', async ({
  expect,
}) => {
  const { clock, store, tenantId, checkpointer } = await setUp()
  const standing = () => checkpointStanding({ db: store.reader, dataDir: store.dataDir, keys: store.keys }, tenantId)
  expect(await standing()).toEqual({ broken: null, uncoveredSince: null, newestEventAt: null })
  const times: string[] = []
  const recordLater = async () => {
    clock.advance(CHECKPOINT_AFTER_MS)
    times.push(clock().toISOString())
    await record(store, tenantId)
  }
  await recordLater()
  expect(await standing()).toEqual({ broken: null, uncoveredSince: times[0], newestEventAt: times[0] })
  await checkpointer.signWhatIsNew()
  expect(await standing()).toEqual({ broken: null, uncoveredSince: null, newestEventAt: times[0] })
  await recordLater()
  await recordLater()
  expect(await standing()).toEqual({ broken: null, uncoveredSince: times[1], newestEventAt: times[2] })
})

test('a failure is logged and signing goes on with the next', async ({ expect }) => {
  const { store, tenantId, lines, logger } = await setUp()
  await record(store, tenantId)
  const broken = { ...store, dataDir: `${store.dataDir}/not there` }
  await startCheckpoints(broken, logger).stop()
  expect(lines).toMatchObject([{ message: 'signing audit checkpoints failed' }])
})

async function readLines(file: string) {
  const lines = []
  for await (const line of readCheckpointLines(file)) lines.push(line)
  return lines
}

test('lines are read across the pieces of a long file, with their numbers', async ({ expect }) => {
  const file = checkpointFile(temporaryFolder())
  expect(await readLines(file)).toEqual([])
  const texts = Array.from({ length: 1_000 }, (_, index) => `line ${index} ${'é'.repeat(index % 150)}`)
  await appendCheckpointLines(file, texts)
  expect((await readLines(file)).map(({ text }) => text)).toEqual(texts)
  appendFileSync(file, `${'x'.repeat(200_000)}\nend`)
  expect((await readLines(file)).slice(1_000)).toEqual([
    { number: 1_001, text: undefined, isWhole: true },
    { number: 1_002, text: 'end', isWhole: false },
  ])
})

test('two that append at once never mix their lines', async ({ expect }) => {
  const file = checkpointFile(temporaryFolder())
  const of = (name: string) => Array.from({ length: 200 }, () => name.repeat(300))
  await Promise.all([appendCheckpointLines(file, of('a')), appendCheckpointLines(file, of('b'))])
  const lines = (await readLines(file)).map(({ text }) => text)
  expect(lines).toHaveLength(400)
  expect(new Set(lines)).toEqual(new Set(['a'.repeat(300), 'b'.repeat(300)]))
})

test('a tail without any line end is closed, not cut', async ({ expect }) => {
  const file = checkpointFile(temporaryFolder())
  writeFileSync(file, 'x'.repeat(10_000))
  await cutHalfLine(file)
  expect(readFileSync(file, 'utf8')).toBe(`${'x'.repeat(10_000)}\n`)
})

test.for([
  ['the first line of a file', ''],
  ['a line far down in a long file', 'x'.repeat(99).concat('\n').repeat(100)],
])('half of %s is cut off, and nothing else', async ([, whole], { expect }) => {
  const file = checkpointFile(temporaryFolder())
  writeFileSync(file, `${whole}half`)
  expect(await cutHalfLine(file)).toBe('half'.length)
  expect(readFileSync(file, 'utf8')).toBe(whole)
})
