import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import type { ListPage } from '../../../../test/prospects.ts'
import { askedOf, findPlans, planOf, watchStatements } from '../../../../test/statement-plans.ts'
import { suppressionWorld } from '../../../../test/suppression-world.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'

test('an entry is read and ended by its own rows: neither the keys nor the history of all entries are scanned', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const entry = { kind: 'email', value: 'jan@karoo.co.za', reason: 'They asked.', channel: 'letter' }
  const { body } = await administrator.post<{ suppression: { id: string } }>('/suppressions', entry)
  const path = `/suppressions/${body.suppression.id}`
  const statements = watchStatements()
  const answers = [
    await administrator.get(`${path}/history?limit=1`),
    await administrator.get(`${path}/matches`),
    await administrator.post(`${path}/removal`, { reason: 'A mistake.' }),
  ]
  vi.restoreAllMocks()
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const connection = openConnection(join(t.store.dataDir, STORE_FILE), { readonly: true })
  const steps = askedOf(statements).flatMap(({ sql }) => planOf(connection, sql))
  connection.close()
  const own = steps.filter((step) => /^SEARCH (suppression_\w+|h|m|s) /.test(step))
  expect(own.length).toBeGreaterThan(4)
  expect(own.filter((step) => step.endsWith('(tenant_id=?)'))).toEqual([])
})

test('entries of one kind or status are listed from their own index: a filter without results scans no tenant', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  for (const value of ['jan@karoo.co.za', 'piet@karoo.co.za'])
    await administrator.post('/suppressions', { kind: 'email', value, reason: 'They asked.', channel: 'letter' })
  const statements = watchStatements()
  for (const filter of ['kind=email', 'status=active', 'kind=email&status=active']) {
    const path = `/suppressions?${filter}&limit=1`
    const { status, body } = await administrator.get<ListPage<unknown>>(path)
    expect(status).toBe(200)
    expect((await administrator.get(`${path}&cursor=${body.page.nextCursor}`)).status).toBe(200)
  }
  vi.restoreAllMocks()
  const connection = openConnection(join(t.store.dataDir, STORE_FILE), { readonly: true })
  const plans = askedOf(statements)
    .filter(({ sql }) => /order by "s"."id" desc/i.test(sql))
    .map(({ sql }) => planOf(connection, sql))
  connection.close()
  expect(plans).toHaveLength(6)
  expect(plans.map(([first]) => first?.replace(' AND id<?', ''))).toEqual(
    ['kind=?', 'status=?', 'status=? AND kind=?'].flatMap((narrowed) => {
      const index = `suppressions_by_${narrowed.replaceAll('=?', '').replace(' AND ', '_and_')}`
      const step = `SEARCH s USING INDEX ${index} (tenant_id=? AND ${narrowed})`
      return [step, step]
    }),
  )
  expect(plans.flat().filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
})

test('no statement of the suppression centre scans the entries, keys or matches of a tenant', async () => {
  const statements = watchStatements()
  const { t, operator, suppress, remove, edit, emailed } = await suppressionWorld()
  const page = async (path: string) => {
    const paged = `${path}${path.includes('?') ? '&' : '?'}limit=1`
    const { body } = await operator.get<ListPage<unknown>>(paged)
    if (body.page.nextCursor !== null) await operator.get(`${paged}&cursor=${body.page.nextCursor}`)
  }
  const [{ id: businessId }] = [await emailed('jan@karoo.co.za'), await emailed('jan@karoo.co.za')]
  const { id } = (await suppress('jan@karoo.co.za')).body.suppression
  await suppress('jan@karoo.co.za')
  await suppress('karoo.co.za', { kind: 'domain', scope: 'with_subdomains' })
  await edit(businessId, { emails: [{ value: 'piet@elsewhere.co.za' }] })
  await edit(businessId, { emails: [] })
  for (const query of [
    '',
    '?kind=email',
    '?status=active',
    '?status=active&kind=email',
    '?q=jan@karoo.co.za',
    '?q=karoo.co.za',
  ])
    await page(`/suppressions${query}`)
  for (const path of [
    `/suppressions/${id}/history`,
    `/suppressions/${id}/matches`,
    `/businesses/${businessId}/suppressions`,
  ])
    await page(path)
  await operator.post('/suppressions/checks', { values: [{ kind: 'email', value: 'jan@karoo.co.za' }] })
  await operator.post('/suppressions/batch-previews', { lines: ['jan@karoo.co.za', '+27821234567', 'x.co.za'] })
  expect((await remove(id)).status).toBe(200)
  vi.restoreAllMocks()
  const asked = askedOf(statements)
  expect(asked.length).toBeGreaterThan(50)
  expect(findPlans(t.store, asked).walking).toEqual([])
})
