import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { actorIn, seedTenant, temporaryFolder, temporaryStore } from '../../../test/temporary-store.ts'
import { createTestClock } from '../../../test/test-clock.ts'
import { newId } from '../../lib/ids.ts'
import { migrations } from '../../rooms/migrations.ts'
import { openConnection } from '../engine/connection.ts'
import { migrate } from '../files/migrate.ts'
import { STORE_FILE, type Store } from '../store.ts'
import type { AuditFollower, Beginning } from './audit-follower.ts'
import { change } from './change.ts'
import {
  advancePosition,
  beginFollowing,
  deletePosition,
  type FollowedEvent,
  findPosition,
  savePositionVersion,
} from './follow-audit.queries.ts'
import { followAudit, followToEnd } from './follow-audit.ts'

type Action = `test.${string}`

/** Records events with these actions in the tenant's audit, each in a change of its own. */
async function record(store: Store, tenantId: string, ...actions: Action[]): Promise<void> {
  for (const action of actions)
    await change(store, actorIn(tenantId), { permission: null, action }, async (tx) => {
      await tx.record({ subject: { type: 'test.thing', id: newId() } })
    })
}

/** A follower of all events but `test.other`, which remembers what it got. */
function remembering(name: string, changed: Partial<AuditFollower> = {}) {
  const got: string[] = []
  const follower: AuditFollower = {
    name,
    wants: ({ action }) => action !== 'test.other',
    on: async (tenantId, events) => {
      got.push(...events.map(({ sequence, action }) => `${tenantId} ${sequence} ${action}`))
    },
    ...changed,
  }
  return { follower, got }
}

/** A follower that follows no tenant, and remembers the tenants that it was asked to begin with. */
function visiting() {
  const visited: string[] = []
  const { follower } = remembering('visiting', {
    begin: async (tenantId) => {
      visited.push(tenantId)
      return null
    },
  })
  return { follower, visited }
}

async function setUp() {
  const clock = createTestClock()
  const store = temporaryStore({ clock })
  const a = await seedTenant(store, 'tenant-a')
  const b = await seedTenant(store, 'tenant-b')
  const log = { error: vi.fn() }
  const start = async (...followers: AuditFollower[]) => {
    const loop = followAudit(store, followers, log)
    onTestFinished(() => loop.stop())
    await loop.started
    return loop
  }
  const sequenceOf = async (follower: string, tenantId = a) =>
    (await findPosition(store.reader, { tenantId, follower }))?.sequence
  return { clock, store, a, b, log, start, sequenceOf }
}

const write = (store: Store, work: Parameters<Store['write']>[1]) => store.write('upkeep', work)

test('each follower gets the events that it wants, of every tenant, in order', async () => {
  const { store, a, b, start, sequenceOf } = await setUp()
  await record(store, a, 'test.one', 'test.other')
  const [one, two] = [remembering('one'), remembering('two', { wants: ({ action }) => action === 'test.two' })]
  await start(one.follower, two.follower)
  await record(store, b, 'test.two')
  await record(store, a, 'test.two')
  await vi.waitFor(() => {
    expect(one.got.toSorted()).toEqual(['tenant-a 1 test.one', 'tenant-a 3 test.two', 'tenant-b 1 test.two'])
    expect(two.got.toSorted()).toEqual(['tenant-a 3 test.two', 'tenant-b 1 test.two'])
  }, 5_000)
  await vi.waitFor(async () => expect([await sequenceOf('one'), await sequenceOf('two')]).toEqual([3, 3]), 5_000)
})

test('a page of events is read once for all followers', async () => {
  const { store, a } = await setUp()
  await record(store, a, 'test.one', 'test.two')
  const pages: (readonly FollowedEvent[])[] = []
  const followers = ['one', 'two', 'three'].map(
    (name) => remembering(name, { on: async (_tenantId, events) => void pages.push(events) }).follower,
  )
  await followToEnd(store, followers)
  expect(pages.map((events) => events.length)).toEqual([2, 2, 2])
  // The events of one read are the same objects.
  expect(new Set(pages.flat()).size).toBe(2)
})

