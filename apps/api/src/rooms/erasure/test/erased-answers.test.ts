import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect } from '../../../../test/prospects.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import { systemActor } from '../../identity/identity.ts'

test('a response that is being stored while an erasure begins is erased as well', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const { id, name } = await createProspect(administrator)
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const options = { permission: null, action: 'test.look', idempotency: { key: 'k', fingerprint: 'f' } } as const
  const answered = change(t.store, systemActor('matching', t.tenants.home.id), options, async () => {
    begun.resolve()
    await goOn.promise
    return unchanged({ id, name })
  })
  await begun.promise
  t.clock.advance(1_000)
  const erased = administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })
  while (t.store.writes.waiting() === 0) await nextTurn()
  goOn.resolve()
  await answered
  expect((await erased).status).toBe(200)
  const kept = await t.store.reader.selectFrom('idempotency_keys').selectAll().where('key', '=', 'k').execute()
  expect(kept).toMatchObject([{ fingerprint: '', result: '' }])
})

test('a late repeat of the request that created an erased record is refused, and its key cannot be reused', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const body = { name: 'Karoo Pumps', emails: [{ value: 'person@erase.example' }] }
  const key = { 'idempotency-key': 'create-it' }
  const { body: created } = await administrator.post<{ id: string }>('/businesses', body, key)
  const elsewhere = await t.as('operator', 'other')
  const { body: theirs } = await elsewhere.post('/businesses', body, key)
  const erasure = { reason: 'They asked.', suppress: false }
  expect((await administrator.post(`/businesses/${created.id}/erasure`, erasure)).status).toBe(200)
  for (const again of [body, { name: 'Another one' }]) {
    const { status, body: problem } = await administrator.post<{ code: string; detail: string }>(
      '/businesses',
      again,
      key,
    )
    expect([status, problem.code, problem.detail]).toEqual([
      422,
      'idempotency_key_reused',
      'The request with this Idempotency-Key was carried out, but its result has been erased. Check what it did before you send a new key.',
    ])
  }
  expect((await administrator.get<{ items: unknown[] }>('/businesses?q=erase.example')).body.items).toEqual([])
  const ofKey = t.store.reader.selectFrom('idempotency_keys').selectAll().where('key', '=', 'create-it')
  const kept = await ofKey.where('tenant_id', '=', t.tenants.home.id).execute()
  expect(kept).toMatchObject([{ fingerprint: '', result: '' }])
  // Another tenant may have used the same key. Its stored response must remain.
  expect((await elsewhere.post('/businesses', body, key)).body).toEqual(theirs)
})

test('stored responses are searched by the hundred: each one that names the record is found, and other requests wait for one part at most', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const { id } = await createProspect(administrator)
  const [many, naming] = [2_200, [0, 499, 500, 501, 999, 1_000, 2_000, 2_199]]
  await t.store.write('upkeep', async (db) => {
    const at = t.store.clock().toISOString()
    for (const tenantId of [t.tenants.home.id, t.tenants.other.id])
      await sql`
        WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${many - 1})
        INSERT INTO idempotency_keys (tenant_id, key, fingerprint, result, created_at, used_by)
        SELECT ${tenantId}, printf('k%05d', i), 'f',
          iif(i IN (SELECT value FROM json_each(${JSON.stringify(naming)})), ${JSON.stringify({ id })}, '{}'), ${at}, 'user' FROM n`.execute(
        db,
      )
    return { keep: true, value: undefined }
  })
  t.clock.advance(1_000)
  const asked = vi.spyOn(Worker.prototype, 'postMessage')
  expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })).status).toBe(200)
  const parts = asked.mock.calls.filter(([message]) => /FROM idempotency_keys/.test(JSON.stringify(message)))
  asked.mockRestore()
  expect(parts.length).toBeGreaterThan(many / 500)
  const emptied = await t.store.reader
    .selectFrom('idempotency_keys')
    .select(['tenant_id', 'key'])
    .where('result', '=', '')
    .orderBy('key')
    .execute()
  const key = (n: number) => ({ tenant_id: t.tenants.home.id, key: `k${String(n).padStart(5, '0')}` })
  expect(emptied).toEqual(naming.map(key))
})
