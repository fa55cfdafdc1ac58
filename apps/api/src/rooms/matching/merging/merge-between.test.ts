import { expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair } from '../../../../test/merging.ts'
import { change } from '../../../store/change.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Attempt } from './merges.schema.ts'

/* Between the two commits of a merge or a reversal, its beginning and its change, anything may happen. */

/** Does something once, right after the next commit. */
function afterNextWrite({ store }: TestApp, what: () => Promise<unknown>): void {
  const { write } = store.writes
  store.writes.write = async (work) => {
    store.writes.write = write
    const value = await write(work)
    await what()
    return value
  }
}

async function setUp() {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const pair = await suggestedPair(t, manager, 'Karoo Pumps')
  const attempts = async () =>
    (await manager.get<{ items: Attempt[] }>('/merge-attempts')).body.items.map(({ kind, status }) => [kind, status])
  return { t, manager, ...pair, attempts }
}

test('what happened to one of the two since the snapshot was written refuses the merge, though nothing of what was seen is another', async () => {
  const { t, manager, a, b, suggestion, attempts } = await setUp()
  afterNextWrite(t, () =>
    change(t.store, systemActor('matching', t.tenants.home.id), { permission: null, action: 'test.note' }, (tx) =>
      tx.record({ subject: { type: 'business', id: b }, businessId: b }),
    ),
  )
  const { status, body } = await askMerge(manager, suggestion, a)
  expect([status, body.code]).toEqual([409, 'pair_changed'])
  expect(await attempts()).toEqual([['merge', 'refused']])
  expect((await manager.get<{ status: string }>(`/businesses/${b}`)).body.status).toBe('active')
})

test.for(['merge', 'reversal'] as const)(
  'a %s that was given up for lost meanwhile is not done after all',
  async (kind) => {
    const { t, manager, a, b, suggestion, attempts } = await setUp()
    const merge = kind === 'merge' ? undefined : await merged(askMerge(manager, suggestion, a))
    const before = (await manager.get(`/businesses/${b}`)).body
    afterNextWrite(t, () =>
      t.store.writes.write(async () => {
        const lost = { status: 'stopped', failure: 'Lost.', ended_at: t.clock().toISOString() } as const
        await t.store.writer.updateTable('merge_attempts').set(lost).where('status', '=', 'begun').execute()
        return { keep: true, value: undefined }
      }),
    )
    const { status, body } = await (merge === undefined
      ? askMerge(manager, suggestion, a)
      : askReversal(manager, merge.id))
    expect([status, body.code]).toEqual([500, 'merge_stopped'])
    expect((await attempts())[0]).toEqual([kind, 'stopped'])
    expect((await manager.get(`/businesses/${b}`)).body).toEqual(before)
  },
)
