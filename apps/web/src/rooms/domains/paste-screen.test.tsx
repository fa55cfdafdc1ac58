import type { DnsCard } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type Answer, connectionLost, fakeApi, heldAnswer, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { PasteScreen } from './paste-screen.tsx'

const record = { kind: 'MX' as const, preference: 10, exchange: 'mail.karoo.co.za', ttl: 3_600 }

const card: DnsCard = {
  lines: { from: 1, to: 2 },
  readOnly: null,
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
    isPartial: false,
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
  await expect.element(region).toMatchTextContent('Enter a date and time, such as')
  expect(api.sentTo(route)).toEqual([])
  await region.getByRole('textbox', { name: 'Queried at' }).fill('20 Nov 2026 10:00')
  await region.getByRole('button', { name: 'Record', exact: true }).click()
  await expect
    .poll(() => api.sentTo(route).map(({ body }) => body))
    .toMatchObject([
      { name: 'karoo.co.za', kind: 'MX', observedAt: '2026-11-20T08:00:00.000Z', raw: 'first line\nsecond line' },
    ])
  await expect.element(page.getByRole('link', { name: 'Open karoo.co.za' })).toBeVisible()
})

test('an answer with addresses is shown, and cannot be recorded', async () => {
  const address: DnsCard = {
    lines: { from: 3, to: 4 },
    observation: { ...card.observation, kind: null, status: null, records: [], ttl: null },
    readOnly: {
      kind: 'A',
      status: 'resolved',
      records: [{ value: '196.10.100.1', ttl: 300 }],
      aliases: ['shop.example'],
      isPartial: false,
      errorReason: null,
    },
    doubts: [{ line: 3, code: 'other_kind', message: 'A is read here and not recorded: only MX, NS and TXT are.' }],
  }
  fakeApi({ 'POST /dns-observations/readings': json({ cards: [card, address], doubts: [] }) })
  await renderInApp(<PasteScreen />, { session: sessionOf({ permissions: ['domains.record', 'domains.read'] }) })
  await page.getByRole('textbox', { name: 'Output of dig' }).fill('first line\nsecond line\nthird line')
  const region = page.getByRole('region', { name: 'A of karoo.co.za' })
  for (const text of ['Records found', 'Alias of shop.example', '196.10.100.1', 'A is read here and not recorded'])
    await expect.element(region).toMatchTextContent(text)
  expect(region.getByRole('button').elements()).toEqual([])
  await expect.element(page.getByRole('button', { name: 'Record', exact: true })).toBeVisible()
  expect(page.getByRole('button', { name: /Record all/ }).elements()).toEqual([])
})

const route = 'POST /dns-observations'
const session = sessionOf({ permissions: ['domains.record', 'domains.read'] })
const at = '2026-11-28T15:20:11.000Z'

/** Answers as the API does: each line "MX of x" is a card of two lines. */
const read: Answer = ({ body }) => {
  const { text } = body as { text: string }
  const cards = text.split('\n').flatMap((line, index): DnsCard[] => {
    const name = /^MX of (\S+)/.exec(line)?.[1]
    if (name === undefined) return []
    const observation = { ...card.observation, name, observedAt: at }
    return [{ lines: { from: index + 1, to: index + 2 }, observation, readOnly: null, doubts: [] }]
  })
  return Response.json({ cards, doubts: [] })
}

const recordedAs: Answer = ({ body }) =>
  Response.json({ id: 'o1', domain: (body as { name: string }).name }, { status: 201 })
const pasted = page.getByRole('textbox', { name: 'Output of dig' })
const cardOf = (name: string) => page.getByRole('region', { name: `MX of ${name}` })
const press = (name: string) => cardOf(name).getByRole('button', { name: 'Record', exact: true }).click()

