import type { Tile } from '@prospect/api-client'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, heldAnswer, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { droppedTile, tileQuery } from './dashboard.queries.ts'
import { TileCard } from './tile-card.tsx'

const tile: Tile = {
  ...{ key: 'due', title: 'Due for review', status: 'ready', value: 1_204, counts: 'Active prospects' },
  asOf: '2026-11-20T08:00:00.000Z',
  ...{ predicate: null, link: { desk: 'review', query: { filterId: 'f-1' } }, reason: null, parts: [] },
}
const card = (first: Tile, remove: (() => void) | null = null) => (
  <TileCard
    first={first}
    at={Date.now()}
    isFirst
    isLast
    move={() => undefined}
    drop={() => undefined}
    hide={() => undefined}
    remove={remove}
  />
)
const region = () => page.getByRole('region', { name: 'Due for review' })

test('a number has a label and a link to its list', async () => {
  fakeApi()
  await renderInApp(card(tile))
  const link = region().getByRole('link', { name: 'Due for review: 1 204. Open the list' })
  await expect.element(link).toHaveAttribute('href', '/review?saved=f-1')
  await expect.element(region()).toMatchTextContent('Active prospects')
})

test('a pending tile is counted separately, says so, and shows no 0', async () => {
  const { answer, send } = heldAnswer()
  fakeApi({ 'GET /dashboard/tiles/due': answer })
  await renderInApp(card({ ...tile, status: 'pending', value: null, asOf: null, link: null }))
  await expect.element(region()).toMatchTextContent('Counting')
  expect(region().element().textContent).not.toMatch(/\d/)
  send(json({ ...tile, status: 'at_least', value: 10_000 }))
  await expect.element(region().getByRole('link')).toHaveTextContent('More than 10 000')
})

test('a failed tile shows the reason and can be retried; one of a deleted filter can be removed', async () => {
  const failed: Tile = { ...tile, status: 'failed', value: null, link: null, reason: 'This filter was deleted.' }
  fakeApi({ 'GET /dashboard/tiles/due': [problem(400, 'invalid_request'), json(tile)] })
  const remove = vi.fn()
  await renderInApp(card(failed, remove))
  await expect.element(region()).toMatchTextContent('This filter was deleted.')
  await expect.element(region().getByRole('link')).not.toBeInTheDocument()
  await region().getByRole('button', { name: 'Remove the tile' }).click()
  expect(remove).toHaveBeenCalledOnce()
  await region().getByRole('button', { name: 'Try again' }).click()
  await region().getByRole('button', { name: 'Try again' }).click()
  await expect.element(region().getByRole('link')).toHaveTextContent('1 204')
})

test('a tile without permission shows that, and a stale tile shows it beside its number', async () => {
  fakeApi()
  const { show } = await renderInApp(card({ ...tile, status: 'not_allowed', value: null, reason: 'Not your role.' }))
  await expect.element(region()).toMatchTextContent('Not your role.')
  const reason = '2 prospects wait to be scored again, since 2026-11-20T08:00:00.000Z.'
  const stale: Tile = { ...tile, key: 'other', status: 'stale', reason }
  show(card(stale))
  await expect.element(region()).toMatchTextContent('1 204')
  await expect.element(region()).toMatchTextContent('2 prospects wait to be scored again, since 20 Nov 2026, 10:00.')
  const { refetchInterval } = tileQuery(stale, 0)
  const readAgain = (data: Tile) =>
    typeof refetchInterval === 'function' &&
    refetchInterval({ state: { data } } as Parameters<typeof refetchInterval>[0])
  expect([readAgain(stale), readAgain(tile)]).toEqual([expect.any(Number), false])
})

const part = (key: string, value: number, label = key) => ({
  ...{ key, label, value, isAtLeast: false, predicate: null },
  link: { desk: 'prospects' as const, query: { state: key } },
})

test('parts of which there are none are folded', async () => {
  fakeApi()
  await renderInApp(card({ ...tile, parts: [part('New', 4), part('Won', 0), part('Lost', 0)] }))
  await expect.element(region().getByRole('rowheader')).toHaveTextContent('New')
  await region().getByRole('button', { name: 'Show 2 with 0' }).click()
  await expect.element(region().getByRole('rowheader', { name: 'Lost' })).toBeVisible()
  await region().getByRole('button', { name: 'Hide 2 with 0' }).click()
  expect(region().getByRole('rowheader').elements()).toHaveLength(1)
})

test('what waits for a person opens its list, quarantined contacts the quarantine', async () => {
  fakeApi()
  const waiting = (key: string, value: number, label: string, link: Tile['link']) => ({
    ...part(key, value, label),
    link,
  })
  const parts = [
    waiting('contact_candidates', 4, 'Contact candidates', { desk: 'contacts', query: {} }),
    waiting('quarantined_contacts', 2, 'Quarantined contacts', { desk: 'contacts', query: { show: 'quarantined' } }),
    waiting('sites', 1, 'Proposed sites', { desk: 'websites', query: {} }),
  ]
  await renderInApp(card({ ...tile, key: 'waiting', link: null, parts }))
  const address = (name: string) => region().getByRole('link', { name: `${name}. Open the list` })
  await expect.element(address('Contact candidates: 4')).toHaveAttribute('href', '/contacts')
  await expect.element(address('Quarantined contacts: 2')).toHaveAttribute('href', '/contacts?show=quarantined')
  await expect.element(address('Proposed sites: 1')).toHaveAttribute('href', '/websites/proposed-sites')
})

test('days are columns, and each opens the list of that day of the workspace', async () => {
  fakeApi()
  const day = (value: number, key: string, from: string, to: string) => ({
    ...part(key, value),
    link: { desk: 'audit' as const, query: { action: 'review.decide', from, to } },
  })
  const parts = [
    day(0, '2026-11-27', '2026-11-26T22:00:00.000Z', '2026-11-27T21:59:59.999Z'),
    day(5, '2026-11-28', '2026-11-27T22:00:00.000Z', '2026-11-28T21:59:59.999Z'),
  ]
  await renderInApp(card({ ...tile, parts }))
  const link = region().getByRole('link', { name: '28 Nov 2026: 5. Open the list' })
  await expect.element(link).toHaveAttribute('href', '/audit?action=review.decide&from=2026-11-28&to=2026-11-28')
  expect(region().getByRole('row').elements()).toHaveLength(2)
})

test('a tile that is dropped onto another one takes its place', () => {
  const tiles = ['a', 'b', 'c', 'd'].map((key) => ({ key, isHidden: false }))
  const keysAfter = (key: string, onto: string) =>
    droppedTile(tiles, key, onto)
      .map((one) => one.key)
      .join('')
  expect([keysAfter('a', 'c'), keysAfter('d', 'b'), keysAfter('a', 'gone')]).toEqual(['bcad', 'adbc', 'abcd'])
})
