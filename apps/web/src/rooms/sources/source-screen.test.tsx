import type { Source, SourceAdapter, SourceOpenItem } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { sourceOf } from '../../../test/source.ts'
import { dnsAdapter, modelAdapter } from '../../../test/source-adapters.ts'
import { SourcePage } from './source-screen.tsx'

const approving = 'POST /sources/s1/approvals'
const member = { id: 'user-1', name: 'Ann Mokoena', isActive: true }
const desks = { version: 1, product: [], legal: [member], security: [], updatedAt: null }
const pageOf = (items: unknown[]) => ({
  items,
  page: { limit: 50, returned: items.length, nextCursor: null, total: null },
})

const answersWith = (adapters: SourceAdapter[], history: unknown[] = []) => ({
  'GET /source-adapters': json({ items: adapters }),
  'GET /source-desks': json(desks),
  'GET /assignees': json(pageOf([{ id: 'user-2', name: 'Ben Dube' }])),
  'GET /sources/s1/history': json(pageOf(history)),
  'GET /sources/s1/health': json({ interval: 'day', from: '', to: '', isDegraded: null, items: [] }),
  [approving]: json(sourceOf()),
})
const session = sessionOf({
  permissions: ['sources.read', 'sources.approve', 'sources.propose', 'sources.dry_run', 'sources.configure'],
})
const render = (source: Source) => renderInApp(<SourcePage source={source} />, { session })

const open = (item: SourceOpenItem['item'], changes: Partial<SourceOpenItem>): SourceOpenItem => ({
  item,
  problem: 'missing',
  responsible: 'author',
  since: null,
  detail: null,
  ...changes,
})
const contract = page.getByRole('list', { name: 'Contract' })
const approve = page.getByRole('button', { name: 'Approve…' })
const unloaded = (changes: Partial<Source> = {}) => {
  const { openItems } = sourceOf()
  return sourceOf({
    openItems: [open('adapter', { problem: 'not_loaded', responsible: 'operator' }), ...openItems],
    ...changes,
  })
}

test('approvers read what an empty list means, the units of the form, and the name of the terms owner', async () => {
  fakeApi(answersWith([dnsAdapter]))
  await render(sourceOf())
  await expect.element(contract).toMatchTextContent('Forbidden domains: none')
  await expect.element(contract).toMatchTextContent('all provinces')
  await expect.element(contract).toMatchTextContent('10 seconds per request')
  await expect.element(contract).toMatchTextContent('0,262144 MB per response')
  await expect.element(contract).toMatchTextContent('owner Ben Dube')
  expect(contract.element().textContent).not.toContain('user-2')
})

test('without its adapter a source cannot be approved, and the sentence is shown', async () => {
  const { sentTo } = fakeApi(answersWith([]))
  await render(unloaded())
  const sentence = 'Cannot be approved yet, because the connector dns 1.0.0 is not installed.'
  await expect.element(contract).toMatchTextContent(sentence)
  await expect.element(approve).toHaveAttribute('aria-disabled', 'true')
  await expect.element(approve).toHaveAttribute('title', sentence)
  await approve.click({ force: true })
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(sentTo(approving)).toEqual([])
})

test('another loaded version is named', async () => {
  fakeApi(answersWith([{ ...dnsAdapter, version: '1.1.0' }]))
  const { openItems } = sourceOf()
  await render(sourceOf({ openItems: [open('adapter', { problem: 'changed' }), ...openItems] }))
  await expect
    .element(contract)
    .toMatchTextContent('version 1.1.0 of the connector dns is installed, and this source is bound to 1.0.0')
})

test('the contract shows why the connector does not accept a part', async () => {
  fakeApi(answersWith([dnsAdapter]))
  const detail = 'The adapter dns 1.0.0 does not know the field mx. Its fields: status, records, ttl, aliases.'
  const { openItems } = sourceOf()
  await render(sourceOf({ openItems: [open('scope', { problem: 'not_accepted', detail }), ...openItems] }))
  await expect.element(contract).toMatchTextContent(detail)
  await expect.element(approve).toHaveAttribute('aria-disabled', 'true')
})

