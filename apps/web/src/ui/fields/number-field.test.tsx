import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import type { NumberRange, NumberValue } from '../text/typed-number.ts'
import { NumberField } from './number-field.tsx'

type Props = NumberRange & { start?: NumberValue; onChange?: (value: NumberValue) => void }

function Form({ start = '', onChange, ...range }: Props) {
  const [value, setValue] = useState(start)
  return (
    <>
      <NumberField
        label="Tokens"
        {...range}
        value={value}
        onChange={(next) => {
          setValue(next)
          onChange?.(next)
        }}
      />
      <button type="button" onClick={() => setValue(7_000)}>
        Seven thousand
      </button>
    </>
  )
}

const field = page.getByRole('textbox', { name: 'Tokens' })
const inLocale = (locale: 'en-ZA' | 'en-US' | 'en-DE') => ({
  session: sessionOf({ tenant: { ...sessionOf().tenant, locale } }),
})

test.each([
  ['en-ZA', '1500', '1\u00a0500'],
  ['en-US', '1500', '1,500'],
  ['en-DE', '1.500', '1.500'],
] as const)('in %s, %s is shown as %s on blur', async (locale, typed, shown) => {
  const onChange = vi.fn()
  await renderInApp(<Form max={500_000} onChange={onChange} />, inLocale(locale))
  await field.fill(typed)
  await expect.element(field).toHaveValue(typed)
  expect(onChange).toHaveBeenLastCalledWith(1_500)
  await userEvent.tab()
  await expect.element(field).toHaveValue(shown)
  await expect.element(field).not.toHaveAttribute('aria-invalid', 'true')
})

test.each([
  ['en-ZA', 'Enter a whole number, such as 1\u00a0500.'],
  ['en-US', 'Enter a whole number, such as 1,500.'],
] as const)('in %s, 1.500 stays as typed, with an example beside it', async (locale, message) => {
  const onChange = vi.fn()
  await renderInApp(<Form max={500_000} onChange={onChange} />, inLocale(locale))
  await field.fill('1.500')
  expect(onChange).toHaveBeenLastCalledWith('1.500')
  await expect.element(field).not.toHaveAttribute('aria-invalid', 'true')
  await userEvent.tab()
  await expect.element(field).toHaveValue('1.500')
  await expect.element(field).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field).toHaveAccessibleDescription(message)
})

test('a number out of range stays, with the range beside it', async () => {
  await renderInApp(<Form start={2} min={1} max={1_825} />)
  await field.fill('2000')
  await userEvent.tab()
  await expect.element(field).toHaveValue('2\u00a0000')
  await expect.element(field).toHaveAccessibleDescription('Enter a number from 1 to 1\u00a0825.')
})

test('a button below the field gets the click that makes the error appear', async () => {
  await renderInApp(<Form start={2} min={1} max={1_825} />)
  await field.fill('2000')
  await page.getByRole('button', { name: 'Seven thousand' }).click()
  await expect.element(field).toHaveValue('7\u00a0000')
  await expect.element(field).toHaveAccessibleDescription('Enter a number from 1 to 1\u00a0825.')
})

test('a value that is set from outside replaces the typed text', async () => {
  await renderInApp(<Form start="12" />)
  await field.fill('34')
  await page.getByRole('button', { name: 'Seven thousand' }).click()
  await expect.element(field).toHaveValue('7\u00a0000')
})

test('a field with an error has no accessibility violation', async () => {
  await renderInApp(<Form start="many" />)
  await field.click()
  await userEvent.tab()
  await expect.element(field).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible()
})
