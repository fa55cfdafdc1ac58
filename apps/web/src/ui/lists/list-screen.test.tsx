import { Button } from '@mantine/core'
import type { JobSummary } from '@prospect/api-client'
import { listJobs } from '@prospect/api-client'
import { listJobsQueryKey } from '@prospect/api-client/query'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { useKeyboard } from '../../app/keys/use-keyboard.ts'
import { dataOf } from '../api/data-of.ts'
import { ListScreen } from './list-screen.tsx'
import type { BulkActions, ListSelection } from './list-types.ts'
import type { DataColumn } from './table/table-types.ts'
import { keepsPlace, type PagedList } from './visible-pages.ts'

type Row = Pick<JobSummary, 'id' | 'title'>

const rendered = vi.fn<(id: string) => void>()

const columns: readonly DataColumn<Row>[] = [
  {
    id: 'title',
    label: 'Title',
    width: 15,
    isFixed: true,
    isGrowing: true,
    sort: { ascending: 'title', descending: '-title', first: 'ascending' },
    render: (row) => {
      rendered(row.id)
      return (
        <Link to="/jobs/$jobId" params={{ jobId: row.id }}>
          {row.title}
        </Link>
      )
    },
  },
  { id: 'about', label: 'About', width: 10, render: (row) => `About ${row.title}` },
]

const pagesOf = (query: { kind?: string; sort?: string } = {}): PagedList<Row> => ({
  queryKey: listJobsQueryKey({ query: query as { kind?: string } }),
  readPage: (at, signal) => dataOf(listJobs({ query: { ...(query as { kind?: string }), ...at }, signal })),
  limit: 50,
  placeOf: keepsPlace,
})

const rowsOf = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, at) => ({ id: `r${from + at}`, title: `Row ${from + at}` }))
const answer = (items: Row[], nextCursor: string | null = null, total: number | null = null) =>
  json({
    items,
    page: {
      limit: 50,
      returned: items.length,
      nextCursor,
      total: total === null ? null : { value: total, counts: 'matching_set', asOf: '2026-11-25T10:00:00.000Z' },
    },
  })

const reading = 'GET /jobs'

type Props = Partial<ComponentProps<typeof ListScreen<Row>>> & { query?: { kind?: string; sort?: string } }

function Screen({ query, ...props }: Props) {
  useKeyboard(false)
  return (
    <div style={{ height: 500, display: 'flex' }}>
      <ListScreen<Row>
        name="things"
        nouns={{ one: 'thing', many: 'things' }}
        title="Things"
        label="Things"
        columns={columns}
        pages={pagesOf(query)}
        clear={null}
        empty={<p>No things yet</p>}
        {...props}
      />
    </div>
  )
}

const link = (title: string) => page.getByRole('link', { name: title, exact: true })
const box = (title: string) => page.getByRole('checkbox', { name: `Select ${title}`, exact: true })
const activeRow = () => document.querySelector('tr[data-active]')?.textContent ?? ''

beforeEach(() => {
  rendered.mockClear()
  return page.viewport(1280, 800)
})

describe('the states of a list', () => {
  test('a list that fails to load shows the reason and can be retried; title and filters stay', async () => {
    fakeApi({ [reading]: [problem(403, 'forbidden', { detail: 'Not today.' }), answer(rowsOf(2))] })
    await renderInApp(<Screen filters={<input aria-label="Kind" />} />)
    await expect.element(page.getByText('Could not load the things')).toBeVisible()
    await expect.element(page.getByText('Could not load the count')).toBeVisible()
    await page.getByRole('textbox', { name: 'Kind' }).click()
    await userEvent.keyboard('abc')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(link('Row 1')).toBeVisible()
    await expect.element(page.getByText('2 things', { exact: true })).toBeVisible()
    await expect.element(page.getByRole('textbox', { name: 'Kind' })).toHaveValue('abc')
    await expect.element(page.getByRole('heading', { name: 'Things' })).toBeVisible()
  })

  test('an empty list shows its empty state; a filtered one offers to clear the filters', async () => {
    fakeApi({ [reading]: answer([]) })
    const clear = vi.fn()
    const { show } = await renderInApp(<Screen />)
    await expect.element(page.getByText('No things yet')).toBeVisible()
    show(<Screen clear={clear} />)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    expect(clear).toHaveBeenCalledOnce()
    await expect.element(page.getByText('0 match', { exact: true })).toBeVisible()
  })

  test('an empty page with a further one is followed by that page', async () => {
    fakeApi({ [reading]: [answer([], 'next'), answer(rowsOf(2))] })
    await renderInApp(<Screen />)
    await expect.element(link('Row 1')).toBeVisible()
    expect(page.getByText('No things yet').elements()).toHaveLength(0)
  })

  test('the next page loads when its rows come near; a failure keeps the rows and can be retried', async () => {
    const { sentTo } = fakeApi({
      [reading]: [answer(rowsOf(50), 'c2', 60), problem(403, 'forbidden'), answer(rowsOf(10, 50), null, 60)],
    })
    await renderInApp(<Screen />)
    await expect.element(page.getByText('60 things · 50 loaded')).toBeVisible()
    await userEvent.keyboard('{End}')
    await expect.element(page.getByText(/Could not load the next page/)).toBeVisible()
    await expect.element(link('Row 49')).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('60 things', { exact: true })).toBeVisible()
    expect(sentTo(reading).map(({ query }) => query.get('cursor'))).toEqual([null, 'c2', 'c2'])
  })
})

