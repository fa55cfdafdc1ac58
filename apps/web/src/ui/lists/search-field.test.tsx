import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { useKeyboard } from '../../app/keys/use-keyboard.ts'
import { SearchField } from './search-field.tsx'

function Harness({ q = '', search = () => {}, error }: { q?: string; search?: (q: string) => void; error?: string }) {
  useKeyboard(false)
  return (
    <SearchField
      label="Search"
      placeholder="A name"
      maxLength={50}
      q={q}
      search={search}
      error={error}
      action={{ id: 'search', label: 'Search', group: 'Test' }}
    />
  )
}

const field = page.getByRole('searchbox', { name: 'Search' })

test('`/` moves the focus to the field, and Enter searches once', async () => {
  const search = vi.fn()
  await renderInApp(<Harness search={search} />)
  await userEvent.keyboard('/')
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('karoo{Enter}')
  expect(search).toHaveBeenCalledExactlyOnceWith('karoo')
})

test('follows changes of the address, and the clear button empties it', async () => {
  const search = vi.fn()
  const { show } = await renderInApp(<Harness q="one" search={search} />)
  show(<Harness q="two" search={search} />)
  await expect.element(field).toHaveValue('two')
  await page.getByRole('button', { name: 'Clear search' }).click()
  expect(search).toHaveBeenCalledExactlyOnceWith('')
  await expect.element(field).toHaveFocus()
})

test('the reason for an empty result disappears when the user types', async () => {
  await renderInApp(<Harness q="a" error="Enter at least 3 characters." />)
  await expect.element(page.getByText('Enter at least 3 characters.')).toBeVisible()
  await field.fill('ab')
  await expect.element(page.getByText('Enter at least 3 characters.')).not.toBeInTheDocument()
})
