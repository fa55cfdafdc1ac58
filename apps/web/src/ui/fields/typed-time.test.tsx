import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import type { Direction } from '../text/day.ts'
import type { TypedKind } from '../text/typed-day.ts'
import { DayField } from './day-field.tsx'
import { TypedTime } from './typed-time.tsx'

// A Thursday. Only the date is faked, so timers run.
vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-26T10:00:00Z') })
afterEach(() => document.documentElement.setAttribute('data-mantine-color-scheme', 'light'))

function Form({
  of,
  onSend = () => {},
  start = '',
  direction = 'past',
  isComing = false,
}: {
  of: TypedKind
  onSend?: (value: string) => void
  start?: string
  direction?: Direction
  isComing?: boolean
}) {
  const [value, setValue] = useState(start)
  return (
    <form
      aria-label="Form"
      onSubmit={(event) => {
        event.preventDefault()
        onSend(value)
      }}
    >
      <TypedTime of={of} direction={direction} isComing={isComing} label="When" value={value} onChange={setValue} />
      <button type="submit">Send</button>
    </form>
  )
}

const field = page.getByRole('textbox', { name: 'When' })
const open = page.getByRole('button', { name: 'Calendar for “When”' })
const calendar = page.getByRole('dialog', { name: 'Calendar for “When”' })

test('typed words become the date on blur, and the form has the date before that', async () => {
  const onSend = vi.fn()
  await renderInApp(<Form of="day" onSend={onSend} />)
  await field.fill('27 Nov')
  await userEvent.keyboard('{Enter}')
  expect(onSend).toHaveBeenLastCalledWith('2026-11-27')
  await expect.element(field).toHaveValue('27 Nov')
  await userEvent.tab()
  await expect.element(field).toHaveValue('27 Nov 2026')
})

test.each([
  ['en-ZA', '03 Apr 2026'],
  ['en-US', 'Mar 4, 2026'],
] as const)('3/4/2026 in a workspace with the locale %s is %s', async (locale, day) => {
  await renderInApp(<Form of="day" />, { session: sessionOf({ tenant: { ...sessionOf().tenant, locale } }) })
  await field.fill('3/4/2026')
  await userEvent.tab()
  await expect.element(field).toHaveValue(day)
})

test('unreadable text stays, with the error beside the field', async () => {
  await renderInApp(<Form of="day" />)
  await field.fill('30/02/2026')
  await userEvent.tab()
  await expect.element(field).toHaveValue('30/02/2026')
  await expect.element(field).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field).toHaveAccessibleDescription(/Enter a date, such as 21\/11\/2026, 21 Nov or yesterday\./)
  await field.fill('today')
  await userEvent.tab()
  await expect.element(field).toHaveValue('26 Nov 2026')
  await expect.element(field).not.toHaveAttribute('aria-invalid', 'true')
})

test('a weekday in a field of the future is the next one, named with its weekday; a past day is an error on leaving', async () => {
  await renderInApp(<Form of="day" direction="future" isComing />)
  await field.fill('monday')
  await userEvent.tab()
  await expect.element(field).toHaveValue('30 Nov 2026')
  await expect.element(field).toHaveAccessibleDescription(/Mon,? 30 Nov 2026/)
  await field.fill('yesterday')
  await userEvent.tab()
  await expect.element(field).toHaveAccessibleDescription(/This date is in the past\. Choose today or later\./)
  await open.click()
  await expect.element(calendar.getByRole('button', { name: '25 November 2026' })).toBeDisabled()
  await expect.element(calendar.getByRole('button', { name: '26 November 2026' })).toBeEnabled()
})

test('picking a day by keyboard returns the focus to the button', async () => {
  await renderInApp(<Form of="day" start="2026-11-24" />)
  await userEvent.tab()
  await userEvent.tab()
  await expect.element(open).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  const day = calendar.getByRole('button', { name: '24 November 2026' })
  await expect.element(day).toBeVisible()
  await expect
    .element(calendar.getByRole('button', { name: '26 November 2026' }))
    .toHaveAttribute('aria-current', 'date')
  ;(day.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}{Enter}')
  await expect.element(field).toHaveValue('25 Nov 2026')
  await expect.element(calendar).not.toBeInTheDocument()
  await expect.element(open).toHaveFocus()
})

test('Escape closes the calendar and keeps the value', async () => {
  await renderInApp(<Form of="day" start="2026-11-24" />)
  await open.click()
  await expect.element(calendar).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(calendar).not.toBeInTheDocument()
  await expect.element(field).toHaveValue('24 Nov 2026')
})

test('a time is picked together with its day', async () => {
  await renderInApp(<Form of="time" start="2026-11-24 09:30" />)
  await open.click()
  await calendar.getByRole('button', { name: '27 November 2026' }).click()
  await expect.element(field).toHaveValue('27 Nov 2026, 09:30')
  await calendar.getByRole('spinbutton', { name: 'Hours' }).fill('14')
  await expect.element(field).toHaveValue('27 Nov 2026, 14:30')
})

test('in a locale with 12 hours, a time is typed and picked with am or pm', async () => {
  await renderInApp(<Form of="time" />, { session: sessionOf({ tenant: { ...sessionOf().tenant, locale: 'en-US' } }) })
  await field.fill('27 Nov 3:30 pm')
  await userEvent.tab()
  await expect.element(field).toHaveValue('Nov 27, 2026, 03:30 PM')
  await open.click()
  await expect.element(calendar.getByRole('spinbutton', { name: 'Hours' })).toHaveValue('03')
  await calendar.getByRole('combobox', { name: 'AM or PM' }).selectOptions('AM')
  await expect.element(field).toHaveValue('Nov 27, 2026, 03:30 AM')
})

test.each(['en-ZA', 'en-US'] as const)(
  'in %s the calendar begins with Monday, as the week of the API',
  async (locale) => {
    await renderInApp(<Form of="day" />, { session: sessionOf({ tenant: { ...sessionOf().tenant, locale } }) })
    await open.click()
    await expect.element(calendar.getByRole('button', { name: '26 November 2026' })).toBeVisible()
    // The row of weekdays is hidden from screen readers, because each day has its full date as name.
    expect(calendar.element().querySelector('thead th')?.textContent).toBe('Mo')
  },
)

test('a filter changes when the typed date is complete, not on each digit', async () => {
  const onChange = vi.fn()
  await renderInApp(<DayField direction="past" label="From" value={undefined} onChange={onChange} />)
  await page.getByRole('textbox', { name: 'From' }).click()
  await userEvent.keyboard('2026-11-2')
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.keyboard('7')
  expect(onChange.mock.calls).toEqual([['2026-11-27']])
  await page.getByRole('textbox', { name: 'From' }).fill('yesterday')
  await userEvent.keyboard('{Enter}')
  expect(onChange).toHaveBeenLastCalledWith('2026-11-25')
})

test.each(['light', 'dark'])(
  'the open calendar and an error have no accessibility violation in the %s theme',
  async (scheme) => {
    await renderInApp(<Form of="dayOrTime" start="soon" />)
    // The provider sets its own colour scheme when it mounts.
    document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
    await field.click()
    await open.click()
    await expect.element(calendar.getByRole('button', { name: '26 November 2026' })).toBeVisible()
    await expectAccessible()
  },
)
