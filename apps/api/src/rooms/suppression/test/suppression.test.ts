import { test } from 'vitest'
import type { Answer, TestApp } from '../../../../test/build-app.ts'
import {
  addEvidenceTo,
  createProspect,
  endProspect,
  type ListPage,
  type Refusal,
  walk,
} from '../../../../test/prospects.ts'
import { suppressionWorld } from '../../../../test/suppression-world.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Business } from '../../businesses/businesses.schema.ts'
import type { AddedSuppression, BusinessSuppression, HistoryItem, Match } from '../suppression.schema.ts'

test('an entry marks every record that has the address, in the same change, with its history and one audit event', async ({
  expect,
}) => {
  const { t, operator, suppress, read, emailed } = await suppressionWorld()
  const first = await emailed('Jan@karoo.co.za')
  const second = await emailed('jan+news@KAROO.co.za')
  const other = await emailed('piet@karoo.co.za')
  const answers: Answer<AddedSuppression>[] = []
  const changes = await t.changes(async () => {
    answers.push(await suppress('JAN@karoo.co.za', { requestedBy: 'Jan', reference: 'letters/12' }))
  })
  expect(changes).toEqual({
    suppressions: 1,
    suppression_keys: 1,
    suppression_matches: 2,
    suppression_history: 1,
    businesses: 0,
    business_counts: 1,
    audit_events: 1,
  })
  const [answer] = answers
  const id = answer?.body.suppression.id ?? ''
  expect(answer).toMatchObject({
    status: 201,
    headers: { location: `/api/v1/suppressions/${id}` },
    body: {
      created: true,
      marked: 2,
      suppression: { original: 'JAN@karoo.co.za', normalized: 'jan@karoo.co.za', status: 'active' },
    },
  })
  for (const business of [first, second])
    expect(await read(business.id)).toMatchObject({ version: 2, doNotContact: { through: 'suppression' } })
  expect((await read(other.id)).doNotContact).toBeNull()
  expect(await walk<Match>(operator, `/suppressions/${id}/matches`, 1)).toMatchObject([
    { business: { id: first.id, doNotContact: true }, cause: 'entry', live: true },
    { business: { id: second.id }, cause: 'entry', live: true },
  ])
  const { body: history } = await operator.get<ListPage<HistoryItem>>(`/suppressions/${id}/history`)
  expect(history.items).toMatchObject([{ action: 'added', requestedBy: 'Jan', reference: 'letters/12', records: 2 }])
  expect(
    (await walk<BusinessSuppression>(operator, `/businesses/${first.id}/suppressions`)).map(
      (one) => one.suppression.id,
    ),
  ).toEqual([id])
})

test('a later record, or one that gets the address by an edit or by evidence, is marked as it is written', async ({
  expect,
}) => {
  const { operator, suppress, read, edit, emailed } = await suppressionWorld()
  const { body } = await suppress('karoo.co.za', { kind: 'domain', scope: 'with_subdomains' })
  const born = await emailed('jan@mail.karoo.co.za')
  expect(born).toMatchObject({ version: 1, doNotContact: { through: 'suppression' } })
  const edited = await createProspect(operator)
  expect((await edit(edited.id, { domains: [{ value: 'shop.karoo.co.za' }] })).body.doNotContact).not.toBeNull()
  const seen = await createProspect(operator)
  await addEvidenceTo(operator, seen.id, { field: 'email', value: 'jan@karoo.co.za' })
  expect((await read(seen.id)).doNotContact).not.toBeNull()
  const { items } = (await operator.get<ListPage<Match>>(`/suppressions/${body.suppression.id}/matches`)).body
  expect(items.map(({ cause }) => cause)).toEqual(['record', 'record', 'record'])
  for (const { id } of [born, edited, seen]) {
    const { body: activity } = await operator.get<ListPage<AuditEvent>>(`/businesses/${id}/activity`)
    expect(activity.items.find(({ action }) => action === 'business.match_suppression')).toMatchObject({
      subject: { type: 'business', id },
      before: { doNotContact: false },
      after: { doNotContact: true, suppressions: [body.suppression.id] },
    })
  }
})

test('editing the address away lifts nothing, and a later entry finds evidence with it', async ({ expect }) => {
  const { operator, suppress, read, edit, emailed } = await suppressionWorld()
  const { id } = await emailed('jan@karoo.co.za')
  await suppress('jan@karoo.co.za')
  await edit(id, { emails: [] })
  expect(await read(id)).toMatchObject({ emails: [], doNotContact: { through: 'suppression' } })
  const claimed = await createProspect(operator)
  await addEvidenceTo(operator, claimed.id, { field: 'phone', value: '082 123 4567' })
  expect((await suppress('+27821234567', { kind: 'phone' })).body.marked).toBe(1)
  expect((await read(claimed.id)).doNotContact).not.toBeNull()
})

test('a removal ends the entry with actor, time and reason, frees records without another block, and returns the written event', async ({
  expect,
}) => {
  const { t, operator, suppress, remove, read, emailed } = await suppressionWorld()
  const { id } = await emailed('jan@karoo.co.za')
  const { body: byAddress } = await suppress('jan@karoo.co.za')
  const { body: byDomain } = await suppress('karoo.co.za', { kind: 'domain' })
  const removed = await remove(byAddress.suppression.id)
  const { administrator } = t.tenants.home.users
  const by = { kind: 'user', id: administrator.id, name: administrator.name }
  expect(removed).toMatchObject({
    status: 200,
    body: {
      freed: 1,
      suppression: { status: 'removed', removal: { by, reason: 'They came back.' } },
      event: {
        action: 'suppression.remove',
        subject: { id: byAddress.suppression.id },
        actor: by,
        reason: 'They came back.',
      },
    },
  })
  expect((await read(id)).doNotContact).not.toBeNull()
  await remove(byDomain.suppression.id)
  expect((await read(id)).doNotContact).toBeNull()
  const history = await walk<HistoryItem>(operator, `/suppressions/${byDomain.suppression.id}/history`)
  expect(history.map(({ action }) => action)).toEqual(['removed', 'added'])
  const again = await remove(byDomain.suppression.id)
  expect([again.status, again.body.code]).toEqual([422, 'suppression_ended'])
  expect((await suppress('jan@karoo.co.za')).body).toMatchObject({ created: true, marked: 1 })
})

