import { test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect, type ListPage, type Refusal } from '../../../../test/prospects.ts'
import type { BusinessSummary } from '../../prospect-list/prospect-list.schema.ts'
import type { Business } from '../businesses.schema.ts'

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const created = await operator.post<Business>('/businesses', { tradingName: 'Karoo Pumps' })
  const path = `/businesses/${created.body.id}`
  const edit = (body: unknown, version: number) =>
    operator.patch<Business & Refusal>(path, body, { 'if-match': `"${version}"` })
  return { t, operator, created, path, edit }
}

test('a trading name is enough for a record, which says in lists too that its registered name is not known', async ({
  expect,
}) => {
  const { operator, created } = await setUp()
  expect(created).toMatchObject({
    status: 201,
    body: { name: 'Karoo Pumps', tradingName: 'Karoo Pumps', isNameKnown: false },
  })
  const list = await operator.get<ListPage<BusinessSummary>>('/businesses?q=Karoo+Pumps')
  expect(list.body.items).toMatchObject([{ name: 'Karoo Pumps', isNameKnown: false }])
  const whole = await createProspect(operator, { name: 'Vaal Water', tradingName: 'Vaal Water' })
  expect(whole).toMatchObject({ isNameKnown: true })
})

test('an edit of the trading name renames the record; a registered name ends that, and null starts it again', async ({
  expect,
}) => {
  const { edit } = await setUp()
  expect((await edit({ tradingName: 'Karoo Solar' }, 1)).body).toMatchObject({
    name: 'Karoo Solar',
    isNameKnown: false,
  })
  expect((await edit({ name: 'Karoo Solar (Pty) Ltd' }, 2)).body).toMatchObject({
    name: 'Karoo Solar (Pty) Ltd',
    tradingName: 'Karoo Solar',
    isNameKnown: true,
  })
  expect((await edit({ name: null }, 3)).body).toMatchObject({ name: 'Karoo Solar', isNameKnown: false })
})

test('a record without any name is refused, and nothing changes', async ({ expect }) => {
  const { t, operator, edit } = await setUp()
  const changes = await t.changes(async () => {
    const refused = {
      status: 400,
      body: {
        code: 'invalid_request',
        errors: [{ path: 'name', message: 'Enter a registered name or a trading name.' }],
      },
    }
    expect(await operator.post('/businesses', { industry: 'Irrigation' })).toMatchObject(refused)
    expect(await operator.post('/businesses', { name: null })).toMatchObject(refused)
    expect(await edit({ tradingName: null }, 1)).toMatchObject(refused)
  })
  expect(changes).toEqual({})
})
