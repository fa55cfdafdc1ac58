import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { AddEntryDialog } from './add-entry-dialog.tsx'

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

test('an unknown ending is confirmed for the value that was refused, and not for a changed one', async () => {
  const adding = 'POST /suppressions'
  const message =
    'No known domain ends in .lan. Correct the domain, or confirm that the ending is correct (acceptUnknownSuffix).'
  const refusal = problem(400, 'invalid_request', { errors: [{ path: 'value', code: 'unknown_suffix', message }] })
  const { sentTo } = fakeApi({ [adding]: refusal })
  await renderInApp(
    <DialogSlot>
      <AddEntryDialog close={() => {}} reopen={() => {}} />
    </DialogSlot>,
    { session: sessionOf({ permissions: ['suppression.add'] }) },
  )
  const value = page.getByRole('textbox', { name: /^Email/ })
  await value.fill('jan@karoo.lan')
  await page.getByRole('textbox', { name: /^Reason/ }).fill('They asked.')
  await page.getByRole('combobox', { name: 'Received by' }).click()
  await page.getByRole('option', { name: 'Letter' }).click()
  const confirmation = page.getByRole('checkbox', { name: 'This domain ending is correct' })
  await expect.element(confirmation).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Add entry' }).click()
  await expect.element(page.getByText(message)).toBeVisible()
  await confirmation.click()
  await page.getByRole('button', { name: 'Add entry' }).click()
  await expect.poll(() => sentTo(adding).length).toBe(2)
  expect(sentTo(adding).map(({ body }) => body)).toMatchObject([
    { acceptUnknownSuffix: false },
    { acceptUnknownSuffix: true },
  ])
  await value.fill('jan@karoo.lans')
  await expect.element(confirmation).not.toBeInTheDocument()
})
