import { listNotes } from '@prospect/api-client'
import { listNotesQueryKey } from '@prospect/api-client/query'
import { useInfiniteQuery } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { dataOf } from '../api/data-of.ts'
import { pagedQuery } from '../api/page-queries.ts'
import { ListBody } from './list-body.tsx'

type Note = { id: string; text: string }
const reading = 'GET /businesses/b1/notes'
const path = { businessId: 'b1' }
const notesQuery = pagedQuery(listNotesQueryKey({ path }), (query, signal) =>
  dataOf(listNotes({ path, query, signal })),
)

type Counts = 'matching_set' | 'more_than'
const pageOf = (
  items: Note[],
  nextCursor: string | null,
  total: number | null = null,
  counts: Counts = 'matching_set',
) => ({
  items,
  page: {
    limit: 2,
    returned: items.length,
    nextCursor,
    total: total === null ? null : { value: total, counts, asOf: '2026-11-25T10:00:00.000Z' },
  },
})
const notes = (...names: string[]): Note[] => names.map((text) => ({ id: text, text }))

function List({ clear = null }: { clear?: (() => void) | null }) {
  const list = useInfiniteQuery(notesQuery)
  return (
    <ListBody list={list} data={list.data} noun="notes" clear={clear} empty={<p>No notes yet</p>}>
      {(items) => (
        <ul>
          {items.map(({ id, text }) => (
            <li key={id}>{text}</li>
          ))}
        </ul>
      )}
    </ListBody>
  )
}

test('a list that fails to load shows the reason and can be retried', async () => {
  fakeApi({ [reading]: [problem(403, 'forbidden', { detail: 'Not today.' }), json(pageOf(notes('One', 'Two'), null))] })
  await renderInApp(<List />)
  await expect.element(page.getByText('Could not load the notes')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('One')).toBeVisible()
  await expect.element(page.getByText('2 notes')).toBeVisible()
})

test('an empty list shows its empty state; a filtered one offers to clear the filters', async () => {
  fakeApi({ [reading]: json(pageOf([], null)) })
  const clear = vi.fn()
  const { show } = await renderInApp(<List />)
  await expect.element(page.getByText('No notes yet')).toBeVisible()
  show(<List clear={clear} />)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  expect(clear).toHaveBeenCalledOnce()
})

test('an empty page with a further one is not shown as an empty list', async () => {
  fakeApi({ [reading]: [json(pageOf([], 'next')), json(pageOf(notes('One', 'Two'), null))] })
  await renderInApp(<List />)
  await expect.element(page.getByText('No notes to show so far')).toBeVisible()
  expect(page.getByText('No notes yet').elements()).toHaveLength(0)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect.element(page.getByText('2 notes')).toBeVisible()
})

test('pages load on demand; after the last one the focus stays at the end of the list', async () => {
  const { sentTo } = fakeApi({
    [reading]: [json(pageOf(notes('One', 'Two'), 'c2', 3)), json(pageOf(notes('Three'), null, 3))],
  })
  await renderInApp(<List />)
  await expect.element(page.getByText('3 notes · 2 loaded')).toBeVisible()
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Three')).toBeVisible()
  await expect.element(page.getByText('3 notes')).toHaveFocus()
  expect(sentTo(reading).map(({ query }) => query.get('cursor'))).toEqual([null, 'c2'])
})

test('a total above the bound is stated as such', async () => {
  fakeApi({ [reading]: json(pageOf(notes('One', 'Two'), 'c2', 10_000, 'more_than')) })
  await renderInApp(<List />)
  await expect.element(page.getByText('more than 10\u00a0000 notes · 2 loaded')).toBeVisible()
})

test('a next page that fails to load keeps the rows and shows the failure', async () => {
  fakeApi({ [reading]: [json(pageOf(notes('One', 'Two'), 'c2', 3)), problem(403, 'forbidden')] })
  await renderInApp(<List />)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect.element(page.getByText(/Could not load the rest/)).toBeVisible()
  await expect.element(page.getByText('One')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})
