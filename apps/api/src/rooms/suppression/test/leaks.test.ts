import { test } from 'vitest'
import { lastEvent } from '../../../../test/person.ts'
import {
  addEvidenceTo,
  addInteractionTo,
  addNoteTo,
  createProspect,
  endProspect,
  type ListPage,
  type Refusal,
  walk,
} from '../../../../test/prospects.ts'
import { suppressionWorld } from '../../../../test/suppression-world.ts'
import type { Business } from '../../businesses/businesses.schema.ts'
import type { HistoryItem, Suppression } from '../suppression.schema.ts'

test('a merge keeps the mark of either side, and an entry reaches the survivor through the merged record', async ({
  expect,
}) => {
  const { t, operator, suppress, read, emailed } = await suppressionWorld()
  const survivor = await emailed('desk@karoo.co.za', 'Survivor')
  const blocked = await emailed('a@karoo.co.za', 'Blocked by hand')
  await operator.post(`/businesses/${blocked.id}/do-not-contact`, { reason: 'By hand.' })
  await endProspect(t, blocked.id, { status: 'merged', into: survivor.id })
  expect((await read(survivor.id)).doNotContact).toMatchObject({ through: 'hand', reason: 'By hand.' })

  const second = await emailed('desk2@karoo.co.za', 'Second survivor')
  const merged = await emailed('jan@karoo.co.za', 'Merged')
  await endProspect(t, merged.id, { status: 'merged', into: second.id })
  expect((await suppress('jan@karoo.co.za')).body.marked).toBeGreaterThan(0)
  expect((await read(second.id)).doNotContact).toMatchObject({ through: 'suppression' })

  const third = await emailed('desk3@karoo.co.za', 'Third survivor')
  await endProspect(t, second.id, { status: 'merged', into: third.id })
  expect((await read(third.id)).doNotContact).toMatchObject({ through: 'suppression' })
})

test('an address removed from a blocked record is suppressed when it returns, and only its hash is stored', async ({
  expect,
}) => {
  const { t, operator, remove, edit, read, emailed } = await suppressionWorld()
  const { id } = await emailed('jan@karoo.co.za')
  const same = await emailed('jan+here@karoo.co.za')
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'By hand.' })
  await edit(id, { emails: [{ value: 'Jan@Karoo.co.za' }] })
  expect((await operator.get<ListPage<Suppression>>('/suppressions')).body.items).toEqual([])
  await edit(id, { emails: [] })
  expect(await lastEvent(t, 'suppression.keep_tombstone')).toMatchObject({
    business_id: id,
    before_json: null,
    after_json: '{"kind":"email","businessesMarked":1}',
    reason: expect.stringContaining('only a hash of it is stored'),
  })
  expect((await read(same.id)).doNotContact).toMatchObject({ through: 'suppression' })
  const again = await emailed('JAN+x@karoo.co.za')
  expect(again.doNotContact).not.toBeNull()
  const { items } = (await operator.get<ListPage<Suppression>>('/suppressions?q=jan@karoo.co.za')).body
  expect(items).toMatchObject([{ kind: 'email', original: null, normalized: null, tombstone: true, status: 'active' }])
  expect(await walk<HistoryItem>(operator, `/suppressions/${items[0]?.id}/history`)).toMatchObject([
    { action: 'added', channel: 'internal', records: 1 },
  ])
  const stored = await t.store.reader.selectFrom('suppression_keys').selectAll().execute()
  expect(JSON.stringify(stored)).not.toMatch(/jan|karoo/)
  await remove(items[0]?.id ?? '')
  expect((await read(again.id)).doNotContact).toBeNull()
  expect((await read(id)).doNotContact).not.toBeNull()
})

