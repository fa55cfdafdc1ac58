import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { untilJob, work } from '../../../../test/job-world.ts'
import { askMerge, askReversal, merged, suggestedPair } from '../../../../test/merging.ts'
import { createProspect, endProspect, type Refusal, walk } from '../../../../test/prospects.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { jobKindsOf } from '../../jobs/jobs.ts'
import type { Merge } from '../../matching/merging/merges.schema.ts'
import { scanReevaluation } from '../scanning.jobs.ts'
import { heldContentOf } from '../scanning.ts'
import type { Scan } from '../scans/scans.schema.ts'
import { formWith } from './page-forms.ts'

const contactPage = `<!-- saved from url=(0027)https://karoo.co.za/contact -->
<!doctype html><html><head><meta charset="utf-8"><title>Contact Karoo Windpumps – 021 555 0105, info@karoo.co.za</title></head>
<body><h1>Karoo <b>Wind</b>pumps</h1><p>Reg. 2015/123456/07</p><p>Call +27 (0)21 555 0105 or write to
<a href="mailto:desk@karoo.co.za">us</a>.</p><p>12 Long St., Beaufort West</p><script>var hidden = 'x@y.co.za'</script>
<form></form><a href="/about-us">About us</a></body></html>`

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator, {
    name: 'Karoo Windpumps',
    registrationNumber: '2015/123456/07',
    phones: [{ value: '021 555 0105', region: 'ZA' }],
    domains: [{ value: 'karoo.co.za' }],
    address: { street: '12 Long St' },
  })
  const supply = (page: string | Buffer = contactPage, fields: Record<string, string> = {}, client = operator) => {
    const form = formWith(page, fields)
    return client.post<Scan & Refusal>(`/businesses/${id}/supplied-pages`, form.body, {
      'content-type': form.contentType,
      'idempotency-key': newId(),
    })
  }
  return { t, operator, id, supply }
}

async function suppressDomain(client: TestClient, value: string): Promise<void> {
  const entry = { kind: 'domain', value, reason: 'They asked.', channel: 'email', scope: 'with_subdomains' }
  const { status, body } = await client.post('/suppressions', entry)
  if (status !== 201) throw new Error(JSON.stringify(body))
}

test('a supplied page is stored as facts: what it repeats of the record, counts and hash, and a title without contact values', async () => {
  const { t, supply, operator, id } = await setUp()
  const answers: Scan[] = []
  const changes = await t.changes(async () => {
    answers.push((await supply()).body)
  })
  expect(changes).toEqual({
    scans: 1,
    scan_results: 1,
    scan_pages: 1,
    scan_counts: 1,
    audit_events: 1,
    idempotency_keys: 1,
  })
  expect(answers[0]).toMatchObject({
    origin: 'supplied',
    state: 'complete',
    reasons: [],
    url: 'https://karoo.co.za/contact',
    observedAt: '2026-11-20T09:00:00.000Z',
    freshness: 'fresh',
    cacheStatus: 'not_cached',
    suppliedBy: { kind: 'user' },
    dnsPolicyVersion: null,
    pages: [
      {
        role: 'contact',
        outcome: 'read',
        hops: [],
        class: 'content',
        suspected: [],
        facts: {
          status: null,
          mediaType: 'text/html',
          charset: { name: 'utf-8', from: 'document', isDoubtful: false },
          title: 'Contact Karoo Windpumps – •••, •••',
          counts: { links: 2, forms: 1, scripts: 1 },
          repeats: { name: 'yes', registrationNumber: 'yes', phone: 'yes', mailDomain: 'yes', street: 'yes' },
        },
      },
    ],
  })
  expect(await walk<Scan>(operator, `/scans?businessId=${id}`)).toHaveLength(1)
  expect(t.logged()).not.toContain('desk@karoo')
})

