import { test } from 'vitest'
import { actorIn, seedTenant, temporaryStore } from '../../../test/temporary-store.ts'
import type { Actor } from '../../lib/actor.ts'
import { fingerprint } from '../../lib/hashing.ts'
import type { Store } from '../store.ts'
import { auditEventHash, CHAIN_START } from './audit-chain.ts'
import { change, changeInSteps, type Tx, unchanged } from './change.ts'
import { MAX_STORED_RESULT_BYTES } from './idempotency.ts'

const configure = { permission: 'pipeline.configure', action: 'pipeline.configure' } as const

async function setUp() {
  const store = temporaryStore()
  const tenantId = await seedTenant(store)
  return { store, tenantId, actor: actorIn(tenantId, 'pipeline.configure') }
}

/** Work like that of a room: it writes one row and records one event. */
async function enablePause(tx: Tx): Promise<{ pausedEnabled: boolean }> {
  await insertConfiguration(tx)
  await tx.record({
    subject: { type: 'pipeline', id: tx.actor.tenantId },
    before: { pausedEnabled: false },
    after: { pausedEnabled: true },
    reason: 'Some wait for their budget.',
  })
  return { pausedEnabled: true }
}

async function insertConfiguration({ db, actor, at }: Tx): Promise<void> {
  const row = {
    tenant_id: actor.tenantId,
    version: 1,
    paused_enabled: 1,
    disqualified_enabled: 0,
    updated_at: at,
  } as const
  await db.insertInto('pipeline_configurations').values(row).execute()
}

/** Returns the rows of every table that the test's change may write. */
async function written(store: Store) {
  const [configurations, events, keys] = await Promise.all([
    store.reader.selectFrom('pipeline_configurations').selectAll().execute(),
    store.reader.selectFrom('audit_events').selectAll().orderBy('sequence').execute(),
    store.reader.selectFrom('idempotency_keys').selectAll().execute(),
  ])
  return { configurations, events, keys }
}

const nothing = { configurations: [], events: [], keys: [] }
const asked = (key: string, body: unknown) => ({ idempotency: { key, fingerprint: fingerprint(body) } })

test('a change and its event are stored together, with actor, time, action and reason', async ({ expect }) => {
  const { store, tenantId, actor } = await setUp()
  expect(await change(store, actor, configure, enablePause)).toEqual({
    value: { pausedEnabled: true },
    replayed: false,
  })
  const { configurations, events } = await written(store)
  expect(configurations).toHaveLength(1)
  expect(events).toMatchObject([
    {
      tenant_id: tenantId,
      sequence: 1,
      at: configurations[0]?.updated_at,
      actor: 'command line',
      action: 'pipeline.configure',
      subject_type: 'pipeline',
      subject_id: tenantId,
      business_id: null,
      before_json: '{"pausedEnabled":false}',
      after_json: '{"pausedEnabled":true}',
      reason: 'Some wait for their budget.',
      correlation_id: actor.correlationId,
      previous_hash: CHAIN_START,
    },
  ])
})

test('each tenant has a chain of its own, every event with the hash of the previous one', async ({ expect }) => {
  const { store, actor } = await setUp()
  const otherTenant = actorIn(await seedTenant(store), 'pipeline.configure')
  const recordTwice = async (tx: Tx) => {
    await tx.record({ subject: { type: 'tenant', id: tx.actor.tenantId } })
    await tx.record({ subject: { type: 'tenant', id: tx.actor.tenantId } })
  }
  await Promise.all([actor, otherTenant, actor].map((who) => change(store, who, { ...configure }, recordTwice)))
  const { events } = await written(store)
  for (const [{ tenantId }, length] of [
    [actor, 4],
    [otherTenant, 2],
  ] as const) {
    const chain = events.filter((event) => event.tenant_id === tenantId)
    expect(chain.map(({ sequence }) => sequence)).toEqual(Array.from({ length }, (_, index) => index + 1))
    expect(chain.map((event) => event.previous_hash)).toEqual([
      CHAIN_START,
      ...chain.slice(0, -1).map(({ hash }) => hash),
    ])
    expect(chain.map((event) => event.hash)).toEqual(chain.map(auditEventHash))
  }
})

