import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect, walk } from '../../../../test/prospects.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import type { PossibleDuplicate } from '../businesses.schema.ts'
import { isSearchRenewing, renewSearch } from '../search/renew-search.ts'
import { searchText } from '../search/search-text.rules.ts'

const names = ['Qcurl’s Kitchen', 'A.B.C. Motors', 'Karoo Bulk (Pty) Ltd']

/** Replaces the search data by that of older rules: literal texts and no keys, with the tenant listed for renewal. */
async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  for (const name of names) await createProspect(operator, { name, emails: [{ value: 'a@karoo.co.za' }] })
  await t.store.write('upkeep', async (db) => {
    const rows = await db.selectFrom('business_search_pending').selectAll().execute()
    for (const { docid, text } of rows)
      await db
        .updateTable('business_search_pending')
        .set({ text: [text.split('\n')[0], 'a@karoo.co.za'].join('\n') })
        .where('docid', '=', docid)
        .execute()
    await db.deleteFrom('business_name_keys').execute()
    await db.insertInto('business_search_renewals').values({ tenant_id: t.tenants.home.id, after_id: '' }).execute()
    return { keep: true, value: undefined }
  })
  const found = async (q: string) =>
    (await walk<{ name: string }>(operator, `/businesses?q=${encodeURIComponent(q)}`)).map(({ name }) => name)
  const hinted = async (name: string) =>
    (await operator.post<{ items: PossibleDuplicate[] }>('/businesses/duplicate-checks', { name })).body.items.length
  return { t, found, hinted }
}

test('records with search data of older rules are found by literal spellings, and after the renewal by every spelling', async () => {
  const { t, found, hinted } = await setUp()
  const literal = async () => [await found('qcurl’s'), await found('karoo bulk'), await found('mailto:a@karoo.co.za')]
  const before = await literal()
  expect(before).toEqual([['Qcurl’s Kitchen'], ['Karoo Bulk (Pty) Ltd'], expect.arrayContaining(names)])
  expect([await found('qcurls'), await found('abc'), await hinted('Karoo Bulk')]).toEqual([[], [], 0])
  expect(await isSearchRenewing(t.store, t.tenants.home.id)).toBe(true)

  await upkeepOf('businesses', t.store)
  expect(await literal()).toEqual(before)
  expect([await found('qcurls'), await found('abc'), await hinted('Karoo Bulk')]).toEqual([
    ['Qcurl’s Kitchen'],
    ['A.B.C. Motors'],
    1,
  ])
  expect(await isSearchRenewing(t.store, t.tenants.home.id)).toBe(false)
  expect(await t.changes(() => upkeepOf('businesses', t.store))).toEqual({})
})

test('a renewal derives the doubts of records again, and changes no version of them', async () => {
  const { t } = await setUp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator, { name: 'Durban Pumps', address: { city: 'Durban', province: 'WC' } })
  const rows = () => t.store.reader.selectFrom('businesses').select(['id', 'version', 'doubts']).orderBy('id').execute()
  const before = await rows()
  expect(before.filter(({ doubts }) => doubts !== 0)).toEqual([{ id, version: 1, doubts: 1 }])
  await t.store.write('upkeep', async (db) => {
    await db.updateTable('businesses').set({ doubts: 2 }).execute()
    return { keep: true, value: undefined }
  })
  await upkeepOf('businesses', t.store)
  expect(await rows()).toEqual(before)
})

test('a renewal that was stopped continues after the last renewed record', async () => {
  const { t } = await setUp()
  let steps = 0
  await renewSearch({ store: t.store, tenantId: t.tenants.home.id, limit: 100, isStopped: () => ++steps > 1 })
  const left = await t.store.reader.selectFrom('business_search_renewals').selectAll().executeTakeFirstOrThrow()
  expect(left.after_id).not.toBe('')
  await upkeepOf('businesses', t.store)
  expect(await t.store.reader.selectFrom('business_search_renewals').selectAll().execute()).toEqual([])
})

test('a change of the search rules comes with a migration that lists the tenants, and then changes this text', () => {
  const text = searchText({
    name: 'Rock ’n Roll-Øl (Pty) Ltd',
    tradingName: 'A.B.C. & Seuns',
    registrationNumber: '2015/123456/07',
    identifiers: [{ kind: 'phone', original: '082 555 8834', label: "Jan's desk", normalized: '+27825558834' }],
    merged: [],
  })
  expect(text).toMatchInlineSnapshot(`
    "rock ’n roll-øl (pty) ltd
    rock rollol
    rock roll ol

    a.b.c. & seuns
    abc seuns
    a b c seuns
    2015/123456/07
    0825558834
    27825558834
    jan's desk
    jans desk"
  `)
})
