import { expect, test, vi } from 'vitest'
import type { ListPage } from '../../../../test/prospects.ts'
import { askedOf, findPlans, watchStatements } from '../../../../test/statement-plans.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { followSuppressions } from '../candidates/suppression-follower.ts'
import { contactWorld, reason } from './contact-world.ts'

test('no statement of the contacts room scans a whole table or tenant', async () => {
  const statements = watchStatements()
  const { t, id, operator, administrator, extract, list, decide, suppress } = await contactWorld()
  const page = async (path: string) => {
    const { status, body } = await operator.get<ListPage<unknown>>(path)
    expect([path, status]).toEqual([path, 200])
    if (body.page.nextCursor !== null) await operator.get(`${path}&cursor=${body.page.nextCursor}`)
  }
  const values = ['a@karoo.co.za', 'b@karoo.co.za', 'c@hantam.co.za', 'd@hantam.co.za', '021 555 0105']
  await extract(`<h1>Contact</h1>${values.map((value) => `<p>${value}</p>`).join('')}`)
  await extract('<h1>Contact</h1><p>a@karoo.co.za</p>')
  for (const query of ['', '&state=open', '&rule=other_domain', '&kind=email', `&businessId=${id}`])
    await page(`/contact-candidates?limit=1${query}`)
  for (const query of ['', `&businessId=${id}`]) await page(`/extractions?limit=1${query}`)
  await operator.get('/extraction/readiness')
  const [first, second, third] = await list('&state=open')
  const [quarantined] = await list('&state=quarantined')
  if (first === undefined || second === undefined || third === undefined || quarantined === undefined)
    throw new Error('Too few candidates.')
  expect((await decide(first, { decision: 'accept' })).status).toBe(200)
  expect((await decide(second, { decision: 'reject', reason })).status).toBe(200)
  expect((await decide(quarantined, { decision: 'release', reason })).status).toBe(200)
  await suppress('email', third.value ?? '')
  await followSuppressions(t.store)
  await upkeepOf('contacts', t.store)
  expect((await administrator.post(`/businesses/${id}/erasure`, { reason, suppress: false })).status).toBe(200)
  vi.restoreAllMocks()
  const asked = askedOf(statements).filter(({ sql }) => /contact_|extraction/.test(sql))
  expect(asked.length).toBeGreaterThan(30)
  expect(findPlans(t.store, asked).walking).toEqual([])
})
