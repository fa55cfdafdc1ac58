import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupPlace } from '../../../../test/backups.ts'
import { buildTestApp } from '../../../../test/build-app.ts'
import { untilJob, work as workAt } from '../../../../test/job-world.ts'
import { askMerge, merged, suggestedPair } from '../../../../test/merging.ts'
import { addEvidenceTo, createProspect, type ListPage } from '../../../../test/prospects.ts'
import { temporaryFolder } from '../../../../test/temporary-store.ts'
import type { TestClient } from '../../../../test/test-client.ts'
import { change } from '../../../store/change/change.ts'
import { restore } from '../../backup/restore.ts'
import type { Business } from '../../businesses/businesses.ts'
import { memberActor } from '../../identity/identity.ts'
import { jobKindsOf } from '../../jobs/jobs.ts'
import { migrations } from '../../migrations.ts'
import { queueReevaluations } from '../reevaluation/queue-reevaluations.ts'
import { suppressionReevaluation } from '../suppression.jobs.ts'
import type { AddedSuppression, Suppression } from '../suppression.schema.ts'

/*
 * Tests that restoring an earlier state of a store loses no block (docs/decisions/restores.md). Suppressions of that state remain, and later ones are
 * copied from the replaced store. Changes that people must repeat are listed first, however many events are missing.
 */

const suppressed = (value: string) => ({ kind: 'email', value, reason: 'They asked.', channel: 'letter' })
const withEmail = (value: string) => ({ emails: [{ value }] })

test('suppressions survive a restore, from before and after the backup; changes to repeat are listed first', async () => {
  const t = await buildTestApp()
  const { dataDir } = t.store
  const administrator = await t.as('administrator')
  const early = await createProspect(administrator, withEmail('early@karoo.co.za'))
  const late = await createProspect(administrator, withEmail('late@karoo.co.za'))
  expect((await administrator.post('/suppressions', suppressed('early@karoo.co.za'))).status).toBe(201)
  const { backup, identities } = await backupPlace(dataDir, t.clock)
  const { folder } = await backup()

  expect((await administrator.post('/suppressions', suppressed('late@karoo.co.za'))).status).toBe(201)
  expect((await administrator.get<Business>(`/businesses/${late.id}`)).body.doNotContact).not.toBeNull()
  // Records more kinds of other events than the list shows, each of them more frequent.
  const who = { tenantId: t.tenants.home.id, userId: t.tenants.home.users.administrator.id }
  const actor = await memberActor(t.store.reader, who, 'a busy month')
  if (actor === undefined) throw new Error('The administrator is a member.')
  for (let kind = 0; kind < 30; kind++)
    for (let time = 0; time < 2; time++)
      await change(t.store, actor, { permission: null, action: `test.other_${kind}` }, async (tx) => {
        await tx.record({ subject: { type: 'business', id: early.id } })
      })
  const alsoAgain = [
    'business.erase',
    'mfa.remove',
    'mfa.renew_recovery_codes',
    'mfa.reset',
    'password.change',
  ] as const
  const ofPeople = ['user.change_role', 'user.disable', 'user.remove', 'user.reset_password'] as const
  for (const action of [...alsoAgain, ...ofPeople])
    await change(t.store, actor, { permission: null, action }, async (tx) => {
      await tx.record({ subject: { type: 'business', id: early.id } })
    })
  await t.store.close()

  const { lacking, kept, carried } = await restore(
    { migrations, dataDir, folder, identities, keysLost: false },
    t.clock,
    () => {},
  )
  expect(carried).toEqual({ suppressions: 1, blocks: 0, tombstones: 0 })
  const again = lacking?.slice(0, 9).map(({ action, events, mustBeDoneAgain }) => [action, events, mustBeDoneAgain])
  expect(again).toEqual([...alsoAgain, ...ofPeople].map((action) => [action, 1, true]))
  expect(lacking?.slice(9).filter(({ mustBeDoneAgain }) => mustBeDoneAgain)).toEqual([])
  expect(lacking?.filter(({ action }) => action.startsWith('test.other_'))).toHaveLength(30)

  // Opens the replaced store, which contains their details, in a separate folder with a copy of the keys.
  const former = temporaryFolder()
  cpSync(kept ?? '', former, { recursive: true })
  cpSync(join(dataDir, 'keys'), join(former, 'keys'), { recursive: true })
  const beside = await buildTestApp({ over: { dataDir: former, tenants: t.tenants, clock: t.clock } })
  const { body: entries } = await (await beside.as('administrator')).get<ListPage<Suppression>>('/suppressions')
  expect(entries.items.map(({ original }) => original)).toEqual(['late@karoo.co.za', 'early@karoo.co.za'])

  const restored = await buildTestApp({ over: { dataDir, tenants: t.tenants, clock: t.clock } })
  const manager = await restored.as('administrator')
  const blocked = async (id: string) => (await manager.get<Business>(`/businesses/${id}`)).body.doNotContact !== null
  expect([await blocked(early.id), await blocked(late.id)]).toEqual([true, true])
  const sameAddress = await createProspect(manager, withEmail('EARLY+x@karoo.co.za'))
  expect(await blocked(sameAddress.id)).toBe(true)
  const { body } = await manager.get<ListPage<Suppression>>('/suppressions')
  expect(body.items.map(({ createdAt }) => createdAt)).toEqual(entries.items.map(({ createdAt }) => createdAt))
  const lateAgain = await createProspect(manager, withEmail('late+y@karoo.co.za'))
  expect(await blocked(lateAgain.id)).toBe(true)
})

