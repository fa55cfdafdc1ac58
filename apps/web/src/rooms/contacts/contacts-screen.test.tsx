import type { ContactCandidate } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { personOf } from '../../../test/person.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { currentActions } from '../../ui/actions/actions.ts'
import { ContactsScreen } from './contacts-screen.tsx'

const candidate: ContactCandidate = {
  id: 'c1',
  business: { id: 'b1', name: 'Karoo Fencing', doNotContact: false },
  kind: 'phone',
  value: '021 555 0105',
  normalized: null,
  normalizationVersion: 'identifiers-7',
  uncertainty: 'no_country_context',
  region: null,
  state: 'open',
  rule: null,
  confidence: { level: 'medium', reasons: ['on_contact_page', 'no_country'] },
  syntax: 'valid',
  isRole: false,
  isFreeMail: false,
  mx: null,
  sightings: [
    {
      pageUrl: 'https://karoo.co.za/contact',
      pageTitle: 'Contact us',
      location: 'Contact us',
      method: 'text',
      observedAt: '2026-11-20T09:00:00.000Z',
      context: 'Tel 021 555 0105',
      scanId: 's1',
    },
  ],
  isOnRecord: false,
  fingerprint: 'as-it-was-seen',
  decision: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  deleteAfter: '2027-02-18T10:00:00.000Z',
  emptiedAt: null,
}

const list = (items: ContactCandidate[]) =>
  json({ items, page: { limit: 20, returned: items.length, nextCursor: null, total: null } })
const phoneCountries = json({
  countries: [
    { code: 'NA', callingCode: '264' },
    { code: 'ZA', callingCode: '27' },
  ],
})
const session = sessionOf({ permissions: ['contacts.read', 'contacts.decide', 'businesses.read'] })

test('a candidate shows its page, the sentence with the value highlighted, and reasons; accepting sends the shown fingerprint', async () => {
  const decision = 'POST /contact-candidates/c1/decision'
  const api = fakeApi({
    'GET /contact-candidates': list([candidate]),
    [decision]: json({ ...candidate, state: 'accepted' }),
    'GET /phone-countries': phoneCountries,
  })
  await renderInApp(<ContactsScreen />, { session })
  const card = page.getByRole('article', { name: '021 555 0105 for Karoo Fencing' })
  await expect.element(card).toMatchTextContent('For: On a contact page')
  await expect.element(card).toMatchTextContent('Against: Local number: the country is not known')
  await expect.element(card.getByRole('link', { name: 'Contact us' })).toHaveAttribute('rel', 'noopener noreferrer')
  expect(card.element().querySelector('mark')?.textContent).toBe('021 555 0105')
  await card.getByRole('button', { name: 'Accept…' }).click()
  const add = page.getByRole('checkbox', { name: 'Add to record' })
  await add.click()
  await userEvent.click(page.getByRole('combobox', { name: 'Country of the number' }))
  await page.getByRole('option', { name: 'South Africa +27' }).click()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .poll(() => api.sentTo(decision).map(({ body }) => body))
    .toEqual([{ decision: 'accept', fingerprint: 'as-it-was-seen', addToRecord: true, region: 'ZA' }])
})

test('an accepted value is given to a person of the prospect, or to a new one', async () => {
  const decision = 'POST /contact-candidates/c1/decision'
  const people = json({
    items: [personOf(), personOf({ id: 'p2', name: 'Anna' })],
    page: { limit: 200, returned: 2, nextCursor: null, total: null },
  })
  const api = fakeApi({
    'GET /contact-candidates': list([candidate]),
    'GET /businesses/b1/people': people,
    [decision]: json({ ...candidate, state: 'accepted' }),
    'GET /phone-countries': phoneCountries,
  })
  const permissions = ['contacts.read', 'contacts.decide', 'businesses.read', 'people.read', 'people.write'] as const
  await renderInApp(<ContactsScreen />, { session: sessionOf({ permissions: [...permissions] }) })
  const dialog = page.getByRole('dialog')
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Accept…' }).click()
    await userEvent.click(dialog.getByRole('combobox', { name: 'Person' }))
    await page.getByRole('option', { name }).click()
  }
  await choose('Anna')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await choose('A new person')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect.element(dialog.getByText('Enter a name with letters.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Zola Dlamini')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  const accepted = { decision: 'accept', fingerprint: 'as-it-was-seen', addToRecord: false }
  expect(api.sentTo(decision).map(({ body }) => body)).toEqual([
    { ...accepted, personId: 'p2' },
    { ...accepted, newPerson: { name: 'Zola Dlamini', role: null } },
  ])
})

test('a number that was read with the country of the workspace says so, and another country can be chosen', async () => {
  const decision = 'POST /contact-candidates/c1/decision'
  const local: ContactCandidate = { ...candidate, normalized: '+27215550105', uncertainty: null, region: 'ZA' }
  const api = fakeApi({
    'GET /contact-candidates': list([local]),
    [decision]: json({ ...local, state: 'accepted' }),
    'GET /phone-countries': phoneCountries,
  })
  await renderInApp(<ContactsScreen />, { session })
  const accept = async (change: () => Promise<void>) => {
    await page.getByRole('button', { name: 'Accept…' }).click()
    await change()
    await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  }
  await expect
    .element(page.getByRole('article'))
    .toMatchTextContent('Read as +27 21 555 0105, because the country of the workspace is South Africa.')
  const country = page.getByRole('combobox', { name: 'Country of the number' })
  await accept(async () => expect.element(country).toHaveValue('South Africa +27'))
  await accept(async () => {
    await userEvent.click(country)
    await page.getByRole('option', { name: 'Namibia +264' }).click()
  })
  const accepted = { decision: 'accept', fingerprint: 'as-it-was-seen', addToRecord: false }
  expect(api.sentTo(decision).map(({ body }) => body)).toEqual([accepted, { ...accepted, region: 'NA' }])
})

