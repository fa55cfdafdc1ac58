import { expect, test } from 'vitest'
import { untilJob } from '../../../../test/job-world.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { newId } from '../../../lib/ids.ts'
import { heldContentOf } from '../scanning.ts'
import type { Scan } from '../scans/scans.schema.ts'
import { type Answer, failed, redirectTo } from '../scripted-web.acceptance.ts'
import { home, START, webWorld } from './web-world.ts'

test('a scan reads robots.txt, the start page and the contact and about pages that it links to, and holds them for minutes', async () => {
  const { t, web, begin, scan } = await webWorld({
    [START]: `${home}<a href="/contact">Contact</a><a href="/about">x</a><a href="/shop">Shop</a><a href="/blog" rel="nofollow">About us</a>`,
    'https://karoo.co.za/contact': '<p>Call us about a windpump for your farm, any day of the week.</p>',
  })
  begin()
  const done = await scan()
  expect(web.urls()).toEqual([`${START}robots.txt`, START, `${START}contact`, `${START}about`])
  expect(done).toMatchObject({
    state: 'complete',
    reasons: [],
    cacheStatus: 'miss',
    freshness: 'fresh',
    dnsPolicyVersion: 1,
  })
  expect(done.pages).toMatchObject([
    {
      role: 'start',
      outcome: 'read',
      class: 'content',
      facts: { status: 200, title: 'Karoo Windpumps', repeats: { name: 'yes' } },
    },
    { role: 'contact', outcome: 'read', hops: [{ status: 200, address: '196.10.100.1', verdict: 'allowed' }] },
    { role: 'about', class: 'error', suspected: ['not_found'], facts: { status: 404 } },
  ])
  expect(
    heldContentOf(t.store)
      .pagesOf(t.tenants.home.id, done.id)
      .map(({ role }) => role),
  ).toEqual(['start', 'contact', 'about'])
})

test('a fresh scan answers a second request as a hit, unless the cache is bypassed', async () => {
  const { t, web, begin, scan, ask } = await webWorld()
  begin()
  const first = await scan()
  t.clock.advance(60_000)
  const hit = await ask()
  expect([hit.status, hit.body.id, hit.body.cacheStatus, hit.body.ageSeconds]).toEqual([200, first.id, 'hit', 60])
  expect((await scan({ bypassCache: true })).cacheStatus).toBe('bypass')
  // robots.txt is cached for a day.
  expect(web.urls()).toEqual([`${START}robots.txt`, START, START])
  t.clock.advance(30 * 86_400_000)
  const { id: tenantId, users } = t.tenants.home
  const again = t.withSession(await t.startSession({ tenantId, userId: users.manager.id, role: 'manager' }))
  expect((await again.get<Scan>(`/scans/${first.id}`)).body.freshness).toBe('stale')
})

test.each<[string, Answer, Partial<Scan>]>([
  ['incomplete', failed('connection_failed'), { state: 'incomplete', reasons: ['connection_failed'] }],
  ['blocked', failed('rebinding', { verdict: 'denied' }), { state: 'blocked', reasons: ['rebinding'] }],
])('a scan that ended as %s expires at once and answers no later request', async (_state, answer, expected) => {
  const { begin, scan, ask, read } = await webWorld({ [START]: answer })
  begin()
  const done = await scan()
  expect(done).toMatchObject({ ...expected, freshness: 'stale' })
  expect(done.expiresAt).toBe(done.endedAt)
  const again = await ask()
  expect([again.status, again.body.id === done.id]).toEqual([202, false])
  expect((await read(again.body.id)).cacheStatus).toBe('miss')
})

test('a newer blocked scan displaces the scan that answered before, and a newer incomplete one does not', async () => {
  let answer: Answer = home
  const { begin, scan, ask } = await webWorld((url) => (url === START ? answer : { status: 404 }))
  begin()
  const first = await scan()
  answer = failed('connection_failed')
  expect((await scan({ bypassCache: true })).state).toBe('incomplete')
  expect((await ask()).body).toMatchObject({ id: first.id, cacheStatus: 'hit' })
  answer = failed('unsafe_address', { address: '10.0.0.1', verdict: 'denied' })
  expect((await scan({ bypassCache: true })).state).toBe('blocked')
  expect((await ask()).status).toBe(202)
})

