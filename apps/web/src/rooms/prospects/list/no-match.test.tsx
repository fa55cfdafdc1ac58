import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { until } from '../../../../test/until.ts'
import { NoMatch } from './no-match.tsx'
import { type ProspectSearch, parseProspectSearch } from './prospect-search.ts'

const similar = 'GET /businesses/similar-names'
const answer = {
  items: [
    { id: 'b1', name: 'Karoo Grill', pipelineState: 'new', doNotContact: false },
    { id: 'b2', name: 'Karoo Grille', pipelineState: 'new', doNotContact: true },
  ],
  city: 'Stellenbosch',
  isRenewing: false,
}
const change = vi.fn()
const clear = vi.fn()
/** The addresses after each change. */
const changes = () => change.mock.calls.map(([patch]) => parseProspectSearch(patch))
const show = (search: ProspectSearch) => renderInApp(<NoMatch search={search} change={change} clear={clear} />)
const didYouMean = (city: string) => page.getByRole('button', { name: `Did you mean ${city}?` })

beforeEach(() => page.viewport(1_400, 800))
afterEach(() => vi.clearAllMocks())

test('a search without a match announces similar names with their marks, and the city that was meant', async () => {
  const { sentTo } = fakeApi({ [similar]: json(answer) })
  await show({ q: 'Karro', state: 'won', conditions: 'industry:any_of:Food' })
  const hints = page.getByRole('status', { name: 'Suggestions' })
  await expect.element(hints.getByRole('heading', { name: 'Similar names' })).toBeVisible()
  await expect
    .element(hints.getByRole('link', { name: 'Karoo Grill', exact: true }))
    .toHaveAttribute('href', '/prospects/b1')
  await expect.element(hints.getByRole('listitem').nth(1)).toMatchTextContent('Do not contact')
  await expect.element(page.getByText(/The search covers names, registration numbers/)).toBeVisible()
  expect(sentTo(similar).map(({ query }) => query.get('q'))).toEqual(['Karro'])
  await didYouMean('Stellenbosch').click()
  expect(changes()).toEqual([{ state: 'won', industry: 'Food', city: 'Stellenbosch' }])
})

test('a city without a match is replaced by the one that was meant, by keyboard', async () => {
  fakeApi({ [similar]: json(answer) })
  await show({ conditions: 'city:any_of:Stelenbosch;industry:any_of:Food' })
  await expect.element(didYouMean('Stellenbosch')).toBeVisible()
  expect(page.getByText('Similar names').query()).toBeNull()
  ;(didYouMean('Stellenbosch').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  expect(changes()).toEqual([{ industry: 'Food', city: 'Stellenbosch' }])
})

test('nothing is offered for the same city, for other filters, or when nothing is similar', async () => {
  const { sentTo } = fakeApi({ [similar]: json({ ...answer, items: [] }) })
  const { unmount } = await show({ conditions: 'city:any_of:STELLENBOSCH' })
  await until(() => expect(sentTo(similar)).toHaveLength(1))
  expect(page.getByRole('status', { name: 'Suggestions' }).element().textContent).toBe('')
  await unmount()
  await show({ state: 'won' })
  await expect.element(page.getByText('No prospects match')).toBeVisible()
  expect(sentTo(similar)).toHaveLength(1)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  expect(clear).toHaveBeenCalledOnce()
})

test('while search data is renewed, the notice says so', async () => {
  fakeApi({ [similar]: json({ items: [], city: null, isRenewing: true }) })
  await show({ q: 'Qcurls' })
  await expect
    .element(page.getByRole('status', { name: 'Suggestions' }))
    .toMatchTextContent('Search data is being updated.')
})

test('says that an operator has no prospects, and offers to show all prospects', async () => {
  fakeApi()
  const { unmount } = await show({ assignee: 'user-1' })
  await expect.element(page.getByText('Nothing is assigned to you yet')).toBeVisible()
  await page.getByRole('button', { name: 'Show all prospects' }).click()
  expect(clear).toHaveBeenCalledOnce()
  await unmount()
  await show({ assignee: 'user-1', state: 'won' })
  await expect.element(page.getByText('No prospects match')).toBeVisible()
})