test('nothing of the page itself is in a table; its content, and with it the beginning of its text, is in memory for 15 minutes', async () => {
  const { t, supply, operator } = await setUp()
  const { body } = await supply()
  const opening = 'Karoo Windpumps Reg. ••• Call ••• or write to us. 12 Long St., Beaufort West About us'
  expect(body.pages[0]?.opening).toBe(opening)
  const tables = await sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table'`.execute(
    t.store.reader,
  )
  for (const { name } of tables.rows) {
    const { rows } = await sql`SELECT * FROM ${sql.table(name)}`.execute(t.store.reader)
    expect([name, ['desk@karoo', 'Beaufort West'].some((text) => JSON.stringify(rows).includes(text))]).toEqual([
      name,
      false,
    ])
  }
  const held = heldContentOf(t.store)
  const [page] = held.pagesOf(t.tenants.home.id, body.id)
  expect(Buffer.from(page?.body ?? []).toString()).toBe(contactPage)
  t.clock.advance(15 * 60_000)
  expect(held.pagesOf(t.tenants.home.id, body.id)).toEqual([])
  const { body: later } = await operator.get<Scan>(`/scans/${body.id}`)
  expect(later.pages[0]).toMatchObject({ opening: null, facts: { counts: { text: 111 } } })
})

test('a page is supplied once under its key, and another page under the same key is refused', async () => {
  const { t, operator, id } = await setUp()
  const send = (page: string) => {
    const form = formWith(page)
    const headers = { 'content-type': form.contentType, 'idempotency-key': 'once' }
    return operator.post<Scan & Refusal>(`/businesses/${id}/supplied-pages`, form.body, headers)
  }
  const first = await send(contactPage)
  const changes = await t.changes(async () => {
    const again = await send(contactPage)
    expect([again.status, again.body.id, again.headers['idempotency-replayed']]).toEqual([201, first.body.id, 'true'])
    expect((await send('<p>Another</p>')).body.code).toBe('idempotency_key_reused')
  })
  expect(changes).toEqual({})
})

test.each([
  ['a PDF', '%PDF-1.7', 415],
  ['an MHTML archive', 'From: <Saved by Blink>\r\nMIME-Version: 1.0', 415],
  ['an archive', 'PK\x03\x04', 415],
  ['a picture', '\x89PNG\r\n\x00\x00', 415],
  ['nothing', '', 400],
  ['more than 5 MB', 'x'.repeat(5_000_001), 413],
])('%s is refused, and nothing is stored', async (_case, page, status) => {
  const { t, supply } = await setUp()
  const changes = await t.changes(async () => {
    const answer = await supply(Buffer.from(page, 'latin1'))
    expect(answer.status).toBe(status)
    if (status === 413)
      expect(answer.body).toMatchObject({ limit: 'supplied_page', size: page.length, max: page.length - 1 })
  })
  expect(changes).toEqual({})
})

test('a form that is larger than any page is refused unread, with its size and the maximum', async () => {
  const { supply } = await setUp()
  const { status, body } = await supply('x'.repeat(5_100_000))
  expect([status, body]).toMatchObject([413, { code: 'too_large', limit: 'request_body', max: 5_065_536 }])
  expect(body.detail).toMatch(/^The body of this request has 5,1\d\d,\d{3} bytes; the limit is 5,065,536\./)
})

test.each([
  ['url', { url: 'http://127.0.0.1/' }],
  ['url', { url: 'https://karoo.co.za:8443/' }],
  ['capturedAt', { capturedAt: 'yesterday' }],
  ['capturedAt', { capturedAt: '2031-01-01T00:00:00Z' }],
  ['role', { role: 'shop' }],
  ['note', { note: 'x' }],
  ['__proto__', { ['__proto__']: 'x' }],
  ['constructor', { constructor: 'x' }],
])('a wrong %s is named', async (path, fields) => {
  const { supply } = await setUp()
  const { status, body } = await supply(contactPage, fields)
  expect([status, body.errors?.[0]?.path]).toEqual([400, path])
})

test('a page of another host, or one that says so, carries that reason', async () => {
  const { supply } = await setUp()
  const shop = await supply('<p>Shop</p>', { url: 'https://shop.karoo.co.za/' })
  const other = await supply('<p>Other</p>', { url: 'https://other.co.za/' })
  const shared = await supply('<p>Page</p>', { url: 'https://facebook.com/karoo' })
  const said = await supply('<!-- saved from url=(0020)https://other.co.za/ --><p>Other</p>')
  expect([shop, other, shared, said].map(({ body }) => body.reasons)).toEqual([
    [],
    ['other_host'],
    ['other_host'],
    ['other_host'],
  ])
  expect(other.body.state).toBe('complete')
})