test('a removal without a reason, without the permission or without a recent proof of identity is refused, and nothing changes', async ({
  expect,
}) => {
  const { t, operator, suppress, remove, emailed } = await suppressionWorld()
  await emailed('jan@karoo.co.za')
  const { body } = await suppress('jan@karoo.co.za')
  const path = `/suppressions/${body.suppression.id}/removal`
  const manager = await t.as('manager')
  const seen: unknown[] = []
  const changes = await t.changes(async () => {
    for (const reason of [null, '', '  ']) seen.push((await remove(body.suppression.id, reason)).status)
    seen.push((await operator.post<Refusal>(path, { reason: 'I want to.' })).body.code)
    seen.push((await manager.post<Refusal>(path, { reason: 'I want to.' })).body.code)
    t.clock.advance(16 * 60_000)
    seen.push((await remove(body.suppression.id)).body.code)
  })
  expect(seen).toEqual([400, 400, 400, 'permission_denied', 'permission_denied', 'step_up_required'])
  // The refused requests change only the last use of the session.
  expect({ ...changes, sessions: 0 }).toEqual({ sessions: 0 })
})

test('a block by hand and an entry are independent: each is lifted separately, and only both free the record', async ({
  expect,
}) => {
  const { operator, administrator, suppress, remove, read, emailed } = await suppressionWorld()
  const { id } = await emailed('jan@karoo.co.za')
  const path = `/businesses/${id}`
  const lift = () =>
    administrator.post<{ business: Business; event: AuditEvent } & Refusal>(`${path}/do-not-contact-removal`, {
      reason: 'A mistake.',
    })
  expect((await lift()).body.code).toBe('not_blocked_by_hand')
  const { body } = await suppress('jan@karoo.co.za')
  expect((await lift()).body.code).toBe('not_blocked_by_hand')
  await operator.post(`${path}/do-not-contact`, { reason: 'By hand.' })
  expect((await read(id)).doNotContact).toMatchObject({ through: 'both', reason: 'By hand.' })
  expect(await lift()).toMatchObject({
    status: 200,
    body: {
      business: { doNotContact: { through: 'suppression' } },
      event: {
        action: 'business.unblock',
        before: { doNotContact: true, reason: 'By hand.' },
        after: { doNotContact: true },
        reason: 'A mistake.',
      },
    },
  })
  await operator.post(`${path}/do-not-contact`, { reason: 'By hand again.' })
  await remove(body.suppression.id)
  expect((await read(id)).doNotContact).toMatchObject({ through: 'hand', reason: 'By hand again.' })
  await lift()
  expect((await read(id)).doNotContact).toBeNull()
})

test('an entry that matches a record blocked by hand blocks it too, keeps its reason, and leaves the block by hand when it ends', async ({
  expect,
}) => {
  const { operator, suppress, remove, read, emailed } = await suppressionWorld()
  const { id } = await emailed('jan@karoo.co.za')
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'By hand.' })
  const { body } = await suppress('jan@karoo.co.za')
  expect(body.marked).toBe(1)
  expect(await read(id)).toMatchObject({ version: 3, doNotContact: { through: 'both', reason: 'By hand.' } })
  expect((await remove(body.suppression.id)).body.freed).toBe(1)
  expect(await read(id)).toMatchObject({ version: 4, doNotContact: { through: 'hand', reason: 'By hand.' } })
})

test('an entry counts every record that it marks, survivors included, and its removal frees as many', async ({
  expect,
}) => {
  const { t, suppress, remove, emailed, read } = await suppressionWorld()
  const survivor = await emailed('desk@karoo.co.za')
  const merged = await emailed('jan@karoo.co.za')
  const older = await emailed('jan@fynbos.co.za')
  const younger = await emailed('jan@fynbos.co.za')
  await endProspect(t, merged.id, { status: 'merged', into: survivor.id })
  await endProspect(t, older.id, { status: 'merged', into: younger.id })
  for (const value of ['jan@karoo.co.za', 'jan@fynbos.co.za']) {
    const { body } = await suppress(value)
    expect([value, body.marked]).toEqual([value, 2])
    expect((await remove(body.suppression.id)).body.freed).toBe(2)
  }
  for (const { id } of [survivor, merged, older, younger]) expect((await read(id)).doNotContact).toBeNull()
})

test('the gate fails closed: when it cannot be read, nothing is written', async ({ expect }) => {
  const { t, operator } = await suppressionWorld()
  await dropIndexOfTheGate(t)
  const changes = await t.changes(async () => {
    const { status } = await operator.post('/businesses', { name: 'X', emails: [{ value: 'jan@karoo.co.za' }] })
    expect(status).toBe(500)
  })
  expect(changes).toEqual({})
})

async function dropIndexOfTheGate({ store }: TestApp): Promise<void> {
  await store.write('upkeep', async (db) => {
    await db.schema.alterTable('suppression_keys').renameTo('suppression_keys_gone').execute()
    return { keep: true, value: undefined }
  })
}