test('a change that records no event is a bug and is rolled back', async ({ expect }) => {
  const { store, actor } = await setUp()
  await expect(change(store, actor, configure, insertConfiguration)).rejects.toThrow('recorded no audit event')
  expect(await written(store)).toEqual(nothing)
})

test('a change whose event cannot be appended is rolled back', async ({ expect }) => {
  const { store, actor } = await setUp()
  const work = async (tx: Tx) => {
    await insertConfiguration(tx)
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    await tx.record({ subject: { type: 'pipeline', id: actor.tenantId }, after: cyclic })
  }
  await expect(change(store, actor, configure, work)).rejects.toThrow(TypeError)
  expect(await written(store)).toEqual(nothing)
})

test('a work that fails after recording leaves neither row nor event, and the next one gets the sequence', async ({
  expect,
}) => {
  const { store, actor } = await setUp()
  const failing = change(store, actor, { ...configure, ...asked('key', 1) }, async (tx) => {
    await enablePause(tx)
    throw new Error('refused at last')
  })
  const results = await Promise.allSettled([failing, change(store, actor, configure, enablePause)])
  expect(results).toMatchObject([{ reason: { message: 'refused at last' } }, { status: 'fulfilled' }])
  const { events, keys } = await written(store)
  expect(events.map(({ sequence }) => sequence)).toEqual([1])
  expect(keys).toEqual([])
})

test('a key returns its result to the actor who used it first; another actor gets it only if the change allows it', async ({
  expect,
}) => {
  const { store, actor } = await setUp()
  const other = { ...actor, name: 'sample data' as const }
  const key = asked('key', 1).idempotency
  const ask = (who: Actor, answersAnybody = false) =>
    change(store, who, { ...configure, idempotency: { ...key, answersAnybody } }, enablePause)
  await ask(actor)
  expect(await ask(actor)).toEqual({ value: { pausedEnabled: true }, replayed: true })
  await expect(ask(other)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  expect(await ask(other, true)).toEqual({ value: { pausedEnabled: true }, replayed: true })
  const conflicting = { ...configure, ...asked('key', 2) }
  for (const who of [actor, other]) {
    const options = { ...conflicting, idempotency: { ...conflicting.idempotency, answersAnybody: true } }
    await expect(change(store, who, options, enablePause)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  }
})

test('without the permission the work never runs', async ({ expect }) => {
  const { store, tenantId } = await setUp()
  let ran = false
  const attempt = change(store, actorIn(tenantId, 'pipeline.read'), configure, async (tx) => {
    ran = true
    return enablePause(tx)
  })
  await expect(attempt).rejects.toMatchObject({ code: 'permission_denied' })
  expect(ran).toBe(false)
  expect(await written(store)).toEqual(nothing)
})

test('if the requested state already exists, the change succeeds and writes nothing, not even an event', async ({
  expect,
}) => {
  const { store, actor } = await setUp()
  const callbacks: string[] = []
  const work = async (tx: Tx) => {
    tx.afterCommit(() => callbacks.push('after commit'))
    await enablePause(tx)
    return unchanged({ pausedEnabled: true })
  }
  expect(await change(store, actor, configure, work)).toEqual({ value: { pausedEnabled: true }, replayed: false })
  expect(await written(store)).toEqual(nothing)
  expect(callbacks).toEqual([])
})

test('a key of an unchanged result is stored: a repeat returns the same, although its work would now change something', async ({
  expect,
}) => {
  const { store, tenantId, actor } = await setUp()
  const options = { ...configure, ...asked('key', 1) }
  const first = await change(store, actor, options, async () => unchanged({ pausedEnabled: true }))
  const kept = await written(store)
  expect(kept).toMatchObject({ ...nothing, keys: [{ tenant_id: tenantId, key: 'key' }] })
  expect(await change(store, actor, options, enablePause)).toEqual({ ...first, replayed: true })
  const other = change(store, actor, { ...configure, ...asked('key', 2) }, enablePause)
  await expect(other).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  expect(await written(store)).toEqual(kept)
})

test('a work that writes under a key and returns unchanged is a bug and is rolled back', async ({ expect }) => {
  const { store, actor } = await setUp()
  const lying = change(store, actor, { ...configure, ...asked('key', 1) }, async (tx) => {
    await insertConfiguration(tx)
    return unchanged(null)
  })
  await expect(lying).rejects.toThrow('returned unchanged')
  expect(await written(store)).toEqual(nothing)
})

test('a result that is too large to be stored under a key is a bug and is rolled back', async ({ expect }) => {
  const { store, actor } = await setUp()
  const largest = 'é'.repeat(MAX_STORED_RESULT_BYTES / 2 - 1)
  const doing = (text: string) => (tx: Tx) => enablePause(tx).then(() => text)
  await expect(change(store, actor, { ...configure, ...asked('k', 'body') }, doing(`${largest}.`))).rejects.toThrow(
    'Store ids and read the answer again.',
  )
  expect(await written(store)).toEqual(nothing)
  const { value } = await change(store, actor, { ...configure, ...asked('k', 'body') }, doing(largest))
  expect(value).toBe(largest)
})

test('a replayed key returns the stored result and writes nothing', async ({ expect }) => {
  const { store, actor } = await setUp()
  const options = { ...configure, ...asked('key', { pausedEnabled: true }) }
  const first = await change(store, actor, options, enablePause)
  const before = await written(store)
  const second = await change(store, actor, options, () => Promise.reject(new Error('must not run')))
  expect(first).toEqual({ value: { pausedEnabled: true }, replayed: false })
  expect(second).toEqual({ value: { pausedEnabled: true }, replayed: true })
  expect(await written(store)).toEqual(before)
})

test('the same key for another request is refused', async ({ expect }) => {
  const { store, actor } = await setUp()
  await change(store, actor, { ...configure, ...asked('key', 1) }, enablePause)
  const before = await written(store)
  const reused = change(store, actor, { ...configure, ...asked('key', 2) }, enablePause)
  await expect(reused).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  expect(await written(store)).toEqual(before)
})

test('a key belongs to its tenant: another tenant may use the same one', async ({ expect }) => {
  const { store, actor } = await setUp()
  const otherTenant = actorIn(await seedTenant(store), 'pipeline.configure')
  const options = { ...configure, ...asked('key', 1) }
  const answers = await Promise.all([actor, otherTenant].map((who) => change(store, who, options, enablePause)))
  expect(answers.map(({ replayed }) => replayed)).toEqual([false, false])
  expect((await written(store)).configurations).toHaveLength(2)
})

test('a key whose request is still running is refused instead of running twice', async ({ expect }) => {
  const { store, actor } = await setUp()
  const options = { ...configure, ...asked('key', 1) }
  const results = await Promise.allSettled([
    change(store, actor, options, enablePause),
    change(store, actor, options, enablePause),
  ])
  expect(results).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'idempotency_in_progress' } }])
  expect((await change(store, actor, options, enablePause)).replayed).toBe(true)
})

