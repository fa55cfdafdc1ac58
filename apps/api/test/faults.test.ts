import { join } from 'node:path'
import { sql } from 'kysely'
import { onTestFinished, test } from 'vitest'
import { newId } from '../src/lib/ids.ts'
import { OF_ONE_SOURCE } from '../src/rooms/identity/limits/sign-in-limits.ts'
import { openConnection } from '../src/store/engine/connection.ts'
import { STORE_FILE, type Store } from '../src/store/store.ts'
import { buildTestApp, TEST_PASSWORD } from './build-app.ts'
import { writerOf } from './writer-of.ts'

/** Runs a pragma on the writing connection and returns its value. The tests use it to simulate faults of a disk. */
async function pragma(store: Store, setting: string): Promise<number> {
  const { rows } = await sql.raw<Record<string, number>>(`PRAGMA ${setting}`).execute(await writerOf(store))
  return Number(Object.values(rows[0] ?? {})[0] ?? 0)
}

const prospect = { name: 'Overberg Seals', emails: [{ value: 'info@overberg.example' }], tags: ['fault'] }
/** A request body whose record needs more space than any half-empty page of the store has. */
const large = {
  name: 'Langkloof Orchards',
  address: { street: 'x'.repeat(200) },
  emails: Array.from({ length: 20 }, (_, index) => ({
    value: `person.${index}@${'long-domain-part.'.repeat(8)}example`,
  })),
  tags: Array.from({ length: 20 }, (_, index) => `a tag to fill the pages ${index}`),
}

test('a store that cannot be written is unavailable with its reason, still serves reads, and accepts changes again', async ({
  expect,
}) => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const created = await operator.post<{ id: string; version: number }>('/businesses', prospect)
  expect(created.status).toBe(201)
  const path = `/businesses/${created.body.id}`
  await pragma(t.store, 'query_only = ON')

  const problem = { status: 503, body: { code: 'unavailable', reason: 'storage_read_only' } }
  const changes = await t.changes(async () => {
    expect(await operator.post('/businesses', prospect)).toMatchObject(problem)
    expect(await operator.patch(path, { name: 'Other' }, { 'if-match': '"1"' })).toMatchObject(problem)
    expect(await operator.post(`${path}/notes`, { text: 'Lost?' })).toMatchObject(problem)
    expect(await operator.post(`${path}/pipeline-transitions`, { to: 'contacted' })).toMatchObject(problem)
    expect(await operator.post(`${path}/do-not-contact`, { reason: 'They asked.' })).toMatchObject(problem)
    expect(await t.visitor().get('/health/ready')).toMatchObject(problem)
    expect(await t.visitor().get('/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await operator.get(path)).toMatchObject({ status: 200, body: { version: 1 } })
  })
  expect(changes).toEqual({})
  expect(t.logged()).not.toContain(prospect.emails[0]?.value)

  await pragma(t.store, 'query_only = OFF')
  expect(await t.visitor().get('/health/ready')).toMatchObject({ status: 200 })
  expect(await operator.post('/businesses', prospect)).toMatchObject({ status: 201 })
})

test('a correct sign-in or proof while the store cannot be written causes no delay afterwards', async ({ expect }) => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const visitor = t.visitor()
  const signIn = () => visitor.post('/session', { email: 'operator@home.example', password: TEST_PASSWORD })
  const prove = () => operator.post('/session/mfa', { password: TEST_PASSWORD })
  await pragma(t.store, 'query_only = ON')
  for (let tried = 0; tried <= OF_ONE_SOURCE.free; tried++) {
    expect(await signIn()).toMatchObject({ status: 503 })
    expect(await prove()).toMatchObject({ status: 503 })
  }
  await pragma(t.store, 'query_only = OFF')
  expect(await prove()).toMatchObject({ status: 200 })
  expect(await signIn()).toMatchObject({ status: 201 })
})

test('guesses while the store cannot be written still count', async ({ expect }) => {
  const t = await buildTestApp()
  const visitor = t.visitor()
  const guess = () => visitor.post('/session', { email: 'operator@home.example', password: 'not the right words' })
  await pragma(t.store, 'query_only = ON')
  for (let tried = 0; tried < OF_ONE_SOURCE.free; tried++) expect(await guess()).toMatchObject({ status: 503 })
  expect(await guess()).toMatchObject({ status: 429 })
})

test('a full disk refuses a change that does not fit completely, and the same request succeeds when there is space', async ({
  expect,
}) => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  await pragma(t.store, `max_page_count = ${(await pragma(t.store, 'page_count')) + 4}`)
  const key = { 'idempotency-key': newId() }

  let kept = 0
  let answer = await operator.post<{ reason?: string }>('/businesses', large)
  while (answer.status === 201 && kept < 100) {
    kept += 1
    answer = await operator.post('/businesses', large)
  }
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', reason: 'storage_full' } })
  const changes = await t.changes(async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => operator.post('/businesses', large)))
    expect(all.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
    expect(await operator.post('/businesses', large, key)).toMatchObject({ status: 503 })
    expect(await t.visitor().get('/health/live')).toMatchObject({ status: 200 })
  })
  expect(changes).toEqual({})

  await pragma(t.store, 'max_page_count = 1000000')
  const retried = await operator.post('/businesses', large, key)
  expect(retried.status).toBe(201)
  expect(retried.headers['idempotency-replayed']).toBeUndefined()
  const manager = await t.as('manager')
  expect(await manager.get('/audit-events/verification')).toMatchObject({ body: { status: 'intact' } })
  expect(await manager.get('/businesses')).toMatchObject({ body: { page: { total: { value: kept + 1 } } } })
})

test('a store locked by another program is unavailable until its release, and nothing is half written', async ({
  expect,
}) => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const other = openConnection(join(t.store.dataDir, STORE_FILE))
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')

  const changes = await t.changes(async () => {
    const [create, ready] = await Promise.all([
      operator.post('/businesses', prospect),
      t.visitor().get('/health/ready'),
    ])
    expect(create).toMatchObject({ status: 503, body: { code: 'unavailable', reason: 'database_busy' } })
    expect(ready).toMatchObject({ status: 503, body: { code: 'unavailable', reason: 'storage_slow' } })
    expect(await operator.get('/businesses')).toMatchObject({ status: 200 })
    expect(await t.visitor().get('/health/live')).toMatchObject({ status: 200 })
  })
  expect(changes).toEqual({})

  other.exec('ROLLBACK')
  expect(await operator.post('/businesses', prospect)).toMatchObject({ status: 201 })
  expect(await t.visitor().get('/health/ready')).toMatchObject({ status: 200 })
})
