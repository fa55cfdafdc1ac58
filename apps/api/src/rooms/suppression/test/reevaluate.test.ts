import { pino } from 'pino'
import { test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { createJobOf, jobWorld, testKind } from '../../../../test/job-world.ts'
import { addEvidenceTo, createProspect } from '../../../../test/prospects.ts'
import { suppressionWorld } from '../../../../test/suppression-world.ts'
import { actorIn } from '../../../../test/temporary-store.ts'
import { turnsDuring } from '../../../../test/turns.ts'
import { newId } from '../../../lib/ids.ts'
import { change } from '../../../store/change/change.ts'
import type { Business } from '../../businesses/businesses.ts'
import { renormalizeStep } from '../../businesses/record/renormalize.ts'
import { insertEntry } from '../../contact-gate/entries/entries.queries.ts'
import { entryKey, RULES_VERSION } from '../../contact-gate/keys/contact-keys.rules.ts'
import { keyHasher } from '../../contact-gate/keys/key-hash.ts'
import { markEvaluatedWhenEmpty, queueReevaluations } from '../reevaluation/queue-reevaluations.ts'
import { finishReevaluation, reevaluateEntries, reevaluateRecords, type Step } from '../reevaluation/reevaluate.ts'
import { suppressionReevaluation } from '../suppression.jobs.ts'
import type { AddedSuppression, Evaluation } from '../suppression.schema.ts'

type Work = Parameters<typeof change<Step>>[3]

async function evaluateAgain({ store, tenants }: TestApp): Promise<number> {
  const options = { permission: null, action: 'suppression.reevaluate' } as const
  const actor = actorIn(tenants.home.id)
  const step = async (work: Work) => (await change(store, actor, options, work)).value
  let marked = (await step((tx) => reevaluateEntries(tx, ''))).marked
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after
    const { marked: found, after: next } = await step((tx) => reevaluateRecords(tx, from))
    marked += found
    after = next
  }
  await change(store, actor, options, finishReevaluation)
  return marked
}

/** Changes a store as if older rules had written it: entries of an older version, and records without keys. */
async function forget({ store }: TestApp): Promise<void> {
  await store.write('upkeep', async (db) => {
    await db.deleteFrom('suppression_record_keys').execute()
    await db.updateTable('suppressions').set({ rules_version: 'older' }).execute()
    return { keep: true, value: undefined }
  })
}

test('the job does the same for anybody with the permission, to its end', async ({ expect }) => {
  const { t, operator, work, create, ended } = await jobWorld([suppressionReevaluation])
  const { id } = await createProspect(operator, { emails: [{ value: 'jan@karoo.co.za' }] })
  await forget(t)
  const entry = { kind: 'email', value: 'jan@karoo.co.za', reason: 'They asked.', channel: 'phone' }
  await operator.post<AddedSuppression>('/suppressions', entry)
  expect((await operator.get<Business>(`/businesses/${id}`)).body.doNotContact).toBeNull()
  work()
  const job = await ended((await create()).id)
  expect([job.status, JSON.parse(job.result_json ?? 'null')]).toEqual([
    'succeeded',
    { entries: 0, records: 1, marked: 1 },
  ])
  expect((await operator.get<Business>(`/businesses/${id}`)).body.doNotContact).not.toBeNull()
})

test('a job that was begun under other rules restarts: work by those rules does not count', async ({ expect }) => {
  const { t, operator, work, create, ended } = await jobWorld([suppressionReevaluation])
  await createProspect(operator, { emails: [{ value: 'jan@karoo.co.za' }] })
  const { id } = await create()
  const checkpoint = { rulesVersion: 'older', entries: 7, records: 100, marked: 0, after: 'ffffffff' }
  await t.store.write('upkeep', async (db) => {
    const checkpoint_json = JSON.stringify(checkpoint)
    await db.updateTable('jobs').set({ checkpoint_json }).where('id', '=', id).execute()
    return { keep: true, value: undefined }
  })
  work()
  expect(JSON.parse((await ended(id)).result_json ?? 'null')).toEqual({ entries: 0, records: 1, marked: 0 })
})

