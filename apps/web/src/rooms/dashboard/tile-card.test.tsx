import type { Tile } from '@prospect/api-client'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, heldAnswer, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { tileQuery } from './dashboard.queries.ts'
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
    hide={() => undefined}
    remove={remove}
  />
)
const region = () => page.getByRole('region', { name: 'Due for review' })

test('a number has a label, a time and a link to its list', async () => {
  fakeApi()
  await renderInApp(card(tile))
  const link = region().getByRole('link', { name: 'Due for review: 1 204. Open the list' })
  await expect.element(link).toHaveAttribute('href', '/review?saved=f-1')
  await expect.element(region()).toMatchTextContent('Active prospects, as of 20 Nov 2026')
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
