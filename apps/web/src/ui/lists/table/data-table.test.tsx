import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../../test/render.tsx'
import { ColumnsMenu } from './columns-menu.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'
import type { DataColumn } from './table-types.ts'
import { useColumnPreferences } from './use-column-preferences.ts'

type Row = { id: string; name: string; city: string; size: string }

const columns: readonly DataColumn<Row>[] = [
  {
    id: 'name',
    label: 'Name',
    width: 15,
    isFixed: true,
    isPinned: true,
    sort: { ascending: 'name', descending: '-name', first: 'ascending' },
    render: (row) => (
      <Link to="/jobs/$jobId" params={{ jobId: row.id }}>
        {row.name}
      </Link>
    ),
  },
  { id: 'city', label: 'City', width: 10, render: (row) => row.city },
  { id: 'size', label: 'Size', width: 10, render: (row) => <button type="button">{row.size}</button> },
  { id: 'tags', label: 'Tags', width: 10, isOptional: true, render: () => 'none' },
]

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `r${index}`,
    name: `Row ${index}`,
    city: `City ${index}`,
    size: `Size ${index}`,
  }))

type HarnessProps = Partial<DataTableProps<Row>> & { width?: number }

function Harness({ width = 1000, rows = rowsOf(3), ...props }: HarnessProps) {
  const [preferences, setPreferences] = useColumnPreferences('test', columns)
  const [activeId, setActiveId] = useState<string | null>(null)
  const [sort, setSort] = useState('name')
  return (
    <div style={{ width, height: 400, display: 'flex', flexDirection: 'column' }}>
      <ColumnsMenu columns={columns} preferences={preferences} onPreferences={setPreferences} />
      <DataTable
        label="Things"
        columns={columns}
        rows={rows}
        total={rows.length}
        preferences={preferences}
        onPreferences={setPreferences}
        sort={sort}
        onSort={setSort}
        listKey="all"
        activeId={activeId}
        openId={null}
        onActivate={setActiveId}
        keys={{ noun: 'thing', group: 'Things' }}
        renderNarrow={(row) => (
          <Link to="/jobs/$jobId" params={{ jobId: row.id }}>
            {row.name}
          </Link>
        )}
        onSeen={() => {}}
        onEndReached={() => {}}
        isBusy={false}
        initialOffset={0}
        onScrolled={() => {}}
        {...props}
      />
    </div>
  )
}

const table = page.getByRole('table', { name: 'Things' })
const header = (name: string) => page.getByRole('columnheader', { name, exact: true })
const headers = () =>
  page
    .getByRole('columnheader')
    .elements()
    .map((cell) => cell.getAttribute('aria-label'))
const scroller = () => table.element().parentElement as HTMLElement
const drawn = () => [...((table.element() as HTMLTableElement).tBodies[0]?.rows ?? [])]

beforeEach(() => page.viewport(1280, 800))