test('an approved scan policy ends the freshness of earlier scans and shortens their retention, never lengthens it', async () => {
  const { t, world, manager, begin, scan, ask, read } = await webWorld()
  begin()
  const first = await scan()
  const daysOf = async (id: string) => {
    const { requestedAt, deleteAfter } = await read(id)
    return (Date.parse(deleteAfter ?? '') - Date.parse(requestedAt)) / 86_400_000
  }
  const reevaluated = () => t.store.reader.selectFrom('jobs').select('id').where('kind', '=', 'scan-reevaluation')
  const approve = async (retentionDays: number) => {
    const { body } = await manager.post<{ id: string }>('/scan-policies', { bounds: { pages: 2 }, retentionDays })
    await world.administrator.post(`/scan-policies/${body.id}/approval`, { reason: 'Agreed.' })
  }
  const judge = async () => {
    await upkeepOf('scanning', t.store)
    for (const { id } of await reevaluated().execute()) await untilJob(t.store, id, ({ ended_at }) => ended_at !== null)
  }
  await approve(90)
  expect((await read(first.id)).freshness).toBe('policy_changed')
  expect((await manager.get<{ items: Scan[] }>('/scans?freshness=fresh')).body.items).toEqual([])
  expect((await manager.get<{ items: Scan[] }>('/scans?freshness=policy_changed')).body.items).toHaveLength(1)
  expect((await ask()).status).toBe(202)
  expect(await daysOf(first.id)).toBe(180)
  await judge()
  expect(await daysOf(first.id)).toBe(90)
  await approve(365)
  await judge()
  expect([await daysOf(first.id), (await reevaluated().execute()).length]).toEqual([90, 2])
})

test('a hit of a prospect that is do not contact gives that reason', async () => {
  const { manager, businessId, begin, scan, ask, read } = await webWorld()
  begin()
  const { id } = await scan()
  await manager.post(`/businesses/${businessId}/do-not-contact`, { reason: 'They asked.' })
  expect(await ask()).toMatchObject({ status: 200, body: { id, cacheStatus: 'hit', reasons: ['do_not_contact'] } })
  expect((await read(id)).reasons).toEqual([])
})

test('without an enabled source a request is deferred with every reason, and no plan or deferral sends anything', async () => {
  const { world, web, source, manager, ask, businessId } = await webWorld()
  await world.administrator.post(`/sources/${source.id}/disablement`, { reason: 'Stop.' })
  const deferred = await ask()
  expect([deferred.status, deferred.body]).toMatchObject([
    201,
    { state: 'deferred', reasons: ['source_not_enabled'], jobId: null },
  ])
  await world.administrator.post(`/businesses/${businessId}/do-not-contact`, { reason: 'They asked.' })
  expect((await ask()).body.reasons).toEqual(['source_not_enabled', 'do_not_contact'])
  const plan = await manager.post('/scan-plans', { businessId, url: START })
  expect(plan).toMatchObject({
    status: 200,
    body: { canFetch: false, pages: [`${START}robots.txt`, START], maxPages: 5 },
  })
  expect(await manager.get('/scanning/status')).toMatchObject({ body: { canFetch: false, running: 0 } })
  expect(web.requests).toEqual([])
})

test.each([
  ['https://other.co.za/', 422, 'host_not_on_record'],
  ['https://facebook.com/karoo', 422, 'shared_host'],
  ['http://127.0.0.1/', 400, 'invalid_request'],
  ['ftp://karoo.co.za/', 400, 'invalid_request'],
])('%s is refused: %s %s', async (url, status, code) => {
  const { t, ask } = await webWorld()
  const changes = await t.changes(async () => {
    const answer = await ask({}, url)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })
  expect(changes).toEqual({})
})

