import type { AssistSuggestion } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { AssistanceScreen } from './assistance-screen.tsx'

const session = sessionOf({ permissions: ['assist.read', 'assist.decide', 'businesses.read'] })
const list = (items: unknown[]) =>
  json({ items, page: { limit: 50, returned: items.length, nextCursor: null, total: null } })
const suggestion = (id: string, requestedBy: { id: string; name: string }) =>
  ({
    id,
    businessId: `business-of-${id}`,
    purpose: 'prospect_summary',
    state: 'proposed',
    requestedAt: '2026-11-20T10:00:00.000Z',
    requestedBy: { kind: 'user', ...requestedBy },
  }) as unknown as AssistSuggestion

const answers = {
  'GET /assist/status': json({ enabled: true, items: [], policyId: 'p1', source: null }),
  'GET /assist/policies': list([]),
  'GET /assist/usage': json({ tenant: [], currency: null }),
}

test('suggestions that wait for a decision are listed with a link to their prospect, and the own ones say who decides', async () => {
  const { id, name } = session.user
  const api = fakeApi({
    ...answers,
    'GET /assist/suggestions': list([
      suggestion('g1', { id: 'someone', name: 'Ben Dube' }),
      suggestion('g2', { id, name }),
    ]),
  })
  await renderInApp(<AssistanceScreen />, { session })
  const rows = page.getByRole('list', { name: 'Suggestions to decide, newest first' }).getByRole('listitem')
  await expect.element(rows.first()).toMatchTextContent('Requested by Ben Dube')
  const link = rows.first().getByRole('link')
  await expect.element(link).toHaveAttribute('href', '/prospects/business-of-g1?tab=assistance')
  await expect.element(rows.nth(1)).toMatchTextContent('You requested this suggestion. Another person must approve it.')
  expect(rows.first().element().textContent).not.toContain('You requested this suggestion')
  expect(Object.fromEntries(api.sentTo('GET /assist/suggestions')[0]?.query ?? [])).toMatchObject({ state: 'proposed' })
})

test('a person who cannot decide on suggestions does not read them', async () => {
  const api = fakeApi(answers)
  await renderInApp(<AssistanceScreen />, { session: sessionOf({ permissions: ['assist.read'] }) })
  await expect.element(page.getByRole('heading', { name: 'Policy versions' })).toBeVisible()
  expect(page.getByRole('heading', { name: 'Suggestions to decide' }).elements()).toEqual([])
  expect(api.sentTo('GET /assist/suggestions')).toEqual([])
})