describe('by keyboard', () => {
  test('j and k move, Home and End go to the ends, Enter opens the row', async () => {
    fakeApi({ [reading]: answer(rowsOf(30)) })
    const { router } = await renderInApp(<Screen />)
    await expect.element(link('Row 1')).toBeVisible()
    await userEvent.keyboard('jj')
    await expect.element(link('Row 1')).toHaveFocus()
    await userEvent.keyboard('k')
    await expect.element(link('Row 0')).toHaveFocus()
    await userEvent.keyboard('{End}')
    await expect.element(link('Row 29')).toHaveFocus()
    await userEvent.keyboard('{Home}{Enter}')
    await expect.poll(() => router.state.location.pathname).toBe('/jobs/r0')
  })

  test('returning to the list restores the position', async () => {
    fakeApi({ [reading]: answer(rowsOf(200)) })
    const { router, show } = await renderInApp(<Screen />)
    await expect.element(link('Row 1')).toBeVisible()
    await userEvent.keyboard('{End}')
    await expect.element(link('Row 199')).toHaveFocus()
    show(null)
    await router.navigate({ to: '/elsewhere' as never })
    router.history.back()
    await expect.poll(() => router.state.location.pathname).toBe('/')
    show(<Screen />)
    await expect.element(link('Row 199')).toBeVisible()
    expect(activeRow()).toContain('Row 199')
  })
})

describe('selection', () => {
  const chosen = (selection: ListSelection) => <Button>Do it to {selection.ids.join(', ')}</Button>
  const bulk: BulkActions = {
    actions: chosen,
    matching: (selection) => <Button>{`All that match instead of ${selection.ids.length}`}</Button>,
  }
  const idsNow = () => page.getByRole('button', { name: /^Do it to/ }).element()?.textContent ?? ''

  test('rows cannot be selected without bulk actions', async () => {
    fakeApi({ [reading]: answer(rowsOf(3)) })
    await renderInApp(<Screen />)
    await expect.element(link('Row 1')).toBeVisible()
    await userEvent.keyboard('jx')
    await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument()
    await expect.element(page.getByRole('region', { name: 'Selection' })).not.toBeInTheDocument()
  })

  test('x selects the active row and Escape clears; the bar shows the count and the actions', async () => {
    fakeApi({ [reading]: answer(rowsOf(5)) })
    await renderInApp(<Screen bulk={bulk} />)
    await expect.element(link('Row 1')).toBeVisible()
    await userEvent.keyboard('jjx')
    await expect.element(box('Row 1')).toBeChecked()
    await expect.element(page.getByRole('status').getByText('1 thing selected')).toBeInTheDocument()
    await userEvent.keyboard('jx')
    await expect.element(page.getByRole('status').getByText('2 things selected')).toBeInTheDocument()
    expect(idsNow()).toBe('Do it to r1, r2')
    await userEvent.keyboard('x')
    await expect.element(box('Row 2')).not.toBeChecked()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('region', { name: 'Selection' })).not.toBeInTheDocument()
  })

  test('Shift with a movement key extends or shrinks the selection; Shift with x or a click selects up to the row', async () => {
    fakeApi({ [reading]: answer(rowsOf(9)) })
    await renderInApp(<Screen bulk={bulk} />)
    await expect.element(link('Row 1')).toBeVisible()
    await userEvent.keyboard('jj{Shift>}jj{/Shift}')
    await expect.poll(idsNow).toBe('Do it to r1, r2, r3')
    await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}')
    await expect.poll(idsNow).toBe('Do it to r1, r2')
    await userEvent.keyboard('{Escape}x')
    await expect.poll(idsNow).toBe('Do it to r2')
    await userEvent.keyboard('jj{Shift>}x{/Shift}')
    await expect.poll(idsNow).toBe('Do it to r2, r3, r4')
    await box('Row 6').click({ modifiers: ['Shift'] })
    await expect.poll(idsNow).toBe('Do it to r2, r3, r4, r5, r6')
  })

  test('the checkbox in the header selects the loaded rows and offers all matching rows', async () => {
    fakeApi({ [reading]: answer(rowsOf(50), 'c2', 60) })
    await renderInApp(<Screen bulk={bulk} />)
    const all = page.getByRole('checkbox', { name: 'Select all loaded rows' })
    await expect.element(box('Row 1')).toBeVisible()
    await box('Row 1').click()
    await expect.poll(() => (all.element() as HTMLInputElement).indeterminate).toBe(true)
    await expect.element(page.getByRole('button', { name: /^All that match/ })).not.toBeInTheDocument()
    await all.click()
    await expect.element(page.getByRole('button', { name: 'All that match instead of 50' })).toBeVisible()
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await expect.element(box('Row 1')).not.toBeChecked()
    await expect.element(all).not.toBeChecked()
  })

  test('all matching rows can be selected except individually cleared ones, and Escape clears all', async () => {
    fakeApi({ [reading]: answer(rowsOf(50), 'c2', 60) })
    const seen = vi.fn<(selection: ListSelection) => void>()
    const matching: BulkActions = {
      actions: (selection) => {
        seen(selection)
        return <Button>Do it</Button>
      },
      matching: ({ selectMatching, matching: count }) => <Button onClick={selectMatching}>{`All ${count}`}</Button>,
    }
    await renderInApp(<Screen bulk={matching} />)
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click()
    await page.getByRole('button', { name: 'All 60' }).click()
    const bar = page.getByRole('region', { name: 'Selection' })
    await expect.element(bar).toMatchTextContent('All 60 things that match selected')
    await box('Row 1').click()
    await box('Row 2').click()
    await box('Row 2').click()
    await expect.element(bar).toMatchTextContent('All 60 things that match selected, but for 1')
    expect(seen.mock.lastCall?.[0]).toMatchObject({ allBut: ['r1'], count: 59 })
    await userEvent.keyboard('{Escape}')
    await expect.element(bar).not.toBeInTheDocument()
    await expect.element(box('Row 3')).not.toBeChecked()
  })

  test('a new order keeps the selection; new filters clear it', async () => {
    fakeApi({ [reading]: answer(rowsOf(3)) })
    const { show } = await renderInApp(<Screen bulk={bulk} query={{ sort: 'title' }} />)
    await box('Row 1').click()
    show(<Screen bulk={bulk} query={{ sort: '-title' }} />)
    await expect.poll(idsNow).toBe('Do it to r1')
    show(<Screen bulk={bulk} query={{ sort: '-title', kind: 'export' }} />)
    await expect.element(page.getByRole('region', { name: 'Selection' })).not.toBeInTheDocument()
  })

  test('selecting a row renders only that row again', async () => {
    fakeApi({ [reading]: answer(rowsOf(6)) })
    await renderInApp(<Screen bulk={bulk} />)
    await expect.element(box('Row 3')).toBeVisible()
    await box('Row 3').click()
    await expect.element(box('Row 3')).toBeChecked()
    rendered.mockClear()
    await box('Row 3').click()
    await expect.element(box('Row 3')).not.toBeChecked()
    expect(new Set(rendered.mock.calls.flat())).toEqual(new Set(['r3']))
  })
})

