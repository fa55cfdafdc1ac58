import type { Domain } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DomainDetail } from './domain-screen.tsx'

const ann = { kind: 'user' as const, id: 'u1', name: 'Ann' }
const business = { id: 'b1', name: 'Karoo Windpumps', doNotContact: false }

const domain: Domain = {
  domain: 'karoo.co.za',
  unicode: 'karoo.co.za',
  label: 'karoo',
  suffix: 'co.za',
  suffixKind: 'icann',
  reason: null,
  isFreeMail: false,
  isSharedHost: false,
  uses: 0,
  openCandidates: 0,
  observations: 1,
  doNotContact: false,
  normalizationVersion: 'n-1',
  suffixListVersion: 'tldts-7.5.4',
  businesses: [],
  hiddenBusinesses: 0,
  associations: [
    {
      candidateId: 'c1',
      business,
      originBusinessId: 'b1',
      acceptedAt: '2026-11-20T10:00:00.000Z',
      acceptedBy: ann,
      withdrawnAt: null,
    },
    {
      candidateId: 'c2',
      business: { ...business, id: 'b2', name: 'Overberg Pumps' },
      originBusinessId: 'b2',
      acceptedAt: '2026-11-19T10:00:00.000Z',
      acceptedBy: ann,
      withdrawnAt: '2026-11-20T10:00:00.000Z',
    },
  ],
  latest: [
    { kind: 'MX', status: 'nxdomain', observation: null },
    { kind: 'NS', status: 'not_checked', observation: null },
    { kind: 'TXT', status: 'timeout', observation: null },
  ],
  otherNames: [],
  hasMoreNames: false,
  lookalikes: [],
}

const answers = {
  'GET /domains/karoo.co.za/availability': json({
    domain: 'karoo.co.za',
    status: 'unknown',
    outcome: 'unavailable',
    reason: 'no_provider',
  }),
}

test('each card states what its status does not prove; availability is unknown even if the name does not exist', async () => {
  fakeApi(answers)
  await renderInApp(<DomainDetail domain={domain} />, { session: sessionOf({ permissions: ['domains.read'] }) })
  const card = (name: string) => page.getByRole('region', { name })
  await expect.element(card('Mail servers (MX)')).toMatchTextContent('Domain does not exist in DNS')
  await expect
    .element(card('Mail servers (MX)'))
    .toMatchTextContent('DNS does not know the domain. It may still be registered by somebody.')
  await expect.element(card('Name servers (NS)')).toMatchTextContent('Not checked')
  await expect.element(card('Texts (TXT)')).toMatchTextContent('Timed out')
  await expect.element(page.getByText('Availability unknown.')).toBeVisible()
  expect(page.getByRole('button').elements()).toHaveLength(0)
})

test('an observed name below the domain shows its results when it is opened', async () => {
  const checked = { kind: 'MX' as const, status: 'resolved' as const, state: 'stale' as const }
  const unchecked = { kind: 'NS' as const, status: 'not_checked' as const, state: null }
  const name = '_dmarc.karoo.co.za'
  const observation = (id: string, exchange: string) => ({
    ...{ id, name, kind: 'MX', status: 'resolved', resolver: '10.0.0.53', origin: 'operator', freshness: null },
    records: [{ kind: 'MX', preference: 10, exchange, ttl: 60 }],
    ...{ errorReason: null, isPartial: false, observedAt: '2026-11-20T10:00:00.000Z' },
    createdBy: { kind: 'user', id: 'u1', name: 'Thandi' },
  })
  const list = 'GET /dns-observations'
  const api = fakeApi({
    ...answers,
    [list]: json({
      items: [observation('o2', 'new.karoo.co.za'), observation('o1', 'old.karoo.co.za')],
      page: { limit: 20, returned: 2, nextCursor: null, total: null },
    }),
  })
  const otherNames = [
    { name, observations: 2, statuses: [checked, unchecked] },
    { name: '•••', observations: 1, statuses: [checked] },
  ]
  const shown = { ...domain, otherNames, hasMoreNames: true }
  await renderInApp(<DomainDetail domain={shown} />, { session: sessionOf({ permissions: ['domains.read'] }) })
  const part = page.getByRole('region', { name: 'Also observed' })
  await expect.element(part).toMatchTextContent('This list ends after 2 names.')
  await expect.element(part).toMatchTextContent('••• (1): MX: Records found')
  expect(api.sentTo(list)).toEqual([])
  await part.getByText('_dmarc.karoo.co.za (2): MX: Records found').click()
  await expect.element(part).toMatchTextContent('10 new.karoo.co.za')
  await expect.element(part).not.toMatchTextContent('old.karoo.co.za')
})