test('an empty desk is named, and an administrator chooses its people from there', async () => {
  fakeApi(answersWith([dnsAdapter]))
  await render(sourceOf())
  await expect.element(contract).toMatchTextContent('nobody is on the product desk')
  await page.getByRole('button', { name: 'Choose people…' }).first().click()
  await expect.element(page.getByRole('dialog', { name: 'Desks' })).toBeVisible()
})

test('an open dialog approves the version that was shown when it opened', async () => {
  const { sentTo } = fakeApi(answersWith([dnsAdapter]))
  const { show } = await render(sourceOf({ fingerprint: 'seen' }))
  await approve.click()
  await userEvent.fill(page.getByRole('textbox', { name: 'Reason' }), 'The agreement covers this use.')
  show(<SourcePage source={sourceOf({ fingerprint: 'unseen', contractVersion: 2 })} />)
  await expect.element(page.getByText('Contract, version 2')).toBeInTheDocument()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
  await expect.poll(() => sentTo(approving).map(({ body }) => body)).toMatchObject([{ fingerprint: 'seen' }])
})

test('a query that the platform composes is not planned by hand', async () => {
  fakeApi(answersWith([modelAdapter]))
  await render(sourceOf({ adapter: { id: 'model', version: '1.0.0', isLoaded: true } }))
  const button = page.getByRole('button', { name: 'Plan query…' })
  await expect.element(button).toHaveAttribute('title', 'The app itself creates the queries of this connector.')
})

test('a refused query names in the history what the contract does not permit', async () => {
  const query = {
    id: 'q1',
    kind: 'query',
    at: '2026-11-27T10:00:00.000Z',
    actor: { kind: 'user', id: 'user-2', name: 'Ben Dube' },
    contractVersion: 1,
    desk: null,
    reason: 'The contract does not permit these fields: ttl.',
    endsAt: null,
    revokesId: null,
    items: [],
    contract: null,
    circuit: null,
    outcome: 'unavailable',
    cause: 'outside_scope',
    jobId: null,
  }
  const approval = {
    ...query,
    id: 'd1',
    kind: 'approval',
    desk: 'legal',
    reason: 'Checked.',
    endsAt: '2027-06-01T21:59:59.999Z',
    outcome: null,
    cause: null,
  }
  fakeApi(answersWith([dnsAdapter], [query, approval]))
  await render(sourceOf())
  const history = page.getByRole('list', { name: 'History, newest first' })
  await expect.element(history).toMatchTextContent('The contract does not permit these fields: ttl.')
  await expect.element(history).toMatchTextContent('until 01 Jun 2027')
})

