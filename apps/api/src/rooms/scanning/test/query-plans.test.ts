import { expect, test, vi } from 'vitest'
import type { ListPage } from '../../../../test/prospects.ts'
import { askedOf, findPlans, watchStatements } from '../../../../test/statement-plans.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { newId } from '../../../lib/ids.ts'
import type { OfficialSite } from '../sites/sites.schema.ts'
import { formWith } from './page-forms.ts'
import { webWorld } from './web-world.ts'

/** The cache of scans holds 10,000 entries a tenant; the newest version of a policy is the last of its index. */
const bounded = /from "scan_cache"|max\("version"\)/

test('no statement of the scanning room scans a whole table or tenant', async () => {
  const statements = watchStatements()
  const { world, manager, businessId, t, scan, ask, begin } = await webWorld()
  const { operator, administrator } = world
  const page = async (path: string) => {
    const paged = `${path}${path.includes('?') ? '&' : '?'}limit=1`
    const { status, body } = await manager.get<ListPage<unknown>>(paged)
    expect([paged, status]).toEqual([paged, 200])
    if (body.page.nextCursor !== null) await manager.get(`${paged}&cursor=${body.page.nextCursor}`)
  }
  const key = () => ({ 'idempotency-key': newId() })
  const form = formWith('<p>Windpumps.</p>', { url: 'https://karoo.co.za/' })
  for (let count = 0; count < 2; count++)
    await operator.post(`/businesses/${businessId}/supplied-pages`, form.body, {
      'content-type': form.contentType,
      ...key(),
    })
  begin()
  await scan()
  await ask()
  await operator.post('/scan-plans', { businessId, url: 'https://karoo.co.za/' })
  await manager.get('/scanning/status')
  for (let count = 0; count < 2; count++) {
    const { body } = await manager.post<{ id: string }>('/scan-policies', { bounds: {}, retentionDays: 90 })
    await administrator.post(`/scan-policies/${body.id}/approval`, { reason: 'Agreed.' })
  }
  const sites: OfficialSite[] = []
  for (const host of ['karoo.co.za', 'www.karoo.co.za'])
    sites.push((await operator.post<OfficialSite>(`/businesses/${businessId}/official-sites`, { host })).body)
  const approval = {
    decision: 'approve',
    reason: 'Their name.',
    fingerprint: sites[0]?.fingerprint,
    validUntil: world.inDays(100),
  }
  expect((await manager.post(`/official-sites/${sites[0]?.id}/decision`, approval, key())).status).toBe(200)
  for (const query of ['', '?origin=supplied', '?state=complete', '?freshness=fresh', '?freshness=stale'])
    await page(`/scans${query}`)
  for (const path of [
    `/scans?businessId=${businessId}`,
    `/scans?businessId=${businessId}&origin=fetched&state=complete`,
    '/official-sites',
    `/businesses/${businessId}/official-sites`,
    '/scan-policies',
  ])
    await page(path)
  await upkeepOf('scanning', t.store)
  const erasure = { reason: 'They asked.', suppress: false }
  expect((await administrator.post(`/businesses/${businessId}/erasure`, erasure)).status).toBe(200)
  vi.restoreAllMocks()
  const asked = askedOf(statements).filter(({ sql }) => /scan|official_site/.test(sql))
  expect(asked.length).toBeGreaterThan(40)
  const { walking } = findPlans(t.store, asked)
  expect(walking.filter(({ sql }) => !bounded.test(sql))).toEqual([])
})