test('a domain can be proposed for a prospect that the user searches', async () => {
  const propose = 'POST /domain-candidates'
  const api = fakeApi({
    ...answers,
    'GET /businesses': json({
      items: [{ id: 'b9', name: 'Hantam Pumps', city: 'Calvinia', doNotContact: null }],
      page: { limit: 8, returned: 1, nextCursor: null, total: null },
    }),
    [propose]: json({ id: 'c9' }, 201),
  })
  await renderInApp(<DomainDetail domain={domain} />, {
    session: sessionOf({ permissions: ['domains.read', 'domains.propose', 'businesses.read'] }),
  })
  await page.getByRole('button', { name: 'Propose for a prospect…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Propose karoo.co.za for a prospect' })
  await dialog.getByRole('textbox', { name: /Reason/ }).fill('It is on their letterhead.')
  await dialog.getByRole('button', { name: 'Propose the domain' }).click()
  await expect.element(dialog).toMatchTextContent('Choose a prospect.')
  expect(api.sentTo(propose)).toEqual([])
  await dialog.getByRole('combobox', { name: 'Prospect' }).fill('hantam')
  await page.getByRole('option', { name: 'Hantam Pumps · Calvinia' }).click()
  await dialog.getByRole('button', { name: 'Propose the domain' }).click()
  await expect
    .poll(() => api.sentTo(propose).map(({ body }) => body))
    .toEqual([{ domain: 'karoo.co.za', businessId: 'b9', reason: 'It is on their letterhead.' }])
  await expect.element(dialog).not.toBeInTheDocument()
})

test('an accepted domain is withdrawn with a reason; a withdrawn one has no button', async () => {
  const withdraw = 'POST /domain-candidates/c1/withdrawal'
  const api = fakeApi({ ...answers, [withdraw]: json({ candidate: {}, event: {} }) })
  await renderInApp(<DomainDetail domain={domain} />, {
    session: sessionOf({ permissions: ['domains.read', 'domains.decide'] }),
  })
  await expect.element(page.getByRole('button', { name: 'Withdraw for Karoo Windpumps' })).toBeVisible()
  expect(page.getByRole('button', { name: /^Withdraw/ }).elements()).toHaveLength(1)
  await page.getByRole('button', { name: /^Withdraw/ }).click()
  await expect.element(page.getByRole('textbox', { name: /Reason/ })).toHaveFocus()
  await userEvent.keyboard('It was a mistake.')
  await page.getByRole('button', { name: 'Withdraw the domain' }).click()
  await expect.poll(() => api.sentTo(withdraw).map(({ body }) => body)).toEqual([{ reason: 'It was a mistake.' }])
})

test('a check outside the contract of the source names what the contract does not permit', async () => {
  const detail = 'The contract does not permit these fields: ttl.'
  fakeApi({
    ...answers,
    'POST /dns-checks': json({
      outcome: 'unavailable',
      reason: 'outside_scope',
      until: null,
      detail,
      observations: [],
    }),
  })
  await renderInApp(<DomainDetail domain={domain} />, {
    session: sessionOf({ permissions: ['domains.read', 'domains.check'] }),
  })
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect.element(page.getByText(`No query sent. ${detail}`)).toBeVisible()
})