test('of a value with two addresses, the one without an entry is remembered when it is removed', async ({ expect }) => {
  const { t, operator, suppress, edit, emailed } = await suppressionWorld()
  await suppress('jan@karoo.co.za')
  const { id } = await emailed('jan@karoo.co.za, piet@vlei.co.za')
  await edit(id, { emails: [] })
  expect((await emailed('Piet@vlei.co.za')).doNotContact).not.toBeNull()
  const both = await emailed('jan@karoo.co.za, koos@vlei.co.za')
  await edit(both.id, { emails: [{ value: 'jan@karoo.co.za' }] })
  expect((await emailed('koos@vlei.co.za')).doNotContact).not.toBeNull()
  const same = await createProspect(operator, { emails: [{ value: 'jan@karoo.co.za; piet@vlei.co.za' }] })
  expect(await t.changes(() => edit(same.id, { emails: [] }))).not.toHaveProperty('suppressions')
})

test('an entry finds an address that left the record but remains in its evidence', async ({ expect }) => {
  const { operator, suppress, edit, read, emailed } = await suppressionWorld()
  const { id } = await emailed('jan@karoo.co.za')
  await addEvidenceTo(operator, id, { field: 'email', value: 'jan@karoo.co.za' })
  await edit(id, { emails: [] })
  expect((await read(id)).doNotContact).toBeNull()
  await suppress('jan@karoo.co.za')
  expect((await read(id)).doNotContact).toMatchObject({ through: 'suppression' })
})

test('a page at a host with pages of anybody is suppressed when it returns, and no other page there', async ({
  expect,
}) => {
  const { t, operator, edit, read } = await suppressionWorld()
  const at = async (page: string) => (await createProspect(operator, { domains: [{ value: page }] })).id
  const id = await at('https://www.facebook.com/KarooCafe/')
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'By hand.' })
  await edit(id, { domains: [] })
  const blocked = async (page: string) => (await read(await at(page))).doNotContact !== null
  expect(await blocked('m.facebook.com/karoocafe#about')).toBe(true)
  for (const other of ['facebook.com/karoo', 'https://www.facebook.com/', 'facebook.com'])
    expect([other, await blocked(other)]).toEqual([other, false])
  for (const [host, kept] of [
    ['gmail.com', undefined],
    ['co.za', undefined],
    ['takealot.com', 1],
  ] as const) {
    const bare = await at(host)
    await operator.post(`/businesses/${bare}/do-not-contact`, { reason: 'By hand.' })
    expect([host, (await t.changes(() => edit(bare, { domains: [] }))).suppressions]).toEqual([host, kept])
  }
})

test('values that many records share are not remembered when one is removed, so that no uninvolved person is blocked', async ({
  expect,
}) => {
  const { t, operator, edit, read } = await suppressionWorld()
  const common = {
    emails: ['none'],
    phones: ['n/a', '0000000000'],
    domains: ['https://karoo.co.za/index.html?utm_source=chatgpt.com', 'facebook.com/profile.php?id=1', 'linkedin.com'],
  }
  const strangers = {
    emails: ['none', 'ann@chatgpt.com'],
    phones: ['n/a', '0000000000'],
    domains: ['vlei.co.za/index.html?utm_source=chatgpt.com', 'facebook.com/profile.php?id=2', 'linkedin.com/in/ann'],
  }
  const made = async (values: typeof common) => {
    const all = (list: string[]) => list.map((value) => ({ value }))
    const { emails, phones, domains } = values
    return createProspect(operator, { emails: all(emails), phones: all(phones), domains: all(domains) })
  }
  const before = await made(strangers)
  const { id } = await made(common)
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  const kept = await t.changes(() => edit(id, { emails: [], phones: [], domains: [] }))
  expect(kept.suppressions).toBe(3)
  expect((await read(before.id)).doNotContact).toBeNull()
  expect((await made(strangers)).doNotContact).toBeNull()
  for (const domain of ['karoo.co.za/contact', 'https://m.facebook.com/profile.php?id=1', 'http://linkedin.com/'])
    expect((await createProspect(operator, { domains: [{ value: domain }] })).doNotContact).not.toBeNull()
})

