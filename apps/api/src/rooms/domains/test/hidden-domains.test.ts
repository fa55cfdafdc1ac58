import { expect, test } from 'vitest'
import { type ListPage, walk } from '../../../../test/prospects.ts'
import { visibleRowLimits } from '../../../http/visible-rows.ts'
import { slicesOf } from '../../../lib/slices.ts'
import type { DomainSummary } from '../list/domains.schema.ts'
import { domainsWorld } from './domains-world.ts'

test('a viewer gets a short page after many hidden domains, and continues without learning their names', async () => {
  const { t, operator, viewer } = await domainsWorld()
  const hidden = Array.from(
    { length: visibleRowLimits.rowsRead },
    (_, at) => `n${String(at).padStart(5, '0')}.quagga.co.za`,
  )
  const names = ['addo.co.za', ...hidden, 'zebra.co.za']
  const rows = names.map((domain) => ({
    tenant_id: t.tenants.home.id,
    domain,
    label: 'n',
    skeleton: 'n',
    letters: 'n',
  }))
  await t.store.write('upkeep', async (db) => {
    for (const part of slicesOf(rows, 1_000)) await db.insertInto('domain_names').values(part).execute()
    return { keep: true, value: undefined }
  })
  const entry = {
    kind: 'domain',
    value: 'quagga.co.za',
    scope: 'with_subdomains',
    reason: 'They asked.',
    channel: 'letter',
  }
  expect((await operator.post('/suppressions', entry)).status).toBe(201)

  const { body } = await viewer.get<ListPage<DomainSummary>>('/domains?limit=10')
  expect(body.items.map(({ domain }) => domain)).toEqual(['addo.co.za'])
  expect(body.page).toMatchObject({ returned: 1, total: null, nextCursor: expect.any(String) })
  const read = (body.page.nextCursor ?? '')
    .split(/[~.]/)
    .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
  expect(read.join()).not.toMatch(/quagga|n0\d/)
  const next = await viewer.get<ListPage<DomainSummary>>(`/domains?limit=10&cursor=${body.page.nextCursor}`)
  expect(next.body.items.map(({ domain }) => domain)).toEqual(['zebra.co.za'])
  expect(next.body.page.nextCursor).toBeNull()
  expect((await walk<DomainSummary>(operator, '/domains', 200)).length).toBe(names.length)
}, 120_000)