test.for([
  ['/contacts', 'open'],
  ['/contacts?show=quarantined', 'quarantined'],
] as const)('the address %s lists candidates in the state %s', async ([path, state], { expect }) => {
  const api = fakeApi({ 'GET /contact-candidates': list([]) })
  await renderInApp(<ContactsScreen />, { session, path })
  await expect.poll(() => api.sentTo('GET /contact-candidates').map(({ query }) => query.get('state'))).toEqual([state])
})

test('a quarantined candidate names its rule and is released with a reason', async () => {
  const decision = 'POST /contact-candidates/c1/decision'
  const quarantined: ContactCandidate = { ...candidate, state: 'quarantined', rule: 'credits' }
  const api = fakeApi({ 'GET /contact-candidates': list([quarantined]), [decision]: json(candidate) })
  await renderInApp(<ContactsScreen />, { session, path: '/contacts?show=quarantined' })
  await expect.element(page.getByRole('article')).toMatchTextContent('Quarantined · In the credits of the site')
  await page.getByRole('button', { name: 'Release…' }).click()
  await page.getByRole('textbox', { name: /Reason/ }).fill('It is their own number.')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .poll(() => api.sentTo(decision).map(({ body }) => body))
    .toEqual([{ decision: 'release', fingerprint: 'as-it-was-seen', reason: 'It is their own number.' }])
})

test('the quarantine groups candidates by rule, and shortcuts move through its groups', async () => {
  const quarantined = (id: string, value: string, rule: NonNullable<ContactCandidate['rule']>): ContactCandidate => ({
    ...candidate,
    id,
    value,
    state: 'quarantined',
    rule,
  })
  fakeApi({
    'GET /contact-candidates': list([
      quarantined('c1', '021 555 0101', 'credits'),
      quarantined('c2', '021 555 0102', 'hidden'),
      quarantined('c3', '021 555 0103', 'credits'),
    ]),
  })
  await renderInApp(<ContactsScreen />, { session, path: '/contacts?show=quarantined' })
  const inGroup = (name: string) => page.getByRole('region', { name }).getByRole('article')
  await expect.element(inGroup('Hidden on the page')).toMatchTextContent('021 555 0102')
  expect(inGroup('In the credits of the site').elements()).toHaveLength(2)
  const next = currentActions().find(({ id }) => id === 'contacts-next')
  next?.run()
  next?.run()
  await expect.element(page.getByRole('article', { name: '021 555 0101 for Karoo Fencing' })).toHaveFocus()
})

test('a decision on a later page removes its candidate, and the candidates around it stay', async () => {
  const decided = new Set<string>()
  const all = Array.from({ length: 6 }, (_, at) => ({ ...candidate, id: `c${at}`, value: `021 555 010${at}` }))
  fakeApi({
    'GET /contact-candidates': ({ query }) => {
      const open = all.filter(({ id }) => !decided.has(id))
      const from = query.get('cursor') === null ? 0 : open.findIndex(({ id }) => id > (query.get('cursor') ?? ''))
      const items = open.slice(from, from + 3)
      const nextCursor = from + 3 < open.length ? (items.at(-1)?.id ?? null) : null
      return Response.json({ items, page: { limit: 3, returned: items.length, nextCursor, total: null } })
    },
    'POST /contact-candidates/c4/decision': () => {
      decided.add('c4')
      return Response.json({ ...candidate, id: 'c4', state: 'accepted' })
    },
    'GET /phone-countries': phoneCountries,
  })
  await renderInApp(<ContactsScreen />, { session })
  const cards = page.getByRole('article')
  await expect.poll(() => cards.elements().length).toBe(3)
  await page.getByRole('button', { name: /more/ }).click()
  await expect.poll(() => cards.elements().length).toBe(6)
  const fifth = page.getByRole('article', { name: '021 555 0104 for Karoo Fencing' })
  await fifth.getByRole('button', { name: 'Accept…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
  await expect.element(fifth).not.toBeInTheDocument()
  await expect.poll(() => cards.elements().length).toBe(5)
})

test('each label is shown in words', async () => {
  const mail: ContactCandidate = {
    ...candidate,
    kind: 'email',
    value: 'info@gmail.com',
    isRole: true,
    isFreeMail: true,
    syntax: 'unusual',
    mx: { status: 'timeout', observedAt: '2026-11-20T10:00:00.000Z', freshness: 'stale' },
  }
  fakeApi({ 'GET /contact-candidates': list([mail]) })
  await renderInApp(<ContactsScreen />, { session })
  await expect
    .element(page.getByRole('article'))
    .toMatchTextContent(
      'To review · Shared mailbox · Free mail · Unusual syntax · Mail server uncertain: the query timed out (stale) · Confidence: medium',
    )
})

test('candidates are filtered by state and kind like other lists, and the filters are cleared', async () => {
  const api = fakeApi({ 'GET /contact-candidates': list([]) })
  await renderInApp(<ContactsScreen />, { session, path: '/contacts?show=quarantined' })
  await userEvent.click(page.getByRole('combobox', { name: 'Kind' }))
  await page.getByRole('option', { name: 'Email' }).click()
  const filters = () =>
    api.sentTo('GET /contact-candidates').map(({ query }) => [query.get('state'), query.get('kind')])
  await expect.poll(() => filters().at(-1)).toEqual(['quarantined', 'email'])
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect.poll(() => filters().at(-1)).toEqual(['open', null])
})
