import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { Select } from './select.tsx'

const colours = ['Red', 'Green', 'Blue']

function Form({ onSubmit, isSearchable = false }: { onSubmit: () => void; isSearchable?: boolean }) {
  const [value, setValue] = useState<string | null>('Green')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Select label="Colour" data={colours} value={value} onChange={setValue} searchable={isSearchable} clearable />
      <button type="submit">Send</button>
    </form>
  )
}

const field = page.getByRole('combobox', { name: 'Colour' })
const options = page.getByRole('listbox', { name: 'Colour' })

test('focus alone does not open the list; Enter opens it and selects, and does not submit the form', async () => {
  const onSubmit = vi.fn()
  await renderInApp(<Form onSubmit={onSubmit} />)
  await userEvent.tab()
  await expect.element(field).toHaveFocus()
  await expect.element(options).not.toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('option', { name: 'Blue' })).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(field).toHaveValue('Blue')
  expect(onSubmit).not.toHaveBeenCalled()
})

test('Enter on the selected option keeps it; the clear button clears it and returns the focus', async () => {
  await renderInApp(<Form onSubmit={() => {}} />)
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('option', { name: 'Green' })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveValue('Green')
  await page.getByRole('button', { name: 'Clear “Colour”' }).click()
  await expect.element(field).toHaveValue('')
  await expect.element(field).toHaveFocus()
})

test('one letter opens and filters the list, and Enter selects the first match', async () => {
  const onSubmit = vi.fn()
  await renderInApp(<Form onSubmit={onSubmit} isSearchable />)
  await userEvent.tab()
  await userEvent.keyboard('b')
  await expect.element(page.getByRole('option', { name: 'Blue' })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveValue('Blue')
  expect(onSubmit).not.toHaveBeenCalled()
})

test('Ctrl+Enter closes the list and keeps the value', async () => {
  await renderInApp(<Form onSubmit={() => {}} />)
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('option', { name: 'Blue' })).toBeVisible()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByRole('option', { name: 'Blue' })).not.toBeInTheDocument()
  await expect.element(field).toHaveValue('Green')
})
