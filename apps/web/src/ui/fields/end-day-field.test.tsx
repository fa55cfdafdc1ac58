import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { SaveForm } from '../forms/save-form.tsx'
import { useSaveForm } from '../forms/use-save-form.ts'
import { DateTime } from '../text/date-time.tsx'
import { EndDayField, useEndDay } from './end-day-field.tsx'

// In Kiritimati it is 29 November.
vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-28T15:30:00Z') })

const term = { usualDays: 60, maxDays: 90 }

/** A form that shows the end as every screen does after it was saved. */
function Enabling() {
  const end = useEndDay(term)
  const [endsAt, setEndsAt] = useState<string | null>(null)
  const save = useSaveForm({
    initial: { endsOn: end.usual },
    validate: end.problems,
    send: async (values) => end.instant(values),
    onSaved: setEndsAt,
  })
  return (
    <SaveForm save={save} actions={<button type="submit">Enable</button>}>
      <EndDayField end={end} {...save.form.getInputProps('endsOn')} />
      {endsAt !== null && (
        <p data-testid="end">
          Until <DateTime at={endsAt} as="date" /> ({endsAt})
        </p>
      )}
    </SaveForm>
  )
}

const field = page.getByRole('textbox', { name: 'Ends on' })
const enterDay = async (typed: string) => {
  await userEvent.fill(field, typed)
  await userEvent.keyboard('{Enter}')
}
const inZone = (timeZone: string) => {
  const { tenant } = sessionOf()
  return { session: sessionOf({ tenant: { ...tenant, timeZone, locale: 'en-GB' } }) }
}

test.each([
  ['America/Los_Angeles', '2027-01-15', '2027-01-16T07:59:59.999Z', '27 Jan 2027', 'Wed, 27 Jan 2027', '25 Feb 2027'],
  ['Africa/Johannesburg', '2027-01-15', '2027-01-15T21:59:59.999Z', '27 Jan 2027', 'Wed, 27 Jan 2027', '25 Feb 2027'],
  ['Pacific/Kiritimati', '2027-01-15', '2027-01-15T09:59:59.999Z', '28 Jan 2027', 'Thu, 28 Jan 2027', '26 Feb 2027'],
])(
  'in %s a decision until a day includes the day, and the day is shown as it was typed',
  async (zone, day, end, usual, weekday, latest) => {
    await renderInApp(<Enabling />, inZone(zone))
    await expect.element(field).toHaveValue(usual)
    await expect.element(field).toHaveAccessibleDescription(`${weekday}. This day is included. At most ${latest}.`)
    await enterDay(day)
    await expect.element(page.getByTestId('end')).toHaveTextContent(`Until 15 Jan 2027 (${end})`)
    await enterDay('2027-02-27')
    await expect.element(field).toHaveAccessibleDescription(new RegExp(`Choose a day up to ${latest}\\.`))
  },
)
