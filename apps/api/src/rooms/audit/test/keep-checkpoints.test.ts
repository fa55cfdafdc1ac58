import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, test, vi } from 'vitest'
import { checkpointWorld, linesIn, recordEvents, signedIn } from '../../../../test/checkpoint-world.ts'
import { takeHistoryAway } from '../../../../test/take-history-away.ts'
import { seedTenant } from '../../../../test/temporary-store.ts'
import { signOnce, startCheckpoints } from '../checkpoints/keep-checkpoints.ts'
import { signedAtOnce } from '../checkpoints/signed-at-once.data.ts'
import { isServed } from '../checkpoints/signer-lock.ts'

test('a start signs all new events, and a stop signs them again, of every tenant', async ({ expect }) => {
  const { store, tenantId, file, lines, logger } = await checkpointWorld()
  const other = await seedTenant(store)
  await recordEvents(store, tenantId, 2)
  const checkpoints = startCheckpoints(store, logger)
  await expect.poll(() => signedIn(file)).toMatchObject([{ tenantId, sequence: 2 }])
  await recordEvents(store, other)
  await checkpoints.stop()
  expect(signedIn(file)).toMatchObject([
    { tenantId, sequence: 2 },
    { tenantId: other, sequence: 1 },
  ])
  expect(lines).toEqual([])
})

test('the end of a block or a suppression is signed at once, and other events wait', async ({ expect }) => {
  // Replaces the timer by one that never fires, so that no regular run signs the other events.
  const never = setTimeout(() => {})
  vi.spyOn(globalThis, 'setInterval').mockReturnValue(never)
  onTestFinished(() => void vi.restoreAllMocks())
  const { store, tenantId, file, logger } = await checkpointWorld()
  const other = await seedTenant(store)
  const checkpoints = startCheckpoints(store, logger)
  await recordEvents(store, tenantId, 1, 'suppression.remove')
  await expect.poll(() => signedIn(file)).toMatchObject([{ tenantId, sequence: 1 }])
  await recordEvents(store, other)
  await recordEvents(store, tenantId, 1, 'business.unblock')
  await expect
    .poll(() => signedIn(file))
    .toMatchObject([
      { tenantId, sequence: 1 },
      { tenantId, sequence: 2 },
    ])
  await checkpoints.stop()
  expect(signedIn(file).at(-1)).toMatchObject({ tenantId: other, sequence: 1 })
  await recordEvents(store, tenantId, 1, 'business.unblock')
  expect(linesIn(file)).toHaveLength(3)
})

test('one process signs at a time: a command leaves signing to the running server', async ({ expect }) => {
  const { store, tenantId, file, logger } = await checkpointWorld()
  expect(isServed(store.dataDir)).toBe(false)
  const checkpoints = startCheckpoints(store, logger)
  await expect.poll(() => isServed(store.dataDir)).toBe(true)
  await recordEvents(store, tenantId)
  await signOnce(store, logger)
  expect(linesIn(file)).toEqual([])
  await checkpoints.stop()
  expect(isServed(store.dataDir)).toBe(false)
  await recordEvents(store, tenantId)
  await signOnce(store, logger)
  expect(signedIn(file)).toMatchObject([{ sequence: 1 }, { sequence: 2 }])
  expect(isServed(store.dataDir)).toBe(false)
})

test('a start warns of each signed chain that is missing with its tenant, and of no other', async ({ expect }) => {
  const { store, tenantId, file, lines, logger, checkpointer } = await checkpointWorld()
  await recordEvents(store, await seedTenant(store))
  await recordEvents(store, tenantId, 2)
  await checkpointer.signWhatIsNew()
  takeHistoryAway(store.dataDir, tenantId)
  const whole = readFileSync(file, 'utf8')
  const forged = whole.replaceAll('"tenantId":"', '"tenantId":"not ').replaceAll('"sequence":', '"sequence":9')
  writeFileSync(file, `${whole}${forged}${forged.replaceAll('"not ', '"')}`)
  await startCheckpoints(store, logger).stop()
  expect(lines).toEqual([{ fields: { tenant: tenantId }, message: expect.stringContaining('it had 2 events') }])
})

test('a failure is logged, and signing continues with the next event', async ({ expect }) => {
  const { store, tenantId, file, lines, logger } = await checkpointWorld()
  await recordEvents(store, tenantId)
  mkdirSync(file)
  await startCheckpoints(store, logger).stop()
  expect(lines).toMatchObject([
    { message: 'signing audit checkpoints failed' },
    { message: 'signing audit checkpoints failed' },
  ])
})

test('the product records every action that requires an immediate checkpoint', ({ expect }) => {
  const source = join(import.meta.dirname, '../../..')
  const files = globSync('rooms/**/*.ts', { cwd: source }).filter((file) => !/\.(test|data|facts)\.ts$/.test(file))
  const texts = files.map((file) => readFileSync(join(source, file), 'utf8'))
  expect(signedAtOnce.filter((action) => !texts.some((text) => text.includes(`'${action}'`)))).toEqual([])
})
