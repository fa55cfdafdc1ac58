import type { DnsCard } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { PasteScreen } from './paste-screen.tsx'

const record = { kind: 'MX' as const, preference: 10, exchange: 'mail.karoo.co.za', ttl: 3_600 }

const card: DnsCard = {
  lines: { from: 1, to: 2 },
  observation: {
    name: 'karoo.co.za',
    kind: 'MX',
    status: 'resolved',
    records: [record],
    source: '10.0.0.53',
    observedAt: null,
    ttl: 3_600,
    aliases: [],
    isTruncated: false,
    errorReason: null,
  },
  doubts: [{ line: 2, code: 'unknown_zone', message: 'The time zone of this time is not known.' }],
}

test('pasted text is read into a card with uncertainties, and only a corrected card is recorded', async () => {
  const route = 'POST /dns-observations'
  const api = fakeApi({
    'POST /dns-observations/readings': json({ cards: [card], doubts: [] }),
    [route]: json({ id: 'o1', domain: 'karoo.co.za' }, 201),
  })
  await renderInApp(<PasteScreen />, { session: sessionOf({ permissions: ['domains.record', 'domains.read'] }) })
  await page.getByRole('textbox', { name: 'Output of dig' }).fill('first line\nsecond line\nthird line')
  const region = page.getByRole('region', { name: 'MX of karoo.co.za' })
  await expect.element(region).toMatchTextContent('Line 2: The time zone of this time is not known.')
  await region.getByRole('button', { name: 'Record', exact: true }).click()
  await expect.element(region).toMatchTextContent('Enter a time such as')
  expect(api.sentTo(route)).toEqual([])
  await region.getByRole('textbox', { name: 'Queried at' }).fill('2026-11-20T08:00:00Z')
  await region.getByRole('button', { name: 'Record', exact: true }).click()
  await expect
    .poll(() => api.sentTo(route).map(({ body }) => body))
    .toMatchObject([
      { name: 'karoo.co.za', kind: 'MX', observedAt: '2026-11-20T08:00:00Z', raw: 'first line\nsecond line' },
    ])
  await expect.element(page.getByRole('link', { name: 'Open karoo.co.za' })).toBeVisible()
})