test('a line added above keeps corrections and recorded cards; the time is on the clock of the workspace', async () => {
  const api = fakeApi({ 'POST /dns-observations/readings': read, [route]: recordedAs })
  await renderInApp(<PasteScreen />, { session })
  await pasted.fill('MX of karoo.co.za\nanswer 1\nMX of overberg.co.za\nanswer 2')
  await expect
    .element(cardOf('karoo.co.za').getByRole('textbox', { name: 'Queried at' }))
    .toHaveValue('28 Nov 2026, 17:20')
  await press('karoo.co.za')
  await expect.element(page.getByRole('link', { name: 'Open karoo.co.za' })).toBeVisible()
  const resolver = cardOf('overberg.co.za').getByRole('textbox', { name: 'Resolver' })
  await resolver.fill('1.1.1.1')
  await pasted.fill('; a note\n\nMX of karoo.co.za\nanswer 1\nMX of overberg.co.za\nanswer 2')
  await expect.poll(() => api.sentTo('POST /dns-observations/readings').length).toBe(2)
  await expect.element(resolver).toHaveValue('1.1.1.1')
  await expect.element(page.getByRole('link', { name: 'Open karoo.co.za' })).toBeVisible()
  expect(cardOf('karoo.co.za').elements()).toHaveLength(0)
  await press('overberg.co.za')
  await expect
    .poll(() => api.sentTo(route).map(({ body }) => body))
    .toMatchObject([
      { name: 'karoo.co.za', observedAt: at, raw: 'MX of karoo.co.za\nanswer 1' },
      { name: 'overberg.co.za', observedAt: at, source: '1.1.1.1', raw: 'MX of overberg.co.za\nanswer 2' },
    ])
})

test('while a new text is read, a card is recorded with its own lines', async () => {
  const held = heldAnswer()
  const api = fakeApi({ 'POST /dns-observations/readings': [read, held.answer], [route]: recordedAs })
  await renderInApp(<PasteScreen />, { session })
  await pasted.fill('MX of karoo.co.za\nanswer 1')
  await expect.element(cardOf('karoo.co.za')).toBeVisible()
  await pasted.fill('; a note\n; another\nMX of karoo.co.za\nanswer 1')
  await expect.poll(() => api.sentTo('POST /dns-observations/readings').length).toBe(2)
  await press('karoo.co.za')
  await expect
    .poll(() => api.sentTo(route).map(({ body }) => body))
    .toMatchObject([{ raw: 'MX of karoo.co.za\nanswer 1' }])
  held.send(read)
  await expect.element(page.getByRole('link', { name: 'Open karoo.co.za' })).toBeVisible()
})

test('content that is removed and pasted again after a lost answer is recorded under its first key', async () => {
  const api = fakeApi({ 'POST /dns-observations/readings': read, [route]: [connectionLost, recordedAs] })
  await renderInApp(<PasteScreen />, { session })
  await pasted.fill('MX of karoo.co.za\nanswer 1')
  await press('karoo.co.za')
  await expect.poll(() => api.sentTo(route).length).toBe(1)
  await pasted.fill('MX of overberg.co.za\nanswer 2')
  await expect.element(cardOf('overberg.co.za')).toBeVisible()
  await pasted.fill('; again\nMX of karoo.co.za\nanswer 1\nMX of karoo.co.za\nanswer 1')
  await expect.poll(() => cardOf('karoo.co.za').elements().length).toBe(2)
  await cardOf('karoo.co.za').first().getByRole('button', { name: 'Record', exact: true }).click()
  await expect.poll(() => page.getByRole('link', { name: 'Open karoo.co.za' }).elements().length).toBe(2)
  const keys = api.sentTo(route).map(({ headers }) => headers.get('idempotency-key'))
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
})

test('one button records all cards; a card with an error stays and shows it', async () => {
  const api = fakeApi({ 'POST /dns-observations/readings': read, [route]: recordedAs })
  await renderInApp(<PasteScreen />, { session })
  await pasted.fill('MX of karoo.co.za\nanswer 1\nMX of overberg.co.za\nanswer 2\nMX of winelands.co.za\nanswer 3')
  await cardOf('overberg.co.za').getByRole('textbox', { name: 'Resolver' }).fill('')
  await page.getByRole('button', { name: 'Record all 3' }).click()
  await expect.element(page.getByRole('link', { name: 'Open karoo.co.za' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Open winelands.co.za' })).toBeVisible()
  await expect.element(cardOf('overberg.co.za')).toMatchTextContent('Enter the resolver.')
  expect(api.sentTo(route).map(({ body }) => (body as { name: string }).name)).toEqual([
    'karoo.co.za',
    'winelands.co.za',
  ])
  expect(page.getByRole('button', { name: /^Record all/ }).elements()).toHaveLength(0)
})