function Beside(props: Props) {
  const [openId, setOpenId] = useState<string | null>(null)
  return (
    <>
      <button type="button" onClick={() => setOpenId('r3')}>
        Open beside
      </button>
      <Screen openId={openId} onStep={(row) => setOpenId(row.id)} {...props} />
    </>
  )
}

test('opening a record beside the list renders only its row again', async () => {
  fakeApi({ [reading]: answer(rowsOf(20)) })
  await renderInApp(<Beside />)
  await expect.element(link('Row 3')).toBeVisible()
  rendered.mockClear()
  await page.getByRole('button', { name: 'Open beside' }).click()
  await expect.element(page.getByRole('row', { name: /^Row 3/ })).toHaveAttribute('aria-current', 'true')
  expect(new Set(rendered.mock.calls.flat())).toEqual(new Set(['r3']))
  rendered.mockClear()
  await userEvent.keyboard('j')
  await expect.element(page.getByRole('row', { name: /^Row 4/ })).toHaveAttribute('aria-current', 'true')
  expect(new Set(rendered.mock.calls.flat())).toEqual(new Set(['r3', 'r4']))
})

test('rows with several lines have the height of their content and do not overlap', async () => {
  const long = 'A reason that needs more than one line. '.repeat(8)
  fakeApi({
    [reading]: answer(rowsOf(12).map((row, at) => ({ ...row, title: at % 2 === 0 ? `${long}${at}` : row.title }))),
  })
  await renderInApp(<Screen isWrapped />)
  await expect.element(link('Row 1')).toBeVisible()
  const boxes = () =>
    [...document.querySelectorAll('tbody tr')]
      .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
      .map((row) => row.getBoundingClientRect())
  await expect.poll(() => boxes()[0]?.height ?? 0).toBeGreaterThan((boxes()[1]?.height ?? 0) + 10)
  await expect
    .poll(() => boxes().every(({ bottom }, at, all) => Math.abs((all[at + 1]?.top ?? bottom) - bottom) < 1))
    .toBe(true)
})

test('on a narrow screen each row is a block of its cells', async () => {
  await page.viewport(390, 800)
  fakeApi({ [reading]: answer(rowsOf(4)) })
  await renderInApp(<Screen />)
  await expect.element(page.getByText('About Row 1')).toBeVisible()
  const row = page.getByRole('row', { name: /Row 1/ }).element()
  expect(getComputedStyle(row).display).toBe('grid')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
})