test('a follower that fails for a tenant stops neither other tenants nor other followers, and is repeated with a growing delay', async () => {
  const { clock, store, a, b, log, start, sequenceOf } = await setUp()
  let isBroken = true
  const failing = remembering('failing', {
    on: async (tenantId, events) => {
      if (tenantId === a && isBroken) throw new Error('The version was altered.')
      failing.got.push(...events.map(({ sequence }) => `${tenantId} ${sequence}`))
    },
  })
  const sound = remembering('sound')
  await record(store, a, 'test.one')
  await start(failing.follower, sound.follower)
  await vi.waitFor(() => expect(log.error).toHaveBeenCalledTimes(1), 5_000)
  await record(store, b, 'test.one')
  await record(store, a, 'test.two')
  await vi.waitFor(() => {
    expect(failing.got).toEqual(['tenant-b 1'])
    expect(sound.got).toHaveLength(3)
  }, 5_000)
  const delays = () =>
    log.error.mock.calls.map(([{ follower, tenantId, retryInMs }]) => [follower, tenantId, retryInMs])
  expect(delays()).toEqual([['failing', a, 10_000]])
  clock.advance(10_000)
  await vi.waitFor(() => expect(delays()).toHaveLength(2), 5_000)
  clock.advance(10_000)
  await record(store, a, 'test.three')
  await vi.waitFor(() => expect(sound.got).toHaveLength(4), 5_000)
  expect(delays()).toEqual([
    ['failing', a, 10_000],
    ['failing', a, 20_000],
  ])
  isBroken = false
  clock.advance(10_000)
  await vi.waitFor(() => expect(failing.got).toEqual(['tenant-b 1', 'tenant-a 1', 'tenant-a 2', 'tenant-a 3']), 5_000)
  await vi.waitFor(async () => expect(await sequenceOf('failing')).toBe(3), 5_000)
})

test('the delay after failures is at most ten minutes', async () => {
  const { clock, store, a, log, start } = await setUp()
  await record(store, a, 'test.one')
  await start(remembering('failing', { on: () => Promise.reject(new Error('No.')) }).follower)
  for (let failures = 1; failures <= 9; failures++) {
    await vi.waitFor(() => expect(log.error).toHaveBeenCalledTimes(failures), 5_000)
    clock.advance(log.error.mock.lastCall?.[0].retryInMs)
  }
  expect(log.error.mock.calls.map(([{ retryInMs }]) => retryInMs).slice(5)).toEqual([
    320_000, 600_000, 600_000, 600_000,
  ])
}, 20_000)

test('only tenants with new events are visited; a start visits all that have a follower behind the newest event', async () => {
  const { store, a, b, start } = await setUp()
  const { follower, visited } = visiting()
  const caughtUp = remembering('caught up')
  await record(store, a, 'test.one')
  await followToEnd(store, [caughtUp.follower])
  caughtUp.got.length = 0
  await start(follower, caughtUp.follower)
  await vi.waitFor(() => expect(visited.toSorted()).toEqual([a, b]), 5_000)
  visited.length = 0
  // A commit without an event, such as that of a session, makes no follower look.
  await seedTenant(store, 'tenant-c')
  await record(store, b, 'test.one')
  await vi.waitFor(() => expect(visited).toContain(b), 5_000)
  // Only the comparison with the newest events finds what another process recorded.
  const elsewhere = temporaryStore({ dataDir: store.dataDir })
  await record(elsewhere, b, 'test.two')
  await vi.waitFor(() => expect(caughtUp.got).toEqual(['tenant-b 1 test.one', 'tenant-b 2 test.two']), 10_000)
  expect(visited).not.toContain(a)
}, 20_000)

test('a position after which nothing was derived is not stored at each commit, but after a hundred events, a minute or a stop', async () => {
  const { clock, store, a, start, sequenceOf } = await setUp()
  const { follower, visited } = visiting()
  const loop = await start(
    remembering('idle').follower,
    remembering('false', { on: async () => false }).follower,
    follower,
  )
  const visitAgain = async () => {
    visited.length = 0
    await vi.waitFor(() => expect(visited).toContain(a), 5_000)
  }
  const both = async () => [await sequenceOf('idle'), await sequenceOf('false')]
  await vi.waitFor(async () => expect(await both()).toEqual([0, 0]), 5_000)
  for (let commits = 0; commits < 3; commits++) {
    await record(store, a, 'test.other', 'test.other')
    await visitAgain()
  }
  expect(await both()).toEqual([0, 0])
  clock.advance(60_000)
  await vi.waitFor(async () => expect(await both()).toEqual([6, 6]), 5_000)
  await record(store, a, ...Array.from({ length: 100 }, (): Action => 'test.other'))
  await vi.waitFor(async () => expect((await both()).every((sequence) => (sequence ?? 0) >= 100)).toBe(true), 5_000)
  await record(store, a, 'test.other')
  await visitAgain()
  await loop.stop()
  expect(await both()).toEqual([107, 107])
}, 20_000)