test.each<[string, Record<string, Answer>, Partial<Scan>, object]>([
  [
    'robots.txt disallows',
    {
      [`${START}robots.txt`]: {
        contentType: 'text/plain',
        body: Buffer.from('User-agent: ProspectPlatform\nDisallow: /'),
      },
    },
    { state: 'incomplete', reasons: ['robots_disallowed'] },
    { outcome: 'not_read' },
  ],
  [
    'robots.txt fails',
    { [`${START}robots.txt`]: { status: 503 } },
    { state: 'incomplete', reasons: ['robots_unavailable'] },
    { class: 'unknown', hops: [{ url: `${START}robots.txt`, status: 503 }] },
  ],
  [
    'robots.txt leaves the site',
    { [`${START}robots.txt`]: redirectTo('https://other.co.za/robots.txt', 'off_site') },
    { state: 'incomplete', reasons: ['robots_unavailable'] },
    {},
  ],
  [
    'robots.txt is at an unsafe address',
    { [`${START}robots.txt`]: failed('unsafe_address', { address: '10.0.0.1', verdict: 'denied' }) },
    { state: 'blocked', reasons: ['unsafe_address'] },
    {
      outcome: 'blocked',
      hops: [{ url: `${START}robots.txt`, address: '10.0.0.1', verdict: 'denied', reason: 'unsafe_address' }],
    },
  ],
  [
    'the host of robots.txt is not found',
    { [`${START}robots.txt`]: failed('dns_failed', { address: null }) },
    { state: 'incomplete', reasons: ['dns_failed'] },
    { outcome: 'not_read', hops: [{ url: `${START}robots.txt`, reason: 'dns_failed' }] },
  ],
  [
    'DNS has no such host',
    { [`${START}robots.txt`]: failed('nxdomain', { address: null }) },
    { state: 'incomplete', reasons: ['nxdomain'] },
    { outcome: 'not_read', hops: [{ url: `${START}robots.txt`, reason: 'nxdomain' }] },
  ],
  [
    'a redirect stays on the site',
    { [START]: redirectTo('https://www.karoo.co.za/'), 'https://www.karoo.co.za/': home },
    { state: 'complete', reasons: [] },
    { hops: [{ status: 301 }, { status: 200, url: 'https://www.karoo.co.za/' }] },
  ],
  [
    'a redirect leaves the site',
    { [START]: redirectTo('https://other.co.za/x', 'off_site') },
    { state: 'incomplete', reasons: ['off_site'] },
    { hops: [{ status: 301 }, { url: 'https://other.co.za/x', verdict: 'denied', reason: 'off_site' }] },
  ],
  [
    'a redirect to http',
    { [START]: redirectTo('http://karoo.co.za/', 'downgrade') },
    { state: 'incomplete', reasons: ['downgrade'] },
    {},
  ],
  [
    'a redirect loop',
    { [START]: redirectTo(`${START}a`), [`${START}a`]: redirectTo(START) },
    { state: 'incomplete', reasons: ['redirect_loop'] },
    {},
  ],
  [
    'an unsafe address',
    { [START]: failed('unsafe_address', { address: '10.0.0.1', verdict: 'denied' }) },
    { state: 'blocked', reasons: ['unsafe_address'] },
    { outcome: 'blocked', hops: [{ address: '10.0.0.1', verdict: 'denied' }] },
  ],
  [
    'a rebinding',
    { [START]: failed('rebinding', { verdict: 'denied' }) },
    { state: 'blocked', reasons: ['rebinding'] },
    {},
  ],
  [
    'a name that is not found',
    { [START]: failed('dns_failed') },
    { state: 'incomplete', reasons: ['dns_failed'] },
    { outcome: 'not_read', class: 'unknown' },
  ],
  [
    'a page that is too large',
    { [START]: { body: Buffer.from(home), endedBy: 'size_limit' } },
    { state: 'incomplete', reasons: ['size_limit'] },
    { outcome: 'read_in_part' },
  ],
  [
    'an encoding that was not requested',
    { [START]: failed('encoding_unsupported') },
    { state: 'incomplete', reasons: ['encoding_unsupported'] },
    { class: 'unreadable' },
  ],
  [
    'a picture',
    { [START]: { contentType: 'image/png', body: Buffer.from('x') } },
    { state: 'complete' },
    { class: 'not_html' },
  ],
  [
    '429',
    { [START]: { result: { outcome: 'deferred', cause: 'rate_limited', retryAfterMs: 60_000 } } },
    { state: 'incomplete', reasons: ['rate_limited'] },
    { outcome: 'deferred', retryAt: expect.any(String) },
  ],
  [
    '403',
    { [START]: { result: { outcome: 'unavailable', cause: 'access_denied', fault: 'target' } } },
    { state: 'incomplete', reasons: ['access_denied'] },
    { outcome: 'refused' },
  ],
])('%s', async (_case, pages, scan, page) => {
  const { web, begin, scan: run } = await webWorld(pages)
  begin()
  const done = await run()
  expect(done).toMatchObject(scan)
  expect(done.pages[0]).toMatchObject(page)
  expect(new Set(web.urls()).size).toBe(web.urls().length)
})

test('no request is repeated, although the contract would allow it', async () => {
  const { web, begin, scan } = await webWorld((url) =>
    url.endsWith('robots.txt')
      ? { status: 404 }
      : { result: { outcome: 'unavailable', cause: 'timeout', fault: 'target' } },
  )
  begin()
  expect((await scan()).reasons).toEqual(['time_limit'])
  expect(web.urls()).toEqual([`${START}robots.txt`, START])
})

test('more pages than the budget allows end the scan as incomplete', async () => {
  const links = Array.from({ length: 8 }, (_, at) => `<a href="/contact/${at}">Contact ${at}</a>`).join('')
  const { web, begin, scan } = await webWorld({ [START]: home + links })
  begin()
  const done = await scan()
  expect([done.state, done.reasons, done.pages.length]).toEqual(['incomplete', ['page_limit'], 5])
  expect(web.requests).toHaveLength(6)
}, 20_000)

