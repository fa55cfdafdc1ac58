import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf } from '../../../test/business.ts'
import { fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { FollowUpDialog } from './follow-up-dialog.tsx'

const session = sessionOf({ permissions: ['interactions.write'] })
const setting = 'PUT /businesses/b1/follow-up'
const field = page.getByRole('textbox', { name: 'Follow up on' })
const close = vi.fn()

const dialog = (followUpOn: string | null, version = 3) => (
  <DialogSlot>
    <FollowUpDialog business={businessOf({ version, followUpOn })} close={close} reopen={() => {}} />
  </DialogSlot>
)

afterEach(() => {
  close.mockReset()
  localStorage.clear()
})

test('a typed day is saved by Enter against the version that was read, and the notice has its weekday', async () => {
  const saved = businessOf({ version: 4, followUpOn: '2031-12-01' })
  const { sentTo } = fakeApi({ [setting]: json(saved) })
  await renderInApp(dialog(null), { session })
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('1 Dec 2031{Enter}')
  await expect.element(page.getByText('Follow-up of Karoo Solar: Mon, 01 Dec 2031.')).toBeVisible()
  expect(close).toHaveBeenCalledOnce()
  expect(sentTo(setting).map(({ body, headers }) => [body, headers.get('if-match')])).toEqual([
    [{ followUpOn: '2031-12-01' }, '"3"'],
  ])
})

test('None clears the date; a past day is refused before anything is sent', async () => {
  const { sent, sentTo } = fakeApi({ [setting]: json(businessOf({ version: 4 })) })
  await renderInApp(dialog('2031-12-01'), { session })
  await field.fill('2020-01-01')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('This date is in the past. Choose today or later.').first()).toBeVisible()
  expect(sent).toEqual([])
  await page.getByRole('radio', { name: 'None' }).click()
  await page.getByRole('button', { name: 'Save follow-up' }).click()
  await expect.element(page.getByText('Karoo Solar has no follow-up.')).toBeVisible()
  expect(sentTo(setting).map(({ body }) => body)).toEqual([{ followUpOn: null }])
})

test('a conflict keeps the typed day and reads the record again', async () => {
  const theirs = businessOf({ version: 4, followUpOn: '2031-12-05' })
  const { sentTo } = fakeApi({
    [setting]: problem(412, 'version_conflict', { currentVersion: 4 }),
    'GET /businesses/b1': json(theirs),
  })
  const { show } = await renderInApp(dialog(null), { session })
  await field.fill('2031-12-01')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/Someone else saved changes first/)).toBeVisible()
  show(dialog('2031-12-05', 4))
  await expect.element(page.getByText(/Someone else changed the same field|Fri, 05 Dec 2031/).first()).toBeVisible()
  await expect.element(field).toHaveValue('2031-12-01')
  expect(sentTo(setting)).toHaveLength(1)
})