test('a page larger than the decoded budget is incomplete, with the limit named', async () => {
  const { supply } = await setUp()
  const { body } = await supply(`<p>Fences</p><!-- ${'x'.repeat(2_100_000)} -->`)
  expect(body).toMatchObject({
    state: 'incomplete',
    reasons: ['decoded_limit'],
    pages: [{ outcome: 'read_in_part', facts: { bytes: { decoded: 2_000_000 } } }],
  })
})

test('a page with styles and scripts before its text is read as a whole; one that needs scripts states nothing about the record', async () => {
  const { supply } = await setUp()
  const head =
    '<style>h1 { color: red }</style><script>run()</script><template><p>x</p></template><noscript>y</noscript>'
  const text = `<p>${'We build fences of steel for farms. '.repeat(3)}</p>`
  const whole = await supply(contactPage.replace('<head>', `<head>${head}`))
  const missing = await supply(`<html><head>${head}</head><body>${text}`)
  const scripted = await supply(`<html><head>${head}</head><body><div id="app"></div>`)
  const repeatsOf = ({ body }: { body: Scan }) => body.pages[0]?.facts?.repeats
  expect(whole.body.pages[0]?.class).toBe('content')
  expect(Object.values(repeatsOf(whole) ?? {})).toEqual(['yes', 'yes', 'yes', 'yes', 'yes'])
  expect(Object.values(repeatsOf(missing) ?? {})).toEqual(['no', 'no', 'no', 'no', 'no'])
  expect(scripted.body.pages[0]?.class).toBe('needs_script')
  expect(new Set(Object.values(repeatsOf(scripted) ?? {}))).toEqual(new Set(['not_known']))
})

test('what an earlier scanner stated about text that it lost is not known any more', async () => {
  const { t, supply, operator } = await setUp()
  const { body: read } = await supply()
  const { body: lost } = await supply()
  const repeats = { name: 'yes', registrationNumber: 'no', phone: 'no', mailDomain: 'no', street: 'no' }
  await t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
    await db.updateTable('scan_results').set({ scanner_version: 1 }).execute()
    for (const [id, text] of [
      [read.id, 300],
      [lost.id, 0],
    ] as const) {
      const facts = { ...read.pages[0]?.facts, repeats, counts: { text, links: 2, forms: 1, scripts: 1 }, words: [] }
      await db
        .updateTable('scan_pages')
        .set({ facts: JSON.stringify(facts), class: text === 0 ? 'needs_script' : 'content' })
        .where('scan_id', '=', id)
        .execute()
    }
    return { keep: true, value: null }
  })
  await upkeepOf('scanning', t.store)
  const { id: jobId } = await t.store.reader.selectFrom('jobs').select('id').executeTakeFirstOrThrow()
  const worker = work({ store: t.store, kinds: jobKindsOf([scanReevaluation]) })
  await untilJob(t.store, jobId, ({ ended_at }) => ended_at !== null)
  await worker.stop()
  const cautious = {
    ...repeats,
    registrationNumber: 'not_known',
    phone: 'not_known',
    mailDomain: 'not_known',
    street: 'not_known',
  }
  const pageOf = async ({ id }: Scan) => (await operator.get<Scan>(`/scans/${id}`)).body
  expect(await pageOf(read)).toMatchObject({
    freshness: 'policy_changed',
    pages: [{ class: 'content', facts: { counts: { text: 300 }, repeats: cautious } }],
  })
  expect(await pageOf(lost)).toMatchObject({
    pages: [{ class: 'unknown', facts: { counts: null, repeats: cautious } }],
  })
})

test('pages of a prospect that is do not contact or not active, or of a suppressed host, are not stored', async () => {
  const { t, supply, id } = await setUp()
  const administrator = await t.as('administrator')
  await suppressDomain(administrator, 'other.co.za')
  expect((await supply('<p>x</p>', { url: 'https://www.other.co.za/' })).body.code).toBe('suppressed')
  await administrator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  const changes = await t.changes(async () => {
    expect((await supply()).body.code).toBe('suppressed')
    await endProspect(t, id, { status: 'inactive' })
    expect((await supply()).body.code).toBe('business_not_active')
  })
  expect(changes).toEqual({ audit_events: 1, business_counts: 0, businesses: 0 })
})