test.each<[string, string]>([
  ['do_not_contact', 'a block'],
  ['policy_changed', 'a new policy'],
  ['source_not_enabled', 'a disabled source'],
])('%s: %s during a scan stops it, and what was being read is not stored', async (reason) => {
  const set = await webWorld(async (url) => {
    if (url !== START) return undefined
    await stop()
    return `${home}<a href="/contact">Contact</a>`
  })
  const { world, manager, businessId, source } = set
  const stop = async () => {
    if (reason === 'do_not_contact')
      await manager.post(`/businesses/${businessId}/do-not-contact`, { reason: 'They asked.' })
    else if (reason === 'source_not_enabled')
      await manager.post(`/sources/${source.id}/disablement`, { reason: 'Stop.' })
    else {
      const { body } = await manager.post<{ id: string }>('/scan-policies', { bounds: {}, retentionDays: 90 })
      await world.administrator.post(`/scan-policies/${body.id}/approval`, { reason: 'Agreed.' })
    }
  }
  set.begin()
  const done = await set.scan()
  expect([done.state, done.reasons, done.pages]).toMatchObject(['incomplete', [reason], [{ facts: null, hops: [] }]])
  expect(set.web.requests).toHaveLength(2)
})

test('a scan that is cancelled keeps what was read, and one whose process was lost is interrupted and not repeated', async () => {
  const { t, web, ask, read, begin, manager } = await webWorld()
  const queued = await ask()
  await manager.post(`/jobs/${queued.body.jobId}/cancellation`, {}, { 'idempotency-key': newId() })
  expect(await read(queued.body.id)).toMatchObject({ state: 'cancelled', reasons: ['cancelled'] })

  const lost = await ask({ bypassCache: true })
  await t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
    await db.updateTable('scan_results').set({ state: 'running' }).where('scan_id', '=', lost.body.id).execute()
    const page = {
      tenant_id: t.tenants.home.id,
      scan_id: lost.body.id,
      position: 0,
      url: START,
      role: 'start' as const,
    }
    const empty = {
      outcome: null,
      facts: null,
      class: 'unknown' as const,
      suspected: '[]',
      reasons: '[]',
      retry_at: null,
    }
    await db
      .insertInto('scan_pages')
      .values({ ...page, ...empty })
      .execute()
    return { keep: true, value: null }
  })
  begin()
  await untilJob(t.store, lost.body.jobId ?? '', ({ ended_at }) => ended_at !== null)
  expect(await read(lost.body.id)).toMatchObject({
    state: 'incomplete',
    reasons: ['interrupted'],
    pages: [{ outcome: 'interrupted' }],
  })
  expect(web.requests).toEqual([])
})

test('stored scans are judged again by new rules, without a request and never for the better', async () => {
  const { t, web, begin, scan, read } = await webWorld()
  begin()
  const done = await scan()
  const requests = web.requests.length
  await t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
    await db.updateTable('scan_results').set({ address_policy_version: 0 }).execute()
    await db.updateTable('scan_hops').set({ address: '10.0.0.1' }).execute()
    return { keep: true, value: null }
  })
  await upkeepOf('scanning', t.store)
  const job = await t.store.reader
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', 'scan-reevaluation')
    .executeTakeFirstOrThrow()
  await untilJob(t.store, job.id, ({ ended_at }) => ended_at !== null)
  expect(await read(done.id)).toMatchObject({
    state: 'blocked',
    freshness: 'policy_changed',
    reasons: ['unsafe_address', 'policy_changed'],
  })
  expect(web.requests).toHaveLength(requests)
  await upkeepOf('scanning', t.store)
  expect(
    await t.store.reader.selectFrom('jobs').select('id').where('kind', '=', 'scan-reevaluation').execute(),
  ).toHaveLength(1)
})

test('an erasure removes the hosts of fetched pages from the requests of the source', async () => {
  const { t, world, begin, scan, businessId } = await webWorld()
  begin()
  await scan()
  const targets = async () => {
    const rows = await t.store.reader.selectFrom('source_permits').select('target').execute()
    return [...new Set(rows.map(({ target }) => target))]
  }
  expect(await targets()).toEqual(['karoo.co.za'])
  const { status } = await world.administrator.post(`/businesses/${businessId}/erasure`, { reason: 'They asked.' })
  expect(status).toBe(200)
  expect(await targets()).toEqual(['Erased.'])
})
