import type { OfficialSite } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { ProposedSitesScreen } from './proposed-sites-screen.tsx'
import { proposedSitesQuery } from './scanning.queries.ts'

const site = {
  id: 'o1',
  businessId: 'b1',
  host: 'karoo.co.za',
  state: 'proposed',
  usedByOthers: 0,
  fingerprint: 'as-it-was-seen',
  validUntil: null,
  proposedAt: '2026-11-20T10:00:00.000Z',
  proposedBy: { kind: 'user', id: 'someone', name: 'Ben Dube' },
  reason: 'It is on their van.',
} as unknown as OfficialSite

const sites = (items: OfficialSite[]) =>
  json({ items, page: { limit: 50, returned: items.length, nextCursor: null, total: null } })
const list = () => page.getByRole('list', { name: 'Proposed sites, newest first' })

test('proposed sites of all prospects are listed with their prospect, and another person decides', async () => {
  const decision = 'POST /official-sites/o1/decision'
  const api = fakeApi({ 'GET /official-sites': sites([site]), [decision]: json({ ...site, state: 'rejected' }) })
  await renderInApp(<ProposedSitesScreen />, {
    session: sessionOf({ permissions: ['scanning.read', 'scanning.approve_site', 'businesses.read'] }),
  })
  await expect.element(list()).toMatchTextContent('karoo.co.za')
  await expect.element(list()).toMatchTextContent('Proposed by Ben Dube')
  const prospect = list().getByRole('link', { name: 'Open prospect' })
  await expect.element(prospect).toHaveAttribute('href', '/prospects/b1?tab=website')
  expect(Object.fromEntries(api.sentTo('GET /official-sites')[0]?.query ?? [])).toMatchObject({ state: 'proposed' })
  await list().getByRole('button', { name: 'Reject…' }).click()
  await page.getByRole('textbox', { name: /Reason/ }).fill('It belongs to another shop.')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .poll(() => api.sentTo(decision).map(({ body }) => body))
    .toEqual([{ decision: 'reject', reason: 'It belongs to another shop.', fingerprint: 'as-it-was-seen' }])
})

test('without the permission to approve sites, the list has no buttons; an empty list says where a site is proposed', async () => {
  fakeApi({ 'GET /official-sites': [sites([site]), sites([])] })
  const { queryClient } = await renderInApp(<ProposedSitesScreen />, {
    session: sessionOf({ permissions: ['scanning.read', 'businesses.read'] }),
  })
  await expect.element(list()).toMatchTextContent('karoo.co.za')
  expect(list().getByRole('button').elements()).toEqual([])
  await queryClient.refetchQueries({ queryKey: proposedSitesQuery('proposed').queryKey })
  await expect.element(page.getByText('No proposed site')).toBeVisible()
})