test('a stopped source shows the record of its stop and is restarted with it from its page', async () => {
  const incident = {
    id: 'i1',
    source: { id: 's1', slug: 'dns', name: 'Name servers' },
    kind: 'incident',
    description: 'The provider was down.',
    openingId: 'o1',
    isOfCurrentOpening: true,
    usableUntil: '2999-01-01T00:00:00.000Z',
    decision: 'approve',
    decidedBy: { kind: 'user', id: 'user-2', name: 'Ben Dube' },
    decisionReason: 'Read.',
    usedAt: null,
    createdAt: '2026-11-27T10:00:00.000Z',
    createdBy: { kind: 'user', id: 'user-1', name: 'Ann Mokoena' },
  }
  const earlier = { ...incident, id: 'i0', description: 'Last year.', isOfCurrentOpening: false }
  const reset = 'POST /sources/s1/circuit-resets'
  const { sentTo } = fakeApi({
    ...answersWith([dnsAdapter]),
    'GET /source-incidents': json(pageOf([incident, earlier])),
    [reset]: json(sourceOf()),
  })
  const { circuit } = sourceOf()
  const source = sourceOf({ circuit: { ...circuit, state: 'open', openingId: 'o1', cause: 'failure_ratio' } })
  const mayReset = sessionOf({ permissions: ['sources.read', 'sources.reset_circuit'] })
  await renderInApp(<SourcePage source={source} />, { session: mayReset })
  const records = page.getByRole('list', { name: 'Records of this stop, newest first' })
  await expect.element(records).toMatchTextContent('The provider was down.')
  expect(records.element().textContent).not.toContain('Last year.')
  await expect.element(page.getByRole('button', { name: 'Record incident or change…' })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Restart source…' }).click()
  await userEvent.fill(page.getByRole('textbox', { name: 'Reason' }), 'It answers again.')
  await page.getByRole('button', { name: 'Restart', exact: true }).click()
  await expect
    .poll(() => sentTo(reset).map(({ body }) => body))
    .toEqual([{ incidentId: 'i1', reason: 'It answers again.' }])
})

test('a person who cannot resolve an open item reads who can', async () => {
  fakeApi({
    ...answersWith([]),
    'GET /source-desks': json({ ...desks, product: [{ id: 'user-3', name: 'Cara Nel', isActive: true }] }),
  })
  const scope = open('scope', {})
  const source = unloaded()
  const items = [scope, ...source.openItems, open('enablement', { responsible: 'enabler' })]
  await renderInApp(<SourcePage source={{ ...source, openItems: items }} />, {
    session: sessionOf({ permissions: ['sources.read'] }),
  })
  await expect.element(contract).toMatchTextContent('A manager or an administrator saves a new version')
  await expect.element(contract).toMatchTextContent('The server operator installs it.')
  await expect.element(contract).toMatchTextContent('Can be decided by Cara Nel.')
  await expect.element(contract).toMatchTextContent('An administrator chooses the people of the desks.')
  await expect.element(contract).toMatchTextContent('Possible once the items above are met.')
  expect(contract.getByRole('button').elements()).toEqual([])
})

test('a source that only needs its enablement is enabled from the checklist by another person than its author', async () => {
  fakeApi(answersWith([dnsAdapter]))
  const source = sourceOf({ status: 'approved', openItems: [open('enablement', { responsible: 'enabler' })] })
  const mayEnable = sessionOf({ permissions: ['sources.read', 'sources.enable'] })
  const { show } = await renderInApp(<SourcePage source={source} />, { session: mayEnable })
  await contract.getByRole('button', { name: 'Enable source…' }).click()
  await expect.element(page.getByRole('dialog', { name: /Enable/ })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  show(<SourcePage source={{ ...source, author: { kind: 'user', id: 'user-1', name: 'Ann Mokoena' } }} />)
  await expect.element(contract).toMatchTextContent('You wrote this version, so another person enables it.')
  expect(contract.getByRole('button', { name: 'Enable source…' }).elements()).toEqual([])
})

test('health shows requests, failures, own refusals and durations of each day, in seconds', async () => {
  const day = {
    from: '2026-11-26T00:00:00.000Z',
    requests: 12,
    answers: 9,
    rateLimited: 0,
    timeouts: 1,
    errors: 2,
    refused: 4,
    bytes: 1_000,
    p50Ms: 250,
    p95Ms: null,
    circuit: 'closed',
    raw: { kept: 9, deleted: 0, failed: 0 },
  }
  fakeApi({
    ...answersWith([dnsAdapter]),
    'GET /sources/s1/health': json({ interval: 'day', from: '', to: '', isDegraded: null, items: [day] }),
  })
  await render(sourceOf())
  const chart = (name: string) => page.getByRole('table', { name })
  await expect.element(chart('Requests a day')).toMatchTextContent('12')
  await expect.element(chart('Failed: errors and time-outs')).toMatchTextContent('3')
  await expect.element(chart('Not sent: refused by the platform itself')).toMatchTextContent('4')
  await expect.element(chart('Median duration in seconds')).toMatchTextContent('0,25')
  await expect.element(chart('Health by day, newest first')).toMatchTextContent('0,25, No data')
  await expect.element(chart('Health by day, newest first')).toMatchTextContent('9 stored')
})