test('new rules find what older ones missed, in records, in evidence and in entries, and lift nothing', async ({
  expect,
}) => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const entry = { kind: 'email', value: 'jan@karoo.co.za', reason: 'They asked.', channel: 'phone' }
  const held = await createProspect(operator, { emails: [{ value: 'jan@karoo.co.za' }] })
  const { body } = await operator.post<AddedSuppression>('/suppressions', entry)
  await operator.patch(`/businesses/${held.id}`, { emails: [] }, { 'if-match': '"2"' })
  await forget(t)
  await t.store.write('upkeep', async (db) => {
    await db.updateTable('suppression_keys').set({ key: 'h:older' }).execute()
    return { keep: true, value: undefined }
  })
  const missed = await createProspect(operator, { emails: [{ value: 'jan+x@karoo.co.za' }] })
  const claimed = await createProspect(operator)
  await addEvidenceTo(operator, claimed.id, { field: 'email', value: 'JAN@karoo.co.za' })
  expect(missed.doNotContact).toBeNull()

  expect(await evaluateAgain(t)).toBe(2)
  for (const { id } of [held, missed, claimed])
    expect((await operator.get<Business>(`/businesses/${id}`)).body.doNotContact).not.toBeNull()
  const { body: entries } = await operator.get<{ items: { id: string; rulesVersion: string }[] }>('/suppressions')
  expect(entries.items).toMatchObject([{ id: body.suppression.id, rulesVersion: RULES_VERSION }])
  const keys = await t.store.reader.selectFrom('suppression_keys').select(['key', 'live']).execute()
  expect(keys.map(({ live }) => live)).toEqual([1, 1])
  expect(await t.store.reader.selectFrom('suppression_rules').select('rules_version').execute()).toEqual([
    { rules_version: RULES_VERSION },
  ])
  expect(await evaluateAgain(t)).toBe(0)
})

test('an entry that older rules joined from two cells blocks the address in the first cell', async ({ expect }) => {
  const { t, emailed, read } = await suppressionWorld()
  const { id } = await emailed('victim@kappertjie.co.za')
  const options = { permission: null, action: 'suppression.add' } as const
  const { tenants, store } = t
  const joined = 'victim@kappertjie.co.zaunsubscribed'
  await change(store, actorIn(tenants.home.id), options, async (tx) => {
    const asked = { reason: 'They asked.', requested_by: null, channel: 'letter', reference: null } as const
    const ended = { ended_at: null, ended_by: null, ended_reason: null, confirmed_at: null } as const
    const row = {
      ...asked,
      ...ended,
      tenant_id: tenants.home.id,
      id: newId(),
      kind: 'email',
      scope: 'exact',
      original: 'victim@kappertjie.co.za\tunsubscribed',
      normalized: joined,
      region: null,
      rules_version: 'identifiers-7+keys-6',
      requested_at: tx.at,
      created_at: tx.at,
      created_by: tenants.home.users.operator.id,
      tombstone: 0,
      status: 'active',
    } as const
    await insertEntry(tx, row, [entryKey('email', joined, 'exact')])
    await tx.record({ subject: { type: 'suppression', id: row.id } })
  })
  expect((await read(id)).doNotContact).toBeNull()
  expect(await evaluateAgain(t)).toBe(1)
  expect((await read(id)).doNotContact).not.toBeNull()
})

test('evidence of a record is keyed again, so an entry that is added afterwards finds it', async ({ expect }) => {
  const { t, operator, suppress, read } = await suppressionWorld()
  const { id } = await createProspect(operator)
  await addEvidenceTo(operator, id, { field: 'email', value: 'jan@karoo.co.za' })
  await forget(t)
  expect(await evaluateAgain(t)).toBe(0)
  await suppress('jan@karoo.co.za')
  expect((await read(id)).doNotContact).not.toBeNull()
})

