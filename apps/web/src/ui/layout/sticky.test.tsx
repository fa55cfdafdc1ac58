import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { StickyFooter } from './sticky.tsx'

const fields = Array.from({ length: 60 }, (_, at) => `Field ${at + 1}`)

function LongPage({ summary }: { summary: string }) {
  return (
    <main style={{ height: 300, overflow: 'auto' }}>
      {fields.map((name) => (
        <p key={name}>
          <input aria-label={name} />
        </p>
      ))}
      <StickyFooter summary={summary}>
        <button type="button">Add</button>
      </StickyFooter>
    </main>
  )
}

const box = (name: string, role: 'textbox' | 'button') =>
  page.getByRole(role, { name, exact: true }).element().getBoundingClientRect()

test('the footer stays in view at every scroll position, and covers no field that has the focus', async () => {
  await renderInApp(<LongPage summary="200 lines: 12 refused." />)
  const main = page.getByRole('main')
  await expect.element(main).toBeVisible()
  const footer = page.getByRole('button', { name: 'Add' }).element().parentElement
  const bottom = () => main.element().getBoundingClientRect().bottom
  expect(footer?.getBoundingClientRect().bottom).toBeCloseTo(bottom(), 0)
  for (const name of fields.slice(0, 25)) {
    await userEvent.tab()
    await expect.element(page.getByRole('textbox', { name, exact: true })).toHaveFocus()
    expect(box(name, 'textbox').bottom).toBeLessThanOrEqual(footer?.getBoundingClientRect().top ?? 0)
  }
})

test('a press in the footer does not scroll the page', async () => {
  await renderInApp(<LongPage summary="" />)
  const main = page.getByRole('main').element()
  main.scrollTop = 400
  page.getByRole('button', { name: 'Add' }).element().focus()
  expect(main.scrollTop).toBe(400)
})

test('the summary is announced: its element exists before its words', async () => {
  const { show } = await renderInApp(<LongPage summary="" />)
  const status = page.getByRole('main').getByRole('status')
  const element = status.element()
  show(<LongPage summary="12 refused." />)
  await expect.element(page.getByText('12 refused.')).toBeVisible()
  expect(element.isConnected).toBe(true)
  expect(element.textContent).toBe('12 refused.')
})