const quiet = { info: () => {}, error: () => {} }

/** Creates a store with these records, backs it up, changes it by `work`, and restores the backup. */
async function restoredAfter<T>(
  records: Record<string, Record<string, unknown>>,
  work: (administrator: TestClient, ids: Record<string, string>) => Promise<T>,
) {
  const t = await buildTestApp()
  const { dataDir } = t.store
  await queueReevaluations(t.store, quiet) // blank tenants need no evaluation
  const administrator = await t.as('administrator')
  const ids: Record<string, string> = {}
  for (const [name, record] of Object.entries(records)) ids[name] = (await createProspect(administrator, record)).id
  const { backup, identities } = await backupPlace(dataDir, t.clock)
  const { folder } = await backup()
  const done = await work(administrator, ids)
  await t.store.close()
  const result = await restore({ migrations, dataDir, folder, identities, keysLost: false }, t.clock, () => {})
  const restored = await buildTestApp({ over: { dataDir, tenants: t.tenants, clock: t.clock } })
  const client = await restored.as('administrator')
  const isBlocked = async (id = '') => (await client.get<Business>(`/businesses/${id}`)).body.doNotContact !== null
  return { restored, client, ids, done, isBlocked, result }
}

const block = (client: TestClient, id = '') =>
  client.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked us to stop.' })

test('a record that was blocked by hand after the backup is blocked in the restored store, with its reason, and once', async () => {
  const { client, ids, result, isBlocked } = await restoredAfter(
    { blocked: {}, free: {}, before: {} },
    async (administrator, { blocked, before }) => {
      await block(administrator, blocked)
      await block(administrator, before)
      await administrator.post(`/businesses/${before}/do-not-contact-removal`, { reason: 'A mistake.' })
    },
  )
  expect(result.carried).toEqual({ suppressions: 0, blocks: 1, tombstones: 0 })
  expect(result.lacking?.map(({ action }) => action)).not.toContain('business.block')
  const { body } = await client.get<Business>(`/businesses/${ids.blocked}`)
  expect(body.doNotContact).toMatchObject({ through: 'hand', reason: 'They asked us to stop.' })
  expect([await isBlocked(ids.free), await isBlocked(ids.before)]).toEqual([false, false])
})

test('an entry that was removed again is not taken over, and one of another tenant stays in its tenant', async () => {
  const t = await buildTestApp()
  const { dataDir } = t.store
  const here = await t.as('administrator')
  const there = await t.as('administrator', 'other')
  const { backup, identities } = await backupPlace(dataDir, t.clock)
  const { folder } = await backup()
  const removed = await here.post<AddedSuppression>('/suppressions', suppressed('removed@karoo.co.za'))
  const path = `/suppressions/${removed.body.suppression.id}/removal`
  expect((await here.post(path, { reason: 'A mistake.' })).status).toBe(200)
  expect((await there.post('/suppressions', suppressed('theirs@karoo.co.za'))).status).toBe(201)
  const theirs = await createProspect(there, withEmail('blocked@karoo.co.za'))
  await block(there, theirs.id)
  await t.store.close()
  const { carried } = await restore({ migrations, dataDir, folder, identities, keysLost: false }, t.clock, () => {})
  expect(carried).toEqual({ suppressions: 1, blocks: 0, tombstones: 1 })
  const restored = await buildTestApp({ over: { dataDir, tenants: t.tenants, clock: t.clock } })
  const entriesOf = async (tenant: 'home' | 'other') =>
    (await (await restored.as('administrator', tenant)).get<ListPage<Suppression>>('/suppressions')).body.items
  expect(await entriesOf('home')).toEqual([])
  expect((await entriesOf('other')).map(({ original }) => original).sort()).toEqual([null, 'theirs@karoo.co.za'])
})

