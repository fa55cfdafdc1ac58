import { test, vi } from 'vitest'
import { actorIn, seedTenant, temporaryStore } from '../../../test/temporary-store.ts'
import { writerOf } from '../../../test/writer-of.ts'
import { behind } from '../engine/kysely-over.ts'
import { change } from './change.ts'

test('a change with several events reads the head of the chain once', async ({ expect }) => {
  const store = temporaryStore()
  const statements = behind(await writerOf(store))
  if (statements === undefined) throw new Error('The writer has a connection of this thread.')
  const reads: string[] = []
  const { prepare } = statements
  vi.spyOn(statements, 'prepare').mockImplementation((text) => {
    const statement = prepare(text)
    const all: typeof statement.all = (parameters) => {
      reads.push(text)
      return statement.all(parameters)
    }
    return { ...statement, all }
  })
  const record = (actor: ReturnType<typeof actorIn>) =>
    change(store, actor, { permission: null, action: 'test.record' }, async (tx) => {
      for (const id of ['a', 'b', 'c']) await tx.record({ subject: { type: 'test.trace', id } })
    })
  const [one, other] = [await seedTenant(store), await seedTenant(store)]
  for (const tenantId of [one, other, one]) await record(actorIn(tenantId))
  expect(reads.filter((text) => text.includes('audit_events'))).toHaveLength(3)
  const events = await store.reader
    .selectFrom('audit_events')
    .select(['sequence', 'hash', 'previous_hash'])
    .where('tenant_id', '=', one)
    .orderBy('sequence')
    .execute()
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6])
  expect(events.slice(1).map((event) => event.previous_hash)).toEqual(events.slice(0, -1).map(({ hash }) => hash))
})