describe('rows', () => {
  test('are rendered only near the viewport, and the table reports their total number', async () => {
    await renderInApp(<Harness rows={rowsOf(10_000)} />)
    await expect.element(page.getByText('City 0', { exact: true })).toBeVisible()
    await expect.element(table).toHaveAttribute('aria-rowcount', '10001')
    expect(drawn().length).toBeLessThan(60)
    scroller().scrollTop = 200_000
    await expect.poll(() => drawn().some((row) => Number(row.ariaRowIndex) > 4_000)).toBe(true)
  })

  test('report an unknown total as unknown', async () => {
    await renderInApp(<Harness total={null} />)
    await expect.element(table).toHaveAttribute('aria-rowcount', '-1')
  })

  test('open on a click beside the link, but not on buttons, links or while text is selected', async () => {
    const { router } = await renderInApp(<Harness />)
    await page.getByRole('button', { name: 'Size 1' }).click()
    await page.getByText('City 2', { exact: true }).click({ modifiers: ['Control'] })
    expect(router.state.location.pathname).toBe('/')
    await page.getByText('City 1', { exact: true }).click()
    await expect.poll(() => router.state.location.pathname).toBe('/jobs/r1')
  })

  test('at the edge stay in place when the pointer presses their button, which gets the click', async () => {
    await renderInApp(<Harness rows={rowsOf(100)} />)
    await expect.element(page.getByText('City 0', { exact: true })).toBeVisible()
    const button = page.getByRole('button', { name: 'Size 20' })
    const row = () => button.element().closest('tr')?.getBoundingClientRect().bottom ?? 0
    const hidden = () => row() - scroller().getBoundingClientRect().bottom
    // Some pixels of the row are below the edge, and its button is not.
    scroller().scrollTop = 400
    await expect.element(button).toBeInTheDocument()
    scroller().scrollTop += hidden() - 6
    await expect.poll(hidden).toBeCloseTo(6, 0)
    const clicked = vi.fn()
    button.element().addEventListener('click', clicked)
    await button.click()
    expect(clicked).toHaveBeenCalledOnce()
    expect(hidden()).toBeCloseTo(6, 0)
  })

  test('focus their link when they become active', async () => {
    const { show } = await renderInApp(<Harness activeId={null} />)
    show(<Harness activeId="r2" />)
    await expect.element(page.getByRole('link', { name: 'Row 2' })).toHaveFocus()
  })

  test('do not take the focus from another element of the page when they become active', async () => {
    const other = <input aria-label="Search" />
    const { show } = await renderInApp(
      <>
        <Harness activeId={null} />
        {other}
      </>,
    )
    await page.getByRole('textbox', { name: 'Search' }).click()
    show(
      <>
        <Harness activeId="r2" />
        {other}
      </>,
    )
    await expect.element(page.getByRole('row', { name: /^Row 2/ })).toHaveAttribute('data-active')
    await expect.element(page.getByRole('textbox', { name: 'Search' })).toHaveFocus()
  })

  test('stay rendered while they are active, at every scroll position', async () => {
    await renderInApp(<Harness rows={rowsOf(1000)} activeId="r3" />)
    await expect.element(page.getByRole('link', { name: 'Row 3', exact: true })).toHaveFocus()
    scroller().scrollTop = 20_000
    await expect.poll(() => drawn().some((row) => Number(row.ariaRowIndex) > 400)).toBe(true)
    await expect.element(page.getByRole('link', { name: 'Row 3', exact: true })).toHaveFocus()
  })

  test('on screen stay in place when others are added above', async () => {
    const many = rowsOf(500)
    const { show } = await renderInApp(<Harness rows={many} />)
    scroller().scrollTop = 4000
    await expect.element(page.getByText('City 105', { exact: true })).toBeVisible()
    const topOf = () => page.getByText('City 105', { exact: true }).element().getBoundingClientRect().top
    const before = topOf()
    const added = ['a', 'b', 'c'].map((id) => ({ id, name: id, city: id, size: id }))
    show(<Harness rows={[...added, ...many]} />)
    await expect.poll(() => scroller().scrollTop).toBe(4120)
    expect(topOf()).toBeCloseTo(before, 0)
  })

  test('near the end request more, and visible rows are reported', async () => {
    const onEndReached = vi.fn()
    const onSeen = vi.fn()
    await renderInApp(<Harness rows={rowsOf(200)} onEndReached={onEndReached} onSeen={onSeen} />)
    await expect.poll(() => onSeen.mock.lastCall?.[0]).toBe(0)
    expect(onEndReached).not.toHaveBeenCalled()
    scroller().scrollTop = 7_000
    await expect.poll(() => onEndReached.mock.calls.length).toBeGreaterThan(0)
    expect(onSeen.mock.lastCall?.[0]).toBeGreaterThan(150)
  })

  test('of another list start at the top', async () => {
    const { show } = await renderInApp(<Harness rows={rowsOf(500)} listKey="all" />)
    scroller().scrollTop = 4000
    await expect.element(page.getByText('City 105', { exact: true })).toBeVisible()
    show(<Harness rows={rowsOf(400)} listKey="filtered" />)
    await expect.poll(() => scroller().scrollTop).toBe(0)
  })

  test('below 35 rem become blocks of two lines in one column', async () => {
    await renderInApp(<Harness width={380} />)
    await expect.element(table).toHaveAttribute('aria-colcount', '1')
    await expect.element(page.getByRole('link', { name: 'Row 1' })).toBeVisible()
    await expect.element(page.getByText('City 1', { exact: true })).not.toBeInTheDocument()
  })
})

