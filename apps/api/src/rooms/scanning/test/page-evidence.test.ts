import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect, type Refusal } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import type { Scan } from '../scans/scans.schema.ts'
import { formWith } from './page-forms.ts'

const head = '<title>Karoo Windpumps</title><style>p {}</style><script>run()</script>'
const text = '<p>We build windpumps for farms and repair them. Call 021 555 0105.</p>'

async function world() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const prospect = (name: string) =>
    createProspect(operator, {
      name,
      phones: [{ value: '021 555 0105', region: 'ZA' }],
      domains: [{ value: 'karoo.co.za' }],
      address: { street: '12 Long St' },
    })
  const { id } = await prospect('Karoo Windpumps')
  const supply = async (page: string) => {
    const form = formWith(page)
    const headers = { 'content-type': form.contentType, 'idempotency-key': newId() }
    return (await operator.post<Scan>(`/businesses/${id}/supplied-pages`, form.body, headers)).body
  }
  const add = (scan: Scan, repeats: readonly string[], businessId = id, page = 0) =>
    operator.post<Evidence & Refusal>(`/businesses/${businessId}/page-evidence`, {
      scanId: scan.id,
      page,
      repeats,
      confidence: 'medium',
    })
  return { t, id, supply, add, prospect }
}

test('what a page shows and does not show becomes one observation with its address, time and scan', async () => {
  const { supply, add } = await world()
  const scan = await supply(head + text)
  const { status, body } = await add(scan, ['name', 'phone', 'street'])
  expect(status).toBe(201)
  expect(body).toMatchObject({
    field: null,
    observation:
      'The page shows the name and a phone number, and does not show the street of the prospect. The scan that ended at 2026-11-21 08:00 UTC compared the page with the record.',
    sourceLabel: 'Supplied page',
    sourceReference: `scan ${scan.id}`,
    context: 'Title of the page: Karoo Windpumps',
    url: 'https://karoo.co.za/contact',
    capturedAt: '2026-11-20T09:00:00.000Z',
    confidence: 'medium',
  })
})

test('a missing fact that an earlier scanner stated is not known, before and after the stored scan is evaluated again', async () => {
  const { t, supply, add } = await world()
  const scan = await supply(head + text)
  await t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
    await db
      .updateTable('scan_results')
      .set({ scanner_version: scan.scannerVersion - 1 })
      .execute()
    return { keep: true, value: null }
  })
  const operator = await t.as('operator')
  const { body } = await operator.get<Scan>(`/scans/${scan.id}`)
  expect(body.pages[0]?.facts?.repeats).toMatchObject({ name: 'yes', street: 'not_known', mailDomain: 'not_known' })
  expect((await add(scan, ['street'])).body.code).toBe('fact_not_known')
  expect((await add(scan, ['name'])).status).toBe(201)
})

test.each([
  ['a page that needs scripts', `${head}<div id="app"></div>`, 'phone'],
  ['a page that is larger than its limit', `${head}${text}<!-- ${'x'.repeat(2_100_000)} -->`, 'street'],
  ['a fact that the record does not state', head + text, 'registrationNumber'],
])('%s: a fact that is not known is refused, and nothing is stored', async (_page, html, fact) => {
  const { t, supply, add } = await world()
  const scan = await supply(html)
  expect(scan.pages[0]?.facts?.repeats).toMatchObject({ name: 'yes', [fact]: 'not_known' })
  const changes = await t.changes(async () => {
    const { status, body } = await add(scan, ['name', fact])
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([422, 'fact_not_known', 'repeats'])
  })
  expect(changes).toEqual({})
  expect((await add(scan, ['name'])).status).toBe(201)
})

test('a scan of another prospect, a page that the scan has not, and facts named twice are refused', async () => {
  const { supply, add, prospect } = await world()
  const scan = await supply(head + text)
  const other = await prospect('Overberg Fencing')
  const refused = async (answer: ReturnType<typeof add>) => {
    const { status, body } = await answer
    return [status, body.errors?.[0]?.path]
  }
  expect(await refused(add(scan, ['name'], other.id))).toEqual([404, 'scanId'])
  expect(await refused(add(scan, ['name'], undefined, 3))).toEqual([404, 'page'])
  expect(await refused(add(scan, ['name', 'name']))).toEqual([400, 'repeats'])
  expect(await refused(add(scan, []))).toEqual([400, 'repeats'])
})

test('a page of a prospect or host that is do not contact is no evidence', async () => {
  const { t, id, supply, add } = await world()
  const administrator = await t.as('administrator')
  const scan = await supply(head + text)
  const entry = { kind: 'domain', value: 'karoo.co.za', reason: 'They asked.', channel: 'email', scope: 'exact' }
  expect((await administrator.post('/suppressions', entry)).status).toBe(201)
  const changes = await t.changes(async () => {
    expect((await add(scan, ['name'])).body.code).toBe('suppressed')
    expect(
      (await administrator.get<{ doNotContact: object | null }>(`/businesses/${id}`)).body.doNotContact,
    ).not.toBeNull()
  })
  expect(changes).toEqual({})
})
