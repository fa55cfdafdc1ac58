import type { Business, OfficialSite, Scan, ScanningStatus } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { RecordPageContext } from '../../ui/rooms/record-page.ts'
import { WebsiteTab } from './website-tab.tsx'

const business = {
  id: 'b1',
  name: 'Karoo Windpumps',
  status: 'active',
  doNotContact: null,
  domains: [],
} as unknown as Business

const ann = { kind: 'user' as const, id: 'u1', name: 'Ann' }
const list = (items: unknown[]) =>
  json({ items, page: { limit: 50, returned: items.length, nextCursor: null, total: null } })

const site = {
  id: 's1',
  businessId: 'b1',
  host: 'www.karoo.co.za',
  state: 'proposed',
  origin: 'person',
  proposedBy: ann,
  proposedAt: '2026-11-20T10:00:00.000Z',
  decidedBy: null,
  decidedAt: null,
  reason: null,
  validUntil: null,
  usedByOthers: 1,
  fingerprint: 'as-it-was-seen',
  valuesHidden: false,
} satisfies OfficialSite

const scan = {
  id: 'c1',
  businessId: 'b1',
  origin: 'supplied',
  suppliedBy: ann,
  url: 'https://karoo.co.za/contact',
  state: 'incomplete',
  reasons: ['decoded_limit'],
  observedAt: '2026-11-20T09:00:00.000Z',
  freshness: 'fresh',
  pages: [
    {
      url: 'https://karoo.co.za/contact',
      role: 'contact',
      outcome: 'read_in_part',
      hops: [],
      facts: {
        title: 'Contact us',
        counts: { text: 1_200, links: 3, forms: 1, scripts: 0 },
        repeats: { name: 'yes', registrationNumber: 'not_known', phone: 'no', mailDomain: 'yes', street: 'not_known' },
      },
      opening: 'Karoo Windpumps Call •••',
      class: 'content',
      suspected: ['unfinished'],
      reasons: ['decoded_limit'],
    },
  ],
} as unknown as Scan

const status: ScanningStatus = {
  canFetch: false,
  conditions: [
    { key: 'adapter_not_loaded', isMet: false, since: null, resolvedBy: 'server operator' },
    { key: 'source_not_enabled', isMet: false, since: null, resolvedBy: 'sources.enable' },
    { key: 'daily_limit', isMet: true, since: null, resolvedBy: 'the next day in UTC' },
  ],
  running: 0,
  usedToday: { tenant: 0, max: 200 },
  policyVersion: 0,
}

const answers = {
  'GET /businesses/b1/official-sites': list([site]),
  'GET /scans': list([scan]),
  'GET /scanning/status': json(status),
}

const tabOf = (of: Business) => (
  <RecordPageContext
    value={{
      page: { actions: [], openTab: () => {}, openForm: () => {}, openDialog: () => {} },
      starts: new Map(),
      setStart: () => {},
    }}
  >
    <WebsiteTab business={of} />
  </RecordPageContext>
)
const tab = tabOf(business)

test('a scan shows who supplied it, which facts it confirms, and what was not read; fetching lists unmet conditions', async () => {
  fakeApi(answers)
  await renderInApp(tab, { session: sessionOf({ permissions: ['scanning.read'] }) })
  const scans = page.getByRole('list', { name: 'Scans, newest first' })
  await expect.element(scans).toMatchTextContent('Incomplete · Fresh · Supplied by Ann')
  await expect.element(scans).toMatchTextContent('Name: yes · Registration number: cannot tell · Phone: no')
  await expect.element(scans).toMatchTextContent('Possibly unfinished')
  await expect.element(scans).toMatchTextContent('A scan proves nothing about the business.')
  await expect.element(scans).toMatchTextContent('The page is too large, so only a part was read.')
  await expect.element(page.getByText('Fetching is disabled.')).toBeVisible()
  await expect
    .element(page.getByText(/No connector for web pages is installed\..*The server operator can resolve this/))
    .toBeVisible()
  await expect
    .element(page.getByText(/No source of web pages is enabled\..*A manager or an administrator can resolve this/))
    .toBeVisible()
  expect(page.getByText('The daily scan limit is reached.').elements()).toHaveLength(0)
})