test('an address of a blocked record that the restored record lacks stays suppressed', async () => {
  const { client, isBlocked, result } = await restoredAfter(
    { known: withEmail('old@karoo.co.za') },
    async (administrator, { known }) => {
      const later = await createProspect(administrator, {
        emails: [{ value: 'later@karoo.co.za' }],
        phones: [{ value: '082 555 0199' }],
      })
      await block(administrator, later.id)
      await addEvidenceTo(administrator, later.id, { field: 'email', value: 'claimed@karoo.co.za' })
      await createProspect(administrator, withEmail('free@karoo.co.za'))
      const { body, headers } = await administrator.get<Business>(`/businesses/${known}`)
      const emails = [{ value: 'old@karoo.co.za' }, { value: 'new@karoo.co.za' }]
      expect(body.id).toBe(known)
      const edit = await administrator.patch(`/businesses/${known}`, { emails }, { 'if-match': String(headers.etag) })
      expect(edit.status).toBe(200)
      await block(administrator, known)
    },
  )
  expect(result.carried).toEqual({ suppressions: 0, blocks: 1, tombstones: 4 })
  const again = async (record: Record<string, unknown>) => isBlocked((await createProspect(client, record)).id)
  expect(await again(withEmail('Later@karoo.co.za'))).toBe(true)
  expect(await again({ phones: [{ value: '+27 82 555 0199' }] })).toBe(true)
  expect(await again(withEmail('new@karoo.co.za'))).toBe(true)
  expect(await again(withEmail('claimed@karoo.co.za'))).toBe(true)
  expect(await again(withEmail('free@karoo.co.za'))).toBe(false)
  // A manual block applies to its own record only, before and after the restore.
  expect(await again(withEmail('old@karoo.co.za'))).toBe(false)
})

test('a hash that was stored after the backup marks the records with its address once the restored store is started', async () => {
  const { restored, ids, isBlocked, result } = await restoredAfter(
    { left: withEmail('left@karoo.co.za'), other: {} },
    async (administrator, { left }) => {
      await block(administrator, left)
      const { headers } = await administrator.get<Business>(`/businesses/${left}`)
      const edit = await administrator.patch(
        `/businesses/${left}`,
        { emails: [] },
        { 'if-match': String(headers.etag) },
      )
      expect(edit.status).toBe(200)
      await administrator.post(`/businesses/${left}/do-not-contact-removal`, { reason: 'They are free.' })
    },
  )
  expect(result.carried).toEqual({ suppressions: 1, blocks: 0, tombstones: 0 })
  expect(await isBlocked(ids.left)).toBe(false)
  await queueReevaluations(restored.store, quiet)
  const { id } = await restored.store.reader.selectFrom('jobs').select('id').executeTakeFirstOrThrow()
  workAt({ store: restored.store, kinds: jobKindsOf([suppressionReevaluation]) })
  expect(await untilJob(restored.store, id, ({ ended_at }) => ended_at !== null)).toMatchObject({ status: 'succeeded' })
  expect([await isBlocked(ids.left), await isBlocked(ids.other)]).toEqual([true, false])
})

test('two records blocked together by a merge are blocked separately in the restored store, which lacks the merge', async () => {
  const t = await buildTestApp()
  const { dataDir } = t.store
  const administrator = await t.as('administrator')
  const { a, b, suggestion } = await suggestedPair(t, administrator, 'Karoo')
  const { backup, identities } = await backupPlace(dataDir, t.clock)
  const { folder } = await backup()
  await merged(askMerge(administrator, suggestion, a))
  await block(administrator, a)
  await t.store.close()
  const { carried } = await restore({ migrations, dataDir, folder, identities, keysLost: false }, t.clock, () => {})
  expect(carried).toEqual({ suppressions: 0, blocks: 2, tombstones: 0 })
  const restored = await buildTestApp({ over: { dataDir, tenants: t.tenants, clock: t.clock } })
  const client = await restored.as('administrator')
  for (const id of [a, b])
    expect((await client.get<Business>(`/businesses/${id}`)).body).toMatchObject({
      status: 'active',
      doNotContact: { through: 'hand' },
    })
})

test('an entry with another key in the former store, by rules of a later version, counts as present', async () => {
  const t = await buildTestApp()
  const { dataDir } = t.store
  const administrator = await t.as('administrator')
  const { body } = await administrator.post<AddedSuppression>('/suppressions', suppressed('early@karoo.co.za'))
  const { backup, identities } = await backupPlace(dataDir, t.clock)
  const { folder } = await backup()
  await t.store.write('upkeep', async (db) => {
    const key = { tenant_id: t.tenants.home.id, key: 'e:later', suppression_id: body.suppression.id, live: 1 } as const
    await db.insertInto('suppression_keys').values(key).execute()
    return { keep: true, value: undefined }
  })
  await t.store.close()
  const { carried } = await restore({ migrations, dataDir, folder, identities, keysLost: false }, t.clock, () => {})
  expect(carried).toEqual({ suppressions: 0, blocks: 0, tombstones: 0 })
})

test('a record that was blocked and erased before the backup stays unchanged', async () => {
  const t = await buildTestApp()
  const { dataDir } = t.store
  const administrator = await t.as('administrator')
  const { id } = await createProspect(administrator, withEmail('erased@karoo.co.za'))
  await block(administrator, id)
  expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })).status).toBe(200)
  const { backup, identities } = await backupPlace(dataDir, t.clock)
  const { folder } = await backup()
  await t.store.close()
  const { carried } = await restore({ migrations, dataDir, folder, identities, keysLost: false }, t.clock, () => {})
  expect(carried).toEqual({ suppressions: 0, blocks: 0, tombstones: 0 })
})
