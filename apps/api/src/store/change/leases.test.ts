import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder, temporaryStore } from '../../../test/temporary-store.ts'
import { createTestClock } from '../../../test/test-clock.ts'
import { createLeases, everyInOneProcess, inOneProcess, type Leases } from './leases.ts'

const LEASE_MS = 60_000

/** Creates a store and a function that opens the leases of one more process on it. */
function setUp() {
  const clock = createTestClock()
  const { write, reader, dataDir } = temporaryStore({ clock })
  const open = (folder = dataDir): Leases => {
    const leases = createLeases({ dataDir: folder, clock, reader, write, leaseMs: LEASE_MS, tryEveryMs: 0 })
    onTestFinished(() => leases.close())
    return leases
  }
  return { clock, reader, open }
}

test('one process holds a lease, the next after its release; leases of other names are independent', async () => {
  const { open, reader } = setUp()
  const [one, two] = [open().lease('sweep'), open().lease('sweep')]
  expect(await one.hold()).toBe(true)
  expect([await two.hold(), two.isHeld()]).toEqual([false, false])
  expect(await open().lease('prune').hold()).toBe(true)
  expect([await one.hold(), one.isHeld()]).toEqual([true, true])
  await one.release()
  expect(one.isHeld()).toBe(false)
  expect(await two.hold()).toBe(true)
  expect(await reader.selectFrom('leases').select('name').orderBy('name').execute()).toHaveLength(2)
})

test('a lease is taken over when it has expired, and not before', async () => {
  const { open, clock } = setUp()
  const [one, two] = [open().lease('sweep'), open().lease('sweep')]
  await one.hold()
  clock.advance(LEASE_MS - 1)
  expect(await two.hold()).toBe(false)
  clock.advance(1)
  expect(await two.hold()).toBe(true)
})

test('a lease that a later clock wrote is not longer than any other', async () => {
  const { open, clock } = setUp()
  await open().lease('sweep').hold()
  clock.advance(-1)
  expect(await open().lease('sweep').hold()).toBe(true)
})

test('a holder that cannot renew loses the lease at its end, and so does one that was declared lost', async () => {
  const clock = createTestClock()
  const { write, reader, dataDir } = temporaryStore({ clock })
  let isBroken = false
  const breaking: typeof write = (scope, work) => (isBroken ? Promise.reject(new Error('no disk')) : write(scope, work))
  const open = (through: typeof write) =>
    createLeases({ dataDir, clock, reader, write: through, leaseMs: 90, tryEveryMs: 0 })
  const [first, second] = [open(breaking), open(write)]
  onTestFinished(() => {
    for (const leases of [first, second]) leases.close()
  })
  const one = first.lease('sweep')
  await one.hold()
  isBroken = true
  await expect.poll(() => one.isHeld()).toBe(false)
  isBroken = false
  clock.advance(90)
  expect(await second.lease('sweep').hold()).toBe(true)
  expect(await one.hold()).toBe(false)
})

const loopScript = (dataDir: string) => `
  import { migrations } from ${JSON.stringify(join(import.meta.dirname, '../../rooms/migrations.ts'))}
  import { openStore } from ${JSON.stringify(join(import.meta.dirname, '../store.ts'))}
  import { everyInOneProcess } from ${JSON.stringify(join(import.meta.dirname, 'leases.ts'))}
  const store = openStore({ dataDir: ${JSON.stringify(dataDir)}, clock: () => new Date(), migrations })
  everyInOneProcess(store, { name: 'sweep', ms: 10, work: async () => console.log('ran'), log: console, failed: 'failed' })
  setInterval(() => {}, 1000)`

const holdScript = (dataDir: string, names: readonly string[]) => `
  import { migrations } from ${JSON.stringify(join(import.meta.dirname, '../../rooms/migrations.ts'))}
  import { openStore } from ${JSON.stringify(join(import.meta.dirname, '../store.ts'))}
  const { leases } = openStore({ dataDir: ${JSON.stringify(dataDir)}, clock: () => new Date(), migrations })
  const held = []
  for (const name of ${JSON.stringify(names)}) held.push(await leases.lease(name).hold())
  console.log(held.join())
  setInterval(() => {}, 1000)`

test('of two processes over one store one runs the loop, and the other when the first is killed', async () => {
  const store = temporaryStore({ dataDir: temporaryFolder() })
  const child = spawn(process.execPath, ['--input-type=module', '--eval', loopScript(store.dataDir)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) =>
    expect(code, 'a process that ended before it was killed').toBe(null),
  )
  await Promise.race([once(child.stdout, 'data'), ended])
  let runs = 0
  const start = () =>
    everyInOneProcess(store, {
      name: 'sweep',
      ms: 10,
      work: async () => {
        runs += 1
      },
      log: { error: () => {} },
      failed: 'failed',
    })
  const loop = start()
  await loop.started
  // The output shows that the other process still runs. By now this process has tried to take the lease.
  await once(child.stdout, 'data')
  expect(runs).toBe(0)
  await loop.stop()
  child.kill('SIGKILL')
  await ended
  const next = start()
  await next.started
  expect(runs).toBe(1)
  await next.stop()
})

test('all leases of a killed process are taken over at once', async () => {
  const store = temporaryStore({ dataDir: temporaryFolder() })
  const names = ['sweep', 'prune']
  const child = spawn(process.execPath, ['--input-type=module', '--eval', holdScript(store.dataDir, names)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  expect(String((await once(child.stdout, 'data'))[0])).toBe('true,true\n')
  child.kill('SIGKILL')
  await ended
  const taken: boolean[] = []
  for (const name of names) taken.push(await store.leases.lease(name).hold())
  expect(taken).toEqual([true, true])
})

test('a process without a mark in this data folder is lost only when its lease has expired', async () => {
  const { open, clock } = setUp()
  const elsewhere = open(temporaryFolder())
  await elsewhere.lease('sweep').hold()
  elsewhere.close()
  const lease = open().lease('sweep')
  expect(await lease.hold()).toBe(false)
  clock.advance(LEASE_MS)
  expect(await lease.hold()).toBe(true)
})

test('work that one process does for all is skipped while another does it', async () => {
  const store = temporaryStore()
  const other = temporaryStore({ dataDir: store.dataDir })
  let runs = 0
  await inOneProcess(store, 'start', async () => {
    await inOneProcess(other, 'start', async () => {
      runs += 1
    })
    runs += 1
  })
  expect(runs).toBe(1)
  await inOneProcess(other, 'start', async () => {
    runs += 1
  })
  expect(runs).toBe(2)
})