test('the positions of all followers of a tenant are stored with the first that did work', async () => {
  const { store, a, start, sequenceOf } = await setUp()
  await start(remembering('idle', { wants: () => false }).follower, remembering('working').follower)
  await record(store, a, 'test.one')
  await vi.waitFor(async () => expect([await sequenceOf('idle'), await sequenceOf('working')]).toEqual([1, 1]), 5_000)
})

test('after a restart a follower continues at its position, and a failed page is repeated whole', async () => {
  const { store, a, sequenceOf } = await setUp()
  await record(store, a, 'test.one', 'test.two')
  const crashing = remembering('one', {
    on: async (_tenantId, events) => {
      crashing.got.push(...events.map(({ action }) => action))
      throw new Error('The process died after the work.')
    },
  })
  await expect(followToEnd(store, [crashing.follower])).rejects.toThrow('Following the audit failed')
  expect([crashing.got, await sequenceOf('one')]).toEqual([['test.one', 'test.two'], 0])
  const next = remembering('one')
  await followToEnd(store, [next.follower])
  expect(next.got).toEqual(['tenant-a 1 test.one', 'tenant-a 2 test.two'])
  await record(store, a, 'test.three')
  await followToEnd(store, [next.follower])
  expect(next.got.at(-1)).toBe('tenant-a 3 test.three')
  expect(next.got).toHaveLength(3)
})

test('more than a page of events is followed to its end', async () => {
  const { store, a, sequenceOf } = await setUp()
  await record(store, a, ...Array.from({ length: 401 }, (): Action => 'test.one'))
  const pages: number[] = []
  const { follower } = remembering('one', { on: async (_tenantId, events) => void pages.push(events.length) })
  await followToEnd(store, [follower])
  expect([pages, await sequenceOf('one')]).toEqual([[200, 200, 1], 401])
})

test('a position beyond the newest event, as after a restore, begins again', async () => {
  const { store, a, sequenceOf } = await setUp()
  await record(store, a, 'test.one')
  const key = { tenantId: a, follower: 'one' }
  await write(store, async (db) => ({ keep: true, value: await advancePosition(db, { ...key, sequence: 500 }) }))
  const { follower, got } = remembering('one')
  await followToEnd(store, [follower])
  expect([got, await sequenceOf('one')]).toEqual([['tenant-a 1 test.one'], 1])
  await write(store, async (db) => ({ keep: true, value: await advancePosition(db, { ...key, sequence: 500 }) }))
  const causes: Beginning['cause'][] = []
  await followToEnd(store, [
    {
      ...follower,
      begin: async (_tenantId, { cause, newest }) => {
        causes.push(cause)
        return { sequence: newest, version: '' }
      },
    },
  ])
  expect([causes.filter((cause) => cause === 'restored'), await sequenceOf('one'), got.length]).toEqual([
    ['restored'],
    1,
    1,
  ])
})

test('other rules run a tenant again once; a follower may leave it to a job that stores the version', async () => {
  const { store, a } = await setUp()
  await record(store, a, 'test.one')
  const { follower, got } = remembering('one', { version: '1' })
  await followToEnd(store, [follower])
  for (let rounds = 0; rounds < 2; rounds++) await followToEnd(store, [{ ...follower, version: '2' }])
  expect(got).toEqual(['tenant-a 1 test.one', 'tenant-a 1 test.one'])
  const begun: (string | undefined)[] = []
  const waiting: AuditFollower = {
    ...follower,
    version: '3',
    begin: async (tenantId, { stored }) => {
      if (tenantId === a) begun.push(stored?.version)
      return stored ?? { sequence: 0, version: '' }
    },
  }
  await record(store, a, 'test.two')
  await followToEnd(store, [waiting])
  expect(begun).toContain('2')
  expect(got.at(-1)).toBe('tenant-a 2 test.two')
  await write(store, async (db) => {
    await savePositionVersion(db, { tenantId: a, follower: 'one', version: '3' })
    return { keep: true, value: undefined }
  })
  begun.length = 0
  await record(store, a, 'test.three')
  await followToEnd(store, [waiting])
  expect(begun).toEqual([])
})