test('what a page shows is added as evidence; facts that are not known are not offered', async () => {
  const route = 'POST /businesses/b1/page-evidence'
  const api = fakeApi({ ...answers, [route]: json({ id: 'e1' }, 201) })
  await renderInApp(tab, { session: sessionOf({ permissions: ['scanning.read', 'evidence.write'] }) })
  await page.getByRole('button', { name: 'Add as evidence…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add facts of this page as evidence' })
  await expect.element(dialog.getByRole('checkbox', { name: 'Name: on the page' })).toBeChecked()
  await expect.element(dialog.getByRole('checkbox', { name: 'Phone: not on the page' })).not.toBeChecked()
  await expect
    .element(dialog.getByText('The page does not show clearly: Registration number and Street.'))
    .toBeVisible()
  expect(dialog.getByRole('checkbox').elements()).toHaveLength(3)
  await dialog.getByRole('button', { name: 'Add evidence' }).click()
  await expect
    .poll(() => api.sentTo(route).map(({ body }) => body))
    .toEqual([{ scanId: 'c1', page: 0, repeats: ['name', 'mailDomain'], confidence: 'medium' }])
})

test('a page whose text was not read states nothing about the record and is offered for an observation only', async () => {
  const [read] = scan.pages
  const notKnown = {
    name: 'not_known',
    registrationNumber: 'not_known',
    phone: 'not_known',
    mailDomain: 'not_known',
    street: 'not_known',
  } as const
  const pages = [{ ...read, class: 'needs_script', facts: { ...read?.facts, repeats: notKnown } }]
  fakeApi({ ...answers, 'GET /scans': list([{ ...scan, pages }]) })
  await renderInApp(tab, { session: sessionOf({ permissions: ['scanning.read', 'evidence.write'] }) })
  const scans = page.getByRole('list', { name: 'Scans, newest first' })
  await expect.element(scans).toMatchTextContent('Shows content only after scripts run')
  await expect.element(scans).toMatchTextContent('Matches the record: cannot tell')
  await expect.element(scans.getByRole('button', { name: 'Add observation…' })).toBeVisible()
  expect(scans.getByRole('button', { name: 'Add as evidence…' }).elements()).toHaveLength(0)
})

test('a manager approves a site as shown, with a reason, by keyboard', async () => {
  const decision = 'POST /official-sites/s1/decision'
  const approved = { ...site, state: 'approved', reason: 'Their name.', validUntil: '2027-11-01T00:00:00.000Z' }
  const api = fakeApi({ ...answers, [decision]: json(approved) })
  await renderInApp(tab, {
    session: sessionOf({ permissions: ['scanning.read', 'scanning.approve_site', 'businesses.read'] }),
  })
  await page.getByRole('button', { name: 'Approve…' }).click()
  const reason = page.getByRole('textbox', { name: /Reason/ })
  await expect.element(reason).toHaveFocus()
  await userEvent.keyboard('Their name.')
  await page.getByRole('checkbox', { name: /1 other prospect has this host/ }).click()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .poll(() => api.sentTo(decision).map(({ body }) => body))
    .toMatchObject([
      { decision: 'approve', reason: 'Their name.', fingerprint: 'as-it-was-seen', confirmUsedByOthers: true },
    ])
})

test('a plan shows the requests of a fetch and sends nothing; without its conditions no fetch is offered', async () => {
  const planned = {
    url: 'https://karoo.co.za/',
    pages: ['https://karoo.co.za/robots.txt', 'https://karoo.co.za/'],
    maxPages: 5,
    budgets: { scanMs: 30_000, wireBytesPerScan: 5_000_000, redirectsPerScan: 10 },
    conditions: [{ key: 'do_not_contact', isMet: false, since: null, resolvedBy: 'suppression.remove' }],
    canFetch: false,
  }
  const api = fakeApi({
    ...answers,
    'POST /scan-plans': [json(planned), json({ ...planned, conditions: [], canFetch: true })],
    'POST /scans': json({ ...scan, origin: 'fetched', state: 'queued', cacheStatus: 'miss' }, 202),
  })
  await renderInApp(tab, { session: sessionOf({ permissions: ['scanning.read', 'scanning.plan', 'scanning.fetch'] }) })
  await page.getByRole('textbox', { name: 'Start page' }).fill('https://karoo.co.za/')
  await page.getByRole('button', { name: 'Show the plan' }).click()
  await expect
    .element(page.getByRole('list', { name: 'Pages of the plan' }))
    .toMatchTextContent('https://karoo.co.za/robots.txt')
  await expect.element(page.getByText('The app would fetch these pages later, because:')).toBeVisible()
  expect(page.getByRole('button', { name: 'Fetch these pages' }).elements()).toHaveLength(0)
  expect(api.sentTo('POST /scans')).toEqual([])
  await page.getByRole('button', { name: 'Show the plan' }).click()
  await page.getByRole('button', { name: 'Fetch these pages' }).click()
  await expect
    .poll(() => api.sentTo('POST /scans').map(({ body }) => body))
    .toEqual([{ businessId: 'b1', url: 'https://karoo.co.za/' }])
  await expect.element(page.getByRole('list', { name: 'Pages of the plan' })).not.toBeInTheDocument()
})

