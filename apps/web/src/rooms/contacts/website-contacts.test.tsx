import type { Business, Extraction } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { extractionReasonWords } from './extraction-words.ts'
import { WebsiteContacts } from './website-contacts.tsx'

const business = { id: 'b1', name: 'Karoo Fencing', status: 'active' } as unknown as Business

const extraction: Extraction = {
  id: 'e1',
  businessId: 'b1',
  scanIds: ['s1'],
  state: 'complete',
  reasons: [],
  extractorVersion: 1,
  policyVersion: 1,
  limits: { applied: { pages: 5, candidates: 100, extractionsPerDay: 100, retentionDays: 90 }, reached: [] },
  notRead: [],
  counts: {
    open: 4,
    known: 0,
    quarantined: 2,
    protected: 1,
    excluded: 14,
    suppressed: 0,
    rejectedBefore: 0,
    byRule: { other_domain: 2, cf_email: 1, script: 11, placeholder: 3 },
  },
  examples: { placeholder: ['name@example.com', 'you@d•••.co.za'] },
  undecided: { open: 3, known: 0, quarantined: 2 },
  requestedBy: { kind: 'user', id: 'u1', name: 'Ann' },
  requestedAt: '2026-11-20T10:00:00.000Z',
  endedAt: '2026-11-20T10:00:01.000Z',
  jobId: 'j1',
  emptiedAt: null,
}

const list = (...items: unknown[]) =>
  json({ items, page: { limit: 50, returned: items.length, nextCursor: null, total: null } })
const scanOf = (id: string, more: object) => ({ id, state: 'complete', pages: [{}], ...more })
const session = sessionOf({ permissions: ['contacts.read_counts', 'contacts.read', 'contacts.extract'] })
const section = () => page.getByRole('region', { name: 'Contacts' })

test('the tab summarises the newest extraction by the current states of its candidates', async () => {
  fakeApi({ 'GET /extractions': list(extraction), 'GET /scans': list() })
  await renderInApp(<WebsiteContacts business={business} />, { session })
  await expect.element(section()).toMatchTextContent('Complete')
  await expect.element(section()).toMatchTextContent('3 to review · 2 quarantined · 1 protected · 14 excluded')
  await expect.element(section()).toMatchTextContent('Open the page to see these values.')
  await page.getByText('What was left out and why').click()
  const leftOut = page.getByRole('list', { name: 'Left out, by reason' }).getByRole('listitem')
  expect(leftOut.elements().map(({ textContent }) => textContent)).toEqual([
    'Protected by the site, not decoded: 1',
    'Placeholders of a form or template: 3 · such as name@example.com, you@d•••.co.za',
    'In scripts: 11',
  ])
  await expect
    .element(page.getByRole('link', { name: 'See the quarantine' }))
    .toHaveAttribute('href', '/contacts?show=quarantined')
  await expect.element(section()).toMatchTextContent('First add a contact page above.')
})

const results: [Extraction['state'], Extraction['reasons']][] = [
  ['deferred', ['disabled']],
  ['deferred', ['site_not_approved']],
  ['blocked', ['do_not_contact']],
  ['unknown', ['page_uncertain', 'page_limit']],
  ['failed', ['gate_unavailable']],
]
test.each(results)(
  'a result that is %s says why and what to do next, and is never empty: %s',
  async (state, reasons) => {
    const notRead = state === 'unknown' ? [{ url: 'https://karoo.co.za/about', reason: 'page_limit' as const }] : []
    const nothing = { ...extraction.counts, open: 0, quarantined: 0, protected: 0, excluded: 0, byRule: {} }
    const ended: Extraction = { ...extraction, state, reasons, notRead, counts: nothing }
    fakeApi({ 'GET /extractions': list(ended), 'GET /scans': list() })
    await renderInApp(<WebsiteContacts business={business} />, { session })
    for (const reason of reasons) await expect.element(section()).toMatchTextContent(extractionReasonWords[reason])
    expect(section().element().textContent).not.toMatch(/no contacts/i)
    if (state === 'unknown') await expect.element(section()).toMatchTextContent('https://karoo.co.za/about: unknown.')
    else expect(section().element().textContent).not.toContain('0 to review')
  },
)

test('extraction starts from the scans whose pages are in memory', async () => {
  const now = new Date().toISOString()
  const api = fakeApi({
    'GET /extractions': [list(), list({ ...extraction, state: 'queued', endedAt: null }), list(extraction)],
    'GET /scans': list(
      scanOf('new', { endedAt: now }),
      scanOf('without pages', { endedAt: now, pages: [] }),
      scanOf('old', { endedAt: '2026-01-01T00:00:00.000Z' }),
      scanOf('running', { state: 'running', endedAt: null }),
    ),
    'POST /extractions': json({ ...extraction, state: 'queued', endedAt: null }, 202),
  })
  await renderInApp(<WebsiteContacts business={business} />, { session })
  await expect.element(section()).toMatchTextContent('Nothing was extracted yet.')
  await page.getByRole('button', { name: 'Extract contacts' }).click()
  await expect.element(section()).toMatchTextContent('3 to review')
  expect(api.sentTo('POST /extractions').map(({ body }) => body)).toEqual([{ businessId: 'b1', scanIds: ['new'] }])
})

test('a viewer sees counts, but no candidates and no button to start an extraction', async () => {
  fakeApi({ 'GET /extractions': list(extraction) })
  await renderInApp(<WebsiteContacts business={business} />, {
    session: sessionOf({ permissions: ['contacts.read_counts'] }),
  })
  await expect.element(section()).toMatchTextContent('3 to review')
  expect(section().getByRole('link').elements()).toEqual([])
  expect(section().getByRole('button').elements()).toEqual([])
})