test('a position that something else moves or deletes is followed from there', async () => {
  const { store, a, start } = await setUp()
  const key = { tenantId: a, follower: 'one' }
  const { follower, got } = remembering('one')
  await start(follower)
  await record(store, a, 'test.one')
  await vi.waitFor(() => expect(got).toHaveLength(1), 5_000)
  await write(store, async (db) => ({ keep: true, value: await deletePosition(db, key) }))
  await record(store, a, 'test.two')
  await vi.waitFor(
    () => expect(got).toEqual(['tenant-a 1 test.one', 'tenant-a 1 test.one', 'tenant-a 2 test.two']),
    5_000,
  )
  await write(store, async (db) => ({ keep: true, value: await advancePosition(db, { ...key, sequence: 3 }) }))
  await record(store, a, 'test.three', 'test.four')
  await vi.waitFor(() => expect(got.at(-1)).toBe('tenant-a 4 test.four'), 5_000)
  expect(got).not.toContain('tenant-a 3 test.three')
})

test('a tenant without a position is followed from where a change began to follow it', async () => {
  const { store, a, start } = await setUp()
  const { follower, got } = remembering('one', { begin: async () => null })
  await start(follower)
  await record(store, a, 'test.one')
  await change(store, actorIn(a), { permission: null, action: 'test.begin' }, async (tx) => {
    await beginFollowing(tx.db, { tenantId: a, follower: 'one' })
    await tx.record({ subject: { type: 'test.thing', id: newId() } })
  })
  await vi.waitFor(() => expect(got).toEqual(['tenant-a 2 test.begin']), 5_000)
})

test('a stop waits for the running work, which sees it, does not count that work, and releases the lease', async () => {
  const { store, a, start, sequenceOf } = await setUp()
  let hasEnded = false
  const { promise: stopping, resolve: stop } = Promise.withResolvers<void>()
  const slow = remembering('slow', {
    on: async (_tenantId, _events, isStopped) => {
      stop()
      await vi.waitFor(() => expect(isStopped()).toBe(true), 5_000)
      hasEnded = true
    },
  })
  await record(store, a, 'test.one')
  const loop = await start(slow.follower)
  await stopping
  await loop.stop()
  expect([hasEnded, await sequenceOf('slow')]).toEqual([true, 0])
  expect(await store.reader.selectFrom('leases').selectAll().execute()).toEqual([])
})

test('of two processes one follows, also what the other records; the other follows when the first stops', async () => {
  const dataDir = temporaryFolder()
  const [first, second] = [temporaryStore({ dataDir }), temporaryStore({ dataDir })]
  const a = await seedTenant(first, 'tenant-a')
  const [one, two] = [remembering('one'), remembering('one')]
  const log = { error: vi.fn() }
  const leading = followAudit(first, [one.follower], log)
  onTestFinished(() => leading.stop())
  await leading.started
  const waiting = followAudit(second, [two.follower], log)
  onTestFinished(() => waiting.stop())
  await waiting.started
  await record(second, a, 'test.one')
  await vi.waitFor(() => expect(one.got).toEqual(['tenant-a 1 test.one']), 5_000)
  await leading.stop()
  await record(first, a, 'test.two')
  await vi.waitFor(() => expect(two.got).toEqual(['tenant-a 2 test.two']), 10_000)
  expect([one.got.length, log.error.mock.calls]).toEqual([1, []])
}, 30_000)

test('the migration copies the positions of the four former tables', () => {
  const connection = openConnection(join(temporaryFolder(), STORE_FILE))
  onTestFinished(() => void connection.close())
  const name = '2026-12-03-store-follower-positions'
  migrate(connection, { steps: migrations.filter((step) => step.name < name) })
  connection.exec(`
    INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('a', 1, 'A', 'Africa/Johannesburg', '2026-01-01T00:00:00.000Z');
    INSERT INTO match_positions VALUES ('a', 11);
    INSERT INTO domain_followers VALUES ('a', 12, 'domains-1 list');
    INSERT INTO review_positions VALUES ('a', 13);
    INSERT INTO draft_positions VALUES ('a', 14);`)
  migrate(connection, { steps: migrations.filter((step) => step.name <= name) })
  expect(connection.prepare('SELECT * FROM follower_positions ORDER BY sequence').all()).toEqual([
    { tenant_id: 'a', follower: 'matching', sequence: 11, version: '' },
    { tenant_id: 'a', follower: 'domains', sequence: 12, version: 'domains-1 list' },
    { tenant_id: 'a', follower: 'review', sequence: 13, version: '' },
    { tenant_id: 'a', follower: 'drafts', sequence: 14, version: '' },
  ])
  const former = ['match_positions', 'domain_followers', 'review_positions', 'draft_positions']
  const left = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
  expect(left.filter((table) => former.includes(String(table)))).toEqual([])
})
