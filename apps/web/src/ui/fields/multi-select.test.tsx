import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { MultiSelect } from './multi-select.tsx'

const provinces = [
  { value: 'GP', label: 'Gauteng' },
  { value: 'WC', label: 'Western Cape' },
  { value: 'NC', label: 'Northern Cape' },
]

function Form({ onSubmit = () => {} }: { onSubmit?: () => void }) {
  const [value, setValue] = useState<string[]>([])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <MultiSelect
        label="Provinces"
        data={provinces}
        value={value}
        onChange={setValue}
        readOther={(typed) => (typed === 'Wes-Kaap' ? 'WC' : undefined)}
      />
      <p data-testid="chosen">{value.join(' ') || 'none'}</p>
      <button type="submit">Send</button>
    </form>
  )
}

const field = page.getByRole('combobox', { name: 'Provinces' })
const chosen = page.getByTestId('chosen')

test('Enter opens the list and selects, one letter filters it, and neither submits the form', async () => {
  const onSubmit = vi.fn()
  await renderInApp(<Form onSubmit={onSubmit} />)
  await userEvent.tab()
  await expect.element(field).toHaveFocus()
  await expect.element(page.getByRole('option', { name: 'Gauteng' })).not.toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('option', { name: 'Gauteng' })).toBeVisible()
  await userEvent.keyboard('nor{Enter}')
  await expect.element(chosen).toHaveTextContent('NC')
  expect(onSubmit).not.toHaveBeenCalled()
})

test('text that is left in the field selects its options by name, code or another name', async () => {
  await renderInApp(<Form />)
  await userEvent.fill(field, 'gauteng, NC, Wes-Kaap, GP')
  await userEvent.tab()
  await expect.element(chosen).toHaveTextContent('GP NC WC')
  await expect.element(field).not.toHaveAttribute('aria-invalid', 'true')
})

test('text that matches no option stays as a value with an error that names it, until it is removed', async () => {
  await renderInApp(<Form />)
  await userEvent.fill(field, 'Gauteng, Bavaria')
  await userEvent.tab()
  await expect.element(chosen).toHaveTextContent('GP Bavaria')
  await expect.element(field).toHaveAttribute('aria-invalid', 'true')
  await expect.element(page.getByText('Not in the list: “Bavaria”.')).toBeVisible()
  await userEvent.click(field)
  await userEvent.keyboard('{Backspace}')
  await expect.element(chosen).toHaveTextContent('GP')
  await expect.element(page.getByText('Not in the list: “Bavaria”.')).not.toBeInTheDocument()
})

test('Ctrl+Enter accepts the typed text before the form is submitted', async () => {
  await renderInApp(<Form />)
  await userEvent.fill(field, 'gauteng')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(chosen).toHaveTextContent('GP')
})