describe('columns', () => {
  test('sort on a click on their name: first in their default direction, then in the other', async () => {
    const onSort = vi.fn()
    const { show } = await renderInApp(<Harness sort="-size" onSort={onSort} />)
    await expect.element(header('Name')).toHaveAttribute('aria-sort', 'none')
    await expect.element(header('City')).not.toHaveAttribute('aria-sort')
    await header('Name').getByRole('button', { name: 'Name', exact: true }).click()
    expect(onSort).toHaveBeenLastCalledWith('name')
    show(<Harness sort="name" onSort={onSort} />)
    await expect.element(header('Name')).toHaveAttribute('aria-sort', 'ascending')
    await header('Name').getByRole('button', { name: 'Name', exact: true }).click()
    expect(onSort).toHaveBeenLastCalledWith('-name')
  })

  test('move, hide and pin from their menu; the position is announced and stored', async () => {
    const { show } = await renderInApp(<Harness />)
    expect(headers()).toEqual(['Name', 'City', 'Size'])
    await page.getByRole('button', { name: 'Column City' }).click()
    await page.getByRole('menuitem', { name: 'Move right' }).click()
    await expect.poll(headers).toEqual(['Name', 'Size', 'City'])
    await expect.element(page.getByText('City: column 3 of 3')).toBeInTheDocument()
    await page.getByRole('menuitem', { name: 'Hide' }).click()
    await expect.poll(headers).toEqual(['Name', 'Size'])
    show(null)
    show(<Harness key="again" />)
    await expect.poll(headers).toEqual(['Name', 'Size'])
    await page.getByRole('button', { name: 'Column Size' }).click()
    await page.getByRole('menuitem', { name: 'Pin to the left' }).click()
    await expect.element(header('Size')).toHaveAttribute('data-pinned')
  })

  test('become wider and narrower from their menu, and the width is announced', async () => {
    await renderInApp(<Harness />)
    const widthOf = () => header('City').element().getBoundingClientRect().width
    const before = widthOf()
    await page.getByRole('button', { name: 'Column City' }).click()
    await page.getByRole('menuitem', { name: 'Wider' }).click()
    await expect.poll(widthOf).toBeCloseTo(before + 24, 0)
    await expect.element(page.getByText(/City: \d+ pixels wide/)).toBeInTheDocument()
  })

  test('that name the row cannot be hidden', async () => {
    await renderInApp(<Harness />)
    await page.getByRole('button', { name: 'Column Name' }).click()
    await expect.element(page.getByRole('menuitem', { name: 'Move right' })).toBeVisible()
    await expect.element(page.getByRole('menuitem', { name: 'Hide' })).not.toBeInTheDocument()
  })

  test('are shown, moved and reset in the panel, which closes on Escape and returns the focus', async () => {
    await renderInApp(<Harness />)
    await page.getByRole('button', { name: 'Columns and density' }).click()
    const panel = page.getByRole('dialog', { name: 'Columns and density' })
    await panel.getByRole('checkbox', { name: 'Tags' }).click()
    await expect.poll(headers).toEqual(['Name', 'City', 'Size', 'Tags'])
    await panel.getByRole('button', { name: 'Move Tags up' }).click()
    await expect.poll(headers).toEqual(['Name', 'City', 'Tags', 'Size'])
    await panel.getByText('Compact').click()
    await expect.poll(() => scroller().dataset.density).toBe('compact')
    await panel.getByRole('button', { name: 'Reset columns' }).click()
    await expect.poll(headers).toEqual(['Name', 'City', 'Size'])
    await userEvent.keyboard('{Escape}')
    await expect.element(panel).not.toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Columns and density' })).toHaveFocus()
  })
})