test('evidence of a record without keys is found by an existing entry', async ({ expect }) => {
  const { t, operator, suppress, read } = await suppressionWorld()
  const { id } = await createProspect(operator)
  await addEvidenceTo(operator, id, { field: 'email', value: 'jan@karoo.co.za' })
  await forget(t)
  await suppress('jan@karoo.co.za')
  expect((await read(id)).doNotContact).toBeNull()
  expect(await evaluateAgain(t)).toBe(1)
  expect((await read(id)).doNotContact).not.toBeNull()
})

test('a removed entry of older rules is history: it keeps no evaluation from its end, and blocks nothing', async ({
  expect,
}) => {
  const { t, suppress, remove, read, emailed } = await suppressionWorld()
  const { id } = await emailed('jan@karoo.co.za')
  const { body } = await suppress('jan@karoo.co.za')
  await forget(t)
  await remove(body.suppression.id)
  expect(await evaluateAgain(t)).toBe(0)
  expect((await read(id)).doNotContact).toBeNull()
  const history = await t.store.reader.selectFrom('suppression_history').select('action').orderBy('id').execute()
  expect(history.map(({ action }) => action)).toEqual(['added', 'removed'])
})

test.for([
  ['evaluated again', reevaluateRecords],
  ['renormalized', renormalizeStep],
] as const)('other requests are served between two records that are %s', async ([, step], { expect }) => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  for (let at = 0; at < 20; at += 1) await createProspect(operator, { emails: [{ value: `a${at}@karoo.co.za` }] })
  const options = { permission: null, action: 'suppression.reevaluate' } as const
  const turns = await turnsDuring(() =>
    change<unknown>(t.store, actorIn(t.tenants.home.id), options, (tx) => step(tx, '')),
  )
  expect(turns).toBeGreaterThanOrEqual(20)
})

test('a step continues after the last entry, however many follow', async ({ expect }) => {
  const t = await buildTestApp()
  const lines = Array.from({ length: 60 }, (_, at) => `person${at}@karoo.co.za`)
  await (await t.as('operator')).post('/suppressions/batches', { lines, reason: 'They asked.', channel: 'letter' })
  await forget(t)
  const step = async (after: string) => {
    const options = { permission: null, action: 'suppression.reevaluate' } as const
    return (await change(t.store, actorIn(t.tenants.home.id), options, (tx) => reevaluateEntries(tx, after))).value
  }
  const first = await step('')
  expect(first).toMatchObject({ done: 50, after: expect.any(String) })
  await forget(t)
  expect(await step(first.after ?? '')).toEqual({ done: 10, marked: 0, after: null })
})

test('a tombstone of rules that could not read its value still matches the same text', async ({ expect }) => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const phones = [{ value: '0927 82 123 4567' }]
  const { id } = await createProspect(operator, { phones })
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  await operator.patch(`/businesses/${id}`, { phones: [] }, { 'if-match': '"2"' })
  const ofItsText = keyHasher(t.store.keys, t.tenants.home.id)('u:phone:0927821234567')
  await t.store.write('upkeep', async (db) => {
    await db.updateTable('suppression_keys').set({ key: 'x:none' }).where('key', '!=', ofItsText).execute()
    return { keep: true, value: undefined }
  })
  expect((await createProspect(operator, { phones: [{ value: '+27 82 123 4567' }] })).doNotContact).toBeNull()
  expect((await createProspect(operator, { phones })).doNotContact).not.toBeNull()
})

test('a start under other rules queues the job once, for each tenant with data, as the system; it lifts nothing and is visible', async ({
  expect,
}) => {
  const { t, operator, work, until } = await jobWorld([suppressionReevaluation])
  const { id } = await createProspect(operator, { emails: [{ value: 'a@karoo.co.za' }] })
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  const log = pino({ level: 'silent' })
  const start = (rules = RULES_VERSION) => queueReevaluations(t.store, log, rules)
  const jobs = () => t.store.reader.selectFrom('jobs').select(['id', 'tenant_id', 'actor']).execute()
  const see = async () => (await operator.get<Evaluation>('/suppressions/evaluation')).body
  await start()
  await start()
  const [job, ...others] = await jobs()
  expect([job, others]).toEqual([{ id: expect.any(String), tenant_id: t.tenants.home.id, actor: 'suppression' }, []])
  expect(await see()).toEqual({ rulesVersion: RULES_VERSION, evaluated: null, jobId: job?.id })
  work()
  expect((await until(job?.id ?? '', ({ ended_at }) => ended_at !== null)).status).toBe('succeeded')
  expect(await see()).toMatchObject({ evaluated: { rulesVersion: RULES_VERSION }, jobId: null })
  expect((await operator.get<Business>(`/businesses/${id}`)).body.doNotContact).not.toBeNull()
  expect(await t.changes(() => start())).toEqual({})
  await start('rules of another build')
  expect(await jobs()).toHaveLength(2)
})