test('steps under one key are not run again, neither while they run nor after they have a result', async ({
  expect,
}) => {
  const { store, actor } = await setUp()
  const options = { ...configure, ...asked('key', 1) }
  let begun = 0
  const ask = () =>
    changeInSteps<{ pausedEnabled: boolean }>(store, actor, options, async (last) => {
      begun += 1
      await change(store, actor, { ...configure, action: 'test.begin' }, (tx) =>
        tx.record({ subject: { type: 'pipeline', id: actor.tenantId } }),
      )
      return last(enablePause)
    })
  const results = await Promise.allSettled([ask(), ask()])
  expect(results).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'idempotency_in_progress' } }])
  const kept = await written(store)
  expect(kept.events.map(({ action }) => action)).toEqual(['test.begin', 'pipeline.configure'])
  expect(await ask()).toEqual({ value: { pausedEnabled: true }, replayed: true })
  expect([begun, await written(store)]).toEqual([1, kept])
  const allowed = changeInSteps(store, actorIn(actor.tenantId), options, () => ask())
  await expect(allowed).rejects.toMatchObject({ code: 'permission_denied' })
})

test('a key whose request failed can be used again', async ({ expect }) => {
  const { store, actor } = await setUp()
  const options = { ...configure, ...asked('key', 1) }
  await expect(change(store, actor, options, () => Promise.reject(new Error('a bad day')))).rejects.toThrow('a bad day')
  expect((await change(store, actor, options, enablePause)).replayed).toBe(false)
})