test('a removal deletes nothing, and an entry that was requested twice keeps both requests', async ({ expect }) => {
  const { operator, suppress, remove } = await suppressionWorld()
  const { body } = await suppress('jan@karoo.co.za')
  const second = await suppress('jan+again@karoo.co.za', { channel: 'phone', requestedBy: 'His wife' })
  expect(second.body).toMatchObject({ created: false, marked: 0, suppression: { id: body.suppression.id } })
  await remove(body.suppression.id)
  const found = await walk<Suppression>(operator, '/suppressions?q=JAN%40karoo.co.za&status=removed')
  expect(found.map(({ id }) => id)).toEqual([body.suppression.id])
  const history = await walk<HistoryItem>(operator, `/suppressions/${body.suppression.id}/history`)
  expect(history.map(({ action, requestedBy }) => [action, requestedBy])).toEqual([
    ['removed', null],
    ['requested_again', 'His wife'],
    ['added', null],
  ])
})

test('readers without the permission see no contact values of a blocked record: not in lists, the record, its evidence, facts, notes, interactions or activity, and not by search', async ({
  expect,
}) => {
  const { operator, viewer, suppress, emailed } = await suppressionWorld()
  const { id } = await createProspect(operator, {
    emails: [{ value: 'secret@karoo.co.za' }],
    phones: [{ value: '+27821234567', label: 'Jan 0821234567' }],
    domains: [{ value: 'karoo.co.za' }],
  })
  const secret = 'secret@karoo.co.za'
  const places = { observation: secret, context: `Beside ${secret}.`, url: 'https://karoo.co.za/secret' }
  await addEvidenceTo(operator, id, { field: 'email', value: secret, ...places })
  const sources = { sourceReference: 'https://karoo.co.za/secret', sourceLabel: secret }
  for (const field of ['phone', 'name'] as const)
    await addEvidenceTo(operator, id, { field, value: 'Windpumps', ...sources })
  await addNoteTo(operator, id, { text: 'Their secret number is 082 123 4567' })
  await addInteractionTo(operator, id, { summary: 'Write to secret@karoo.co.za', participants: ['Jan, 0821234567'] })
  const open = await emailed('open@karoo.co.za')
  await addNoteTo(operator, open.id, { text: 'Open' })
  await suppress('secret@karoo.co.za')
  const asked = ['', '/evidence', '/facts', '/notes', '/interactions', '/activity'].map(
    (part) => `/businesses/${id}${part}`,
  )
  for (const path of [...asked, '/businesses', '/businesses?q=windpumps']) {
    const { status, body } = await viewer.get(path)
    expect([path, status]).toEqual([path, 200])
    expect(JSON.stringify(body)).not.toMatch(/secret|82 ?123|821234567/)
    expect(JSON.stringify((await operator.get(path)).body)).toMatch(/secret/)
  }
  expect((await viewer.get<Business>(`/businesses/${id}`)).body).toMatchObject({
    valuesHidden: true,
    emails: [{ value: '•••' }],
  })
  expect((await viewer.get(`/businesses/${id}/notes`)).body).toMatchObject({ items: [{ text: null, redacted: true }] })
  expect((await viewer.get(`/businesses/${id}/interactions`)).body).toMatchObject({
    items: [{ summary: '•••', participants: ['•••'] }],
  })
  expect((await viewer.get(`/businesses/${open.id}/notes`)).body).toMatchObject({ items: [{ text: 'Open' }] })
  const found = async (q: string) => (await walk<{ id: string }>(viewer, `/businesses?q=${q}`)).map((row) => row.id)
  expect(await found('secret')).toEqual([])
  expect(await found('0821234567')).toEqual([])
  expect(await found('open')).toEqual([open.id])
  expect((await found('windpumps')).sort()).toEqual([id, open.id].sort())
  const asking = { emails: ['secret@karoo.co.za'] }
  const { body } = await viewer.post<Refusal>('/businesses/duplicate-checks', asking)
  expect(body.code).toBe('permission_denied')
  expect((await viewer.get<Refusal>('/suppressions')).body.code).toBe('permission_denied')
})