test('a domain accepted for the prospect is proposed as its site', async () => {
  const propose = 'POST /businesses/b1/official-sites'
  const api = fakeApi({
    ...answers,
    'GET /domain-candidates': list([
      { id: 'd1', domain: 'karoo-wind.co.za' },
      { id: 'd2', domain: '•••' },
    ]),
    [propose]: json(site, 201),
  })
  await renderInApp(tab, {
    session: sessionOf({ permissions: ['scanning.read', 'scanning.propose_site', 'domains.read'] }),
  })
  const accepted = page.getByRole('list', { name: 'Domains of this prospect' })
  await expect.element(accepted).toMatchTextContent('karoo-wind.co.za was accepted for this prospect.')
  await accepted.getByRole('button').click()
  await expect
    .poll(() => api.sentTo(propose).map(({ body }) => body))
    .toEqual([{ host: 'karoo-wind.co.za', domainCandidateId: 'd1' }])
  expect(Object.fromEntries(api.sentTo('GET /domain-candidates')[0]?.query ?? [])).toEqual({
    businessId: 'b1',
    state: 'accepted',
  })
})

test('domains on the record are offered as its site once, without those that are proposed already', async () => {
  const propose = 'POST /businesses/b1/official-sites'
  const api = fakeApi({
    ...answers,
    'GET /domain-candidates': list([{ id: 'd1', domain: 'karoo-wind.co.za' }]),
    [propose]: json(site, 201),
  })
  const domains = ['karoo-wind.co.za', 'windpumps.co.za', 'www.karoo.co.za', null].map((normalized) => ({
    value: normalized ?? 'not a domain',
    label: null,
    normalized,
    uncertainty: null,
  }))
  await renderInApp(tabOf({ ...business, domains }), {
    session: sessionOf({ permissions: ['scanning.read', 'scanning.propose_site', 'domains.read'] }),
  })
  const hosts = page.getByRole('list', { name: 'Domains of this prospect' })
  await expect.element(hosts).toMatchTextContent('windpumps.co.za is a web domain of this prospect.')
  await expect.poll(() => hosts.getByRole('button').elements().length).toBe(2)
  await hosts.getByRole('button', { name: 'Propose windpumps.co.za as official site' }).click()
  await expect.poll(() => api.sentTo(propose).map(({ body }) => body)).toEqual([{ host: 'windpumps.co.za' }])
})

test.for([
  ['the beginning of the text', { text: 1_200 }, 'Karoo Windpumps Call •••', 'Karoo Windpumps Call •••…'],
  ['only the counts once the text has left the memory', { text: 1_200 }, null, '1 200 characters'],
  ['that no text was read', { text: 0 }, null, 'No text was read.'],
  ['that the text could not be read', null, null, 'The text could not be read.'],
] as const)('a page shows %s', async ([, counts, opening, shown]) => {
  const [read] = scan.pages
  const facts = { ...read?.facts, counts: counts && { ...read?.facts?.counts, ...counts } }
  fakeApi({ ...answers, 'GET /scans': list([{ ...scan, pages: [{ ...read, opening, facts }] }]) })
  await renderInApp(tab, { session: sessionOf({ permissions: ['scanning.read'] }) })
  await expect.element(page.getByRole('region', { name: 'Contact page' })).toMatchTextContent(shown)
})
