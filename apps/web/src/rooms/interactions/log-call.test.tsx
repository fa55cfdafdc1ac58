import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { personOf } from '../../../test/person.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { useKeyboard } from '../../app/keys/use-keyboard.ts'
import { noteServerDate } from '../../ui/api/server-clock.ts'
import { type NextRow, useNextRow } from '../../ui/lists/next-row.ts'
import { InteractionForm } from './interaction-form.tsx'

const session = sessionOf({ permissions: ['interactions.write', 'businesses.block', 'suppression.add'] })
const adding = 'POST /businesses/b1/interactions'

type Beside = { openNext?: (() => NextRow) | null }

function Desk({ openNext = null }: Beside) {
  const [isOpen, setOpen] = useState(true)
  useKeyboard(false)
  useNextRow(openNext)
  if (!isOpen) return <p>Closed</p>
  return (
    <InteractionForm
      businessId="b1"
      corrects={null}
      isBlocked={false}
      canOptOut
      close={() => setOpen(false)}
      reopen={() => setOpen(true)}
    />
  )
}

// Friday, 27 November 2026.
beforeEach(() => noteServerDate('2026-11-27T08:00:00Z', 0))
afterEach(() => {
  noteServerDate(new Date().toISOString(), 0)
  localStorage.clear()
})

const radio = (name: RegExp | string) => page.getByRole('radio', { name })

test('a digit chooses the outcome, another one the follow-up, and Ctrl+Enter saves and opens the next record', async () => {
  const { sentTo } = fakeApi({ [adding]: json({ id: 'i1' }, 201) })
  const openNext = vi.fn((): NextRow => 'opened')
  await renderInApp(<Desk openNext={openNext} />, { session })
  await expect.element(radio('No answer')).toBeVisible()
  await userEvent.keyboard('2')
  await expect.element(radio('Left a message')).toBeChecked()
  await userEvent.keyboard('8')
  await expect.element(radio(/^Next working day/)).toBeChecked()
  await expect.element(page.getByRole('textbox', { name: 'Follow up on' })).toHaveValue('30 Nov 2026')
  radio('Left a message').element().focus()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('Closed')).toBeVisible()
  expect(sentTo(adding).map(({ body }) => body)).toMatchObject([
    { channel: 'phone', outcome: 'left_message', followUpOn: '2026-11-30' },
  ])
  expect(openNext).toHaveBeenCalledOnce()
})

test('every follow-up choice shows its weekday, and two with the same day are one', async () => {
  fakeApi({})
  const { show } = await renderInApp(<Desk />, { session })
  await expect.element(radio('Tomorrow Sat, 28 Nov 2026')).toBeVisible()
  await expect.element(radio('Next working day Mon, 30 Nov 2026')).toBeVisible()
  await expect.element(radio('In a week Fri, 04 Dec 2026')).toBeVisible()
  noteServerDate('2026-11-24T08:00:00Z', 0)
  show(<Desk key="tuesday" />)
  await expect.element(radio('Tomorrow Wed, 25 Nov 2026')).toBeVisible()
  expect(radio(/^Next working day/).elements()).toEqual([])
})

test('Save and Ctrl+Shift+Enter stay on the record; at the end of the list the notice says so', async () => {
  const { sentTo } = fakeApi({ [adding]: json({ id: 'i1' }, 201) })
  const openNext = vi.fn((): NextRow => 'ended')
  const { show } = await renderInApp(<Desk openNext={openNext} />, { session })
  await radio('Connected').click()
  await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  await expect.element(page.getByText('Closed')).toBeVisible()
  show(<Desk key="again" openNext={openNext} />)
  await radio('Connected').click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByText('Closed')).toBeVisible()
  expect(openNext).not.toHaveBeenCalled()
  show(<Desk key="last" openNext={openNext} />)
  await radio('Connected').click()
  await page.getByRole('button', { name: 'Save and next' }).click()
  await expect.element(page.getByText(/This was the last prospect in the list/)).toBeVisible()
  show(<Desk key="not loaded" openNext={() => 'unknown'} />)
  await radio('Connected').click()
  await page.getByRole('button', { name: 'Save and next' }).click()
  await expect.element(page.getByText(/The next prospect is not loaded yet\./)).toBeVisible()
  expect(sentTo(adding)).toHaveLength(4)
})

test('without a list there is only Save; "Other…" shows the whole vocabulary and keeps the choice', async () => {
  fakeApi({})
  await renderInApp(<Desk />, { session })
  await expect.element(page.getByRole('button', { name: 'Save', exact: true })).toBeVisible()
  expect(page.getByRole('button', { name: 'Save and next' }).elements()).toEqual([])
  await radio('Connected').click()
  await userEvent.keyboard('6')
  const outcome = page.getByRole('combobox', { name: 'Outcome' })
  await expect.element(outcome).toHaveFocus()
  await expect.element(outcome).toHaveValue('Connected')
  await expect.element(page.getByRole('textbox', { name: 'When' })).toBeVisible()
})

test('a call names the person at the prospect who took part', async () => {
  const items = [personOf({ id: 'p1', name: 'Thandi Nkosi', role: 'Buyer' }), personOf({ id: 'p2', name: 'Anna' })]
  const { sentTo } = fakeApi({
    [adding]: json({ id: 'i1' }, 201),
    'GET /businesses/b1/people': json({ items, page: { limit: 200, returned: 2, nextCursor: null, total: null } }),
  })
  const permissions = [...session.permissions, 'people.read' as const]
  await renderInApp(<Desk />, { session: sessionOf({ permissions }) })
  await userEvent.keyboard('1')
  await page.getByRole('combobox', { name: 'Spoke to' }).click()
  await userEvent.keyboard('than{Enter}')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByText('Closed')).toBeVisible()
  expect(sentTo(adding)[0]?.body).toMatchObject({ outcome: 'no_answer', personId: 'p1' })
})