test('a job of another kind, or of another tenant, does not replace the re-evaluation that a start must queue', async ({
  expect,
}) => {
  const another = testKind(async () => undefined)
  const { t, operator } = await jobWorld([suppressionReevaluation, another])
  await createProspect(operator, { emails: [{ value: 'a@karoo.co.za' }] })
  await createJobOf(operator, another.kind)
  await createJobOf(await t.as('operator', 'other'), suppressionReevaluation.kind)
  const see = async () => (await operator.get<Evaluation>('/suppressions/evaluation')).body.jobId
  expect(await see()).toBeNull()
  await queueReevaluations(t.store, pino({ level: 'silent' }))
  const asked = await t.store.reader.selectFrom('jobs').select('id').where('actor', '=', 'suppression').execute()
  expect(asked).toEqual([{ id: await see() }])
})

test('a tenant that was keyed by these rules from its beginning is not evaluated at the next start', async ({
  expect,
}) => {
  const t = await buildTestApp()
  const { home, other } = t.tenants
  const start = () => queueReevaluations(t.store, pino({ level: 'silent' }))
  const kept = () => t.store.reader.selectFrom('suppression_rules').select(['tenant_id', 'rules_version']).execute()
  await markEvaluatedWhenEmpty(t.store, home.id)
  expect(await kept()).toEqual([{ tenant_id: home.id, rules_version: RULES_VERSION }])
  // The first `start` records the other tenant as evaluated, because it is still empty. After new records the second `start` must change nothing.
  await start()
  for (const tenant of ['home', 'other'] as const)
    await createProspect(await t.as('operator', tenant), { emails: [{ value: 'a@karoo.co.za' }] })
  expect(await t.changes(start)).toEqual({})
  expect((await kept()).map(({ tenant_id }) => tenant_id).toSorted()).toEqual([home.id, other.id].toSorted())
})

test('keys of unknown rules do not count as evaluated', async ({ expect }) => {
  const t = await buildTestApp()
  await createProspect(await t.as('operator'), { emails: [{ value: 'a@karoo.co.za' }] })
  const entry = { kind: 'email', value: 'a@karoo.co.za', reason: 'They asked.', channel: 'phone' }
  await (await t.as('operator', 'other')).post('/suppressions', entry)
  for (const { id } of [t.tenants.home, t.tenants.other])
    expect(await t.changes(() => markEvaluatedWhenEmpty(t.store, id))).toEqual({})
})

test('records of a version without keys are evaluated at the first start, and found by the suppressions then', async ({
  expect,
}) => {
  const { t, operator, work, until } = await jobWorld([suppressionReevaluation])
  const { id } = await createProspect(operator, { emails: [{ value: 'jan@karoo.co.za' }] })
  await forget(t)
  await queueReevaluations(t.store, pino({ level: 'silent' }))
  const jobs = await t.store.reader.selectFrom('jobs').select('id').where('actor', '=', 'suppression').execute()
  expect(jobs).toHaveLength(1)
  work()
  expect((await until(jobs[0]?.id ?? '', ({ ended_at }) => ended_at !== null)).status).toBe('succeeded')
  await operator.post('/suppressions', {
    kind: 'email',
    value: 'jan@karoo.co.za',
    reason: 'They asked.',
    channel: 'phone',
  })
  expect((await operator.get<Business>(`/businesses/${id}`)).body.doNotContact).not.toBeNull()
})