test('addresses and titles of a do-not-contact prospect, and of a host suppressed later, are for those who may see values', async () => {
  const { t, supply, id } = await setUp()
  const [administrator, viewer] = [await t.as('administrator'), await t.as('viewer')]
  const { body: other } = await supply('<title>Other</title><p>x</p>', { url: 'https://other.co.za/' })
  const { body: own } = await supply()
  await suppressDomain(administrator, 'other.co.za')
  const seenBy = async (client: TestClient, scan: Scan) => (await client.get<Scan>(`/scans/${scan.id}`)).body
  expect(await seenBy(viewer, other)).toMatchObject({ valuesHidden: true, url: '•••', pages: [{ url: '•••' }] })
  expect(await seenBy(viewer, own)).toMatchObject({ valuesHidden: false })
  await administrator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  expect(await seenBy(viewer, own)).toMatchObject({ valuesHidden: true, pages: [{ facts: { title: '•••' } }] })
  expect(await seenBy(administrator, own)).toMatchObject({ valuesHidden: false, url: 'https://karoo.co.za/contact' })
  const { body: list } = await viewer.get<{ items: Scan[] }>('/scans')
  expect(list.items.map(({ url }) => url)).toEqual(['•••', '•••'])
})

test('contents are emptied when their time is over; that the page was supplied stays', async () => {
  const { t, supply } = await setUp()
  const { body } = await supply()
  t.clock.advance(180 * DAY_MS - 1_000)
  await upkeepOf('scanning', t.store)
  expect(await t.store.reader.selectFrom('scan_pages').selectAll().execute()).toHaveLength(1)
  t.clock.advance(1_000)
  const changes = await t.changes(() => upkeepOf('scanning', t.store))
  expect(changes).toMatchObject({ scan_pages: -1, audit_events: 1 })
  const [row] = await t.store.reader.selectFrom('scans').selectAll().execute()
  expect(row).toMatchObject({ id: body.id, url: null, requested_by: t.tenants.home.users.operator.id })
  expect(await t.changes(() => upkeepOf('scanning', t.store))).toEqual({})
})

test('a merge shows the scans of both records with their origin, and a reversal gives them back', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Karoo Windpumps')
  const supplyTo = async (businessId: string) => {
    const form = formWith('<p>x</p>')
    const headers = { 'content-type': form.contentType, 'idempotency-key': newId() }
    await manager.post(`/businesses/${businessId}/supplied-pages`, form.body, headers)
  }
  for (const id of [a, b]) await supplyTo(id)
  const { body: fresh } = await manager.get<typeof suggestion>(`/match-suggestions/${suggestion.id}`)
  const merge = await merged(askMerge(manager, fresh, a))
  expect(merge.readBack.throughSurvivor).toMatchObject({ scans: 2 })
  const scans = await walk<Scan>(manager, `/scans?businessId=${a}`)
  expect(scans.map(({ businessId }) => businessId).toSorted()).toEqual([a, b].toSorted())
  const reversal = await askReversal(manager, merge.id)
  expect((reversal.body as Merge).status).toBe('reversed')
  expect(await walk<Scan>(manager, `/scans?businessId=${b}`)).toHaveLength(1)
})

test('the 2,001st page of a day is refused, and counts again tomorrow', async () => {
  const { t, supply } = await setUp()
  await supply()
  await t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
    await db.updateTable('scan_counts').set({ supplied: 2_000 }).execute()
    return { keep: true, value: null }
  })
  const refused = await supply()
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'rate_limited', limit: 'supplied_pages_of_day', size: 2_000, max: 2_000 },
  })
  t.clock.advance(DAY_MS)
  const other = t.withSession(
    await t.startSession({ tenantId: t.tenants.home.id, userId: t.tenants.home.users.operator.id, role: 'operator' }),
  )
  expect((await supply(contactPage, {}, other)).status).toBe(201)
})

test('an erasure empties scans in tables and in memory; that the page was supplied stays', async () => {
  const { t, supply, id } = await setUp()
  const { body } = await supply()
  const administrator = await t.as('administrator')
  const { body: erased } = await administrator.post(`/businesses/${id}/erasure`, { reason: 'The person asked.' })
  expect(erased).toMatchObject({ erased: { scans: 1 } })
  const [row] = await t.store.reader.selectFrom('scans').selectAll().execute()
  expect([row?.id, row?.url]).toEqual([body.id, null])
  expect(await t.store.reader.selectFrom('scan_pages').selectAll().execute()).toEqual([])
  expect(heldContentOf(t.store).pagesOf(t.tenants.home.id, body.id)).toEqual([])
})
