import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { answeredBy, dnsWorld } from '../../../../test/dns-world.ts'
import { createJobOf, untilJob, work } from '../../../../test/job-world.ts'
import { addEvidenceTo, createProspect, type ListPage } from '../../../../test/prospects.ts'
import { askedOf, findPlans, planOf, watchStatements } from '../../../../test/statement-plans.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { newId } from '../../../lib/ids.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'
import { jobKindsOf } from '../../jobs/jobs.ts'
import { domainCandidates } from '../candidates/candidates.jobs.ts'
import type { Candidate } from '../candidates/candidates.schema.ts'
import { followDomains } from '../candidates/domain-follower.ts'

/** Matches statements that may scan the DNS cache, which has at most 10,000 entries per tenant: the newest use, and the count before an eviction. */
const ofTheCache = /from "dns_cache"/

/** Matches lists that are read in the order of an index and stop when their page is full, and the query for texts to delete. */
const pageInOrder = /from domain_names as n|from dns_observations as o left join|"raw_delete_after" <=/

test('no statement of the domains room scans a whole table or tenant', async () => {
  const statements = watchStatements()
  const world = await dnsWorld(({ query }) => answeredBy(query))
  const { author: manager, operator, administrator, t } = world
  const viewer = await t.as('viewer')
  // A viewer's queries leave out what is hidden, so their statements are others.
  const page = async (path: string) => {
    const paged = `${path}${path.includes('?') ? '&' : '?'}limit=1`
    for (const client of [manager, viewer]) {
      const { status, body } = await client.get<ListPage<unknown>>(paged)
      expect([paged, status]).toEqual([paged, 200])
      if (body.page.nextCursor !== null) await client.get(`${paged}&cursor=${body.page.nextCursor}`)
    }
  }
  const emailed = async (name: string) =>
    (await createProspect(operator, { name, emails: [{ value: `info@${name}-mail.co.za` }] })).id
  const [first] = [await emailed('karoo'), await emailed('overberg'), await emailed('hantam')]
  await createProspect(operator, { name: 'Other', domains: [{ value: 'shop.karoo.co.za' }] })
  await addEvidenceTo(operator, first, { observation: null, field: 'domain', value: 'kar00.co.za' })
  await world.checked('karoo-mail.co.za', ['MX', 'NS', 'TXT'])
  await world.check('karoo-mail.co.za', ['MX'])
  await world.check('www.karoo-mail.co.za', ['MX'])
  const seen = { name: 'karoo.co.za', kind: 'MX', status: 'nxdomain', records: [], source: 'dig', raw: 'pasted' }
  for (const name of ['karoo.co.za', 'www.karoo.co.za'])
    await operator.post('/dns-observations', { ...seen, name, observedAt: t.clock().toISOString() })
  await followDomains(t.store)
  const job = await createJobOf(manager, 'domain-candidates')
  const worker = work({ store: t.store, kinds: jobKindsOf([domainCandidates]) })
  await untilJob(t.store, job.id, ({ ended_at }) => ended_at !== null)
  await worker.stop()
  for (const query of ['', '?search=karoo', '?isWaiting=true']) await page(`/domains${query}`)
  for (const query of [
    '',
    '?domain=karoo.co.za',
    '?name=karoo.co.za',
    '?kind=MX',
    '?status=nxdomain',
    '?kind=MX&status=nxdomain',
  ])
    await page(`/dns-observations${query}`)
  for (const query of ['', '?state=accepted', '?domain=karoo-mail.co.za', `?businessId=${first}`])
    await page(`/domain-candidates${query}`)
  const reason = 'They confirmed it.'
  await manager.get('/domain-rejections/preview?domain=overberg-mail.co.za')
  const { body } = await manager.get<ListPage<Candidate>>('/domain-candidates')
  const [accepted, rejected] = await Promise.all(
    body.items.map(async ({ id }) => (await manager.get<Candidate>(`/domain-candidates/${id}`)).body),
  )
  const decide = (candidate: Candidate | undefined, decision: object) =>
    manager.post(`/domain-candidates/${candidate?.id}/decision`, {
      reason,
      fingerprint: candidate?.fingerprint,
      ...decision,
    })
  const answers = [
    await decide(accepted, { decision: 'accept', addToRecord: true }),
    await decide(rejected, { decision: 'reject' }),
    await manager.get(`/domains/${accepted?.domain}`),
    await manager.post(
      '/domain-rejections',
      { through: accepted?.id, bands: ['low', 'medium'], reason },
      { 'idempotency-key': newId() },
    ),
    await manager.get('/domains/karoo.co.za/availability'),
    await manager.post(`/domain-candidates/${accepted?.id}/withdrawal`, { reason }),
    await administrator.post(`/businesses/${first}/erasure`, { reason, suppress: false }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200])
  await followDomains(t.store)
  await upkeepOf('domains', t.store)
  vi.restoreAllMocks()
  const asked = askedOf(statements).filter(({ sql }) => /domain_|dns_/.test(sql))
  expect(asked.length).toBeGreaterThan(50)
  const { walking } = findPlans(t.store, asked)
  expect(walking.filter(({ sql }) => !ofTheCache.test(sql))).toEqual([])
  const connection = openConnection(join(t.store.dataDir, STORE_FILE), { readonly: true })
  const limited = asked.filter(({ sql }) => /\blimit\b/i.test(sql) && !pageInOrder.test(sql))
  const unnarrowed = limited.filter(({ sql }) =>
    planOf(connection, sql).some((step) => /\(tenant_id=\?( AND \w+[<>]\?)?\)$/.test(step)),
  )
  const byIds = askedOf(statements).filter(({ sql }) =>
    /JOIN business_identifiers i\s+ON i.tenant_id = \S+ AND i.business_id = wanted|"o"\."id" in \(/.test(sql),
  )
  const steps = byIds.flatMap(({ sql }) => planOf(connection, sql).filter((step) => /^SEARCH [io] /.test(step)))
  connection.close()
  expect(new Set(steps)).toEqual(
    new Set([
      'SEARCH i USING PRIMARY KEY (tenant_id=? AND business_id=?)',
      'SEARCH o USING INDEX sqlite_autoindex_dns_observations_1 (tenant_id=? AND id=?)',
    ]),
  )
  expect(unnarrowed.map(({ sql }) => sql)).toEqual([])
})
